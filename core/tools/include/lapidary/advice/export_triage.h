// SPDX-License-Identifier: Apache-2.0
// What the export of a model broke or made larger than it need be, found without running it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// What exports break or make larger without a word.
enum class ExportDefect : std::uint8_t {
    /// A number in the graph fits one size of a dimension that the inputs leave free.
    frozen_dimension,
    baked_batch,         // the shape that a Reshape is given has a number for the batch
    shape_arithmetic,    // nodes compute a shape that a constant could say
    duplicate_weight,    // two constants with the same elements
    unfolded_constant,   // a node that reads nothing but constants
    weight_input,        // a weight is an input with a default, which a caller may replace
    unrolled_loop,       // a loop of the program was written out, step by step
    decided_branch,      // an If or a Where with a constant condition
    double_precision,    // numbers of 64 bits begin here
    training_node,       // does in inference what it is to do in training
    unused_result,       // what it computes or holds is not needed
    wide_index,          // indices of 64 bits that are computed
    dynamic_size,        // the size of the result depends on values
    older_than_operator  // written out, because the opset lacks the operator
};
std::string_view name_of(ExportDefect defect);  // "frozen_dimension"

/// One place with a defect.
struct ExportPlace {
    NodeId node;         // of the main graph; empty: in a body, or no node
    std::string text;    // Node::describe(), with the body it is in; of a weight its name
    std::string reason;  // the sentence of resources/advice.json that says what is wrong
    std::vector<std::string> words;  // what stands in that sentence
};

/// All places with one defect.
struct ExportFinding {
    ExportDefect defect = ExportDefect::frozen_dimension;  // of all places
    std::size_t count = 0;                                 // of the places
    std::uint64_t bytes = 0;                               // of weights that are needless
    std::vector<ExportPlace> places;                       // the first of them, at most most_places
    static constexpr std::size_t most_places = 20;         // that are kept
};

/// What was found about one model.
struct ExportTriage {
    std::vector<ExportFinding> findings;  // those with a place, in the order of ExportDefect
    /// Null: the model has no such place.
    const ExportFinding* find(ExportDefect defect) const;
};

/// Looks at the model as it was exported, bodies of its nodes too. Weights of equal type and shape
/// are read until they differ. Throws cancelled, and what reading weights throws.
ExportTriage triage_export(const Model& model, const Progress& progress = {});

}  // namespace lapidary
