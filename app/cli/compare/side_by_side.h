// SPDX-License-Identifier: Apache-2.0
// One or two variants of models run, measured and compared: what report and compare show.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/report/html_report.h>
#include <lapidary/base/progress.h>

#include "cli/models/model_inputs.h"

namespace lapidary::cli {

struct SideOptions {
    RunConfiguration configuration;      // level aside; intra 0: one thread per core
    std::optional<bool> session_passes;  // of both; nothing: as the level has it
    int runs = 10, warmup = 2;           // profiled
    bool measure = true;
    MeasureOptions measuring;
    // of outputs: see Tolerance, by magnitude
    double rtol = same_result.rtol, atol = same_result.atol;
};

/// One variant as it is asked for.
struct SideRequest {
    std::string name;
    ModelPtr model;
    Level level = default_run_level;
    std::vector<std::string> disabled_passes;
    std::string command;
    std::optional<std::int64_t> load_ns = {};  // how long the model took to load; empty: not known
};

/// One or two sides, optimized, profiled on the same inputs and, when asked, measured in turn;
/// outputs compared. `original` is the model that both come from, sized for the inputs; null where
/// they come from different ones.
ReportContent run_sides(const std::vector<SideRequest>& requests, const GatheredInputs& gathered,
                        const SideOptions& options, const Progress& progress);

/// Text as an argument of a POSIX shell.
std::string shell_quoted(const std::string& text);

}  // namespace lapidary::cli
