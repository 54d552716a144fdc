# SPDX-License-Identifier: Apache-2.0
# The engine for other projects: `cmake --install BUILD --component lapidary_engine --prefix P` puts library, headers,
# CMake package and pkg-config file below P. core/examples is a project that uses them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lapidary)
set_target_properties(lapidary_core PROPERTIES EXPORT_NAME core)
install(TARGETS lapidary_core EXPORT lapidary_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lapidary_engine)
foreach(layer IN LISTS core_layers)
  install(DIRECTORY ${layer}/include/lapidary DESTINATION include COMPONENT lapidary_engine
          FILES_MATCHING PATTERN "*.h")
endforeach()
# Programs that were written when all headers lay in one folder find them by their former names.
set(former_names ${CMAKE_CURRENT_BINARY_DIR}/former_names/lapidary)
file(GLOB_RECURSE public_headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} */include/lapidary/*.h)
foreach(header IN LISTS public_headers)
  string(REGEX REPLACE "^[^/]+/include/" "" header ${header})
  cmake_path(GET header FILENAME name)
  file(CONFIGURE OUTPUT ${former_names}/${name} @ONLY CONTENT "// The former name of <@header@>.
#pragma once
#include <@header@>
")
endforeach()
install(DIRECTORY ${former_names} DESTINATION include COMPONENT lapidary_engine)
install(EXPORT lapidary_targets NAMESPACE lapidary:: FILE lapidary_targets.cmake
        DESTINATION ${package_folder} COMPONENT lapidary_engine)

configure_package_config_file(lapidary-config.cmake.in lapidary-config.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(lapidary-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lapidary-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/lapidary-config-version.cmake
        DESTINATION ${package_folder} COMPONENT lapidary_engine)

# The way from the folder of lapidary.pc up to the prefix, so that the prefix can be moved.
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(lapidary.pc.in lapidary.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/lapidary.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT lapidary_engine)
