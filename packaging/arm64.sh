#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/arm64.sh [CTEST OPTION...]: builds core, command line and tests for 64-bit ARM (NEON) by a cross compiler
# and runs the tests of kernels, sessions and operators under qemu-user through CTest. The libraries for ARM lie
# unpacked in build-arm64/sysroot: nothing but the compiler and qemu is installed. CTEST OPTION: which tests instead,
# e.g. -R Winograd.
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
cmake --preset arm64 -DLAPIDARY_TESTS=ON
cmake --build --preset arm64 --target "${targets[@]}"
# In an emulator limits of time and memory mean nothing, a program cannot start itself anew (death tests), and whoever
# starts a program that is not there is not told (BenchProgram).
tests=("$@")
[ $# -gt 0 ] || tests=(-L '^(core|exec|conformance)$'
    -E 'Malformed|TakeLinearTime|TakeLittleTime|IsPlausible|DeathTest|BenchProgram.SaysWhyItGotNoAnswer')
ctest --preset arm64 --no-tests=error -j "$(nproc)" "${tests[@]}"
