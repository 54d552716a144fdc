# SPDX-License-Identifier: Apache-2.0
# CMake toolchain for 64-bit Windows by Debian's mingw-w64 (POSIX threads), against the libraries that
# packaging/windows_dependencies.sh builds from Debian's source packages; programs made for the target run under Wine.
# LAPIDARY_WINDOWS_ROOT: where those libraries lie, if not in build-windows.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

if(DEFINED ENV{LAPIDARY_WINDOWS_ROOT})
  set(windows_prefix $ENV{LAPIDARY_WINDOWS_ROOT}/prefix)
else()
  get_filename_component(windows_prefix ${CMAKE_CURRENT_LIST_DIR}/../build-windows/prefix ABSOLUTE)
endif()
set(CMAKE_FIND_ROOT_PATH ${windows_prefix} /usr/x86_64-w64-mingw32)
set(CMAKE_PREFIX_PATH ${windows_prefix})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_LIBDIR} ${windows_prefix}/lib/pkgconfig:${windows_prefix}/share/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")

# For Windows, GCC assumes that a call of an inline function reaches the copy that it compiled in the same file, and
# leaves values in registers that this copy does not change. The linker keeps one copy of all files, maybe one compiled
# with other flags, which changes them.
set(CMAKE_CXX_FLAGS_INIT "-fno-ipa-ra")
# GNU's archiver reads objects with many inline functions in quadratic time, minutes for one library, and so does its
# linker.
set(CMAKE_AR llvm-ar)
set(CMAKE_RANLIB llvm-ranlib)
# One file that needs nothing but Windows: the C++ library and threads inside.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fno-use-linker-plugin -wrapper ${CMAKE_CURRENT_LIST_DIR}/windows/lld.sh")
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .dll.a)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
