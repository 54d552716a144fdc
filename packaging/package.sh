#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/package.sh [--again] [--no-build] [DEB] [RPM] [BUNDLE]: makes all packages, or those kinds, in
# build/packages from the build folder of preset release: .deb and .rpm by CPack, the portable bundle and the archives
# by bundle.sh; a list of what is inside with licences (SPDX), checked; checksums. Times are that of the commit
# (SOURCE_DATE_EPOCH says otherwise), so that the same objects give the same bytes: --again packs everything a second
# time, in another folder and time zone, and compares. No package may name the folder that it was built in.
# packaging/package_test.sh tries them in fresh roots.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh
. packaging/archive.sh

again='' build=yes kinds=()
for argument in "$@"; do
    case $argument in
        --again) again=yes ;;
        --no-build) build='' ;;
        DEB | RPM | BUNDLE) kinds+=("$argument") ;;
        *) echo "package.sh: expected --again, --no-build, DEB, RPM or BUNDLE, found \"$argument\"" >&2; exit 2 ;;
    esac
done
[ ${#kinds[@]} -gt 0 ] || kinds=(DEB RPM BUNDLE)
install_missing "${build_packages[@]}" "${package_packages[@]}"

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(source_date_epoch)}
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C.UTF-8
umask 022
if [ -n "$build" ]; then
    cmake --preset release -DLAPIDARY_HARDENED=ON
    cmake --build build --target lapidary lapidary-cli lapidary_core lapidary_cli_pages lapidary_icons
fi
# The provider for NVIDIA GPUs, a package of its own where it is configured (LAPIDARY_CUDA).
cuda=''
[ ! -d build/plugins/cuda/device ] || ! grep -q '^LAPIDARY_CUDA:[A-Z]*=\(ON\|AUTO\)$' build/CMakeCache.txt || cuda=yes
[ -z "$build" ] || [ -z "$cuda" ] || cmake --build build --target lapidary_cuda
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build/CMakeCache.txt)

# run_cpack FOLDER KIND OPTION...
run_cpack() {
    cpack --config build/CPackConfig.cmake -B "$1/cpack" -G "$2" -D CPACK_OUTPUT_FILE_PREFIX="$PWD/$1" "${@:3}" \
        >"$1/cpack.log" 2>&1 || { cat "$1/cpack.log" >&2; exit 1; }
    rm -rf "$1/cpack" "$1/cpack.log"
}

# pack FOLDER: packages of the chosen kinds, in an empty FOLDER.
pack() {
    local kind
    rm -rf "$1"
    mkdir -p "$1"
    for kind in "${kinds[@]}"; do
        case $kind in
            DEB) run_cpack "$1" DEB ;;
            RPM) run_cpack "$1" RPM -D CPACK_COMPONENTS_ALL=window
                run_cpack "$1" RPM -D CPACK_COMPONENTS_ALL=cli -D CPACK_RPM_PACKAGE_LICENSE=Apache-2.0
                [ -z "$cuda" ] || run_cpack "$1" RPM -D CPACK_COMPONENTS_ALL=lapidary_cuda \
                    -D CPACK_RPM_PACKAGE_LICENSE="Apache-2.0 AND LicenseRef-NVIDIA-CUDA-EULA" ;;
            BUNDLE) packaging/bundle.sh "$version" "$1" ;;
        esac
    done
    python3 packaging/contents_list.py --version "$version" --build build --packages "$1"
    (cd "$1" && sha256sum -- *.* >SHA256SUMS)
}

pack build/packages
# Neither a home nor a build folder is anybody's business. (The .run holds the bytes of the bundle's .tar.zst.)
for package in build/packages/*.{deb,rpm,tar.zst}; do
    [ -e "$package" ] || continue
    unpacked=$(mktemp -d)
    case $package in
        *.deb) dpkg-deb -x "$package" "$unpacked" ;;
        *.rpm) rpm2archive - <"$package" | tar -xz -C "$unpacked" ;;
        *) tar -xf "$package" -C "$unpacked" ;;
    esac
    found=$(grep -rlaF -e "$PWD/" -e "$HOME/" "$unpacked" || true)
    rm -rf "$unpacked"
    [ -z "$found" ] || { echo "package.sh: $package names the folder $PWD: $found" >&2; exit 1; }
done
if [ -n "$again" ]; then
    sleep 1  # a time that got in would differ
    TZ=Asia/Kathmandu pack build/packages-again
    diff build/packages/SHA256SUMS build/packages-again/SHA256SUMS ||
        { echo "package.sh: packing twice gave different bytes" >&2; exit 1; }
    rm -rf build/packages-again
    echo "Packed twice: the same bytes."
fi
(cd build/packages && ls -l --time-style=+ | awk 'NR > 1 {printf "%10.1f MB  %s\n", $5 / 1e6, $6}')
