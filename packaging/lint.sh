#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh [BUILD]: whether all C++ is formatted as .clang-format says, and, where BUILD is configured, what clang-tidy
# finds in a sample of files, one of each layer. A test runs it. Exit code 77: clang-format is missing.
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
build=${1:-}
if [ ! -f "$build/compile_commands.json" ] || ! command -v clang-tidy >/dev/null; then
    echo "clang-tidy was not run: it is missing, or no build folder was named"
    exit 0
fi
sample=(core/foundation/graph/graph.cpp core/operators/kernels/product/packed_product.cpp
    core/engine/exec/memory/memory_planner.cpp core/tools/quantize/calibration/calibrate.cpp
    app/cli/command_list.cpp)
for file in "${sample[@]}"; do
    [ -f "$file" ] || { echo "there is no $file"; exit 1; }
done
printf '%s\0' "${sample[@]}" | xargs -0 -P"$(nproc)" -n1 clang-tidy --quiet --warnings-as-errors='*' -p "$build" \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument 2>/dev/null
