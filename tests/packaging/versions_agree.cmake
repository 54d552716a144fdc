# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=... -DVERSION=0.1.0 -P this file: the newest dated entry of the changelog is of the project's version,
# and no other build file has a version of its own. An entry "Unreleased" may stand above it.
file(STRINGS ${SOURCE}/CHANGELOG.md entry REGEX "^## [0-9]" LIMIT_COUNT 1)
string(REPLACE "." "\\." pattern "${VERSION}")
if(NOT entry MATCHES "^## ${pattern} \\([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]\\)$")
  message(FATAL_ERROR "the newest entry of CHANGELOG.md is \"${entry}\"; the project's version is ${VERSION}: expected "
    "\"## ${VERSION} (YEAR-MONTH-DAY)\"")
endif()
file(GLOB_RECURSE files ${SOURCE}/app/*.txt ${SOURCE}/core/*.txt ${SOURCE}/core/*.cmake ${SOURCE}/packaging/*
  ${SOURCE}/plugins/cuda/*.txt ${SOURCE}/plugins/cuda/*.cmake ${SOURCE}/resources/*.in ${SOURCE}/resources/*.cmake
  ${SOURCE}/views/*.txt)
foreach(file IN LISTS files)
  file(STRINGS ${file} told REGEX "(^|[^0-9.])${pattern}([^0-9.]|$)")
  if(told)
    message(FATAL_ERROR "${file} states the version by itself: \"${told}\"; CMakeLists.txt has it")
  endif()
endforeach()
