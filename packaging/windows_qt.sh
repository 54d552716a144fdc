#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/windows_qt.sh [--window] [MINUTES]: builds what the window needs of Qt (Core, Gui, Widgets, PrintSupport and
# the plugins that show windows on Windows) for 64-bit Windows from Debian's source package with Debian's mingw-w64, as
# static libraries in the folder of windows_sources.sh; moc, rcc and uic are this machine's. Then a program with a
# window (windows/window_check) is linked against it, started under Wine and asked for a picture of itself. --window:
# QtSvg and QCustomPlot too (windows/qt_parts), and with them the window itself in build-windows, which is started under
# Wine with a sample model and draws its pages.
# What is there is not built again: a build that ends after MINUTES (none: it does not) goes on at the next call, and
# says how many of its steps are done. LAPIDARY_WINDOWS_LEVEL=-O0 takes half the time.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh
packaging/windows_dependencies.sh
install_missing qt6-base-dev qt6-base-dev-tools xvfb
. packaging/windows_sources.sh
window=
if [ "${1:-}" = --window ]; then
    window=yes
    shift
fi
minutes=${1:-}
objects=$root/objects/qt6-base

configure_qt() {
    [ ! -e "$objects/build.ninja" ] || return 0
    local off=() feature platform=$sources/qt6-base/src/plugins/platforms/windows
    # Debian's source is without Wintab's headers, which are not free: no pressure of pens. Fonts of DirectWrite belong
    # to Direct2D, which is left out.
    sed -i 's/QT_CONFIG(\(tabletevent\|directwrite3\))/0/' "$platform"/*.cpp "$platform"/*.h
    sed -i 's/QT_CONFIG(directwrite)/0/' "$sources/qt6-base/src/printsupport/platform/windows/qprintengine_win.cpp"
    sed -i 's/CONDITION QT_FEATURE_tabletevent$/CONDITION FALSE/' "$platform/CMakeLists.txt"
    for feature in sql network xml concurrent testlib dbus icu openssl opengl vulkan zstd brotli libproxy fontconfig \
        libinput tslib evdev mtdev gif direct2d androiddeployqt batch_test_support glib; do
        off+=("-DFEATURE_$feature=OFF")
    done
    configure qt6-base . -DQT_HOST_PATH=/usr \
        -DQT_HOST_PATH_CMAKE_DIR="/usr/lib/$(gcc -print-multiarch)/cmake" -DQT_BUILD_EXAMPLES=OFF -DQT_BUILD_TESTS=OFF \
        -DQT_BUILD_TOOLS_WHEN_CROSSCOMPILING=OFF -DINPUT_opengl=no -DFEATURE_pkg_config=OFF \
        -DFEATURE_system_zlib=OFF -DFEATURE_system_png=OFF -DFEATURE_system_jpeg=OFF -DFEATURE_system_pcre2=OFF \
        -DFEATURE_system_harfbuzz=OFF -DFEATURE_system_freetype=OFF -DFEATURE_system_doubleconversion=OFF "${off[@]}"
    # Qt has levels of its own in place of those it is given.
    [ -z "${LAPIDARY_WINDOWS_LEVEL:-}" ] || sed -i "s/-O[23]\b/$level/g" "$objects/build.ninja"
}

# How many steps of the build are left.
steps_left() { ninja -C "$objects" -n 2>/dev/null | sed -n 's|^\[\([0-9]*\)/.*|\1|p' | tail -1; }

build_qt() {
    begin qt6-base || return 0
    configure_qt
    local ended=0
    echo "Qt: $(steps_left) steps"
    ${minutes:+timeout --signal=INT "${minutes}m"} cmake --build "$objects" -j "$jobs" >>"$root/qt6-base.log" 2>&1 ||
        ended=$?
    if [ "$ended" != 0 ]; then
        echo "Qt: $(steps_left) steps are left; $root/qt6-base.log ends in:" >&2
        tail -5 "$root/qt6-base.log" >&2
        exit 1
    fi
    step qt6-base cmake --install "$objects"
    finish qt6-base
}

host_tools=(-DQT_HOST_PATH=/usr -DQT_HOST_PATH_CMAKE_DIR="/usr/lib/$(gcc -print-multiarch)/cmake")
export WINEPREFIX=$root/wine WINEDEBUG=${WINEDEBUG:--all} WINEARCH=win64

try_qt() {
    local program=$root/objects/window_check picture
    picture=$(mktemp -d)/window.png
    step window_check cmake -G Ninja -S packaging/windows/window_check -B "$program" \
        -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release "${host_tools[@]}"
    step window_check cmake --build "$program"
    xvfb-run -a wine "$program/window_check.exe" "Z:$picture"
    ls -l "$picture" "$program/window_check.exe"
}

build_parts() {
    begin qt_parts qtsvg-opensource-src qcustomplot || return 0
    step qt_parts cmake -G Ninja -S packaging/windows/qt_parts -B "$root/objects/qt_parts" \
        -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="$level -DNDEBUG" \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DLAPIDARY_QTSVG="$sources/qtsvg-opensource-src" \
        -DLAPIDARY_QCUSTOMPLOT="$sources/qcustomplot" "${host_tools[@]}"
    step qt_parts cmake --build "$root/objects/qt_parts" -j "$jobs"
    step qt_parts cmake --install "$root/objects/qt_parts"
    finish qt_parts
}

try_window() {
    local pictures=$PWD/build-windows/pictures page
    cmake --preset windows -DLAPIDARY_GUI=ON "${host_tools[@]}" ${LAPIDARY_WINDOWS_OPTIONS:+$LAPIDARY_WINDOWS_OPTIONS}
    cmake --build --preset windows --target lapidary
    mkdir -p "$pictures"
    for page in graph "run --run" memory compare checklist optimize; do
        # shellcheck disable=SC2086
        timeout 300 xvfb-run -a wine build-windows/bin/lapidary.exe --language en --size 1280x800 --sample lenet \
            --page $page --screenshot "Z:$pictures/${page%% *}.png" || echo "The page ${page%% *} did not come."
    done
    ls -l "$pictures"
}

build_qt
try_qt
if [ -n "$window" ]; then
    build_parts
    try_window
fi
