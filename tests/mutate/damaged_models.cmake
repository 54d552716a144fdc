# SPDX-License-Identifier: Apache-2.0
# Some damaged models: of the recorded real ones where they are, else of generated samples. DATA is the folder of test
# data, which LAPIDARY_TEST_DATA in the environment comes before.
if(NOT "$ENV{LAPIDARY_TEST_DATA}" STREQUAL "")
  set(DATA "$ENV{LAPIDARY_TEST_DATA}")
endif()
set(places "${DATA}/models/real")
if(NOT EXISTS "${places}")
  message(STATUS "there is no ${places}: generated samples stand in")
  file(MAKE_DIRECTORY damaged_models)
  set(lenet damaged_models/lenet.onnx)
  set(fused damaged_models/fused.onnx)
  set(int8 damaged_models/int8.onnx)
  execute_process(COMMAND "${CLI}" sample lenet -o ${lenet} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
  execute_process(COMMAND "${CLI}" optimize ${lenet} -o ${fused} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
  execute_process(COMMAND "${CLI}" quantize ${lenet} -o ${int8} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
  set(places ${lenet} ${fused} ${int8})  # files by name are taken whatever their size
endif()
execute_process(COMMAND "${MUTATE}" --count 1000 --most-bytes 300000 ${places} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${MUTATE}" --ort --count 1000 --most-bytes 300000 ${places} COMMAND_ERROR_IS_FATAL ANY)
