// SPDX-License-Identifier: Apache-2.0
// Inputs as a run will have them, after dropped files and folders have found the inputs that they
// are for.
#pragma once

#include <string>
#include <vector>

#include "worker/jobs/engine.h"
#include "worker/inputs/input_preview.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// What does not fit is said in the result.
struct InputJob {
    using Result = InputPreview;
    static constexpr std::string_view name = "look_at_inputs";

    ModelSource model;
    RunSettings settings;              // of the run
    std::vector<std::string> dropped;  // files and folders, in UTF-8

    std::string title() const { return "a look at inputs of " + model.title(); }
    InputPreview run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<InputJob>();

}  // namespace lapidary::app
