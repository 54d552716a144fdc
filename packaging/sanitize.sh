#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/sanitize.sh [asan|tsan] [CTEST OPTION...]: builds core, worker, command line and tests under AddressSanitizer and
# UndefinedBehaviorSanitizer (asan) or ThreadSanitizer (tsan), by default under both in turn, and runs the tests through CTest:
# with asan also those that take instruction sets away. What sanitizers cost is in compiling; later runs build what changed.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh

presets=(asan tsan)
case ${1:-} in
    asan | tsan) presets=("$1") && shift ;;
esac
install_missing "${build_packages[@]}" "${test_packages[@]}"
for preset in "${presets[@]}"; do
    cmake --preset "$preset" -DLAPIDARY_GUI=OFF -DLAPIDARY_TESTS=ON
    cmake --build --preset "$preset"
    ctest --preset "$preset" --no-tests=error -j "$(nproc)" "$@"
done
