# SPDX-License-Identifier: Apache-2.0
# Packages of what is installed, by component: the window (GPL, for Qt and QCustomPlot are in it), the command line and
# the engine for other programs (both Apache). packaging/package.sh makes and checks them; `cpack -G DEB` in the build
# folder makes those for Debian alone.
if(CMAKE_CROSSCOMPILING)
  return()
endif()
set(CPACK_PACKAGE_NAME lapidary)
set(CPACK_PACKAGE_VENDOR "The Lapidary authors")
set(CPACK_PACKAGE_CONTACT "The Lapidary authors <lapidary@lapidary.invalid>")  # a form that packages want
set(CPACK_COMPONENTS_ALL cli lapidary_engine)
if(LAPIDARY_GUI)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
if(TARGET lapidary_cuda)  # apart from the window: whoever has no such device does without
  list(APPEND CPACK_COMPONENTS_ALL lapidary_cuda)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
# What is made of the installed files before they are packed.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/stage.cmake)
set(CPACK_LAPIDARY_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/generators.cmake)

set(window_summary "workbench for ONNX models")
set(window_description "Window that opens ONNX models, draws their graph, runs and profiles them on
an engine of its own, and shows levels of optimization, quantization and
variants side by side. Models run in a separate process, lapidary-cli.
Needs no network.")
set(cli_summary "workbench for ONNX models on the command line")
set(cli_description "Command line that inspects, runs, checks, profiles, optimizes, quantizes and
compares ONNX models on an engine of its own. Links no toolkit of windows.")
set(engine_summary "engine that optimizes, runs and profiles ONNX models")
set(engine_description "The engine of Lapidary as a static library for C++20 programs: headers, CMake
package, pkg-config file and example programs.")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CPACK_PACKAGE_CONTACT}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME lapidary)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "lapidary-cli (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS
  "shared-mime-info, desktop-file-utils, hicolor-icon-theme, fonts-dejavu-core, qt6-translations-l10n")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "qt6-wayland, qt6-gtk-platformtheme")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION "${window_summary}\n${window_description}")
set(CPACK_DEBIAN_CLI_PACKAGE_NAME lapidary-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_DESCRIPTION "${cli_summary}\n${cli_description}")
set(CPACK_DEBIAN_LAPIDARY_ENGINE_PACKAGE_NAME liblapidary-dev)
set(CPACK_DEBIAN_LAPIDARY_ENGINE_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LAPIDARY_ENGINE_PACKAGE_DEPENDS
  "libprotobuf-dev, libfmt-dev, libpng-dev, libjpeg-dev, libzip-dev, libonig-dev, libutf8proc-dev, libssl-dev,\
 libtbb-dev")
set(CPACK_DEBIAN_LAPIDARY_ENGINE_DESCRIPTION "${engine_summary}\n${engine_description}")

set(CPACK_DEBIAN_LAPIDARY_CUDA_PACKAGE_NAME lapidary-cuda)
set(CPACK_DEBIAN_LAPIDARY_CUDA_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LAPIDARY_CUDA_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LAPIDARY_CUDA_PACKAGE_ENHANCES "lapidary, lapidary-cli")
set(cuda_summary "plugin of Lapidary that runs nodes on NVIDIA GPUs")
set(cuda_description "Provider with kernels of its own for NVIDIA GPUs from compute capability 8.0 on.
Needs the driver alone; without one it says so and nothing else changes.")
set(CPACK_DEBIAN_LAPIDARY_CUDA_DESCRIPTION "${cuda_summary}\n${cuda_description}")

# The engine is packed for Debian alone: its library wants the very protobuf that it was compiled with.
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_RELOCATABLE OFF)
# CPack knows one licence for all components: that of both. package.sh packs each with its own.
set(CPACK_RPM_PACKAGE_LICENSE "GPL-3.0-or-later AND Apache-2.0")
set(CPACK_RPM_WINDOW_PACKAGE_NAME lapidary)
set(CPACK_RPM_WINDOW_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_WINDOW_PACKAGE_REQUIRES "lapidary-cli = ${PROJECT_VERSION}")
set(CPACK_RPM_WINDOW_PACKAGE_SUMMARY "${window_summary}")
set(CPACK_RPM_WINDOW_PACKAGE_DESCRIPTION "${window_description}")
set(CPACK_RPM_CLI_PACKAGE_NAME lapidary-cli)
set(CPACK_RPM_CLI_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_CLI_PACKAGE_SUMMARY "${cli_summary}")
set(CPACK_RPM_CLI_PACKAGE_DESCRIPTION "${cli_description}")
set(CPACK_RPM_LAPIDARY_CUDA_PACKAGE_NAME lapidary-cuda)
set(CPACK_RPM_LAPIDARY_CUDA_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_LAPIDARY_CUDA_PACKAGE_SUMMARY "${cuda_summary}")
set(CPACK_RPM_LAPIDARY_CUDA_PACKAGE_DESCRIPTION "${cuda_description}")
# Folders of others.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/applications /usr/share/bash-completion
  /usr/share/bash-completion/completions /usr/share/fish /usr/share/fish/vendor_completions.d /usr/share/icons
  /usr/share/icons/hicolor /usr/share/man /usr/share/man/man1 /usr/share/metainfo /usr/share/mime
  /usr/share/mime/packages /usr/share/thumbnailers /usr/share/zsh /usr/share/zsh/site-functions /usr/share/doc)
foreach(size IN ITEMS scalable 16x16 22x22 24x24 32x32 48x48 64x64 128x128 256x256 512x512)
  list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/share/icons/hicolor/${size}
    /usr/share/icons/hicolor/${size}/apps)
endforeach()
# The same bytes from the same files, whatever the machine is called.
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _buildhost localhost
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
%define _build_id_links none")

set(documents ${CMAKE_INSTALL_DATADIR}/doc)
# lapidary_copyright(COMPONENT PACKAGE LICENCE PIECE...): Debian's copyright file, made of the pieces in copyright/.
function(lapidary_copyright component package licence)
  file(READ ${PROJECT_SOURCE_DIR}/packaging/copyright/head.in head)
  string(CONFIGURE "${head}" text @ONLY)
  foreach(piece ${ARGN})
    file(READ ${PROJECT_SOURCE_DIR}/packaging/copyright/${piece} more)
    string(APPEND text "${more}")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/copyright/${package} CONTENT "@text@" @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/copyright/${package} DESTINATION ${documents}/${package} RENAME copyright
    COMPONENT ${component})
endfunction()
lapidary_copyright(cli lapidary-cli Apache-2.0 compiled_in)
lapidary_copyright(lapidary_engine liblapidary-dev Apache-2.0 compiled_in)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/examples DESTINATION ${documents}/liblapidary-dev
  COMPONENT lapidary_engine)
if(LAPIDARY_GUI)
  lapidary_copyright(window lapidary GPL-3.0-or-later compiled_in gpl)
endif()
if(TARGET lapidary_cuda)
  lapidary_copyright(lapidary_cuda lapidary-cuda Apache-2.0 cuda)
endif()
if(APPLE AND LAPIDARY_GUI)
  include(${CMAKE_CURRENT_LIST_DIR}/macos/bundle.cmake)
endif()
include(CPack)
