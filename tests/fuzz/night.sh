#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/fuzz/night.sh SECONDS [TARGET...]: runs each fuzz target (all of them by default) for so many seconds, one
# after the other, and appends a row for each to hours.md. With Clang they are programs of libFuzzer under
# AddressSanitizer and UndefinedBehaviorSanitizer (preset fuzz). Without it, fuzz_corpus of the folder build damages
# the fixed corpus. Inputs that crash, hang or end as a fault of ours are kept in build-fuzz/found. Exit code 1: there
# were some.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || { echo 'usage: tests/fuzz/night.sh SECONDS [TARGET...]' >&2; exit 2; }
seconds=$1
shift
here=$PWD found=$PWD/build-fuzz/found table=$PWD/tests/fuzz/hours.md
commit=$(git rev-parse --short=12 HEAD)
mkdir -p "$found"
if command -v clang++ >/dev/null; then
    engine=libFuzzer build=$PWD/build-fuzz
    cmake --preset fuzz
    cmake --build --preset fuzz --target fuzz_programs
else
    engine=fuzz_corpus build=$PWD/build
    cmake --preset release
    cmake --build --preset release --target fuzz_corpus fuzz_seeds
fi
corpus=$build/tests/fuzz/corpus
python3 tests/fuzz/corpus.py "$here" "$build/bin/fuzz_seeds" "$corpus"
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    for folder in "$corpus"/*/; do
        name=$(basename "$folder")
        # projects and journals need the window's libraries, which the preset fuzz leaves out
        [ "$engine" != libFuzzer ] || [ -x "$build/bin/fuzz_$name" ] || continue
        targets+=("$name")
    done
fi

# run_libfuzzer TARGET LEFT: runs for the seconds that are left; sets `ran` to the inputs it ran.
run_libfuzzer() {
    local log=$found/$1.log grown=$build/grown/$1 status=0
    mkdir -p "$grown" "$found/$1"
    "$build/bin/fuzz_$1" "-max_total_time=$2" -timeout=60 -rss_limit_mb=3000 -print_final_stats=1 \
        "-artifact_prefix=$found/$1/" "$grown" "$corpus/$1" >"$log" 2>&1 || status=$?
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
    return $status
}

# run_corpus TARGET: the next inputs of fuzz_corpus, from the `first`-th damaged copy on; the same.
run_corpus() {
    local status=0
    ran=2000
    mkdir -p "$found/$1"
    (cd "$found/$1" && "$build/bin/fuzz_corpus" --first "$first" "$1" "$ran" "$corpus/$1") >"$found/$1.log" 2>&1 ||
        status=$?
    [ $status -eq 0 ] || [ ! -e "$found/$1/fuzz_failed_$1" ] ||
        mv "$found/$1/fuzz_failed_$1" "$found/$1/failed_from_$first"
    first=$((first + ran))
    return $status
}

failed=0
for target in "${targets[@]}"; do
    [ -d "$corpus/$target" ] || { echo "night.sh: there is no target $target" >&2; exit 2; }
    executions=0 crashes=0 first=1 begin=$SECONDS
    while left=$((seconds - (SECONDS - begin))) && [ $left -gt 0 ]; do
        ran=0
        if [ "$engine" = libFuzzer ]; then run_libfuzzer "$target" "$left"; else run_corpus "$target"; fi ||
            crashes=$((crashes + 1))
        executions=$((executions + ${ran:-0}))
        [ $crashes -lt 20 ] || break # one fault is found again and again
    done
    echo "| $(date -u +%F) | $commit | $engine | $target | $executions | $((SECONDS - begin)) | $crashes |" |
        tee -a "$table"
    [ $crashes -eq 0 ] || failed=1
done
exit $failed
