#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/cuda_check.sh [--quick | --parts LIST] [--minutes N] [--results DIR] [--pack | --repack | --packed]
#
# On a machine with an NVIDIA GPU, in parts that --parts chooses, in the order in which they are named there:
#   tests       every kernel's test on the device, replay of graphs against plain launches, the same with options that
#               take other kernels (hopper, together) or let them overlap, the recorded models, a hundred sessions in a
#               row, random models
#   figures     the named models beside ONNX Runtime's GPU package where one is found, times of products, convolutions
#               and attention beside cuBLASLt, what the device reaches at most; they fill BENCHMARKS.md and
#               tests/benchmarks/results/cuda.*
#   beside      ONNX Runtime alone, beside named models that were measured before, for a package that comes later
#   sanitizers  compute-sanitizer's memcheck and racecheck
# All but `beside`, in this order, unless given; --quick is --parts tests. With --minutes no step goes on behind N
# minutes, and the summary says which did not run.
#
# Building takes longer than most GPUs are lent for, so it can be done elsewhere: --pack builds on any machine with a
# CUDA toolkit (no GPU) and writes build-gpu/pack.tar.xz with programs, plugin, the libraries they need and recorded
# models of LAPIDARY_TEST_DATA (up to LAPIDARY_PACK_MEGABYTES, 24 unless given); --repack packs what was built before.
# --packed unpacks that on the machine with the GPU, which then needs the driver, this folder, bash, tar and xz;
# python3 for the named models, cuBLASLt and compute-sanitizer of a toolkit where there is one. What is missing is said
# and is no failure. LAPIDARY_CUDA_BUILD names another build folder than build-gpu, one that is configured and warm.
# Where a GPU is there for a quarter of an hour, one run of nine minutes, and another for what that one had no time for:
#     packaging/cuda_check.sh --packed --minutes 9 --results DIR
#     packaging/cuda_check.sh --packed --minutes 3 --results DIR --parts sanitizers
#
# A test that fails is run again in a process of its own, for an error of the device ends all that come behind it in
# one process; then under memcheck, which names the kernel and the line of access. The summary has the command of each.
#
# Logs stay in build-gpu/check; the summary is printed and in build-gpu/check/summary.txt. --results puts the summary,
# the times, BENCHMARKS.md and an archive of the logs into DIR after every step, for machines that may be taken away and
# of which nothing else is kept. Exit code 1: a step failed, 77: nothing could be checked (no toolkit, no GPU).
set -euo pipefail
cd "$(dirname "$0")/.."

parts=tests,figures,sanitizers minutes= results= mode=here
while [ $# -gt 0 ]; do
    case $1 in
    --quick) parts=tests ;;
    --parts) parts=${2:?--parts: a list is missing} && shift ;;
    --results) results=$(realpath -m "${2:?--results: a folder is missing}") && shift ;;
    --minutes) minutes=${2:?--minutes: a number of minutes is missing} && shift ;;
    --pack | --repack | --packed) mode=${1#--} ;;
    *)
        echo "cuda_check.sh: unknown option $1; expected --quick, --parts LIST, --minutes N, --results DIR, --pack," \
            "--repack or --packed" >&2
        exit 2 ;;
    esac
    shift
done
for part in ${parts//,/ }; do
    case $part in
    tests | figures | beside | sanitizers) ;;
    *) echo "cuda_check.sh: there is no part $part: expected tests, figures, beside or sanitizers" >&2 && exit 2 ;;
    esac
done
build=${LAPIDARY_CUDA_BUILD:-build-gpu}
pack=$build/pack
logs=$build/check

find_toolkit() {
    command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
    command -v nvcc >/dev/null && return
    echo "no CUDA toolkit: nvcc is neither in PATH nor in /usr/local/cuda/bin"
    exit 77
}

build_all() {
    find_toolkit
    if [ -f "$build/CMakeCache.txt" ]; then cmake -B "$build" -DLAPIDARY_CUDA=ON -DLAPIDARY_TESTS=ON; else
        cmake --preset release -B "$build" -DLAPIDARY_CUDA=ON -DLAPIDARY_TESTS=ON -DLAPIDARY_GUI=OFF
    fi
    cmake --build "$build" --target lapidary_cuda lapidary_cuda_emulated test_fake_cublaslt cuda_tests lapidary-cli
}

