#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/views/window_journey.sh [--looks] OUT_FOLDER [MODEL.onnx...]: the window on a real display, Xvfb with a window
# manager (openbox), driven with real keys. One journey per job: why is it slow, what holds memory, make it faster and
# export it, look around in a file that is optimized, in 10,000 nodes, in an invalid model, change the graph by hand,
# compare two variants. What the window has to say at each step is checked (exit code). Pictures of the whole screen,
# frame of the window included, go to OUT_FOLDER for inspection. --looks takes pictures in place of the journeys: of the
# first look at each model, of the models named too, at 1280x800 and 1600x1000 and at 200 %, light and dark; of the start
# page, the tour, the find box, the inputs drawer and the dialogs.
# 77: a tool is missing, nothing was tried. Needs a finished build and xvfb, openbox, x11-apps, x11-utils, netpbm,
# xdotool.
set -euo pipefail
looks=
[ "${1:-}" = --looks ] && { looks=1; shift; }
[ $# -ge 1 ] || { sed -n '3,11p' "$0" >&2; exit 2; }
out=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${LAPIDARY_BIN:-$root/build/bin}
program=$bin/lapidary
cli=$bin/lapidary-cli
for tool in Xvfb openbox xprop xwininfo xwd xwdtopnm pnmtopng ppmhist xdotool; do
    command -v "$tool" >/dev/null && continue
    echo "$tool is missing: apt install xvfb openbox x11-apps x11-utils netpbm xdotool" >&2
    exit 77
done
mkdir -p "$out"
work=$(mktemp -d)
started=() process='' window=''
finish() {
    local one
    for one in $process "${started[@]}"; do kill "$one" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

# screen SIZE: a display of that size with a window manager
screen() {
    local one
    for one in "${started[@]}"; do kill "$one" 2>/dev/null || true; done
    started=()
    rm -f "$work/display"
    Xvfb -displayfd 3 -screen 0 "$1x24" -nolisten tcp 3>"$work/display" 2>/dev/null &
    started+=($!)
    for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
    openbox --sm-disable >/dev/null 2>&1 &
    started+=($!)
    for _ in $(seq 100); do xprop -root _NET_SUPPORTING_WM_CHECK 2>/dev/null | grep -q window && break; sleep 0.1; done
}

# A tool that asks the display and gets no answer must not stand still for ever.
for tool in xprop xwininfo xwd xdotool; do eval "$tool() { timeout 20 $tool \"\$@\"; }"; done

done_lines() { grep -c ^done "$work/done" 2>/dev/null || true; }

# until_done COUNT: that many lines of the script were done; fails when the program ends before, or hangs
until_done() {
    for _ in $(seq 3000); do
        [ "$(done_lines)" -ge "$1" ] && return 0
        kill -0 "$process" 2>/dev/null || break
        sleep 0.1
    done
    [ "$(done_lines)" -ge "$1" ] && return 0
    echo "$name: stopped after line $(done_lines) of its script: $(sed -n "$(($(done_lines) + 1))p" "$work/script")" >&2
    cat "$work/problem" >&2
    return 1
}

# ended: the program went after the last line of its script, and well
ended() {
    local code=0
    for _ in $(seq 600); do
        kill -0 "$process" 2>/dev/null || break
        sleep 0.1
    done
    if kill -0 "$process" 2>/dev/null; then
        echo "$name: still there a minute after the last line of its script" >&2
        kill "$process"
    fi
    wait "$process" || code=$?
    [ "$code" = 0 ] && return 0
    echo "$name: the program ended with $code: $(cat "$work/problem")" >&2
    return 1
}

# picture NAME: of the whole screen; fails where next to nothing is on it
picture() {
    xwd -silent -root | xwdtopnm 2>/dev/null >"$work/screen.pnm"
    pnmtopng 2>/dev/null <"$work/screen.pnm" >"$out/$1.png"
    local colours
    colours=$(ppmhist "$work/screen.pnm" 2>/dev/null | wc -l)
    local dialog
    for dialog in $(xdotool search --onlyvisible --pid "$process" 2>/dev/null || true); do  # the root shows them black
        [ "$dialog" = "$window" ] || xwd -silent -id "$dialog" 2>/dev/null | xwdtopnm 2>/dev/null |
            pnmtopng 2>/dev/null >"$out/$1-dialog.png" || true
    done
    [ "$colours" -ge 40 ] && return 0
    echo "$1: $colours colours on the screen, it is empty" >&2
    return 1
}

# geometry: sets X Y WIDTH HEIGHT of the window, left right top bottom of its frame, across down of the screen
geometry() {
    read -r X Y WIDTH HEIGHT < <(xwininfo -id "$window" | awk '
        /Absolute upper-left X/ { x = $NF } /Absolute upper-left Y/ { y = $NF }
        /Width:/ { w = $NF } /Height:/ { h = $NF } END { print x, y, w, h }')
    IFS=', ' read -r left right top bottom < <(xprop -id "$window" _NET_FRAME_EXTENTS 2>/dev/null | sed -n 's/.*= //p')
    read -r across down < <(xdotool getdisplaygeometry)
}

# fill_screen: the window as large as the screen holds it with its frame, in front
fill_screen() {
    local X=0 Y=0 WIDTH=0 HEIGHT=0 left='' right='' top='' bottom='' across=0 down=0 before='' same=0
    for _ in $(seq 50); do
        geometry || true
        if [ -n "$bottom" ]; then
            [ "$before" = "$X $Y $WIDTH $HEIGHT" ] && same=$((same + 1)) || same=0
            [ "$same" -lt 5 ] || break  # as large as it gets: in steps of two pixels at 200 %
            before="$X $Y $WIDTH $HEIGHT"
            [ "$X" = "$left" ] && [ "$Y" = "$top" ] && [ $((HEIGHT + top + bottom)) = "$down" ] && break
            xdotool windowsize "$window" $((across - left - right)) $((down - top - bottom)) \
                windowmove "$window" "$left" "$top" windowactivate "$window" 2>/dev/null || true
        fi
        sleep 0.2
    done
}

# fits: the window with its frame lies on the screen
fits() {
    local X=0 Y=0 WIDTH=0 HEIGHT=0 left=0 right=0 top=0 bottom=0 across=0 down=0
    geometry
    if [ $((X - left)) -ge 0 ] && [ $((Y - top)) -ge 0 ] && [ $((X + WIDTH + right)) -le "$across" ] &&
        [ $((Y + HEIGHT + bottom)) -le "$down" ]; then
        return 0
    fi
    echo "$name: a window of ${WIDTH}x$HEIGHT at $X,$Y on a screen of ${across}x$down" >&2
    return 1
}

# journey NAME SCALE THEME ARGUMENT...: the lines of stdin are those of a UI script (app/ui_script.h), and those that
# are done from outside: "key KEYS", "type TEXT" on the keyboard, "picture NAME", "fits"
journey() {
    local name=$1 scale=$2 theme=$3 lines i line failed=0
    shift 3
    mapfile -t lines
    rm -rf "$work/config" "$work"/go-*
    : >"$work/script"
    : >"$work/done"
    for i in "${!lines[@]}"; do
        case ${lines[i]} in
        key\ * | type\ * | picture\ * | fits) echo "await $work/go-$i" ;;
        *) printf '%s\n' "${lines[i]}" ;;
        esac >>"$work/script"
    done
    echo quit >>"$work/script"
    env XDG_CONFIG_HOME="$work/config" XDG_DATA_HOME="$work/config" XDG_CACHE_HOME="$work/config" \
        XDG_STATE_HOME="$work/config" QT_QPA_PLATFORM=xcb QT_SCALE_FACTOR="$scale" "$program" --language en \
        --theme "$theme" --script "$work/script" "$@" >"$work/done" 2>"$work/problem" &
    process=$!
    window=
    for _ in $(seq 600); do
        kill -0 "$process" 2>/dev/null || break
        window=$(xdotool search --onlyvisible --pid "$process" 2>/dev/null | head -1 || true)
        [ -z "$window" ] || break
        sleep 0.1
    done
    if [ -n "$window" ]; then fill_screen || true; else echo "$name: no window of it was found" >&2; fi
    for i in "${!lines[@]}"; do
        line=${lines[i]}
        case $line in
        key\ * | type\ * | picture\ * | fits) until_done "$i" || { failed=1; break; } ;;
        esac
        case $line in
        key\ *) xdotool key --clearmodifiers ${line#key } && sleep 0.3 ;;
        type\ *) xdotool type --clearmodifiers --delay 40 "${line#type }" && sleep 0.3 ;;
        picture\ *) sleep 0.4 && picture "${line#picture }" || failed=1 ;;
        fits) fits || failed=1 ;;
        *) continue ;;
        esac
        touch "$work/go-$i"
    done
    [ "$failed" = 1 ] || until_done "${#lines[@]}" || failed=1
    if [ "$failed" = 1 ]; then
        kill "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    else
        ended || failed=1
    fi
    process=
    if [ "$failed" = 1 ]; then
        failures+=("$name")
        echo "FAILED $name"
    else
        echo "passed $name"
    fi
}

