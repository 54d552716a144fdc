#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# resources/make_screenshots.sh [PICTURE...]: draws pictures anew, all or those named, with the program that was built
# last. Of the README: screenshot.png, the Run page after a profile of a sample model, and optimize.png, the Optimize
# page with four levels of another. Of the help's tutorial: help/tutorial-run.png, help/tutorial-optimize.png. Needs a
# finished build (packaging/run.sh makes one) and no display. Times in the pictures are of this machine: let it be idle.
set -euo pipefail
cd "$(dirname "$0")/.."
program=build/bin/lapidary
[ -x "$program" ] || { echo "$program is missing: build it first (packaging/run.sh does)." >&2; exit 1; }

settings=$(mktemp -d)   # the pictures shall not depend on anybody's window layout, language or text size
trap 'rm -rf "$settings"' EXIT
wanted=" $* "
draw() {  # FILE SIZE OPTION...
    [ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return 0
    XDG_CONFIG_HOME=$settings/${1%.png} QT_QPA_PLATFORM=offscreen "$program" --language en --size "$2" "${@:3}" \
        --screenshot "resources/$1"
    echo "Wrote resources/$1"
}
draw screenshot.png 1600x1000 --theme dark --sample squeezenet --page run --run
draw optimize.png 1600x1000 --theme light --sample bert-base --page optimize
draw help/tutorial-run.png 1280x860 --theme light --sample squeezenet --page run --run
draw help/tutorial-optimize.png 1280x860 --theme light --sample squeezenet --page optimize
