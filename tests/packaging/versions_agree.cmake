# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=... -DVERSION=0.1.0 -P this file: the newest entry of the changelog is of the project's version and has
# a date.
file(STRINGS ${SOURCE}/CHANGELOG.md entry REGEX "^## " LIMIT_COUNT 1)
string(REPLACE "." "\\." pattern "${VERSION}")
if(NOT entry MATCHES "^## ${pattern} \\([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]\\)$")
  message(FATAL_ERROR "the newest entry of CHANGELOG.md is \"${entry}\"; the project's version is ${VERSION}: expected "
    "\"## ${VERSION} (YEAR-MONTH-DAY)\"")
endif()