failures=()
python=$root/build/peers/bin/python
[ -x "$python" ] || python=python3
"$python" - "$work" <<'PY' || { echo "python3-onnx is missing: apt install python3-onnx" >&2; exit 77; }
import sys, onnx
from onnx import helper, TensorProto as T
work = sys.argv[1]
x, y = (helper.make_tensor_value_info(n, T.FLOAT, [1, 8]) for n in ("v0", "v10000"))
nodes = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"], name=f"relu{i}") for i in range(10000)]
model = helper.make_model(helper.make_graph(nodes, "chain", [x], [y]), opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, f"{work}/chain-10000.onnx")
a, b = (helper.make_tensor_value_info(n, T.FLOAT, [2, 8]) for n in ("a", "d"))
weight = helper.make_tensor("w", T.FLOAT, [3, 4], [0.0] * 12)
nodes = [helper.make_node("Relu", ["a"], ["b"], name="keep"),
         helper.make_node("MatMul", ["b", "w"], ["c"], name="scores"),
         helper.make_node("Sigmoid", ["c"], ["d"], name="gate")]
model = helper.make_model(helper.make_graph(nodes, "invalid", [a], [b], [weight]),
                          opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.save(model, f"{work}/invalid.onnx")
PY
"$cli" sample gpt2-small -o "$work/gpt2-small.onnx" >/dev/null
"$cli" sample mobilenetv2 -o "$work/mobilenetv2.onnx" >/dev/null
"$cli" optimize "$work/mobilenetv2.onnx" --level all --target cpu -o "$work/optimized-cnn.onnx" >/dev/null
[ -z "$looks" ] || "$python" - "$work" <<'PY' 2>/dev/null || echo "without a file that ONNX Runtime optimized" >&2
import sys, onnxruntime
options = onnxruntime.SessionOptions()
options.optimized_model_filepath = f"{sys.argv[1]}/ort-cnn.onnx"
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
onnxruntime.InferenceSession(f"{sys.argv[1]}/mobilenetv2.onnx", options, providers=["CPUExecutionProvider"])
PY

jobs_at() {
    local at=$1 theme=$2
    journey "slow-$at" 1 "$theme" --sample bert-base <<END
settle
expect page graph
expect variantChip Original
fits
picture bert-base-$at-look
key F5
wait 300
settle
expect page run
expect runVerdict goes to
expect variantChip ms
picture bert-base-$at-run
key ctrl+z
END
    journey "memory-$at" 1 "$theme" "$work/gpt2-small.onnx" <<END
settle
expect page graph
picture gpt2-small-$at-look
key ctrl+6
settle
expect page memory
expect memoryCard alive
picture gpt2-small-$at-memory
END
    journey "faster-$at" 1 "$theme" --sample unet <<END
settle
picture unet-$at-look
key ctrl+3
settle
expect page optimize
expect levelCard_all nodes
press levelCard_all
settle
expect variantChip All
picture unet-$at-optimize
press Export …
expect exportFigures Needs:
expect exportCommand --target cpu
picture unet-$at-export
key Escape
wait 200
key ctrl+z
settle
expect variantChip Original
END
    journey "optimized-$at" 1 "$theme" "$work/optimized-cnn.onnx" <<END
settle
expect page graph
expect inspectorPanel Needs
picture optimized-cnn-$at-look
key ctrl+f
wait 500
settle
type op:conv
expect commandPalette op:conv
wait 300
settle
picture optimized-cnn-$at-find
key Down
key Return
settle
expect page graph
expect inspectorPanel Conv
key ctrl+9
settle
expect page checklist
expect checklistTable Needs: 
picture optimized-cnn-$at-checklist
END
    journey "large-$at" 1 "$theme" "$work/chain-10000.onnx" <<END
settle
expect page graph
fits
picture chain-10000-$at-look
key ctrl+plus
key ctrl+shift+f
settle
picture chain-10000-$at-whole
key ctrl+shift+t
wait 500
expect graphTable relu9999
key ctrl+shift+t
settle
END
    journey "invalid-$at" 1 "$theme" "$work/invalid.onnx" <<END
settle
expect page graph
expect problemsPanel MatMul
expect inspectorPanel MatMul
fits
picture invalid-$at-look
key ctrl+5
settle
expect faultCover It is not valid
picture invalid-$at-run
END
    journey "edit-$at" 1 "$theme" --sample lenet <<END
settle
expect page graph
key ctrl+f
wait 500
settle
type op:relu
wait 300
settle
key Down
key Return
settle
expect inspectorPanel Relu
key Delete
settle
expect variantChip edited: delete
picture lenet-$at-deleted
key ctrl+z
settle
expect variantChip Original
key ctrl+f
wait 500
settle
type op:maxpool
wait 300
settle
key Down
key Return
settle
key ctrl+alt+b
wait 800
type LeakyRelu
wait 800
expect editFormSentence It can be done
picture lenet-$at-insert
key Return
settle
expect variantChip edited: insert
picture lenet-$at-inserted
key ctrl+alt+e
wait 800
expect editScript insert
picture lenet-$at-script
key Escape
END
    journey "compare-$at" 1 "$theme" --sample bert-tiny <<END
settle
key ctrl+3
settle
key ctrl+8
settle
expect page compare
slot A disabled
slot B {"level": "all"}
settle
slot B {"level": "all"}
press Compare A and B
settle
expect compareVerdict All
fits
picture bert-tiny-$at-compare
END
}

# look_at NAME ARGUMENT...: what the window shows first, light and dark
look_at() {
    local name=$1
    shift
    journey "look-$name-$at" "$scale" light "$@" <<END
wait 300
settle
fits
picture $name-$at-light
theme dark
wait 500
picture $name-$at-dark
END
}

looks_at() {
    local at=$1 scale=$2 model
    shift 2
    for model in bert-base unet; do look_at "$model" --sample "$model"; done
    for model in "$@"; do look_at "$(basename "$model" .onnx)" "$model"; done
    look_at start
    journey "tour-$at" "$scale" light <<END
wait 300
press doorTour
wait 600
picture tour-$at
END
    journey "dialogs-$at" "$scale" light --sample bert-tiny <<END
settle
key ctrl+f
wait 500
settle
type op:matmul scope:layer
wait 300
picture find-$at
key Escape
press Settings …
wait 800
picture settings-$at
key Escape
press Keyboard shortcuts
wait 800
picture shortcuts-$at
key Escape
press Convert …
wait 800
settle
picture convert-$at
key Escape
press Plugins and engines …
wait 2500
picture plugins-$at
key Escape
key ctrl+5
settle
press showInputs
wait 500
picture inputs-$at
key ctrl+7
settle
key ctrl+Return
wait 700
key ctrl+q
wait 800
picture quit-$at
key Escape
press tuneCancel
settle
END
}

if [ -n "$looks" ]; then
    models=("$work/gpt2-small.onnx" "$work/optimized-cnn.onnx" "$work/chain-10000.onnx" "$work/invalid.onnx" "$@")
    [ -e "$work/ort-cnn.onnx" ] && models+=("$work/ort-cnn.onnx")
    screen 1280x800
    looks_at 1280x800 1 "${models[@]}"
    screen 1600x1000
    looks_at 1600x1000 1 "${models[@]}"
    screen 2560x1600
    looks_at 200 2 "${models[@]}"
else
    screen 1280x800
    jobs_at 1280x800 light
    screen 1600x1000
    jobs_at 1600x1000 dark
fi
if [ ${#failures[@]} -gt 0 ]; then
    echo "failed: ${failures[*]}" >&2
    exit 1
fi
echo "every journey passed; pictures in $out"
