#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/views/first_look_pictures.sh OUT_FOLDER [MODEL.onnx...]: first looks on a real window, for somebody to look at.
# Under Xvfb with a window manager (openbox): samples, a chain of 10,000 nodes, an invalid model and the models named,
# at 1280x800 and 1600x1000 and at 200 %, light and dark; then the start page, the tour, and the dialogs. The pictures
# are of the whole screen, frame of the window included. Fails where the program does. Needs a finished build and xvfb,
# openbox, x11-apps, netpbm, xdotool.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,8p' "$0" >&2; exit 2; }
out=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$root/build/bin/lapidary
cli=$root/build/bin/lapidary-cli
for tool in Xvfb openbox xwd xwdtopnm pnmtopng xdotool; do
    command -v "$tool" >/dev/null && continue
    echo "$tool is missing: apt install xvfb openbox x11-apps x11-utils netpbm xdotool" >&2
    exit 2
done
mkdir -p "$out"
work=$(mktemp -d)
started=()
finish() {
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
    rm -rf "$work"
}
trap finish EXIT

# screen SIZE: a display of that size with a window manager
screen() {
    for process in "${started[@]}"; do kill "$process" 2>/dev/null || true; done
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

# look NAME SCALE THEME SCRIPT-LINES ARGUMENT...: a picture once the script has waited
look() {
    local name=$1 scale=$2 theme=$3 lines=$4
    shift 4
    printf '%b\nwait 400\n' "$lines" >"$work/script"
    rm -rf "$work/config"
    XDG_CONFIG_HOME=$work/config QT_QPA_PLATFORM=xcb QT_SCALE_FACTOR=$scale "$program" --language en \
        --theme "$theme" --script "$work/script" "$@" >"$work/done" 2>"$work/problem" &
    local process=$! wanted
    wanted=$(wc -l <"$work/script")
    local window=
    for _ in $(seq 600); do
        kill -0 "$process" 2>/dev/null || break
        if [ -z "$window" ]; then
            window=$(xdotool search --onlyvisible --pid "$process" 2>/dev/null | head -1 || true)
            [ -z "$window" ] || xdotool windowsize "$window" 100% 100% windowmove "$window" 0 0 2>/dev/null || true
        fi
        [ "$(grep -c ^done "$work/done" || true)" -ge "$wanted" ] && break
        sleep 0.1
    done
    kill -0 "$process" 2>/dev/null || { echo "$name: the program ended: $(cat "$work/problem")" >&2; exit 1; }
    xwd -silent -root | xwdtopnm 2>/dev/null | pnmtopng 2>/dev/null >"$out/$name.png"
    local dialog
    for dialog in $(xdotool search --onlyvisible --pid "$process" 2>/dev/null || true); do  # the root shows them black
        [ "$dialog" = "$window" ] || xwd -silent -id "$dialog" 2>/dev/null | xwdtopnm 2>/dev/null |
            pnmtopng 2>/dev/null >"$out/$name-dialog.png" || true
    done
    kill "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    echo "$out/$name.png"
}

python=$root/build/peers/bin/python
[ -x "$python" ] || python=python3
"$python" - "$work" <<'PY' || echo "no model of 10,000 nodes and no invalid one: python3-onnx is missing" >&2
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
models=("$work/gpt2-small.onnx" "$@")
[ -f "$work/chain-10000.onnx" ] && models+=("$work/chain-10000.onnx" "$work/invalid.onnx")

for size in 1280x800 1600x1000; do
    screen "$size"
    for sample in bert-base unet; do look "$sample-$size-light" 1 light "wait 300\nsettle" --sample "$sample"; done
    for model in "${models[@]}"; do
        name=$(basename "$model" .onnx)
        look "$name-$size-light" 1 light "wait 300\nsettle" "$model"
    done
    look "bert-base-$size-dark" 1 dark "wait 300\nsettle" --sample bert-base
    look "start-$size-light" 1 light "wait 300"
    look "tour-$size-light" 1 light "wait 300\npress doorTour\nwait 600"
    look "settings-$size-light" 1 light "wait 300\npress Settings …\nwait 1500"
    look "plugins-$size-light" 1 light "wait 300\npress Plugins and engines …\nwait 2500"
done
screen 2560x1600
for theme in light dark; do
    look "unet-200-$theme" 2 "$theme" "wait 300\nsettle" --sample unet
    look "gpt2-small-200-$theme" 2 "$theme" "wait 300\nsettle" "$work/gpt2-small.onnx"
    look "start-200-$theme" 2 "$theme" "wait 300"
    look "settings-200-$theme" 2 "$theme" "wait 300\npress Settings …\nwait 1500"
done
