#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh: whether all C++ is formatted as .clang-format says, and what clang-tidy finds in a sample of files, one of
# each layer of the core. A test runs it. Exit code 77: clang-format is missing.
set -uo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format >/dev/null; then
    echo "skipped: clang-format is not installed"
    exit 77
fi
find core app views plugins tests packaging -regex '.*\.\(cpp\|h\|cu\|cuh\)' -print0 |
    xargs -0 -P"$(nproc)" -n40 clang-format --dry-run -Werror || {
    echo "clang-format -i FILE puts it right"
    exit 1
}
if ! command -v clang-tidy >/dev/null; then
    echo "clang-tidy is not installed: it was not run"
    exit 0
fi
includes=(-Iplugins -Iapp)
for layer in foundation operators engine tools; do
    includes+=("-Icore/$layer/include" "-Icore/$layer/internal" "-Icore/$layer")
done
sample=(core/foundation/graph/graph_path.cpp core/operators/kernels/product/product_request.cpp
    core/engine/exec/memory/memory_planner.cpp core/tools/quantize/calibration/calibrate.cpp)
for file in "${sample[@]}"; do
    [ -f "$file" ] || { echo "there is no $file"; exit 1; }
done
# What costs time is measured here, not guessed: the checks of performance are for reading.
printf '%s\0' "${sample[@]}" | xargs -0 -P"$(nproc)" -I{} clang-tidy --quiet --warnings-as-errors='*' \
    --checks='-performance-*' {} -- -std=c++20 "${includes[@]}" 2>/dev/null
