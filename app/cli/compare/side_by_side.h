// SPDX-License-Identifier: Apache-2.0
// Runs, measures and compares one or two variants of models, for report and compare.
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
    RunConfiguration configuration;      // without the level; intra 0: one thread per core
    std::optional<bool> session_passes;  // of both variants; empty: the level decides
    int runs = 10, warmup = 2;           // profiled runs
    bool measure = true;
    MeasureOptions measuring;
    // tolerances of outputs, by magnitude: see Tolerance
    double rtol = same_result.rtol, atol = same_result.atol;
};

/// One variant to run.
struct SideRequest {
    std::string name;
    ModelPtr model;
    Level level = default_run_level;
    std::vector<std::string> disabled_passes;
    std::string command;
    std::optional<std::int64_t> load_ns = {};  // how long the model took to load; empty: not known
    std::vector<RuleText> rules = {};          // of the user
};

/// Optimizes one or two sides, profiles them on the same inputs, measures them in turn if
/// requested, and compares their outputs. `original`: the model that both are made from, with the
/// sizes of the inputs; null if they are made from different models.
ReportContent run_sides(const std::vector<SideRequest>& requests, const GatheredInputs& gathered,
                        const SideOptions& options, const Progress& progress);

/// The text quoted as one argument of a POSIX shell.
std::string shell_quoted(const std::string& text);

}  // namespace lapidary::cli
