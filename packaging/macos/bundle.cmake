# SPDX-License-Identifier: GPL-3.0-or-later
# The window as an application bundle, with the command line in it, in a disk image: `cpack -G DragNDrop` on macOS.
# Written from CMake's and Qt's documentation and never tried: no author has a Mac. Missing are an icon
# (.icns, which Apple's iconutil makes) and a signature; macdeployqt copies Qt into the bundle.
set_target_properties(lapidary PROPERTIES
  MACOSX_BUNDLE ON
  MACOSX_BUNDLE_INFO_PLIST ${CMAKE_CURRENT_LIST_DIR}/Info.plist.in
  MACOSX_BUNDLE_BUNDLE_NAME Lapidary
  MACOSX_BUNDLE_GUI_IDENTIFIER org.lapidary.Lapidary
  MACOSX_BUNDLE_SHORT_VERSION_STRING ${PROJECT_VERSION}
  MACOSX_BUNDLE_BUNDLE_VERSION ${PROJECT_VERSION}
  OUTPUT_NAME Lapidary)
install(TARGETS lapidary BUNDLE DESTINATION . COMPONENT window)
# The worker is looked for beside the window's program.
install(TARGETS lapidary-cli RUNTIME DESTINATION Lapidary.app/Contents/MacOS COMPONENT window)
install(CODE "
  find_program(macdeployqt macdeployqt REQUIRED)
  execute_process(COMMAND \${macdeployqt} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/Lapidary.app\"
                  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT window)
set(CPACK_GENERATOR DragNDrop)
set(CPACK_DMG_VOLUME_NAME "Lapidary ${PROJECT_VERSION}")
set(CPACK_PACKAGE_FILE_NAME "lapidary-${PROJECT_VERSION}-macos")
set(CPACK_COMPONENTS_ALL window)
