# SPDX-License-Identifier: GPL-3.0-or-later
# lapidary_help(): the library lapidary_help, which holds the pages of this folder below ":/help"; installs them too.
# Programs with lapidary_views link it after that, which does not wait for it: lapidary-cli tells some pages. Three of
# them the build makes: command-line.md of the list of commands, passes.md of the list of passes and of their test
# cases, json-formats.md of the schemas.
include(GNUInstallDirs)
function(lapidary_help)
  set(folder ${PROJECT_SOURCE_DIR}/resources/help)
  set(built ${PROJECT_BINARY_DIR}/help)
  file(MAKE_DIRECTORY ${built})
  file(GLOB pages CONFIGURE_DEPENDS ${folder}/*.md ${folder}/*.png ${folder}/*.svg)
  file(GLOB_RECURSE cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fixtures/passes/*.graph)
  add_custom_command(OUTPUT ${built}/command-line.md
    COMMAND lapidary-cli man --markdown > ${built}/command-line.md
    DEPENDS lapidary-cli VERBATIM)
  add_custom_command(OUTPUT ${built}/passes.md
    COMMAND ${CMAKE_COMMAND} -DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR} -DCLI=$<TARGET_FILE:lapidary-cli>
      -DCASES=${PROJECT_SOURCE_DIR}/tests/fixtures/passes -DOUTPUT=${built}/passes.md -P ${folder}/passes.cmake
    DEPENDS lapidary-cli ${folder}/passes.cmake ${cases} VERBATIM)
  set(schemas ${PROJECT_SOURCE_DIR}/resources/schemas)
  file(GLOB schema_files CONFIGURE_DEPENDS ${schemas}/*.schema.json)
  add_custom_command(OUTPUT ${built}/json-formats.md
    COMMAND ${CMAKE_COMMAND} -DSCHEMAS=${schemas} -DOUTPUT=${built}/json-formats.md -P ${folder}/json_formats.cmake
    DEPENDS ${folder}/json_formats.cmake ${schema_files} VERBATIM)
  set(made ${built}/command-line.md ${built}/passes.md ${built}/json-formats.md)
  set(entries "")
  foreach(file IN LISTS pages made)
    cmake_path(GET file FILENAME name)
    string(APPEND entries "<file alias=\"${name}\">${file}</file>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${built}/lapidary_help.qrc CONTENT
    "<RCC><qresource prefix=\"/help\">\n${entries}</qresource></RCC>\n")
  add_custom_command(OUTPUT ${built}/qrc_lapidary_help.cpp
    COMMAND Qt6::rcc ${rcc_options} --name lapidary_help --output ${built}/qrc_lapidary_help.cpp
      ${built}/lapidary_help.qrc
    DEPENDS ${pages} ${made} ${built}/lapidary_help.qrc VERBATIM)
  set_source_files_properties(${built}/qrc_lapidary_help.cpp PROPERTIES SKIP_AUTOGEN ON SKIP_PRECOMPILE_HEADERS ON)
  add_library(lapidary_help STATIC ${built}/qrc_lapidary_help.cpp)
  target_link_libraries(lapidary_help PRIVATE Qt6::Core)
  install(FILES ${pages} ${made} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lapidary/help COMPONENT window)
endfunction()
