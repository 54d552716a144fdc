// SPDX-License-Identifier: Apache-2.0
// Loading time, first run and peak memory, each measured in a new process that does nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/bench/bench_models.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// Figures of this engine, then of the peer, which `against` names, if it is not null. Empty if
/// this program is not lapidary-cli, which would have to be started again.
std::optional<std::vector<FreshFigures>> measure_fresh_processes(
    const BenchConfiguration& configuration, const std::string& against, const BenchPeer* peer,
    const ScratchFolder& scratch, const CancelToken& cancel);
/// The part of the new process.
int run_fresh(const BenchCommandOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
