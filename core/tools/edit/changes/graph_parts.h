// SPDX-License-Identifier: Apache-2.0
// Splits a model in two and joins two models.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// The two parts of a model on both sides of some values. The first computes these values from the
/// inputs; the second reads them as inputs and computes the rest. Outputs of the model are those of
/// the part that computes them. Types of both are inferred. Throws invalid_input for a value that
/// is not computed by a node, where one part would be empty, and where the second part needs
/// another value of the first, which it names.
std::pair<Model, Model> split_model_at(const Model& model, const std::vector<std::string>& values,
                                       const Progress& progress = {});

/// How two models are joined.
struct JoinOptions {
    /// output of the first model -> input of the second. Empty: those of equal names.
    std::vector<std::pair<std::string, std::string>> pairs;
    std::string prefix;  // of all names of the second model
    /// Whether outputs of the first that the second reads stay outputs.
    bool keep_joined_outputs = false;
};

/// Puts the second model behind the first. Inputs that no pair names stay inputs, outputs stay
/// outputs, metadata of the first stay. The model of the lower opset is converted to the other's.
/// Inner names of the second that are taken get other ones. Throws invalid_input naming what does
/// not fit: a pair, types, the name of an input or output that is taken, versions of another
/// domain, a function that both have; not_supported as convert_opset().
void join_models(Model& first, Model second, const JoinOptions& options,
                 const Progress& progress = {});

}  // namespace lapidary
