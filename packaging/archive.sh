# SPDX-License-Identifier: Apache-2.0
# Sourced by bundle.sh and arm64.sh: programs in a folder with the libraries they load, and an archive of it.
# Wants `build` (the build folder), `work` (a scratch folder), `output`, SOURCE_DATE_EPOCH, and for another machine
# `sysroot`, where its libraries lie, and `strip`, its program of that name.
sysroot=${sysroot:-} strip=${strip:-strip}

# libraries_of FILE...: what they load, apart from glibc, which belongs to the system.
libraries_of() {
    local lister=native_libraries_of
    [ -z "$sysroot" ] || lister=foreign_libraries_of
    $lister "$@" | sort -u |
        grep -vE '/(ld-linux-[^/]*|lib(c|m|dl|rt|pthread|resolv|util|nsl|anl|mvec|nss_[a-z]+|thread_db))\.so\.[0-9]+$'
}

native_libraries_of() { ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $3}'; }

# foreign_libraries_of FILE...: the same of another machine's files, which ldd cannot start.
foreign_libraries_of() {
    local seen='' queue=("$@") name found
    while [ ${#queue[@]} -gt 0 ]; do
        mapfile -t names < <(readelf -d "${queue[0]}" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
        queue=("${queue[@]:1}")
        for name in "${names[@]}"; do
            case " $seen " in *" $name "*) continue ;; esac
            seen="$seen $name"
            found=$(find "$sysroot"/lib "$sysroot"/usr/lib -name "$name" 2>/dev/null | head -1)
            [ -n "$found" ] || { echo "archive.sh: $sysroot has no $name" >&2; return 1; }
            echo "$found"
            queue+=("$found")
        done
    done
}

# package_of LIBRARY: of this machine's package of that library, which another machine's has the name of.
package_of() {
    if [ -n "$sysroot" ]; then
        dpkg -S "*/$(gcc -print-multiarch)/$(basename "$1")" | head -1 | cut -d: -f1
    else
        { dpkg -S "$(realpath "$1")" 2>/dev/null || dpkg -S "$1"; } | head -1 | cut -d: -f1
    fi
}

# complete FOLDER: copies the libraries that its programs and plugins load into lib/, with their licences, and makes all
# of them look there.
complete() {
    local folder=$1 library file up objects=()
    mkdir -p "$folder/lib" "$folder/licences"
    mapfile -t objects < <(find "$folder/bin" "$folder/plugins" -type f \( -perm -u+x -o -name '*.so' \) 2>/dev/null)
    libraries_of "${objects[@]}" >"$work/libraries"
    while read -r library; do
        cp -L "$library" "$folder/lib/"
        add_licence "$(package_of "$library")" "$folder"
    done <"$work/libraries"
    for file in "${objects[@]}" "$folder"/lib/*; do
        up=$(realpath --relative-to "$(dirname "$file")" "$folder/lib")
        patchelf --set-rpath "\$ORIGIN/$up" "$file"
    done
    sort -u "$folder/licences/.packages" >"$folder/licences/packages.txt"
    rm "$folder/licences/.packages"
    cp -r LICENSES "$folder/licences/lapidary"
}

# add_licence PACKAGE FOLDER: of what is in the folder, among its licences.
add_licence() {
    cp -L "$sysroot/usr/share/doc/$1/copyright" "$2/licences/$1"
    echo "$1" >>"$2/licences/.packages"
}

# link_statically FOLDER: lapidary-cli of the folder with its libraries inside, as far as Debian has archives of them
# (none of libzip, Oniguruma, fmt and oneTBB); zlib and libcrypto stay outside, for libzip loads them too.
link_statically() {
    local command library program=$1/bin/lapidary-cli
    command=$(ninja -C "$build" -t commands -s bin/lapidary-cli | tail -1)
    mkdir -p "$1/licences"
    for library in $(grep -oP '\S*/lib[a-z0-9]*\.so(?= |$)' <<<"$command"); do  # some relative to the build folder
        case ${library##*/} in libz.so | libcrypto.so) continue ;; esac
        (cd "$build" && [ -e "${library%.so}.a" ]) || continue
        command=${command//"$library"/"${library%.so}.a"}
        add_licence "$(package_of "${library%.so}.a")" "$1"
    done
    [ -s "$1/licences/.packages" ] || { echo "archive.sh: no library was found in \"$command\"" >&2; return 1; }
    command=${command/"-o bin/lapidary-cli"/"-o $program"}
    (cd "$build" && bash -c "$command")
    "$strip" "$program"
}

# archive FOLDER: FOLDER.tar.zst in the output, the same bytes from the same files.
archive() {
    find "$work/$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
        -cf "$work/$1.tar" "$1"
    zstd -q -15 -T1 --no-progress -o "$output/$1.tar.zst" "$work/$1.tar"
}

install_component() {  # COMPONENT FOLDER
    cmake --install "$build" --strip --component "$1" --prefix "$2" >/dev/null
    find "$2/share/man" -name '*.1' -exec gzip -9nf {} + 2>/dev/null || true
}

# archive_cli NAME: the command line alone, with as few files beside it as can be.
archive_cli() {
    install_component cli "$work/$1"
    link_statically "$work/$1"
    complete "$work/$1"
    ln -s bin/lapidary-cli "$work/$1/lapidary-cli"
    archive "$1"
}

# source_date_epoch: the time that files in packages carry: of the commit; in a source tree without git that of the
# newest version.
source_date_epoch() {
    git log -1 --format=%ct 2>/dev/null || date -u -d "$(sed -n 's/^## .*(\(.*\))$/\1/p' CHANGELOG.md | head -1)" +%s
}
