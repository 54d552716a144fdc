# SPDX-License-Identifier: Apache-2.0
# Sourced by windows_dependencies.sh and windows_qt.sh: libraries for 64-bit Windows from Debian's source packages, in
# build-windows/prefix (LAPIDARY_WINDOWS_ROOT names another folder), by the machine's own package sources.
# LAPIDARY_WINDOWS_LEVEL: another optimization level than -O2.
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

# begin NAME [PACKAGE...]: whether it has to be built; fetches these then, the package of that name unless given.
begin() {
    [ ! -e "$prefix/done/$1" ] || return 1
    echo "Building $1"
    rm -f "$root/$1.log"
    local package
    [ $# = 1 ] || shift
    for package in "$@"; do fetch "$package"; done
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
