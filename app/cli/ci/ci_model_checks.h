// SPDX-License-Identifier: Apache-2.0
// Makes the checks of one model: optimizes, guards, measures.
#pragma once

#include <string>
#include <vector>

#include "cli/ci/ci_file.h"
#include "cli/ci/ci_result.h"
#include "cli/terminal.h"

namespace lapidary::cli {

struct CiRunOptions {
    bool update_baselines = false;
    std::vector<std::string> plugin_words;  // options of plugins, for the commands that it runs
    double slow_down = 0;  // for tests: this share of its time is added to each run
};

/// Adds to `result` what is found, check by check. A check that cannot be made is broken. Throws
/// cancelled; `result` then has the checks so far.
void check_ci_model(const CiFile& file, const CiModel& model, const CiRunOptions& options,
                    Terminal& terminal, CiModelResult& result);

}  // namespace lapidary::cli
