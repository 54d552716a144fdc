#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# resources/make_screenshots.sh: draws the README's pictures anew with the program that was built last: screenshot.png,
# the Run page after a profile of a sample model, and optimize.png, the Optimize page with four levels of another. Needs
# a finished build (packaging/run.sh makes one) and no display. Times in the pictures are of this machine: let it be
# idle.
set -euo pipefail
cd "$(dirname "$0")/.."
program=build/bin/lapidary
[ -x "$program" ] || { echo "$program is missing: build it first (packaging/run.sh does)." >&2; exit 1; }

settings=$(mktemp -d)   # the pictures shall not depend on anybody's window layout, language or text size
trap 'rm -rf "$settings"' EXIT
draw() {  # FILE OPTION...
    XDG_CONFIG_HOME=$settings/$1 QT_QPA_PLATFORM=offscreen "$program" --language en --size 1600x1000 "${@:2}" \
        --screenshot "resources/$1"
    echo "Wrote resources/$1"
}
draw screenshot.png --theme dark --sample squeezenet --page run --run
draw optimize.png --theme light --sample bert-base --page optimize
