// SPDX-License-Identifier: Apache-2.0
// Loading time, first run and peak memory, of processes that do nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/bench/bench_models.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// One per engine (this one, then the peer's when not null), or nothing where this is no
/// lapidary-cli to start anew.
std::optional<std::vector<FreshFigures>> measure_fresh_processes(
    const BenchConfiguration& configuration, const OnnxRuntimePeer* peer,
    const ScratchFolder& scratch, const CancelToken& cancel);
/// In the fresh process.
int run_fresh(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
