#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/run.sh [MODEL.onnx]: installs what is missing, builds, and opens the window on MODEL or on a
# generated sample. Without a display it prints the profile of that model and saves a screenshot instead.
set -euo pipefail
given=${1:+$(realpath -- "$1")}
cd "$(dirname "$0")/.."
. packaging/packages.sh

install_missing "${build_packages[@]}"
cmake --preset release -DLAPIDARY_TESTS=OFF
cmake --build build --target lapidary lapidary-cli

model=$given
if [ -z "$model" ]; then
    model=build/squeezenet.onnx
    [ -f "$model" ] || build/bin/lapidary-cli sample squeezenet -o "$model"
fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/bin/lapidary "$model"
fi
echo "No display: here is the profile of $model, and a picture of the window."
build/bin/lapidary-cli profile "$model"
QT_QPA_PLATFORM=offscreen build/bin/lapidary --run --page run --screenshot build/lapidary.png "$model"
echo "Screenshot: build/lapidary.png"
