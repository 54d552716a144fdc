#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# resources/make_screenshots.sh [PICTURE...]: draws pictures anew, all or those named, with the program that was built
# last. Of the README: screenshot.png, the Run page after a profile of a sample model, and optimize.png, the Optimize
# page with four levels of another. Of the help's tutorial: help/tutorial-run.png, help/tutorial-optimize.png; of its
# pages: help/page-start.png and so on, for which netpbm is needed; of edits by hand: help/edit-menu.png and so on.
# Needs a finished build (packaging/run.sh makes one) and no display. Times in the pictures are of this machine: let it
# be idle.
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
shrink() {  # FILE: no larger than the help shows it
    local width size=()
    read -r _ width _ < <(pngtopnm "resources/$1" | head -c 40 | tr '\n\0' '  ') || true
    [ "$width" -le 720 ] || size=(-xsize 720)
    pngtopnm "resources/$1" | pnmscale "${size[@]:-1}" | pnmquant 128 2>/dev/null |
        pnmtopng -compression 9 2>/dev/null >"$settings/small.png"
    mv "$settings/small.png" "resources/$1"
}
small() {  # PAGE OPTION...: of the help's pages
    draw "help/page-$1.png" 1280x800 --theme light --page "$@"
    [ "$wanted" = "  " ] || [[ $wanted == *" help/page-$1.png "* ]] || return 0
    shrink "help/page-$1.png"
}
acted() {  # FILE OPTION...: what there is after the lines of stdin, a script of the window (app/ui_script.h)
    [ "$wanted" = "  " ] || [[ $wanted == *" $1 "* ]] || return 0
    sed "s,PICTURE,picture resources/$1," >"$settings/script"
    XDG_CONFIG_HOME=$settings/${1%.png} QT_QPA_PLATFORM=offscreen "$program" --language en --size 1000x640 \
        --theme light --page graph "${@:2}" --script "$settings/script" --screenshot "$settings/end.png"
    shrink "$1"
    echo "Wrote resources/$1"
}
small start
for page in graph optimize quantize memory tune compare checklist; do small "$page" --sample bert-tiny; done
small run --sample bert-tiny --run
acted help/edit-menu.png --sample lenet <<'END'
settle
node /Relu_1
settle
menu
wait 300
settle
PICTURE
close
END
acted help/edit-form.png --sample lenet <<'END'
settle
node /Relu_1
settle
press Insert before …
wait 300
type operatorSearch LeakyRelu
wait 500
settle
PICTURE
close
END
acted help/edit-invalid.png --sample lenet <<'END'
settle
show {"edits": "delete /Relu_1\nreplace /Relu with Cast(to=int64)\n"}
settle
show {"edits": "delete /Relu_1\nreplace /Relu with Cast(to=int64)\n"}
settle
node /conv2/Conv
settle
PICTURE
END
acted help/edit-lines.png --sample lenet <<'END'
settle
show {"edits": "delete /Relu_1\ninsert LeakyRelu(alpha=0.1) after /conv2/Conv\nrename output logits -> scores\n"}
settle
show {"edits": "delete /Relu_1\ninsert LeakyRelu(alpha=0.1) after /conv2/Conv\nrename output logits -> scores\n"}
settle
press Edit …
wait 800
settle
PICTURE
close
END
