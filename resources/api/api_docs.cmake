# SPDX-License-Identifier: Apache-2.0
# Target lapidary_api_docs, where Doxygen is installed: the reference of the installed headers and of plugin_abi.h, with
# the example programs, in BUILD/api/html. Nothing depends on it. A warning of Doxygen is an error.
find_program(LAPIDARY_DOXYGEN doxygen)
if(NOT LAPIDARY_DOXYGEN)
  return()
endif()
set(LAPIDARY_API_FOLDER ${PROJECT_BINARY_DIR}/api)
set(LAPIDARY_API_INCLUDES "")
foreach(layer IN LISTS core_layers)
  string(APPEND LAPIDARY_API_INCLUDES " \"${PROJECT_SOURCE_DIR}/core/${layer}/include\"")
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/plain_comments.sed ${LAPIDARY_API_FOLDER}/plain_comments.sed COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/Doxyfile.in ${LAPIDARY_API_FOLDER}/Doxyfile @ONLY)
add_custom_target(lapidary_api_docs
  COMMAND ${LAPIDARY_DOXYGEN} ${LAPIDARY_API_FOLDER}/Doxyfile
  WORKING_DIRECTORY ${LAPIDARY_API_FOLDER}
  COMMENT "Writing ${LAPIDARY_API_FOLDER}/html/index.html" VERBATIM)
