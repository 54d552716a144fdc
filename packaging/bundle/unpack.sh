#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Lapidary in one file. Without options it puts itself into ~/.local/opt/lapidary and a starter into the menu.
#   --prefix FOLDER   another folder than ~/.local/opt/lapidary
#   --extract FOLDER  unpacks into FOLDER, which must be empty or new, and does nothing else
#   --remove          takes all of it away again; settings, models and projects stay
#   --check           only checks whether the file is whole
set -eu
prefix=$HOME/.local/opt/lapidary extract='' task=install
complain() { echo "$(basename "$0"): $1" >&2; exit 1; }
while [ $# -gt 0 ]; do
    case $1 in
        --prefix | --extract)
            [ $# -gt 1 ] || complain "$1 needs a folder"
            [ "$1" = --prefix ] && prefix=$2
            [ "$1" = --extract ] && { extract=$2 task=extract; }
            shift ;;
        --remove) task=remove ;;
        --check) task=check ;;
        -h | --help) sed -n '3,7s/^# //p' "$0"; exit 0 ;;
        *) complain "there is no option $1 (see --help)" ;;
    esac
    shift
done
data=${XDG_DATA_HOME:-$HOME/.local/share}
payload() { tail -n +@lines@ "$0"; }
refresh() {
    for tool in "update-desktop-database $data/applications" "update-mime-database $data/mime"; do
        command -v "${tool%% *}" >/dev/null && $tool >/dev/null 2>&1 || true
    done
}
remove_links() {
    rm -f "$data/applications/lapidary.desktop" "$data/mime/packages/lapidary.xml" \
        "$data/thumbnailers/lapidary.thumbnailer" "$data/metainfo/org.lapidary.Lapidary.metainfo.xml"
    for size in scalable 16x16 22x22 24x24 32x32 48x48 64x64 128x128 256x256 512x512; do
        rm -f "$data/icons/hicolor/$size/apps/lapidary.svg" "$data/icons/hicolor/$size/apps/lapidary.png"
    done
    for program in lapidary lapidary-cli; do
        case $(readlink "$HOME/.local/bin/$program" || true) in "$prefix"/*) rm -f "$HOME/.local/bin/$program" ;; esac
    done
}
unpack() {  # FOLDER
    payload | tar -xzf - -C "$1" --strip-components=1
}
verify() {
    sum=$(payload | sha256sum | cut -d' ' -f1)
    [ "$sum" = @checksum@ ] || complain "the file is damaged: its checksum is $sum, expected @checksum@"
}

case $task in
check)
    verify
    echo "@bundle@ is whole." ;;
extract)
    mkdir -p "$extract"
    [ -z "$(ls -A "$extract")" ] || complain "$extract is not empty"
    verify
    unpack "$extract" ;;
remove)
    [ -e "$prefix/bin/lapidary" ] || complain "$prefix has no Lapidary"
    remove_links
    rm -rf "$prefix"
    # folders that no other package uses
    rmdir -p "$(dirname "$prefix")" 2>/dev/null || true
    (cd "$data" && find icons applications mime thumbnailers metainfo -depth -type d -empty -delete 2>/dev/null) || true
    rmdir "$HOME/.local/bin" "$data" 2>/dev/null || true
    refresh
    echo "Removed $prefix. Settings stay in ${XDG_CONFIG_HOME:-$HOME/.config}/Lapidary." ;;
install)
    [ ! -e "$prefix" ] || [ -e "$prefix/bin/lapidary" ] || [ -z "$(ls -A "$prefix")" ] ||
        complain "$prefix is there and holds something else; choose another folder with --prefix"
    verify
    mkdir -p "$(dirname "$prefix")"
    fresh=$(mktemp -d "$(dirname "$prefix")/.lapidary.XXXXXX")
    trap 'rm -rf "$fresh"' EXIT
    unpack "$fresh"
    chmod 755 "$fresh"
    rm -rf "$prefix"
    mv "$fresh" "$prefix"
    (cd "$prefix/share" && find icons mime thumbnailers metainfo -type f) | while read -r file; do
        mkdir -p "$data/$(dirname "$file")"
        cp "$prefix/share/$file" "$data/$file"
    done
    mkdir -p "$data/applications" "$HOME/.local/bin"
    sed "s|^Exec=lapidary|Exec=\"$prefix/lapidary\"|" "$prefix/share/applications/lapidary.desktop" \
        >"$data/applications/lapidary.desktop"
    sed -i "s|^Exec=lapidary|Exec=\"$prefix/lapidary\"|; s|^TryExec=lapidary|TryExec=$prefix/lapidary|" \
        "$data/thumbnailers/lapidary.thumbnailer"
    ln -sf "$prefix/lapidary" "$HOME/.local/bin/lapidary"
    ln -sf "$prefix/lapidary-cli" "$HOME/.local/bin/lapidary-cli"
    refresh
    echo "Lapidary is in the menu and in $prefix; $0 --remove takes it away again." ;;
esac
exit 0
