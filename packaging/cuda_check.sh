#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/cuda_check.sh [--quick]: on a machine with an NVIDIA GPU and a CUDA toolkit, builds the CUDA provider and
# checks it there: every kernel's test on the device, compute-sanitizer's memcheck and racecheck, the recorded models,
# replay of graphs against plain launches, a hundred sessions in a row, and the named benchmarks, which fill their part
# of BENCHMARKS.md. --quick leaves compute-sanitizer and benchmarks out. Recorded models are looked for in
# LAPIDARY_TEST_DATA. Logs stay in build-gpu/check; the last lines say which steps failed. Without a toolkit or a GPU it
# says so and ends with code 77.
set -euo pipefail
cd "$(dirname "$0")/.."

quick=${1:-}
command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc >/dev/null; then
    echo "no CUDA toolkit: nvcc is neither in PATH nor in /usr/local/cuda/bin"
    exit 77
fi
build=build-gpu
cmake --preset release -B "$build" -DLAPIDARY_CUDA=ON -DLAPIDARY_TESTS=ON -DLAPIDARY_GUI=OFF
cmake --build "$build" --target lapidary_cuda lapidary_cuda_emulated cuda_tests lapidary-cli
plugin=$PWD/$build/plugins/cuda/device/cuda.so
cli=$build/bin/lapidary-cli
logs=$build/check
mkdir -p "$logs"
probe=$("$cli" plugins --probe "$plugin" 2>&1) || true
echo "$probe"
if grep -q "no NVIDIA d\|NVIDIA driver supports" <<<"$probe"; then
    echo "nothing can be checked: this machine has no usable GPU"
    exit 77
fi

failed=()
step() {
    local name=$1
    shift
    echo "== $name"
    if "$@" >"$logs/$name.log" 2>&1; then tail -n 1 "$logs/$name.log"; else
        failed+=("$name")
        tail -n 20 "$logs/$name.log"
    fi
}

# The tests of the emulated device, with the plugin of the device in its place; those of the machine that emulates it
# have nothing to do there.
export LAPIDARY_CUDA_UNDER_TEST=$plugin
on_device='-EmulatedDevice*:Loops/PlantedFaults*:HopperProduct.Is*:HopperProduct.A*:HopperProduct.Mult*'
step kernels "$build/bin/cuda_tests" "--gtest_filter=$on_device:Recorded/*:*Lapgen*"
step models "$build/bin/cuda_tests" "--gtest_filter=Recorded/*:*Lapgen*"
step replay "$build/bin/cuda_tests" "--gtest_filter=*Replay*"
step sessions "$build/bin/cuda_tests" "--gtest_filter=DeviceMemory.*"
if [ "$quick" != --quick ]; then
    for tool in memcheck racecheck; do
        step "$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 "$build/bin/cuda_tests" \
            "--gtest_filter=*EmulatedGraph*:*Replay*"
    done
    step benchmarks python3 tests/benchmarks/benchmarks.py "$cli" --sets cuda --cuda-plugin "$plugin" \
        --output BENCHMARKS.md
fi
if [ ${#failed[@]} -gt 0 ]; then
    echo "failed: ${failed[*]} (logs in $logs)"
    exit 1
fi
echo "all steps passed"
