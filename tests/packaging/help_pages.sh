#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# help_pages.sh SOURCE BUILD: every link and picture of resources/help leads somewhere, to a heading too, every page is
# in the contents, every page of the window has one, and every command in a block of ```sh works, page by page in a
# folder of its own.
# Blocks of ```text are not run.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() {
    echo "$*"
    failed=1
}
pages=("$source"/resources/help/*.md "$build"/help/*.md)
exists() { [ -e "$source/resources/help/$1" ] || [ -e "$build/help/$1" ]; }

# anchors PAGE: what its headings are linked by, as the window's help makes them
anchors() {
    cat "$source/resources/help/$1" "$build/help/$1" 2>/dev/null | sed -n 's/^#\+ //p' |
        tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9-]//g'
}

contents=$source/resources/help/contents.md
for page in "${pages[@]}"; do
    name=${page##*/}
    while read -r target; do
        case $target in
            http*) complain "$name links to $target, which needs a network" ;;
            *) exists "${target%%#*}" || complain "$name links to $target, which is not there" ;;
        esac
        case $target in
            *.md#*) grep -qxF "${target#*#}" < <(anchors "${target%%#*}") ||
                complain "$name links to $target, no heading of it" ;;
        esac
    done < <(sed '/^```/,/^```/d' "$page" | grep -o '\](\([^)]*\))' | sed 's/^](//; s/)$//' || true)
    [ "$name" = contents.md ] || grep -qF "($name)" "$contents" || complain "contents.md does not name $name"
done
while read -r id; do
    exists "page-$id.md" || complain "the page $id has no page-$id.md"
done < <(sed -n 's/^LAPIDARY_PAGE(\(\w*\),.*/\1/p' "$source/views/view_list.inc")

export PATH=$build/bin:$PATH
# On a busy machine a limit of time may be one that cannot be resolved, which the exit code 7 says: no fault of the page.
cat >"$work/begin" <<'END'
lapidary-cli() { command lapidary-cli "$@" || [ $? -eq 7 ]; }
END
commands=0
for page in "${pages[@]}"; do
    script=$work/script
    sed -n '/^```sh$/,/^```$/p' "$page" | grep -v '^```' >"$work/commands" || continue
    cat "$work/begin" "$work/commands" >"$script"
    mkdir "$work/page"
    if ! (cd "$work/page" && bash -euo pipefail "$script") >"$work/log" 2>&1 </dev/null; then
        complain "the commands of ${page##*/} failed:"
        tail -20 "$work/log"
    fi
    commands=$((commands + $(grep -c '\blapidary-cli ' "$work/commands" || true)))
    rm -rf "$work/page"
done
[ "$commands" -gt 20 ] || complain "only $commands commands were found in the help"
[ "${#pages[@]}" -gt 20 ] || complain "only ${#pages[@]} pages were found"
[ $failed = 0 ] && echo "${#pages[@]} pages, $commands commands"
exit $failed
