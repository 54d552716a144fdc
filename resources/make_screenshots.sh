#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# resources/make_screenshots.sh [PICTURE...]: draws pictures anew, all or those named, with the program that was built
# last. Of the README: screenshot.png, the Run page after a profile of a sample model, and optimize.png, the Optimize
# page with four levels of another. Of the help's tutorial: help/tutorial-run.png, help/tutorial-optimize.png; of its
# pages: help/page-start.png and so on, for which netpbm is needed. Needs a finished build (packaging/run.sh makes one)
# and no display. Times in the pictures are of this machine: let it be idle.
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
small() {  # PAGE OPTION...: of the help's pages, no larger than they are shown
    draw "help/page-$1.png" 1280x800 --theme light --page "$@"
    [ "$wanted" = "  " ] || [[ $wanted == *" help/page-$1.png "* ]] || return 0
    pngtopnm "resources/help/page-$1.png" | pnmscale -xsize 720 | pnmquant 128 2>/dev/null |
        pnmtopng -compression 9 2>/dev/null >"$settings/small.png"
    mv "$settings/small.png" "resources/help/page-$1.png"
}
small start
for page in graph optimize quantize memory tune compare checklist; do small "$page" --sample bert-tiny; done
small run --sample bert-tiny --run
