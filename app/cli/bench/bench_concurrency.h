// SPDX-License-Identifier: Apache-2.0
// bench --concurrency: latency and throughput of many callers, with and without batching.
#pragma once

#include "cli/bench/bench_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

int run_concurrency(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
