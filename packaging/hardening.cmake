# SPDX-License-Identifier: Apache-2.0
# What makes mistakes in memory harder to exploit, in all that is installed on Linux; tests/packaging/hardening_test.py
# holds the built programs against it. Programs lie at any address, tables of functions are resolved at the start and
# read-only then, stacks are guarded and not executable, calls of the C library with known sizes are checked, indirect
# jumps land at marked places where the processor and the system's start files have such marks.
# Sanitizers watch the same and more, and do not go with checked calls; code that is not optimized cannot have those.
# Packages are built with it (packaging/package.sh); other builds have it by LAPIDARY_HARDENED=ON.
# hardening_off undoes for kernels' own loops what costs time in them.
set(hardening_off "")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
if(NOT LAPIDARY_HARDENED OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR LAPIDARY_SANITIZE
    OR NOT "${CMAKE_CXX_FLAGS_${build_type}}" MATCHES "-O[1-3s]")
  return()
endif()
add_compile_options(-fstack-protector-strong -fstack-clash-protection
  "SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-fcf-protection=full)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  add_compile_options(-mbranch-protection=standard)
endif()
set(hardening_off -fno-stack-protector -fno-stack-clash-protection -U_FORTIFY_SOURCE)
add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
