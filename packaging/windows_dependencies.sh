#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/windows_dependencies.sh: builds the libraries that core, command line and tests need for 64-bit Windows from
# Debian's source packages, with Debian's mingw-w64, as static libraries in build-windows/prefix (LAPIDARY_WINDOWS_ROOT
# names another folder). What is there is not built again; windows_sources.sh says how.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh
install_missing "${windows_packages[@]}"

. packaging/windows_sources.sh

# with_cmake PACKAGE FOLDER OPTION...
with_cmake() {
    begin "$1" || return 0
    configure "$@"
    step "$1" cmake --build "$root/objects/$1" -j "$jobs"
    step "$1" cmake --install "$root/objects/$1"
    finish "$1"
}

# Debian's source is without what zlib's own build files need for Windows; it is fifteen files.
build_zlib() {
    begin zlib || return 0
    mkdir -p "$root/objects/zlib"
    cp "$sources/zlib/zconf.h.in" "$sources/zlib/zconf.h"
    (cd "$root/objects/zlib" && step zlib $host-gcc-posix "$level" -c "$sources"/zlib/*.c)
    $host-ar rcs "$prefix/lib/libz.a" "$root"/objects/zlib/*.o
    cp "$sources"/zlib/{zlib,zconf}.h "$prefix/include"
    printf '%s\n' "prefix=$prefix" 'Name: zlib' 'Description: compression' \
        "Version: $(sed -n 's/^#define ZLIB_VERSION "\([0-9.]*\).*/\1/p' "$prefix/include/zlib.h")" \
        'Libs: -L${prefix}/lib -lz' 'Cflags: -I${prefix}/include' >"$prefix/lib/pkgconfig/zlib.pc"
    finish zlib
}

# The library and its headers alone; the compiler of .proto files is this machine's.
build_protobuf() {
    begin protobuf || return 0
    configure protobuf cmake -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF -Dprotobuf_WITH_ZLIB=OFF
    step protobuf cmake --build "$root/objects/protobuf" -j "$jobs" --target libprotobuf
    cp "$root/objects/protobuf/libprotobuf.a" "$prefix/lib"
    (cd "$sources/protobuf/src" && find google/protobuf \( -name '*.h' -o -name '*.inc' \) ! -path '*/compiler/*' \
        -exec cp --parents {} "$prefix/include" \;)
    finish protobuf
}

# Only what the core takes its checksums from: most algorithms are left out.
build_openssl() {
    begin openssl || return 0
    local algorithm without=()
    for algorithm in aria bf blake2 camellia cast chacha cmac cmp cms ct des dh dsa ec gost idea md4 mdc2 ocb ocsp \
        poly1305 rc2 rc4 rmd160 scrypt seed siphash siv sm2 sm3 sm4 srp ts whirlpool; do
        without+=("no-$algorithm")
    done
    pushd "$sources/openssl" >/dev/null
    step openssl ./Configure mingw64 --cross-compile-prefix=$host- --prefix="$prefix" --libdir=lib no-shared no-tests \
        no-engine no-dso no-comp no-legacy no-ssl3 no-capieng no-async no-sock "${without[@]}" -g0 "$level"
    step openssl make -j "$jobs" build_generated
    step openssl make -j "$jobs" libcrypto.a
    popd >/dev/null
    cp "$sources/openssl/libcrypto.a" "$prefix/lib"
    cp -r "$sources/openssl/include/openssl" "$prefix/include"
    finish openssl
}

build_zlib
with_cmake libpng1.6 . -DPNG_SHARED=OFF -DPNG_TESTS=OFF
with_cmake libjpeg-turbo . -DENABLE_SHARED=OFF -DWITH_SIMD=OFF -DWITH_TURBOJPEG=OFF
with_cmake libzip . -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF \
    -DENABLE_WINDOWS_CRYPTO=OFF -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF -DBUILD_TOOLS=OFF \
    -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF
with_cmake libonig . -DENABLE_POSIX_API=OFF -DINSTALL_DOCUMENTATION=OFF
with_cmake utf8proc . -DUTF8PROC_ENABLE_TESTING=OFF
with_cmake fmtlib . -DFMT_TEST=OFF -DFMT_DOC=OFF
with_cmake nlohmann-json3 . -DJSON_BuildTests=OFF
with_cmake cli11 . -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF
with_cmake onetbb . -DTBB_TEST=OFF -DTBBMALLOC_BUILD=OFF -DBUILD_SHARED_LIBS=OFF -DTBB_STRICT=OFF
with_cmake highway . -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
with_cmake googletest . -DBUILD_GMOCK=ON
build_protobuf
build_openssl
echo "Libraries for Windows lie in $prefix"
