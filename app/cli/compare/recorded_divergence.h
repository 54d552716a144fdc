// SPDX-License-Identifier: Apache-2.0
// A model against a recording, for the command diverge: the first recorded value that the export
// computes otherwise, and the nodes that may be the cause.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/inspect/recording_check.h>

#include "cli/options/run_options.h"
#include "cli/output/json_output.h"
#include "cli/terminal.h"

namespace lapidary::cli {

/// What diverge does with a recording.
struct RecordedDivergence {
    std::string model;                // as it was named
    std::filesystem::path recording;  // file or folder
    LevelOptions level;
    ModelRunOptions running;  // inputs that the recording lacks, threads, providers
    double rtol = same_result.rtol, atol = same_result.atol;
};

/// Runs, compares and reports. Returns the exit code.
int diverge_from_recording(const RecordedDivergence& options, Terminal& terminal);

/// check_recording(); a fault of the recording names its file.
RecordingCheck check_recorded_file(const ModelPtr& model, const Recording& recording,
                                   const std::filesystem::path& file,
                                   const RecordingCheckOptions& options, Terminal& terminal);

}  // namespace lapidary::cli
