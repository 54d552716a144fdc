// SPDX-License-Identifier: Apache-2.0
// What the inputs of a run look like to the model, and which of them dropped files are for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/model.h>

#include "worker/inputs/given_inputs.h"
#include "worker/inputs/sample_look.h"

namespace lapidary::app {

// LookedAtInput::source of tokens of the given text
inline constexpr const char* given_text_source = "text";

/// An input of the model as a run gets it.
struct LookedAtInput {
    std::string name, type;  // type: "f32[1,3,224,224]"
    // "cat.jpg, 640x480 resized to 224x224"; empty: generated
    std::string source;
    std::vector<std::int64_t> shape;
    double low = 0, high = 0, mean = 0;    // of its finite elements
    std::optional<SamplePicture> picture;  // where it is one
    std::string failure;                   // why it cannot be read; empty: fine
};

struct InputLook {
    GivenInputs given;                  // with what was dropped put where it belongs
    std::vector<LookedAtInput> inputs;  // of the model, in order
    std::vector<std::string> recorded;  // outputs that are recorded
    std::vector<std::string> refused;   // "b.npy: no input takes ...", what belongs nowhere
    // that the given inputs make of the model's symbolic dimensions
    DimensionSizes sizes;
};

/// Finds out which input each dropped file or folder is for, reads all that is given and looks at
/// it. What does not fit is reported in the look, not thrown. Throws cancelled.
InputLook look_at_inputs(const Model& model, GivenInputs given,
                         const std::vector<std::string>& dropped, const GenerateOptions& options);

nlohmann::json to_json(const InputLook& look);
InputLook read_input_look(const nlohmann::json& json);

}  // namespace lapidary::app
