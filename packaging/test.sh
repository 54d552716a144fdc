#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds everything, runs every test through CTest.
# LAPIDARY_TEST_DATA names the folder with models, conformance cases and malformed inputs; tests that need it
# are skipped with a message where it is absent. Where it is there, those that look for it run once more without.
# --timed runs, after the build, only the tests whose verdict hangs on the clock, and those of the window and of
# cancelling with the bounds that they are meant to keep: on an idle machine. They gate nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh

install_missing "${build_packages[@]}" "${test_packages[@]}"
# ONNX Runtime's Python package, a peer in tests only.
if ! build/peers/bin/python3 -c 'import onnxruntime' 2>/dev/null; then
    python3 -m venv build/peers && build/peers/bin/pip -q --disable-pip-version-check install onnxruntime numpy ||
        echo "ONNX Runtime is not to be had from the package index: the tests against it are skipped."
fi
# What its tools for weights in blocks import.
build/peers/bin/python3 -c 'import onnx_ir' 2>/dev/null ||
    build/peers/bin/pip -q --disable-pip-version-check install onnx_ir ml_dtypes ||
    echo "onnx_ir is not to be had from the package index: programs that quantize in blocks are not run."
# What tokenizer.json is compared with; what it would fetch from a hub with is not needed.
build/peers/bin/python3 -c 'import tokenizers' 2>/dev/null ||
    build/peers/bin/pip -q --disable-pip-version-check install --no-deps tokenizers ||
    echo "tokenizers is not to be had from the package index: the tests against it are skipped."
# A client of the Model Context Protocol, for `lapidary-cli mcp`.
build/peers/bin/python3 -c 'import mcp' 2>/dev/null ||
    build/peers/bin/pip -q --disable-pip-version-check install mcp ||
    echo "mcp is not to be had from the package index: tools for agents are not tried by its client."
# Counts the complexity of functions; the test of it skips without.
build/peers/bin/python3 -c 'import lizard' 2>/dev/null ||
    build/peers/bin/pip -q --disable-pip-version-check install lizard ||
    echo "lizard is not to be had from the package index: the complexity of functions is not checked."
# The newest onnx package's own node cases.
if [ ! -d build/node_cases ]; then
    { build/peers/bin/python3 -c 'import onnx' 2>/dev/null ||
        build/peers/bin/pip -q --disable-pip-version-check install onnx ml_dtypes; } &&
        build/peers/bin/python3 tests/conformance/make_node_cases.py build/node_cases ||
        echo "The node cases of the newest onnx package are not to be had: they are skipped."
fi
# LAPIDARY_WERROR=ON in the environment, as .ci/run has it: warnings are errors, as in the preset dev.
cmake --preset release -DLAPIDARY_TESTS=ON -DLAPIDARY_WERROR="${LAPIDARY_WERROR:-OFF}"
cmake --build build
if [ "${1:-}" = --timed ]; then
    shift
    export LAPIDARY_TIMED=1  # the window's bounds as they are; else five times as much, which catches hangs
    status=0
    ctest --test-dir build --output-on-failure --no-tests=error -L '^(timed|views)$' "$@" || status=$?
    ctest --test-dir build --output-on-failure -R 'CancelTime[.]' -LE '^(timed|views)$' || status=$?
    exit "$status"
fi
# What looks for the folder of test data says so in a file, and runs again as if there were none.
asked=$PWD/build/asked_for_test_data.txt
rm -f "$asked"
status=0
LAPIDARY_TEST_DATA_ASKED=$asked ctest --test-dir build --output-on-failure --no-tests=error -LE '^timed$' \
    -j "$(nproc)" "$@" || status=$?
# CTest shows only what fails. Its log also has the counts of ONNX's backend cases, of nodes left at each level against
# ONNX Runtime's, and of random models.
grep -ahE ' passed \([0-9.]+ %\)| with no more nodes| models, [0-9]+ ' build/Testing/Temporary/LastTest.log |
    sort | uniq -c || true
[ "$status" -eq 0 ] || exit "$status"
data=${LAPIDARY_TEST_DATA:-$(sed -n 's/^LAPIDARY_TEST_DATA:[A-Z]*=//p' build/CMakeCache.txt)}
if [ -d "$data" ] && { [ $# -eq 0 ] || [ -s "$asked" ]; }; then packaging/without_test_data.py build "$asked"; fi
