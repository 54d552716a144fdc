// SPDX-License-Identifier: Apache-2.0
// A process that opens a model, runs it a few times and does nothing else, so that its memory can
// be counted.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <lapidary/base/counted_memory.h>

#include "cli/models/model_at_level.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// How it runs the model.
struct ProcessRun {
    std::filesystem::path model;
    LevelOptions level;
    std::map<std::string, std::int64_t> dimensions;  // of the generated inputs
    int threads = 0;
    std::map<std::string, std::string> config;  // SessionOptions::config_entries
};

/// For a process that has done nothing yet; large pages are off in it from then on. Throws
/// not_supported if the system does not say, and what opening and running throws.
MeasuredProcess measure_this_process(const ProcessRun& run, Terminal& terminal);

}  // namespace lapidary::cli
