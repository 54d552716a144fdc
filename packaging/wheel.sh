#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wheel.sh: builds the Python package and makes build/wheel/lapidary-VERSION-*.whl of it, for the interpreter that CMake
# found. Where auditwheel and patchelf are installed it has all libraries inside and a manylinux tag; else it runs where
# Debian's libraries of this build are.
# BUILD names another build folder, PYTHON another interpreter for auditwheel.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build}
python=${PYTHON:-python3}
[ -f "$build/CMakeCache.txt" ] || cmake --preset release -B "$build"
cmake --build "$build" --target lapidary_python lapidary-cli
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lapidary/bin" "$work/made" "$build/wheel"
cp "$build"/python/lapidary/*.py "$build"/python/lapidary/py.typed "$build"/python/lapidary/_engine*.so "$work/lapidary"
find "$build/python/lapidary" -name '*.pyi' -exec cp {} "$work/lapidary" \;
cp "$build/bin/lapidary-cli" "$work/lapidary/bin"
strip "$work"/lapidary/_engine*.so "$work/lapidary/bin/lapidary-cli"
version=$(sed -n 's/^project(Lapidary VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}
wheel=$("$python" packaging/wheel.py "$work/lapidary" "$version" "$work/made")
rm -f "$build"/wheel/lapidary-*.whl
if "$python" -m auditwheel --version >/dev/null 2>&1 && command -v patchelf >/dev/null; then
    "$python" -m auditwheel repair -w "$build/wheel" "$wheel"
else
    echo "auditwheel or patchelf is not installed: the wheel loads the libraries of this system"
    cp "$wheel" "$build/wheel"
fi
ls -l "$build"/wheel/lapidary-*.whl
