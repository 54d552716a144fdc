#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds everything, runs every test through CTest.
# LAPIDARY_TEST_DATA names the folder with models, conformance cases and malformed inputs; tests that need it
# are skipped with a message where it is absent.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh

install_missing "${build_packages[@]}" "${test_packages[@]}"
cmake --preset release -DLAPIDARY_TESTS=ON
cmake --build build
# The counts of ONNX's backend cases; CTest runs them too, but shows only what fails.
build/bin/conformance_tests --gtest_filter='NodeConformance.*' | grep -E ' passed \(|Skipped' || true
ctest --test-dir build --output-on-failure --no-tests=error -j "$(nproc)" "$@"
