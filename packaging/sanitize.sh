#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/sanitize.sh [asan|tsan] [CTEST OPTION...]: builds core, worker, command line and tests under
# AddressSanitizer and UndefinedBehaviorSanitizer (asan) or ThreadSanitizer (tsan), by default under both in turn, and
# runs through CTest what each is for: with asan core, engine, node tests, models, passes and the emulated CUDA device
# (which every build with tests runs under sanitizers too, by itself: LAPIDARY_CUDA_SANITIZED); with tsan the engine and
# the worker. CTest options replace that choice ("-L isa": the suites that take instruction sets away). What sanitizers
# cost is in compiling; later runs build what changed. The logs stay in build-PRESET/sanitize.log; the last line of each
# says how many tests ran and failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh

# Tests of crashes in plugins expect the program's own handler, which the sanitizer's would come before.
TSAN_OPTIONS=handle_segv=0:suppressions=$PWD/tests/support/tsan_suppressions.txt${TSAN_OPTIONS:+:$TSAN_OPTIONS}
export TSAN_OPTIONS
presets=(asan tsan)
case ${1:-} in
    asan | tsan) presets=("$1") && shift ;;
esac
install_missing "${build_packages[@]}" "${test_packages[@]}"
declare -A chosen=([asan]='-L ^(core|exec|conformance|passes|cuda)$ -LE ^(isa|timed)$'
    [tsan]='-L ^(exec|app)$ -LE ^timed$')
declare -A built=(
    [asan]='core_tests exec_tests pass_tests conformance_tests cuda_tests mutate_models' [tsan]='exec_tests app_tests')
failed=0
for preset in "${presets[@]}"; do
    options=("$@")
    [ $# -gt 0 ] || read -ra options <<<"${chosen[$preset]}"
    cmake --preset "$preset" -DLAPIDARY_GUI=OFF -DLAPIDARY_TESTS=ON
    read -ra targets <<<"${built[$preset]}"
    [ $# -eq 0 ] || targets=(all)
    cmake --build --preset "$preset" --target "${targets[@]}"
    ctest --preset "$preset" --no-tests=error -j "$(nproc)" "${options[@]}" 2>&1 |
        tee "build-$preset/sanitize.log" || failed=1
    report='ERROR: \(Address\|Leak\)Sanitizer\|WARNING: ThreadSanitizer\|runtime error:'
    echo "$preset: $(grep -c "$report" "build-$preset/sanitize.log" || true) reports"
done
exit $failed
