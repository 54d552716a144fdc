// SPDX-License-Identifier: Apache-2.0
// bench --vs: pairs with ONNX Runtime or with this engine itself.
#pragma once

#include "cli/bench/bench_options.h"
#include "cli/terminal.h"

namespace lapidary::cli {

int run_versus(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
