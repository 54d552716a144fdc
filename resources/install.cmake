# SPDX-License-Identifier: GPL-3.0-or-later
# What makes the window at home on a desktop: program, starter, description for software centres, kinds of files, icons,
# thumbnails, man page. `cmake --install BUILD --component window` puts it in place; `lapidary-cli`, in which the window
# runs models, is component `cli`.
include(GNUInstallDirs)
set(resources ${PROJECT_SOURCE_DIR}/resources)
set(made ${PROJECT_BINARY_DIR}/resources)

# The newest entry of the changelog, whose version a test holds against the project's.
file(STRINGS ${PROJECT_SOURCE_DIR}/CHANGELOG.md released REGEX "^## [0-9]" LIMIT_COUNT 1)
string(REGEX REPLACE ".*\\((.+)\\)$" "\\1" released "${released}")
configure_file(${resources}/lapidary.metainfo.xml.in ${made}/org.lapidary.Lapidary.metainfo.xml @ONLY)
configure_file(${resources}/lapidary.1.in ${made}/lapidary.1 @ONLY)

install(TARGETS lapidary RUNTIME COMPONENT window)
install(FILES ${resources}/lapidary.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
install(FILES ${resources}/lapidary-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME lapidary.xml
  COMPONENT window)
install(FILES ${resources}/lapidary.thumbnailer DESTINATION ${CMAKE_INSTALL_DATADIR}/thumbnailers COMPONENT window)
install(FILES ${made}/org.lapidary.Lapidary.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT window)
install(FILES ${made}/lapidary.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT window)

set(icons ${CMAKE_INSTALL_DATADIR}/icons/hicolor)
install(FILES ${resources}/icons/lapidary.svg DESTINATION ${icons}/scalable/apps COMPONENT window)
find_program(LAPIDARY_RSVG rsvg-convert)
if(LAPIDARY_RSVG)
  set(pictures "")
  foreach(size IN ITEMS 16 22 24 32 48 64 128 256 512)
    set(picture ${made}/icons/${size}/lapidary.png)
    cmake_path(GET picture PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${picture}
      COMMAND ${LAPIDARY_RSVG} --width ${size} --height ${size} --output ${picture} ${resources}/icons/lapidary.svg
      DEPENDS ${resources}/icons/lapidary.svg VERBATIM)
    list(APPEND pictures ${picture})
    install(FILES ${picture} DESTINATION ${icons}/${size}x${size}/apps COMPONENT window)
  endforeach()
  add_custom_target(lapidary_icons ALL DEPENDS ${pictures})
else()
  message(STATUS "rsvg-convert is missing (librsvg2-bin): the icon is installed as SVG alone")
endif()
