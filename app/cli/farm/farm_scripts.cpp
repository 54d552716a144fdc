// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/farm_scripts.h"

#include <system_error>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "cli/farm/farm_words.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

namespace fs = std::filesystem;

Words run_words(const FarmOptions& options) {
    Words words{"lapidary-cli", "farm", "run", options.plan.string()};
    if (!options.results.empty())
        words.insert(words.end(), {"--results", options.results.string()});
    return words;
}

Words merge_words(const FarmOptions& options) {
    fs::path merged = options.plan;
    merged.replace_extension(".merged.json");
    Words words{"lapidary-cli", "farm", "merge", options.plan.string()};
    if (!options.results.empty())
        words.insert(words.end(), {"--results", options.results.string()});
    words.insert(words.end(), {"-o", merged.string()});
    return words;
}

/// The line with the program that LAPIDARY_CLI names, where it is set.
std::string with_program(const Words& words) {
    return "\"${LAPIDARY_CLI:-lapidary-cli}\" " + shell_line({words.begin() + 1, words.end()});
}

// A shard that ends with 2 (wrong usage) or 5 (cancelled) would end so again. With set -u an empty
// array of bash before 4.4 counts as unset: hence ${x[@]+"${x[@]}"}.
constexpr const char* slurm_form = R"(#!/usr/bin/env bash
# Made by lapidary-cli farm plan. Submit it by "bash {script} [options of sbatch]": an array of {shards}, and a
# job that merges when all have ended. Shards that are done are not run again, so that it may be submitted once more.
# The job that merges gets the same options without those of the array; LAPIDARY_MERGE_OPTIONS, where set, stands in
# their place. LAPIDARY_CLI names the program where it is not in PATH; plan, models and samples are on a disk that all
# nodes see.
#SBATCH --requeue
#SBATCH --open-mode=append
set -uo pipefail
if [ -z "${{SLURM_JOB_ID:-}}" ]; then
  mkdir -p {folder}
  merging=() previous=
  for word in "$@"; do
    case $previous in -a | --array) previous= && continue ;; esac
    previous=$word
    case $word in -a* | --array | --array=*) ;; *) merging+=("$word") ;; esac
  done
  if [ -n "${{LAPIDARY_MERGE_OPTIONS+set}}" ]; then read -ra merging <<<"$LAPIDARY_MERGE_OPTIONS"; fi
  array=$(sbatch --parsable --job-name=lapidary-farm --array=0-{last} \
    --output={folder}/slurm-%a.log "$@" "$0") || exit 1
  array=${{array%%;*}}
  merge=$(sbatch --parsable --job-name=lapidary-merge --dependency=afterany:"$array" \
    --output={folder}/slurm-merge.log ${{merging[@]+"${{merging[@]}}"}} "$0" merge) || {{
    echo "array $array was submitted, and the job that merges was not" >&2
    exit 1
  }}
  merge=${{merge%%;*}}
  echo "array $array, merge $merge; to cancel both: scancel $array $merge"
  exit
fi
cd {here} || exit 3
if [ "${{1:-}}" = merge ]; then
  exec {merge}
fi
for _ in 1 2 3; do
  {run} --shard "$SLURM_ARRAY_TASK_ID" --quiet
  code=$?
  [ $code = 0 ] || [ $code = 2 ] || [ $code = 5 ] && break
done
exit $code
)";

}  // namespace

std::string slurm_script(const FarmOptions& options, const app::FarmPlan& plan) {
    std::error_code failed;
    const fs::path here = fs::current_path(failed);
    if (failed) fail(ErrorCode::io_failure, "the current folder has no name: " + failed.message());
    return fmt::format(
        slurm_form, fmt::arg("script", plain(shell_line({options.slurm.string()}), 4096)),
        fmt::arg("shards", plan.shards), fmt::arg("last", plan.shards - 1),
        fmt::arg("folder", shell_line({fs::absolute(options.results_folder()).string()})),
        fmt::arg("here", shell_line({here.string()})),
        fmt::arg("merge", with_program(merge_words(options))),
        fmt::arg("run", with_program(run_words(options))));
}

std::string parallel_line(const FarmOptions& options, const app::FarmPlan& plan) {
    return fmt::format("seq 0 {} | parallel -j 1 {} --shard {{}}", plan.shards - 1,
                       shell_line(run_words(options)));
}

std::string run_line(const FarmOptions& options, std::uint64_t shard, bool again) {
    Words words = run_words(options);
    words.insert(words.end(), {"--shard", std::to_string(shard)});
    if (again) words.emplace_back("--again");
    return shell_line(words);
}

std::string merge_line(const FarmOptions& options) { return shell_line(merge_words(options)); }

}  // namespace lapidary::cli
