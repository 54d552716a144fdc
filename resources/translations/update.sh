#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings the catalogues up to date with the sources: new texts come in as unfinished, those that are gone leave. Needs
# lupdate (qt6-l10n-tools). Translate what is unfinished afterwards (Qt Linguist, or a text editor): a test wants every
# entry finished.
set -euo pipefail
cd "$(dirname "$0")/../.."
lupdate=$(command -v lupdate6 || command -v /usr/lib/qt6/bin/lupdate || command -v lupdate)
for language in de zh_CN en; do
    plurals=()
    [ "$language" = en ] && plurals=(-pluralonly)  # all else is English already
    "$lupdate" -silent -locations none -no-obsolete "${plurals[@]}" -recursive app views views/view_list.inc \
        -source-language en -target-language "$language" \
        -ts "resources/translations/lapidary_$language.ts" 2>/dev/null
    unfinished=$(grep -c 'type="unfinished"' "resources/translations/lapidary_$language.ts" || true)
    echo "lapidary_$language.ts: $unfinished unfinished"
done
