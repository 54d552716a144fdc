// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lapidary/output_file.h>

#include "cli/bench_alone.h"
#include "cli/bench_concurrency.h"
#include "cli/bench_fresh.h"
#include "cli/bench_versus.h"
#include "cli/command_line.h"

namespace lapidary::cli {
namespace {

/// --execution says in words what --inter says in numbers; they must not contradict each other.
BenchCommandOptions with_execution(BenchCommandOptions options) {
    const bool has_one = std::ranges::find(options.inter, 1) != options.inter.end();
    const bool has_more = std::ranges::any_of(options.inter, [](int inter) { return inter > 1; });
    if (options.execution == "parallel") {
        if (has_one && !has_more) options.inter = {std::max(2, machine_info().cores)};
        else if (has_one) fail_input("--inter 1 runs one operator at a time, which is not --execution parallel");
    }
    if (options.execution == "sequential" && has_more) fail_input("--inter of more than 1 runs operators at the same time, which is not --execution sequential");
    return options;
}

}  // namespace

int run_bench(const BenchCommandOptions& given, Terminal& terminal) {
    if (!given.fresh.empty()) return run_fresh(given, terminal);
    const BenchCommandOptions options = with_execution(given);
    for (const std::string& model : options.models) protect_input(model);
    protect_input(options.baseline);
    protect_input(options.onnxruntime);
    check_output_files({options.json_file, options.csv_file});
    if (options.max_regress && options.baseline.empty()) fail_input("--max-regress needs --baseline with the saved result to compare with");
    if (!options.concurrency.empty()) return run_concurrency(options, terminal);
    return options.against.empty() ? run_alone(options, terminal) : run_versus(options, terminal);
}

}  // namespace lapidary::cli
