// SPDX-License-Identifier: Apache-2.0
// A model against a recording of the program that it was exported from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/inspect/difference_text.h>
#include <lapidary/proof/compare.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

struct CheckedRecording {
    bool agrees = false;                    // outputs were recorded, and none differs
    std::vector<OutputComparison> outputs;  // of the model, against what was recorded
    std::vector<FoundLine> lines;           // lines_of() the check
    std::string value, node;                // of the first module that differs; empty: none does
};

/// Throws what load_recording() and check_recording() throw, and invalid_input where nothing could
/// be compared.
struct RecordingJob {
    using Result = CheckedRecording;
    static constexpr std::string_view name = "check_recording";
    static constexpr Lane lane = Lane::proofs;

    ModelSource model;
    std::filesystem::path recording;  // as load_recording() takes it
    int threads = 0;                  // 0: as many as the machine has

    std::string title() const { return "the check against " + recording.filename().string(); }
    CheckedRecording run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<RecordingJob>();

}  // namespace lapidary::app
