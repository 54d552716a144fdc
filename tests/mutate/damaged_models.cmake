# SPDX-License-Identifier: Apache-2.0
# Some damaged models, of the recorded real ones where they are, else of a generated sample.
if(EXISTS "${MODELS}")
  set(places "${MODELS}")
else()
  message(STATUS "there is no ${MODELS}: a generated sample stands in")
  set(places damaged_models)
  file(MAKE_DIRECTORY ${places})
  execute_process(COMMAND "${CLI}" sample mlp -o damaged_models/sample.onnx COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND "${MUTATE}" --count 1000 --most-bytes 300000 "${places}" COMMAND_ERROR_IS_FATAL ANY)
