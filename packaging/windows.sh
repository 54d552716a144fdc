#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/windows.sh [--installer | TEST FILTER]: builds core, command line and their tests for 64-bit Windows by
# Debian's mingw-w64, against libraries from Debian's source packages (windows_dependencies.sh), and runs under Wine
# what there is: the command line on samples, then the tests of that filter (all), of which windows/run_tests.py counts
# what passed, failed, was skipped, did not end or was not built. --installer instead: an installer for one user (NSIS)
# in build-windows/packages, installed silently under Wine, tried and removed. Wine is no Windows: what runs here has
# shown that it does not hang on Linux, no more. What ran stands in build-windows/wine.log.
# LAPIDARY_WINE_TESTS: which test programs (core_tests exec_tests quantize_tests app_tests); LAPIDARY_WINE_OPTIONS:
# options of run_tests.py, such as --seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh
. packaging/archive.sh
packaging/windows_dependencies.sh
root=${LAPIDARY_WINDOWS_ROOT:-$PWD/build-windows}
export WINEPREFIX=$root/wine WINEDEBUG=${WINEDEBUG:--all} WINEARCH=win64
program=$PWD/build-windows/bin/lapidary-cli.exe

cmake --preset windows ${LAPIDARY_WINDOWS_OPTIONS:+$LAPIDARY_WINDOWS_OPTIONS}
cmake --build --preset windows --target lapidary-cli

# Source packages of what is linked into the program beside the compiler's own libraries.
linked=(zlib libpng1.6 libjpeg-turbo libzip libonig utf8proc fmtlib nlohmann-json3 cli11 onetbb highway protobuf
    openssl)

# Licences of what is linked into the program.
licences() {
    local package
    mkdir -p "$1"
    cp -r LICENSES "$1/lapidary"
    for package in "${linked[@]}"; do
        cp "$root/sources/$package/debian/copyright" "$1/$package.txt"
    done
    cp /usr/share/doc/gcc-mingw-w64-base/copyright "$1/gcc-runtime.txt"
    cp /usr/share/doc/mingw-w64-common/copyright "$1/mingw-w64-runtime.txt"
}

make_installer() {
    local version files packages=$PWD/build-windows/packages installer
    version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build-windows/CMakeCache.txt)
    files=$(mktemp -d)
    rm -rf "$packages"
    mkdir -p "$packages"
    cp "$program" "$files"
    x86_64-w64-mingw32-strip "$files/lapidary-cli.exe"
    cp -r resources/schemas "$files/schemas"
    mkdir "$files/help"
    cp resources/help/*.md "$files/help"
    licences "$files/licences"
    installer=$packages/lapidary-cli-$version-x86_64-setup.exe
    makensis -V2 -DVERSION="$version" -DFILES="$files" -DOUTPUT="$installer" packaging/windows/installer.nsi
    rm -rf "$files"
    SOURCE_DATE_EPOCH=$(source_date_epoch) python3 packaging/contents_list.py --version "$version" \
        --packages "$packages" --sources "$root/sources" --linked "${linked[@]}" gcc-mingw-w64-base mingw-w64-common
    (cd "$packages" && sha256sum -- *.* >SHA256SUMS && ls -l)
}

try_installer() {
    local installer installed
    installer=$(ls "$PWD"/build-windows/packages/*-setup.exe)
    installed=$WINEPREFIX/drive_c/lapidary
    wine "$installer" /S '/D=C:\lapidary'
    "${wait_for[@]}"
    [ -e "$installed/lapidary-cli.exe" ] || { echo "windows.sh: nothing was installed" >&2; exit 1; }
    wine "$installed/lapidary-cli.exe" --version
    wine "$installed/lapidary-cli.exe" run sample:mlp
    wine "$installed/uninstall.exe" /S
    "${wait_for[@]}"
    sleep 2
    [ ! -e "$installed" ] || { echo "windows.sh: left behind: $(ls -A "$installed")" >&2; exit 1; }
    echo "The installer installed, the program ran, and nothing was left behind."
}

wait_for=(env WINEPREFIX="$WINEPREFIX" wineserver --wait)
command -v wineserver >/dev/null || wait_for=(sleep 10)
if [ "${1:-}" = --installer ]; then
    make_installer
    try_installer
    exit
fi
exec > >(tee build-windows/wine.log) 2>&1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wine "$program" --version
wine "$program" sample lenet -o "Z:$scratch/lenet.onnx"
for command in "info" "run" "profile" "memory" "optimize -o Z:$scratch/fast.onnx --guard" "bench" "sweep" \
    "quantize -o Z:$scratch/small.onnx --mode dynamic"; do
    echo "== $command"
    # shellcheck disable=SC2086
    wine "$program" ${command%% *} "Z:$scratch/lenet.onnx" $(echo "$command" | cut -s -d' ' -f2-)
done
for made in fast small; do wine "$program" run "Z:$scratch/$made.onnx"; done
read -ra tests <<<"${LAPIDARY_WINE_TESTS:-core_tests exec_tests quantize_tests app_tests}"
cmake --build --preset windows --target "${tests[@]}"
tests=("${tests[@]/#/build-windows/bin/}")
# shellcheck disable=SC2086
packaging/windows/run_tests.py --runner wine --filter "${1:-*}" --not-built build-windows/tests/not_tested.txt \
    ${LAPIDARY_WINE_OPTIONS:-} "${tests[@]/%/.exe}"
