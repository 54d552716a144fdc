#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/screenshot.sh [SAMPLE]: draws resources/screenshot.png, the README's picture: the Run page after
# a profile of a sample model. Needs a finished build; needs no display.
set -euo pipefail
cd "$(dirname "$0")/.."
sample=${1:-squeezenet}
program=build/bin/lapidary
[ -x "$program" ] || { echo "$program is missing: build it first (packaging/run.sh does)." >&2; exit 1; }

settings=$(mktemp -d)   # the picture shall not depend on anybody's window layout
trap 'rm -rf "$settings"' EXIT
XDG_CONFIG_HOME=$settings QT_QPA_PLATFORM=offscreen \
    "$program" --sample "$sample" --run --page run --theme dark --size 1600x1000 --screenshot resources/screenshot.png
echo "Wrote resources/screenshot.png"
