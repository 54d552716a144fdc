// SPDX-License-Identifier: Apache-2.0
// The first samples, as the model will see them.
#pragma once

#include <filesystem>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/quantization.h"
#include "worker/inputs/sample_preview.h"

namespace lapidary::app {

/// Where model and labels show what pixels have to become, they are read so. Throws what
/// samples_of() and load_labels() throw, invalid_input for labels of another count than the
/// samples.
struct SampleJob {
    using Result = SamplePreview;
    static constexpr std::string_view name = "look_at_samples";

    ModelSource model;
    SampleChoice samples;
    std::filesystem::path labels = {};  // a file of load_labels(); empty: none

    std::string title() const { return "a look at samples of " + model.title(); }
    SamplePreview run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<SampleJob>();

}  // namespace lapidary::app
