#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# window_man_page.sh PROGRAM PAGE: the man page names the options of the window's help, and no others.
set -euo pipefail
reported=$("$1" --help | grep -o -- '--[a-z-]*' | sort -u)
written=$(sed -n 's/\\-/-/g; /^\\fB-/p' "$2" | grep -o -- '--[a-z-]*' | sort -u)
diff <(echo "$reported") <(echo "$written") || { echo "lapidary --help (<) and the man page (>) differ"; exit 1; }
echo "$(wc -w <<<"$reported") options"
