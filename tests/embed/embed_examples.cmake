# SPDX-License-Identifier: Apache-2.0
# Installs the engine, builds core/examples against it as a project of its own, and runs them on a generated sample.
set(prefix ${WORK}/prefix)
set(examples ${WORK}/examples)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result
                  OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

# Fails unless the output of the last run() matches the expression.
macro(expect expression)
  if(NOT output MATCHES "${expression}")
    message(FATAL_ERROR "expected ${expression} in:\n${output}")
  endif()
endmacro()

run(${CMAKE_COMMAND} --install ${BUILD} --component lapidary_engine --prefix ${prefix})

# All installed headers together, the last one first: none needs one that is not installed, or what comes before it in
# the alphabet (core_tests looks for the includes of each).
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/lapidary/*.h)
list(LENGTH headers count)
if(count LESS 40)
  message(FATAL_ERROR "only ${count} headers were installed")
endif()
list(REVERSE headers)
list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
list(JOIN headers "" text)
file(WRITE ${WORK}/all_headers.cpp "${text}")
run(${CXX} -std=c++20 -fsyntax-only -I${prefix}/include ${WORK}/all_headers.cpp)

# A prefix that was moved still serves.
file(RENAME ${prefix} ${WORK}/moved)
set(prefix ${WORK}/moved)
run(${CMAKE_COMMAND} -S ${SOURCE}/core/examples -B ${examples} -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${CONFIG})
run(${CMAKE_COMMAND} --build ${examples})

run(${CLI} sample mlp -o ${WORK}/sample.onnx)
run(${examples}/optimize_and_save sample.onnx optimized.onnx)
expect("nodes became")
expect("the outputs agree; wrote optimized.onnx")
run(${CLI} info optimized.onnx)
expect("portable")
run(${examples}/run_with_own_buffers optimized.onnx 2)
expect("1 inputs lent, 2 threads")
expect("frame 2 .*as the reference kernels")
run(${examples}/profile_and_print sample.onnx trace.json)
expect("median run")
expect("session overhead")
run(${CLI} profile trace.json)
expect("Gemm|MatMul")

# Errors of the engine reach the embedding program as sentences.
file(WRITE ${WORK}/broken.onnx "no model")
execute_process(COMMAND ${examples}/optimize_and_save broken.onnx out.onnx WORKING_DIRECTORY ${WORK}
                RESULT_VARIABLE result ERROR_VARIABLE output)
expect("broken.onnx")
if(NOT result EQUAL 3 OR EXISTS ${WORK}/out.onnx)
  message(FATAL_ERROR "a broken model: expected exit code 3 and no file, found ${result}")
endif()

# Without CMake: one example by what pkg-config says.
if(PKG_CONFIG)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  run(${PKG_CONFIG} --cflags --libs lapidary)
  string(STRIP "${output}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${CXX} -std=c++20 ${SOURCE}/core/examples/profile_and_print.cpp -o by_pkg_config ${flags})
  run(${WORK}/by_pkg_config sample.onnx)
  expect("median run")
endif()
