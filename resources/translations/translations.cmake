# SPDX-License-Identifier: GPL-3.0-or-later
# lapidary_translations(TARGET): builds the catalogues into the target where Qt's lrelease is installed.
function(lapidary_translations target)
  find_package(Qt6 6.4 QUIET OPTIONAL_COMPONENTS LinguistTools)
  if(NOT TARGET Qt6::lrelease)
    message(STATUS "Qt's lrelease is missing (qt6-tools-dev, qt6-l10n-tools): the window will speak English only")
    return()
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/resources/translations)
  set(built ${CMAKE_CURRENT_BINARY_DIR}/translations)
  file(GLOB catalogues CONFIGURE_DEPENDS ${folder}/lapidary_*.ts)
  set(qms "")
  set(entries "")
  foreach(catalogue IN LISTS catalogues)
    cmake_path(GET catalogue STEM name)
    add_custom_command(OUTPUT ${built}/${name}.qm COMMAND Qt6::lrelease -silent ${catalogue} -qm ${built}/${name}.qm
      DEPENDS ${catalogue} VERBATIM)
    list(APPEND qms ${built}/${name}.qm)
    string(APPEND entries "<file>${name}.qm</file>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${built}/lapidary_translations.qrc CONTENT
    "<RCC><qresource prefix=\"/translations\">\n${entries}</qresource></RCC>\n")
  add_custom_command(OUTPUT ${built}/qrc_lapidary_translations.cpp
    COMMAND Qt6::rcc ${rcc_options} --name lapidary_translations --output ${built}/qrc_lapidary_translations.cpp
      ${built}/lapidary_translations.qrc
    DEPENDS ${qms} ${built}/lapidary_translations.qrc VERBATIM)
  set_source_files_properties(${built}/qrc_lapidary_translations.cpp PROPERTIES SKIP_AUTOGEN ON SKIP_PRECOMPILE_HEADERS
    ON)
  target_sources(${target} PRIVATE ${built}/qrc_lapidary_translations.cpp)
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/language.cpp PROPERTIES COMPILE_DEFINITIONS
    LAPIDARY_TRANSLATIONS)
endfunction()
