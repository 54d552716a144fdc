#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# desktop_files.sh SOURCE BUILD: starter, description for software centres and kinds of files are what the desktop's own
# tools accept. Each check runs where its tool is installed; 77 where none is.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=0
have() { command -v "$1" >/dev/null && checked=$((checked + 1)); }

if have desktop-file-validate; then desktop-file-validate "$source/resources/lapidary.desktop"; fi
if have appstreamcli; then
    appstreamcli validate --no-net "$build/resources/org.lapidary.Lapidary.metainfo.xml" ||
        { echo "appstreamcli does not accept the metainfo"; exit 1; }
fi
if have update-mime-database; then
    mkdir -p "$work/mime/packages"
    cp "$source/resources/lapidary-mime.xml" "$work/mime/packages/lapidary.xml"
    update-mime-database "$work/mime"
    for kind in x-onnx:net.onnx x-onnxruntime:net.ort x-lapidary-project:a.lapidary \
        x-chrome-trace+json:run.trace.json x-chrome-trace+json:onnxruntime_profile_1.json; do
        grep -q "application/${kind%%:*}" "$work/mime/globs2" || { echo "no pattern for ${kind%%:*}"; exit 1; }
    done
fi
# What the starter opens is what is described.
while read -r kind; do
    grep -q "type=\"$kind\"" "$source/resources/lapidary-mime.xml" || { echo "$kind is not described"; exit 1; }
    grep -q "<mediatype>$kind</mediatype>" "$source/resources/lapidary.metainfo.xml.in" ||
        { echo "the metainfo does not name $kind"; exit 1; }
done < <(sed -n 's/^MimeType=//p' "$source/resources/lapidary.desktop" | tr ';' '\n' | grep .)
[ $checked -gt 0 ] || { echo "none of the tools is installed"; exit 77; }
echo "$checked tools had nothing to complain about"
