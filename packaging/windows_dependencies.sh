#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/windows_dependencies.sh: builds the libraries that core, command line and tests need for 64-bit Windows from
# Debian's source packages, with Debian's mingw-w64, as static libraries in build-windows/prefix (LAPIDARY_WINDOWS_ROOT
# names another folder). What is there is not built again. Source packages come from the machine's package sources.
# LAPIDARY_WINDOWS_LEVEL: another optimization level than -O2.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh
install_missing "${windows_packages[@]}"

root=${LAPIDARY_WINDOWS_ROOT:-$PWD/build-windows}
export LAPIDARY_WINDOWS_ROOT=$root
prefix=$root/prefix sources=$root/sources host=x86_64-w64-mingw32
toolchain=$PWD/packaging/$host.cmake
jobs=${LAPIDARY_JOBS:-$(nproc)} level=${LAPIDARY_WINDOWS_LEVEL:--O2}
mkdir -p "$prefix"/{done,lib/pkgconfig,include} "$sources"

# fetch PACKAGE: its source with Debian's patches in $sources/PACKAGE, by a package state of its own.
fetch() {
    [ -d "$sources/$1" ] && return
    local state=$root/packages mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -1)
    mkdir -p "$state"/{lists,cache/archives}/partial "$sources/$1.part"
    echo "deb-src $mirror bookworm main" >"$state/sources.list"
    local apt=(apt-get -qq -o Dir::State::Lists="$state/lists" -o Dir::Etc::SourceList="$state/sources.list"
        -o Dir::Etc::SourceParts=- -o Dir::Cache="$state/cache" -o Debug::NoLocking=1)
    [ -e "$state/fresh" ] || { "${apt[@]}" update && touch "$state/fresh"; }
    (cd "$sources/$1.part" && "${apt[@]}" --download-only source "$1" && dpkg-source -x ./*.dsc tree >unpack.log)
    mv "$sources/$1.part/tree" "$sources/$1"
    rm -rf "$sources/$1.part"
}

# step PACKAGE COMMAND...: the command with its words in PACKAGE.log, of which the end is shown where it fails.
step() {
    "${@:2}" >>"$root/$1.log" 2>&1 || { tail -20 "$root/$1.log" >&2; exit 1; }
}

# begin PACKAGE: whether it has to be built; fetches it then.
begin() {
    [ ! -e "$prefix/done/$1" ] || return 1
    echo "Building $1"
    rm -f "$root/$1.log"
    fetch "$1"
}

# configure PACKAGE FOLDER OPTION...: the CMake project in that folder of the source package.
configure() {
    step "$1" cmake -G Ninja -S "$sources/$1/$2" -B "$root/objects/$1" -DCMAKE_TOOLCHAIN_FILE="$toolchain" \
        -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$level -DNDEBUG" \
        -DCMAKE_CXX_FLAGS_RELEASE="$level -DNDEBUG" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR:STRING=lib \
        -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF "${@:3}"
}

finish() {
    rm -rf "$root/objects/$1"
    touch "$prefix/done/$1"
}

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
with_cmake fmtlib . -DFMT_TEST=OFF -DFMT_DOC=OFF
with_cmake nlohmann-json3 . -DJSON_BuildTests=OFF
with_cmake cli11 . -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF
with_cmake highway . -DHWY_ENABLE_TESTS=OFF -DHWY_ENABLE_EXAMPLES=OFF -DHWY_ENABLE_CONTRIB=OFF
with_cmake googletest . -DBUILD_GMOCK=ON
build_protobuf
build_openssl
echo "Libraries for Windows lie in $prefix"
