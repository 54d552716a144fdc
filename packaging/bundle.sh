#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/bundle.sh VERSION OUTPUT: the portable bundle in folder OUTPUT, as an archive and as a file that unpacks
# itself, and the command line alone. Programs find the libraries beside them by a relative path, Qt its plugins by
# qt.conf; nothing of the system is used but the kernel, glibc, the display and, where there are any, its fonts. Called
# by package.sh, which sets SOURCE_DATE_EPOCH.
set -euo pipefail
version=$1 output=$(realpath "$2")
cd "$(dirname "$0")/.."
: "${SOURCE_DATE_EPOCH:?is set by package.sh}"
machine=$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
qt_plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || /usr/lib/qt6/bin/qtpaths --query QT_INSTALL_PLUGINS)
qt_translations=$(qtpaths6 --query QT_INSTALL_TRANSLATIONS 2>/dev/null ||
    /usr/lib/qt6/bin/qtpaths --query QT_INSTALL_TRANSLATIONS)

build=build
. packaging/archive.sh

archive_cli "lapidary-cli-$version-$machine"

# the window
bundle=lapidary-$version-$machine
folder=$work/$bundle
install_component cli "$folder"
install_component window "$folder"
for plugin in platforms/libqxcb platforms/libqwayland-generic platforms/libqoffscreen platforms/libqminimal \
    imageformats/libqsvg imageformats/libqjpeg imageformats/libqgif imageformats/libqico iconengines/libqsvgicon \
    wayland-shell-integration/libxdg-shell wayland-decoration-client/libbradient \
    platforminputcontexts/libcomposeplatforminputcontextplugin platforminputcontexts/libibusplatforminputcontextplugin \
    platformthemes/libqxdgdesktopportal; do
    if [ -e "$qt_plugins/$plugin.so" ]; then
        mkdir -p "$folder/plugins/${plugin%/*}"
        cp -L "$qt_plugins/$plugin.so" "$folder/plugins/${plugin%/*}/"
    else
        case $plugin in
            platforms/libqxcb | platforms/libqwayland-generic | platforms/libqoffscreen | iconengines/libqsvgicon)
                echo "bundle.sh: Qt's plugin $plugin is not in $qt_plugins" >&2; exit 1 ;;
        esac
    fi
done
mkdir -p "$folder/translations" "$folder/fonts"
cp -L "$qt_translations"/qtbase_{de,zh_CN}.qm "$folder/translations/"
cp -L /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold}.ttf /usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf \
    "$folder/fonts/"
cp /usr/share/doc/fonts-dejavu-core/copyright "$work/fonts-dejavu-core"
complete "$folder"
mv "$work/fonts-dejavu-core" "$folder/licences/fonts-dejavu-core"
for package in fonts-dejavu-core libqt6svg6 libqt6gui6 qt6-wayland qt6-translations-l10n; do
    cp -L "/usr/share/doc/$package/copyright" "$folder/licences/$package"
    echo "$package"
done | sort -u - "$folder/licences/packages.txt" >"$folder/licences/all"
mv "$folder/licences/all" "$folder/licences/packages.txt"
printf '[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = translations\n' >"$folder/bin/qt.conf"
cat >"$folder/fonts/fonts.conf" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
CONF
install -m 755 packaging/bundle/lapidary "$folder/lapidary"
ln -s bin/lapidary-cli "$folder/lapidary-cli"
archive "$bundle"

# The same, unpacking itself: a script with a compressed archive behind it.
run=$output/$bundle.run
gzip -9n <"$work/$bundle.tar" >"$work/payload"
sed -e "s/@bundle@/$bundle/" -e "s/@lines@/$(($(wc -l <packaging/bundle/unpack.sh) + 1))/" \
    -e "s/@checksum@/$(sha256sum "$work/payload" | cut -d' ' -f1)/" packaging/bundle/unpack.sh >"$run"
cat "$work/payload" >>"$run"
chmod 755 "$run"
