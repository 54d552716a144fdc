// SPDX-License-Identifier: Apache-2.0
// Measures the memory of a process that only opens a model and runs it a few times.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <lapidary/base/counted_memory.h>
#include <lapidary/exec/run_resources.h>

#include "cli/models/model_at_level.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// How the process runs the model.
struct ProcessRun {
    std::filesystem::path model;
    LevelOptions level;
    std::map<std::string, std::int64_t> dimensions;  // sizes of the generated inputs
    RunResources resources;
};

/// Opens and runs the model in this process, which should have done nothing before. Switches large
/// pages off in it. Throws not_supported if the system does not report a process's memory, and what
/// opening and running throw.
MeasuredProcess measure_this_process(const ProcessRun& run, Terminal& terminal);

}  // namespace lapidary::cli
