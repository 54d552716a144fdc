#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/arm64.sh [CTEST OPTION...]: builds core, command line and tests for 64-bit ARM (NEON) by a cross compiler
# and runs the tests of kernels, sessions and operators under qemu-user through CTest. The libraries for ARM lie
# unpacked in build-arm64/sysroot: nothing but the compiler and qemu is installed. CTEST OPTION: which tests instead,
# e.g. -R Winograd. --archive alone: the archive with the command line and its libraries in build-arm64/packages,
# unpacked and tried under qemu. LAPIDARY_ARM64_OPTIONS: options for cmake, such as another optimization level.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh

targets=(lapidary-cli core_tests exec_tests conformance_tests)
sysroot=$PWD/build-arm64/sysroot

# unpack_sysroot PACKAGE... : these and all that they depend on, from the machine's package sources, by a package state
# of its own (an empty one, for ARM), so that no package of this machine changes.
unpack_sysroot() {
    local state=$PWD/build-arm64/packages
    local apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$state/state"
        -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" -o Debug::NoLocking=1)
    mkdir -p "$state"/{state/lists,cache/archives}/partial
    : >"$state/status"
    "${apt[@]}" update
    "${apt[@]}" -y --no-install-recommends --download-only install "$@" >/dev/null
    rm -rf "$sysroot.part"
    for package in "$state"/cache/archives/*.deb; do
        dpkg -x "$package" "$sysroot.part"
    done
    rm -rf "$sysroot" "$state"
    mv "$sysroot.part" "$sysroot"
}

install_missing g++-aarch64-linux-gnu qemu-user cmake ninja-build ccache pkg-config protobuf-compiler
libraries=(libc6-dev libstdc++-12-dev)
for package in "${build_packages[@]}" "${test_packages[@]}"; do
    case $package in
        *qt6* | *qcustomplot*) ;;
        *-dev) libraries+=("$package") ;;
    esac
done
[ -d "$sysroot" ] || unpack_sysroot "${libraries[@]}"

make_archive() {
    local build=build-arm64 version
    install_missing patchelf zstd
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    output=$PWD/build-arm64/packages
    rm -rf "$output"
    mkdir -p "$output"
    # shellcheck disable=SC2086
    cmake --preset arm64 -DLAPIDARY_TESTS=OFF ${LAPIDARY_ARM64_OPTIONS:-}
    cmake --build --preset arm64 --target lapidary-cli lapidary_cli_pages
    strip=aarch64-linux-gnu-strip
    . packaging/archive.sh
    export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(source_date_epoch)}
    version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build-arm64/CMakeCache.txt)
    archive_cli "lapidary-cli-$version-aarch64"
    python3 packaging/contents_list.py --version "$version" --packages "$output"
    (cd "$output" && sha256sum -- *.* >SHA256SUMS && ls -l)
}

# On glibc of the sysroot and libraries of the archive.
try_archive() {
    local unpacked=$work/unpacked program
    mkdir "$unpacked"
    tar --zstd -xf "$output"/lapidary-cli-*.tar.zst -C "$unpacked"
    program=("$(command -v qemu-aarch64)" -L "$sysroot" "$(echo "$unpacked"/*/bin/lapidary-cli)")
    "${program[@]}" --version
    "${program[@]}" sample lenet -o "$unpacked/net.onnx"
    "${program[@]}" info "$unpacked/net.onnx"
    "${program[@]}" run "$unpacked/net.onnx"
    "${program[@]}" optimize "$unpacked/net.onnx" -o "$unpacked/fast.onnx" --guard
    "${program[@]}" run "$unpacked/fast.onnx"
}

if [ "${1:-}" = --archive ]; then
    make_archive
    try_archive
    exit
fi
cmake --preset arm64 -DLAPIDARY_TESTS=ON
cmake --build --preset arm64 --target "${targets[@]}"
# In an emulator limits of time, memory and threads have no meaning. A program can start neither itself again (death
# tests) nor others that are built for ARM (BenchProgram), starting a missing one gives no error (SystemInterfaces), and
# the host decides which pages exist and how large they are.
excluded='Malformed|TakeLinearTime|TakeLittleTime|IsPlausible|DeathTest|BenchProgram|AProgramThatIsNotThere'
excluded+='|HasReadyWhatWasPrepared|AreCollapsedFromUsualOnes|TellHowManyWereAskedFor'
tests=("$@")
[ $# -gt 0 ] || tests=(-L '^(core|exec|conformance)$' -E "$excluded")
ctest --preset arm64 --no-tests=error -j "$(nproc)" "${tests[@]}"
