// SPDX-License-Identifier: Apache-2.0
// A program that quantizes a model with ONNX Runtime's own tools.
#pragma once

#include <string>

#include <lapidary/quantize/quantize_snippet.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"

namespace lapidary::app {

/// The text of quantize_snippet(), which has to quantize the model to learn which nodes stay float.
/// Throws what that throws.
struct ProgramJob {
    using Result = std::string;
    static constexpr std::string_view name = "write_program";
    static constexpr Lane lane = Lane::models;

    ModelSource model;
    QuantizeSnippetSettings settings;

    std::string title() const { return "the program for " + model.title(); }
    std::string run(const JobContext& context) const;
};
template <>
const JobKind& kind_of<ProgramJob>();

}  // namespace lapidary::app