# Recorded models, small ones first, as far as they fit.
pack_models() {
    local data=${LAPIDARY_TEST_DATA:-../shared} left=$((${LAPIDARY_PACK_MEGABYTES:-24} * 1000000))
    local taken=0 name file bytes
    for file in $(ls -Sr "$data"/models/real/*.onnx 2>/dev/null); do
        name=$(basename "$file" .onnx)
        [ -d "$data/models/ref/$name" ] || continue
        bytes=$(du -cb "$file" "$data/models/ref/$name" | tail -n 1 | cut -f 1)
        [ "$bytes" -le "$left" ] || continue
        left=$((left - bytes)) taken=$((taken + 1))
        mkdir -p "$pack/data/models/real" "$pack/data/models/ref"
        cp "$file" "$pack/data/models/real"
        cp -r "$data/models/ref/$name" "$pack/data/models/ref"
    done
    echo "$taken recorded models of $(ls "$data"/models/ref 2>/dev/null | wc -l) are packed"
}

make_pack() {
    rm -rf "$pack"
    mkdir -p "$pack/bin" "$pack/lib"
    cp "$build/bin/cuda_tests" "$build/bin/lapidary-cli" "$build/plugins/cuda/device/cuda.so" "$pack/bin"
    strip "$pack"/bin/*
    # All but what belongs to the C library of the machine they are for.
    ldd "$pack/bin/cuda_tests" "$pack/bin/lapidary-cli" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' | sort -u |
        grep -v '/\(libc\|libm\|libdl\|libpthread\|librt\|ld-linux[^/]*\)\.so' | xargs -I{} cp -L {} "$pack/lib"
    pack_models
    tar -C "$build" -cJf "$build/pack.tar.xz" pack
    echo "wrote $build/pack.tar.xz, $(du -h "$build/pack.tar.xz" | cut -f 1); on the machine with the GPU:" \
        "packaging/cuda_check.sh --packed"
}

if [ $mode = pack ] || [ $mode = repack ]; then
    [ $mode = repack ] || build_all
    make_pack
    exit
elif [ $mode = packed ]; then
    [ -f "$build/pack.tar.xz" ] || { echo "there is no $build/pack.tar.xz: make it with --pack" && exit 77; }
    tar -C "$build" -xJf "$build/pack.tar.xz"
    bin=$PWD/$pack/bin plugin=$PWD/$pack/bin/cuda.so
    export LD_LIBRARY_PATH=$PWD/$pack/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} LAPIDARY_SOURCE_FOLDER=$PWD
    [ -n "${LAPIDARY_TEST_DATA:-}" ] || [ ! -d "$pack/data" ] || export LAPIDARY_TEST_DATA=$PWD/$pack/data
    PATH=$PATH:/usr/local/cuda/bin
else
    build_all
    bin=$PWD/$build/bin plugin=$PWD/$build/plugins/cuda/device/cuda.so
fi
cli=$bin/lapidary-cli
mkdir -p "$logs"
: >"$logs/summary.txt"
begin=$SECONDS

nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv,noheader 2>/dev/null |
    tee "$logs/device.txt" || echo "nvidia-smi is not there or finds no device"
probe=$("$cli" plugins --probe "$plugin" 2>&1) || true
echo "$probe"
if grep -q "no NVIDIA d\|NVIDIA driver supports" <<<"$probe"; then
    echo "nothing can be checked: this machine has no usable GPU"
    exit 77
fi

failed=0
report() { echo "$*" | tee -a "$logs/summary.txt"; }

# What is known so far.
save_results() {
    [ -n "$results" ] || return 0
    mkdir -p "$results"
    local file
    for file in "$logs"/{summary.txt,device.txt,device.peaks,kernel_times.jsonl} BENCHMARKS.md \
        tests/benchmarks/results/cuda.{json,md}; do
        [ ! -f "$file" ] || cp "$file" "$results"
    done
    tar -C "$build" -czf "$results/logs.tar.gz" check
}

# What --minutes leaves of so many seconds.
within() {
    local left=$((minutes ? minutes * 60 - (SECONDS - begin) : $1))
    echo $((left < $1 ? left : $1))
}

# step NAME SECONDS COMMAND...: runs it for at most so long. Returns 1 where it fails.
step() {
    local name=$1 limit=$2 from=$SECONDS code=0 line
    shift 2
    if [ -n "$minutes" ]; then
        local left
        left=$(within "$limit")
        if [ "$left" -lt 15 ]; then
            report "not run   $name: the $minutes minutes are over"
            return 0
        fi
        limit=$left
    fi
    timeout -k 5 "$limit" "$@" >"$logs/$name.log" 2>&1 || code=$?
    line=$(grep -E '^\[  (PASSED|SKIPPED|FAILED)  \] [0-9]+ tests?|(ERROR|RACECHECK) SUMMARY' "$logs/$name.log" |
        tr '\n' ' ') || true
    if [ $code = 0 ]; then
        report "passed    $name ($((SECONDS - from)) s) $line"
    elif [ $code = 124 ] || [ $code = 137 ]; then
        report "too long  $name: stopped after $limit s," "$(grep -c '^\[       OK' "$logs/$name.log" || true) tests" \
            "passed and $(grep -c '^\[  FAILED' "$logs/$name.log" || true) failed: $(printf '%q ' "$@")"
    else
        report "FAILED    $name (code $code, $((SECONDS - from)) s) $line: $(printf '%q ' "$@")"
        tail -n 20 "$logs/$name.log"
    fi
    save_results
    [ $code = 0 ] || failed=1
    return $((code != 0))
}
skip() { report "skipped   $1: $2"; }

# The tests that a log says failed, and those that began and did not end.
failed_tests() {
    sed -nE 's/^\[ (RUN     |      OK|  FAILED|  SKIPPED) \] ([^ ,]*\.[^ ,]*).*/\1 \2/p' "$1" |
        awk '$1 == "RUN" { if (!($2 in at)) order[++count] = $2; at[$2] = 1 }
             $1 == "OK" || $1 == "SKIPPED" { at[$2] = 0 }
             END { for (i = 1; i <= count; ++i) if (at[order[i]]) print order[i] }'
}

# run_apart NAME NUMBER TEST: in a process of its own, and under memcheck where that fails and it is one of the first.
run_apart() {
    step "$1.$2" 25 env CUDA_LAUNCH_BLOCKING=1 "$bin/cuda_tests" "--gtest_filter=$3" </dev/null && return
    [ "$2" -le 6 ] && command -v compute-sanitizer >/dev/null || return 0
    step "$1.$2.memcheck" 40 compute-sanitizer --tool memcheck --error-exitcode 1 "$bin/cuda_tests" \
        "--gtest_filter=$3" </dev/null || grep -m 6 -A 4 '=\+ \(Invalid\|Program hit\|Error\)' \
        "$logs/$1.$2.memcheck.log" | tee -a "$logs/summary.txt" || true
}

# tests NAME SECONDS FILTER [PROCESSES]: what fails is run again apart, up to 16 tests at once.
tests() {
    step "$1" "$2" packaging/shards.sh "${4:-1}" "$bin/cuda_tests" "--gtest_filter=$3" && return
    local number=0 of
    while read -r of; do
        number=$((number + 1))
        [ $number -le 16 ] || break
        run_apart "$1" $number "$of" &
    done < <(failed_tests "$logs/$1.log")
    wait
    return 0
}

processes=$(($(nproc) < 16 ? $(nproc) : 16))  # of tests at once

# The tests of the emulated device, with the plugin of the device in its place; those of the machine that emulates it
# have nothing to do there.
export LAPIDARY_CUDA_UNDER_TEST=$plugin
emulated='EmulatedDevice*:*Loops/PlantedFaults*:HopperProduct.Is*:HopperProduct.A*:HopperProduct.Mult*:BlocksTogether*'
unwatched='*Recorded/*:*Lapgen*:KernelTimes*:DeviceMemory.*'  # by sanitizers: models of the same kernels
apart='*Recorded/*:*Lapgen*:KernelTimes*:*Replay*:DeviceMemory.*:Hopper*:*RecurrentLayer*'
check_tests() {
    tests kernels 120 "*-$emulated:$apart" $processes
    tests replay 60 '*Replay*' $processes
    tests together 45 '*RecurrentLayer*' 4
    if grep -q ', 9\.0,' "$logs/device.txt"; then
        tests hopper 45 'HopperProduct.Gives*' $processes
        LAPIDARY_CUDA_OPTIONS=overlap=on \
            tests overlap 60 "*Replay*:*EmulatedGraph*:*EmulatedHalves*-$emulated" $processes
    else
        skip hopper "the device is not of compute capability 9.0"
        skip overlap likewise
    fi
    if [ -d "${LAPIDARY_TEST_DATA:-../shared}/models/ref" ]; then tests models 100 '*Recorded/*' $processes; else
        skip models "no recorded models in ${LAPIDARY_TEST_DATA:-../shared}: set LAPIDARY_TEST_DATA"
    fi
    tests sessions 60 'DeviceMemory.*'
    tests random_models 60 '*Lapgen*' $processes
}

# Toolkits and Python packages have it where no loader looks.
find_blas() {
    [ -z "${LAPIDARY_CUDA_LIBS:-}" ] || return 0
    local found
    found=$(timeout 10 find /usr/local /opt /usr/lib -name 'libcublasLt.so.1[23]' -print -quit 2>/dev/null) || true
    [ -z "$found" ] || export LAPIDARY_CUDA_LIBS=${found%/*}
}

reports="tests/benchmarks/benchmarks.py $cli --sets cuda --cuda-plugin $plugin"
reports+=" --results $logs/bench-results --output BENCHMARKS.md"

beside_onnxruntime() {
    step beside 180 python3 $reports --cuda-beside --within "$(within 170)" \
        --kernel-times "$logs/kernel_times.jsonl" || true
    grep "^cuda:" "$logs/beside.log" | while read -r line; do report "          $line"; done || true
}

take_figures() {
    find_blas
    local left
    if command -v python3 >/dev/null; then
        left=$(($(within 540) / 2))  # kernels have the other half; what takes too long is left out of the report
        step named_models $((left < 30 ? 30 : left)) python3 $reports --within $((left < 30 ? 15 : left - 15)) || true
        grep "^cuda:" "$logs/named_models.log" | while read -r line; do report "          $line"; done || true
    else
        skip named_models "there is no python3"
    fi
    LAPIDARY_CUDA_TIMES=$PWD/$logs/kernel_times.jsonl tests kernel_times 110 'KernelTimes*'
    grep -q '"library"' "$logs/kernel_times.jsonl" 2>/dev/null ||
        report "          cuBLASLt was not found (option cublaslt, LAPIDARY_CUDA_LIBS, the toolkit): no times beside it"
    ! command -v python3 >/dev/null ||
        step report 15 python3 $reports --only '#' --kernel-times "$logs/kernel_times.jsonl" || true
    step roofs 40 "$cli" profile sample:mlp --roofline --plugin "$plugin" \
        --provider cuda:peaks_file="$PWD/$logs/device.peaks" || true
    grep " reaches .* as measured there" "$logs/roofs.log" |
        while read -r line; do report "          $line"; done || true
}

sanitize() {
    if ! command -v compute-sanitizer >/dev/null; then
        skip memcheck "compute-sanitizer is neither in PATH nor in /usr/local/cuda/bin"
        skip racecheck "likewise"
        return
    fi
    local tool
    for tool in memcheck racecheck; do
        step $tool 240 packaging/shards.sh $processes compute-sanitizer --tool $tool --error-exitcode 1 \
            "$bin/cuda_tests" "--gtest_filter=*-$emulated:$unwatched" || true
    done
}

for part in ${parts//,/ }; do
    case $part in
    tests) check_tests ;;
    figures) take_figures ;;
    beside) beside_onnxruntime ;;
    sanitizers) sanitize ;;
    esac
done
save_results
echo "== summary, $((SECONDS - begin)) s, logs in $logs"
cat "$logs/summary.txt"
exit $failed
