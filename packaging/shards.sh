#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# packaging/shards.sh PROCESSES PROGRAM [ARGUMENT...]: runs a GoogleTest program in that many processes at once, each
# with its share of the tests, and prints what they printed, one after the other, and the numbers of all of them
# together. Exit code 1: one of them did not end with 0.
set -uo pipefail
processes=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
stopped=0
trap 'stopped=1; kill $(jobs -p) 2>/dev/null' TERM INT

for ((i = 0; i < processes; ++i)); do
    (GTEST_TOTAL_SHARDS=$processes GTEST_SHARD_INDEX=$i "$@" >"$folder/$i" 2>&1 || touch "$folder/failed") &
done
wait || true
for ((i = 0; i < processes; ++i)); do
    echo "== share $((i + 1)) of $processes"
    sed -E '/^\[  (PASSED|SKIPPED)  \] [0-9]+ test/d; /^\[  FAILED  \] [0-9]+ test/d' "$folder/$i"
done
for word in PASSED SKIPPED FAILED; do
    sed -nE "s/^\[  $word  \] ([0-9]+) tests?[.,].*/\1/p" "$folder"/[0-9]* |
        awk -v word=$word '{ sum += $1 } END { if (sum) print "[  " word "  ] " sum " tests." }'
done
[ $stopped = 0 ] || exit 143
[ ! -e "$folder/failed" ]
