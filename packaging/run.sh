#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/run.sh [MODEL.onnx]: installs what is missing, builds, and opens the window on MODEL or on a
# generated sample. Without a display it shows the main job in text: the four levels side by side, with nodes, times,
# memory and the guard's word, and saves a screenshot.
set -euo pipefail
given=${1:+$(realpath -- "$1")}
cd "$(dirname "$0")/.."
. packaging/packages.sh

install_missing "${build_packages[@]}"
cmake --preset release -DLAPIDARY_TESTS=OFF -DLAPIDARY_WERROR="${LAPIDARY_WERROR:-OFF}"
cmake --build build --target lapidary lapidary-cli

model=$given
if [ -z "$model" ]; then
    model=build/squeezenet.onnx
    [ -f "$model" ] || build/bin/lapidary-cli sample squeezenet -o "$model"
fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/bin/lapidary "$model"
fi
echo "No display: here is $model at the four levels of optimization, and a picture of the window."
build/bin/lapidary-cli bench "$model" --level disabled,basic,extended,all --seconds 3
for level in basic extended all; do
    build/bin/lapidary-cli optimize "$model" --level "$level" --guard | grep -E "nodes became|^guard|^  "
done
QT_QPA_PLATFORM=offscreen build/bin/lapidary --run --page optimize --screenshot build/lapidary.png "$model"
echo "Screenshot: build/lapidary.png"
