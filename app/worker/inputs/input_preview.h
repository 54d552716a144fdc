// SPDX-License-Identifier: Apache-2.0
// A preview of a run's inputs as the model will get them, and to which inputs dropped files belong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/model.h>

#include "worker/inputs/given_inputs.h"
#include "worker/inputs/sample_preview.h"

namespace lapidary::app {

// PreviewedInput::source for tokens of the given text
inline constexpr const char* given_text_source = "text";

/// One input of the model as a run will get it.
struct PreviewedInput {
    std::string name, type;  // type: "f32[1,3,224,224]"
    // "cat.jpg, 640x480 resized to 224x224"; empty: generated
    std::string source;
    std::vector<std::int64_t> shape;
    double low = 0, high = 0, mean = 0;    // of its finite elements
    std::optional<SamplePicture> picture;  // set if it is a picture
    std::string failure;                   // why it cannot be read; empty: it can
};

struct InputPreview {
    GivenInputs given;                   // with the dropped files assigned to inputs
    std::vector<PreviewedInput> inputs;  // all inputs of the model, in order
    std::vector<std::string> recorded;   // names of outputs with recorded values
    // "b.npy: no input takes ...": dropped files that belong to no input
    std::vector<std::string> refused;
    // sizes of symbolic dimensions that follow from the given inputs
    DimensionSizes sizes;
};

/// Assigns each dropped file or folder to an input, reads all given inputs and describes them. What
/// does not fit is reported in the result, not thrown. Throws cancelled.
InputPreview preview_inputs(const Model& model, GivenInputs given,
                            const std::vector<std::string>& dropped,
                            const GenerateOptions& options);

}  // namespace lapidary::app
