# SPDX-License-Identifier: Apache-2.0
# Read by CPack for each kind of package that it makes.
set(CPACK_SET_DESTDIR OFF)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
if(CPACK_GENERATOR STREQUAL "RPM")
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL lapidary_engine)
endif()
