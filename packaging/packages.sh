# SPDX-License-Identifier: Apache-2.0
# Sourced by the other scripts: the Debian packages of each kind and how to install what is missing.

build_packages=(g++ cmake ninja-build ccache mold pkg-config
    qt6-base-dev libqt6opengl6-dev qt6-svg-dev libqt6svg6 qt6-tools-dev qt6-l10n-tools libqcustomplot-dev
    libprotobuf-dev protobuf-compiler libtbb-dev
    libcli11-dev nlohmann-json3-dev libfmt-dev libzip-dev libonig-dev libutf8proc-dev libhwy-dev libpng-dev
    libjpeg62-turbo-dev libssl-dev pybind11-dev python3-dev
    fonts-dejavu-core)
# What package.sh wants beyond a build, and package_test.sh to try packages in fresh roots.
package_packages=(dpkg-dev file rpm patchelf zstd librsvg2-bin desktop-file-utils appstream python3 qt6-wayland
    qt6-translations-l10n)
package_test_packages=(debootstrap curl)
# What windows.sh cross-compiles with and runs what it made in; the libraries come from source packages.
windows_packages=(g++-mingw-w64-x86-64-posix lld llvm cmake ninja-build pkg-config protobuf-compiler dpkg-dev make perl
    wine64 wine nsis python3)
test_packages=(libgtest-dev libbenchmark-dev libflatbuffers-dev libonnx-dev libonnx-testdata python3-onnx python3-numpy
    python3-venv python3-jsonschema clang-format clang-tidy desktop-file-utils shared-mime-info appstream
    xvfb openbox x11-apps x11-utils netpbm xdotool)

# install_missing PACKAGE... : installs those that are not there, with sudo unless root.
install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    echo "Installing: ${missing[*]}"
    "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=300 -qq update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
}
