// SPDX-License-Identifier: Apache-2.0
// The inputs that the user gives for a run, and recorded outputs to compare its outputs with.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary::app {

/// All paths in UTF-8.
struct GivenInputs {
    // by input: .npy, .npz, .pb, .png or .jpg; other inputs are generated
    std::map<std::string, std::string> files;
    // a line of text, and the vocabulary file to tokenize it with; used only if both are set
    std::string text, vocabulary;
    // recorded outputs: an .npz, or a folder of output_0.pb ...; empty: none
    std::string expected;
    bool isText() const { return !text.empty() && !vocabulary.empty(); }
    bool isEmpty() const { return files.empty() && !isText(); }  // all inputs are generated
    friend bool operator==(const GivenInputs&, const GivenInputs&) = default;
};

std::filesystem::path path_of_utf8(const std::string& utf8);
/// Null if the model has no input of that name.
const Value* input_called(const Model& model, const std::string& name);
/// The tokens of the given text as inputs of the model. Throws as text_samples() does.
NamedValues text_values(const Model& model, const GivenInputs& given);
/// The values of the given inputs. Throws invalid_input naming input and file if one does not fit.
NamedValues given_values(const Model& model, const GivenInputs& given,
                         const DimensionSizes& dimensions, const CancelToken& cancel = {});
/// The recorded outputs; empty if none are given.
NamedValues expected_values(const Model& model, const GivenInputs& given,
                            const CancelToken& cancel);
/// given_values(), and generated values for the other inputs.
NamedValues inputs_of(const Model& model, const GivenInputs& given, const GenerateOptions& options);

}  // namespace lapidary::app
