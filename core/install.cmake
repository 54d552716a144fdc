# SPDX-License-Identifier: Apache-2.0
# The engine for other projects: `cmake --install BUILD --component lapidary_engine --prefix P` puts library, headers,
# CMake package and pkg-config file below P. core/examples is a project that uses them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What the programs of this repository share with the core and nobody else needs: threads, files, JSON, text for people.
set(house_headers joined_threads.h measurement_tree.h nearest_name.h output_file.h parse_json.h program_file.h
    scratch_folder.h shared_memory.h shown_text.h text_file.h windows_child.h
    windows_command_line.h)
set(house_header_exclusions "")
foreach(header IN LISTS house_headers)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include/lapidary/${header})
    message(FATAL_ERROR "house_headers names ${header}, which is not in core/include/lapidary")
  endif()
  list(APPEND house_header_exclusions PATTERN ${header} EXCLUDE)
endforeach()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lapidary)
set_target_properties(lapidary_core PROPERTIES EXPORT_NAME core)
install(TARGETS lapidary_core EXPORT lapidary_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lapidary_engine)
install(DIRECTORY include/lapidary DESTINATION include COMPONENT lapidary_engine
        FILES_MATCHING PATTERN "*.h" ${house_header_exclusions})
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
