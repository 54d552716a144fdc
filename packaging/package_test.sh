#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/package_test.sh [deb|dev|cuda|rpm|bundle|run|other|ubuntu ...]: tries what package.sh made, each in a fresh
# root of Debian 12, the bundle also (other) in one of Debian 13 and (ubuntu) of Ubuntu 24.04 (debootstrap, from the
# package sources of this machine, or Ubuntu's where they can be reached; needs root): install, open a model in a real
# window under Xvfb by the command of the installed starter, the bundle's also on Wayland (weston without a display),
# picture of it, command line, thumbnail, remove, and what is left. Prints
# seconds and sizes; pictures in build/packages/pictures. Roots lie in LAPIDARY_ROOTS (/tmp/lapidary-roots): the first
# is made once and kept, copies go when their part is done. Mounts live in a namespace of this script and end with it.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/packages.sh
[ "$(id -u)" -eq 0 ] || { echo "package_test.sh: needs root, for chroot" >&2; exit 2; }
if [ -z "${LAPIDARY_OWN_MOUNTS:-}" ]; then
    install_missing "${package_test_packages[@]}"
    exec env LAPIDARY_OWN_MOUNTS=1 unshare --mount --propagation private "$0" "$@"
fi
parts=("$@")
[ $# -gt 0 ] || parts=(deb dev rpm bundle run other ubuntu)
packages=$PWD/build/packages
[ $# -gt 0 ] || ! compgen -G "$packages/lapidary-cuda_*.deb" >/dev/null || parts+=(cuda)
roots=${LAPIDARY_ROOTS:-/tmp/lapidary-roots}
pictures=$packages/pictures
mkdir -p "$roots" "$pictures"
failed=0
say() { printf '%-7s %s\n' "$part" "$*"; }
complain() { say "FAILED: $*"; failed=1; }
seconds() { awk -v a="$1" -v b="$(date +%s.%N)" 'BEGIN {printf "%.1f s", b - a}'; }

# The machine's own package source.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Created-By: Packages' | head -1)
[ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Suite: bookworm' | head -1)
ubuntu=http://archive.ubuntu.com/ubuntu
ubuntu_keys=usr/share/keyrings/ubuntu-archive-keyring.gpg
# reach_ubuntu: whether it can be had; gets the keys of its packages, which Debian has not got, over a checked line.
reach_ubuntu() {
    local package=pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb
    [ ! -e "$roots/ubuntu-keyring/$ubuntu_keys" ] || return 0
    curl -sf -m 60 -o "$roots/ubuntu-keyring.deb" "${ubuntu/http:/https:}/$package" || return 1
    dpkg-deb -x "$roots/ubuntu-keyring.deb" "$roots/ubuntu-keyring"
}
# make_base SUITE: sets base to the first root of that release.
make_base() {
    local options=(--variant=minbase) source=$mirror script=
    base=$roots/base
    [ "$1" = bookworm ] || base=$roots/base-$1
    [ ! -e "$base/.complete" ] || return 0
    rm -rf --one-file-system "$base"
    if [ "$1" = noble ]; then
        options+=(--components=main,universe --keyring="$roots/ubuntu-keyring/$ubuntu_keys")
        source=$ubuntu script=/usr/share/debootstrap/scripts/gutsy
    fi
    debootstrap "${options[@]}" "$1" "$base" "$source" ${script:+"$script"} >"$roots/debootstrap.log" 2>&1 ||
        { tail -5 "$roots/debootstrap.log" >&2; exit 1; }
    rm -f "$base"/var/cache/apt/archives/*.deb
    touch "$base/.complete"
}

# fresh NAME [SUITE]: a copy of the first root, in $root, with what a program expects to be mounted and the packages in
# /packages.
fresh() {
    make_base "${2:-bookworm}"
    root=$roots/$1
    drop
    cp -a "$base" "$root"
    mkdir -p "$root/packages" "$root/tmp/.X11-unix"
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || true
    mount --bind -o ro "$packages" "$root/packages"
    cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    cp -L /etc/hosts "$root/etc/hosts"
}
# drop: unmounts the root and removes it, never anything that is mounted in it.
drop() {
    [ -d "${root:-}" ] || return 0
    awk -v root="$root/" 'index($2, root) == 1 {print $2}' /proc/self/mounts | sort -r |
        while read -r place; do umount -l "$place"; done
    rm -rf --one-file-system "$root"
}
trap 'drop' EXIT
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive XDG_RUNTIME_DIR=/tmp ${proxy:+"${proxy[@]}"} "$@"
}
mapfile -t proxy < <(env | grep -i '^[a-z]*_proxy=' || true)
apt_install() { inside apt-get -o Dpkg::Use-Pty=0 -qq install -y "$@" >>"$roots/$part.log" 2>&1; }
# packed PATTERN...: the packages that match, as the root sees them.
packed() { (cd "$packages" && for file in $*; do echo "/packages/$file"; done); }
files_of() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./packages -o -path ./tmp -o -path ./var/cache \
        -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/log \) -prune -o -print | sort)
}

# window NAME COMMAND...: opens a model under Xvfb by the command, takes a picture, ends the program.
window() {
    local name=$1 start seen=''
    shift
    inside lapidary-cli-of-test sample squeezenet -o /root/net.onnx >/dev/null
    start=$(date +%s.%N)
    inside bash -c '
        Xvfb :7 -screen 0 1400x900x24 -nolisten tcp >/tmp/xvfb.log 2>&1 &
        server=$!
        for i in $(seq 100); do [ -S /tmp/.X11-unix/X7 ] && break; sleep 0.1; done
        DISPLAY=:7 "$@" /root/net.onnx >/tmp/window.log 2>&1 &
        program=$!
        for i in $(seq 300); do
            DISPLAY=:7 xwininfo -root -tree 2>/dev/null | grep -q "SqueezeNet\|net.*Lapidary" && break
            kill -0 $program 2>/dev/null || break
            sleep 0.1
        done
        sleep 2
        DISPLAY=:7 xwd -root -silent -out /tmp/window.xwd
        DISPLAY=:7 xwininfo -root -tree | grep -i lapidary >/tmp/window.txt
        kill $program 2>/dev/null; wait $program 2>/dev/null
        kill $server; wait $server 2>/dev/null
        true' sh "$@" >>"$roots/$part.log" 2>&1
    grep -q 'net' "$root/tmp/window.txt" 2>/dev/null && seen=yes
    [ -n "$seen" ] || complain "$name: no window of the model came: $(tail -3 "$root/tmp/window.log" | tr '\n' ' ')"
    python3 packaging/xwd_to_png.py "$root/tmp/window.xwd" "$pictures/$name.png" ||
        complain "$name: the picture of the window is empty"
    say "window of $name after $(seconds "$start"), 2 of them waiting; build/packages/pictures/$name.png"
}
# on_wayland NAME COMMAND...: the same on Wayland, by a compositor that draws into memory.
on_wayland() {
    local name=$1-wayland start
    shift
    apt_install --no-install-recommends weston || { complain "apt: no weston"; return; }
    start=$(date +%s.%N)
    inside bash -c '
        export XDG_RUNTIME_DIR=/tmp/wayland
        mkdir -m 700 $XDG_RUNTIME_DIR
        weston --backend=headless-backend.so --socket=try --no-config --idle-time=0 >/tmp/weston.log 2>&1 &
        server=$!
        for i in $(seq 100); do [ -S $XDG_RUNTIME_DIR/try ] && break; sleep 0.1; done
        WAYLAND_DISPLAY=try WAYLAND_DEBUG=1 QT_QPA_PLATFORM=wayland timeout 120 "$@" --screenshot /tmp/wayland.png \
            /root/net.onnx >/tmp/wayland.txt 2>&1
        kill $server; wait $server 2>/dev/null
        true' sh "$@" >>"$roots/$part.log" 2>&1
    grep -q 'xdg_toplevel@.*set_title("[^"]*\(net\|SqueezeNet\)' "$root/tmp/wayland.txt" ||
        complain "$name: no window came: $(tail -3 "$root/tmp/wayland.txt" "$root/tmp/weston.log" | tr '\n' ' ')"
    cp "$root/tmp/wayland.png" "$pictures/$name.png" || complain "$name: no picture came"
    say "window of $name and its picture after $(seconds "$start")"
}
# The command of the installed starter, as a file manager takes it apart.
starter_of() { sed -n 's/^Exec=\(.*\) %f$/\1/p' "$root/$1" | tr -d '"'; }
put_display_in() {
    apt_install --no-install-recommends xvfb x11-utils x11-apps || { tail -5 "$roots/$part.log" >&2; exit 1; }
}
use_cli() { inside ln -sf "$1" /usr/local/bin/lapidary-cli-of-test; }

try_deb() {
    fresh deb
    inside apt-get -qq update >>"$roots/$part.log" 2>&1
    put_display_in
    files_of >"$roots/before"
    local start used commit
    start=$(date +%s.%N)
    used=$(du -sxm "$root/usr" | cut -f1)
    # shellcheck disable=SC2046
    if ! apt_install $(packed "lapidary_*.deb" "lapidary-cli_*.deb"); then
        complain "apt: $(tail -3 "$roots/deb.log")"
        return
    fi
    used=$(($(du -sxm "$root/usr" | cut -f1) - used))
    say "apt install: $(seconds "$start") with Qt and all it loads, $used MB on disk"
    use_cli /usr/bin/lapidary-cli
    # shellcheck disable=SC2046
    window deb $(starter_of usr/share/applications/lapidary.desktop)
    say "from apt install to the picture: $(seconds "$start")"
    inside lapidary --thumbnail /tmp/small.png --size 128x128 /root/net.onnx || complain "the thumbnailer failed"
    [ -s "$root/tmp/small.png" ] || complain "no thumbnail came"
    inside grep -q 'application/x-onnx:\*.onnx' /usr/share/mime/globs2 || complain "the kind of .onnx is not known"
    inside grep -q '^application/x-onnx=lapidary.desktop' /usr/share/applications/mimeinfo.cache ||
        complain "a double click on .onnx would not start lapidary"
    inside lapidary-cli optimize /root/net.onnx -o /root/fast.onnx --guard >/dev/null || complain "lapidary-cli failed"
    commit=$(git rev-parse --short=7 HEAD 2>/dev/null || true)
    inside lapidary --version | grep -q "commit .*$commit" || complain "--version prints no commit, or not $commit"
    for file in usr/share/man/man1/lapidary.1.gz usr/share/man/man1/lapidary-cli-run.1.gz \
        usr/share/bash-completion/completions/lapidary-cli usr/share/zsh/vendor-completions/_lapidary-cli \
        usr/share/fish/vendor_completions.d/lapidary-cli.fish usr/share/doc/lapidary/help/contents.md \
        usr/share/doc/lapidary/help/json-formats.md usr/share/lapidary/schemas/run.schema.json \
        usr/share/icons/hicolor/48x48/apps/lapidary.png usr/share/metainfo/org.lapidary.Lapidary.metainfo.xml; do
        [ -e "$root/$file" ] || complain "/$file is not installed"
    done
    start=$(date +%s.%N)
    inside apt-get -o Dpkg::Use-Pty=0 -qq purge -y lapidary lapidary-cli >>"$roots/deb.log" 2>&1 || complain "apt purge"
    inside apt-get -o Dpkg::Use-Pty=0 -qq autoremove --purge -y >>"$roots/deb.log" 2>&1
    say "removed in $(seconds "$start")"
    files_of | comm -13 "$roots/before" - | grep -i lapidary | grep -v '^./usr/local/bin' >"$roots/left" || true
    grep -v '^./root/' "$roots/left" && complain "these were left outside of the user's folder"
    say "left of the user's: $(tr '\n' ' ' <"$roots/left")"
}

try_dev() {
    fresh dev
    inside apt-get -qq update >>"$roots/$part.log" 2>&1
    local start
    start=$(date +%s.%N)
    # shellcheck disable=SC2046
    apt_install --no-install-recommends $(packed "liblapidary-dev_*.deb" "lapidary-cli_*.deb") g++ cmake make \
        pkg-config || { complain "apt: $(tail -3 "$roots/dev.log")"; return; }
    say "installed with compiler and cmake: $(seconds "$start")"
    start=$(date +%s.%N)
    inside bash -ec '
        cd /tmp
        cp -r /usr/share/doc/liblapidary-dev/examples .
        cmake -S examples -B built -DCMAKE_BUILD_TYPE=Release
        cmake --build built
        lapidary-cli sample mlp -o sample.onnx
        built/optimize_and_save sample.onnx optimized.onnx
        built/run_with_own_buffers optimized.onnx 2
        built/profile_and_print sample.onnx trace.json
        cmake -S examples/example_op -B plugin
        cmake --build plugin
        lapidary-cli plugins --probe plugin/example_op.so | grep -q example::ScaleClamp
        g++ -std=c++20 examples/profile_and_print.cpp -o by_pkg_config $(pkg-config --cflags --libs lapidary)
        ./by_pkg_config sample.onnx' >>"$roots/dev.log" 2>&1 || complain "the examples: $(tail -3 "$roots/dev.log")"
    say "examples and a plugin built by CMake and pkg-config, and run: $(seconds "$start")"
    inside apt-get -o Dpkg::Use-Pty=0 -qq purge -y liblapidary-dev lapidary-cli >>"$roots/dev.log" 2>&1
    [ -z "$(find "$root/usr" -xdev -iname '*lapidary*' | tee "$roots/left")" ] || complain "left: $(cat "$roots/left")"
}

# The plugin beside the command line: found where it is installed, without a device a sentence, gone without a trace.
try_cuda() {
    fresh cuda
    inside apt-get -qq update >>"$roots/$part.log" 2>&1
    # shellcheck disable=SC2046
    apt_install --no-install-recommends $(packed "lapidary-cli_*.deb") || { complain "apt"; return; }
    files_of >"$roots/before"
    local start
    start=$(date +%s.%N)
    # shellcheck disable=SC2046
    apt_install --no-install-recommends $(packed "lapidary-cuda_*.deb") ||
        { complain "apt: $(tail -3 "$roots/cuda.log")"; return; }
    say "installed in $(seconds "$start"), $(inside dpkg-query -W -f='${Installed-Size}' lapidary-cuda) kB on disk"
    inside lapidary-cli plugins >"$roots/plugins" || complain "lapidary-cli plugins"
    grep -q "/usr/lib/lapidary/plugins/cuda.so" "$roots/plugins" ||
        complain "it is not found: $(head -3 "$roots/plugins")"
    inside lapidary-cli devices >"$roots/devices" || complain "lapidary-cli devices"
    grep -q 'no NVIDIA driver' "$roots/devices" || complain "devices do not say why: $(tail -2 "$roots/devices")"
    inside lapidary-cli run sample:mlp >>"$roots/cuda.log" || complain "a model does not run beside it"
    inside lapidary-cli run sample:mlp --provider cuda --fallback forbid >>"$roots/cuda.log" 2>&1 &&
        complain "a model ran on a device that is not there"
    inside apt-get -o Dpkg::Use-Pty=0 -qq purge -y lapidary-cuda >>"$roots/cuda.log" 2>&1 || complain "apt purge"
    files_of | comm -13 "$roots/before" - >"$roots/left"
    [ ! -s "$roots/left" ] || complain "left: $(tr '\n' ' ' <"$roots/left")"
    inside lapidary-cli run sample:mlp >>"$roots/cuda.log" || complain "a model does not run without it"
}

# Debian has rpm too: the packages are unpacked by it over the libraries that the .deb ones would bring.
try_rpm() {
    fresh rpm
    inside apt-get -qq update >>"$roots/$part.log" 2>&1
    put_display_in
    apt_install --no-install-recommends rpm libqcustomplot2.1-qt6 libqt6svg6 libprotobuf32 libzip4 libfmt9 \
        libonig5 libutf8proc2 libtbb12 libssl3 libjpeg62-turbo fonts-dejavu-core qt6-qpa-plugins ||
        { complain "apt: $(tail -3 "$roots/rpm.log")"; return; }
    local start
    start=$(date +%s.%N)
    inside sh -c 'rpm -i --nodeps /packages/*.rpm' >>"$roots/rpm.log" 2>&1 ||
        complain "rpm: $(tail -3 "$roots/rpm.log")"
    say "rpm -i: $(seconds "$start")"
    use_cli /usr/bin/lapidary-cli
    # shellcheck disable=SC2046
    window rpm $(starter_of usr/share/applications/lapidary.desktop)
    inside rpm -e --nodeps lapidary lapidary-cli >>"$roots/rpm.log" 2>&1 || complain "rpm -e"
    find "$root/usr" -xdev -iname '*lapidary*' ! -path '*/local/bin/*' >"$roots/left"
    [ ! -s "$roots/left" ] || complain "left: $(tr '\n' ' ' <"$roots/left")"
}

# bundle_in SUITE: the bundle in a root that has a display and no Qt at all; xvfb's own libraries are there.
bundle_in() {
    fresh "$part" "$1"
    inside apt-get -qq update >>"$roots/$part.log" 2>&1
    put_display_in
    apt_install --no-install-recommends zstd
    [ -z "$(find "$root/usr/lib" -xdev -name 'libQt6*')" ] || complain "the root has Qt already"
    local start name
    start=$(date +%s.%N)
    inside bash -c 'mkdir /opt/try && tar --zstd -xf /packages/lapidary-[0-9]*.tar.zst -C /opt/try' ||
        { complain "tar"; return; }
    name=$(ls "$root/opt/try")
    say "unpacked in $(seconds "$start"), $(du -sxm "$root/opt/try" | cut -f1) MB on disk"
    use_cli "/opt/try/$name/lapidary-cli"
    window "$part" "/opt/try/$name/lapidary"
    on_wayland "$part" "/opt/try/$name/lapidary"
    inside bash -c 'mkdir /opt/cli && tar --zstd -xf /packages/lapidary-cli-*.tar.zst -C /opt/cli &&
        /opt/cli/*/lapidary-cli optimize sample:lenet -o /tmp/lenet.onnx --guard' >>"$roots/$part.log" 2>&1 ||
        complain "the command line alone: $(tail -3 "$roots/$part.log")"
    say "command line alone: $(du -sxm "$root/opt/cli" | cut -f1) MB on disk"
    # everything but glibc comes out of the bundle
    inside bash -c "ldd /opt/try/$name/bin/lapidary /opt/try/$name/plugins/platforms/libqxcb.so" |
        grep '=> /' | grep -v '/opt/try/' | awk '{print $1}' | sort -u |
        grep -vE '^lib(c|m|dl|rt|pthread|resolv)\.so' && complain "these libraries came from outside of the bundle"
    true
}

try_bundle() { bundle_in bookworm; }
try_other() { bundle_in trixie; }
try_ubuntu() {
    if reach_ubuntu; then bundle_in noble; else say "skipped: $ubuntu cannot be reached"; fi
}

try_run() {
    fresh run
    inside apt-get -qq update >>"$roots/$part.log" 2>&1
    put_display_in
    files_of >"$roots/before"
    local start file
    file=$(basename "$packages"/*.run)
    inside sh "/packages/$file" --check >>"$roots/run.log" || complain "--check"
    start=$(date +%s.%N)
    inside sh "/packages/$file" >>"$roots/run.log" 2>&1 || { complain "$(tail -3 "$roots/run.log")"; return; }
    say "installed in $(seconds "$start")"
    use_cli /root/.local/opt/lapidary/lapidary-cli
    # shellcheck disable=SC2046
    window run $(starter_of root/.local/share/applications/lapidary.desktop)
    inside sh "/packages/$file" --remove >>"$roots/run.log" 2>&1 || complain "--remove"
    files_of | comm -13 "$roots/before" - | grep -v '^./usr/local/bin\|fontconfig' >"$roots/left" || true
    grep -i lapidary "$roots/left" | grep -v '^./root/.config/Lapidary\|^./root/.local/state\|^./root/.cache' &&
        complain "these were left"
    say "left: $(tr '\n' ' ' <"$roots/left")"
    { head -c 5000000 "$packages/$file"; echo damaged; } >"$root/tmp/damaged.run"
    inside sh /tmp/damaged.run >>"$roots/run.log" 2>&1 && complain "a damaged file was taken for whole"
    [ ! -e "$root/root/.local/opt/lapidary" ] || complain "a damaged file was installed"
}

for part in "${parts[@]}"; do
    : >"$roots/$part.log"
    case $part in
        deb | dev | cuda | rpm | bundle | run | other | ubuntu) "try_$part" ;;
        *)
            echo "package_test.sh: expected deb, dev, cuda, rpm, bundle, run, other or ubuntu, found \"$part\"" >&2
            exit 2
            ;;
    esac
    drop
done
[ $failed = 0 ] && echo "All parts passed: ${parts[*]}"
exit $failed
