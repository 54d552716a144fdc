// SPDX-License-Identifier: Apache-2.0
// Quantized models in files that several processes of one window read. They also store which nodes
// of the opened model the nodes belong to, for which ONNX has no field.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "worker/protocol/quantization.h"

namespace lapidary::app {

/// The path of this quantization's model in the folder. `edits`: of the model before it was
/// quantized (Recipe::edits).
std::filesystem::path quantized_file(const std::filesystem::path& folder,
                                     const Quantization& quantization,
                                     const std::string& edits = {});

/// Writes the options that quantize_model() used into the model's metadata (key
/// lapidary.quantization), replacing others.
void stamp_quantization(Model& model, const QuantizeOptions& options);
/// The options that stamp_quantization() wrote; empty if there are none. Throws invalid_input
/// naming the member that is wrong or unknown.
std::optional<QuantizeOptions> quantization_of(const Model& model);

/// Writes a result of quantize_model(), with stamp_quantization().
void save_quantized(const Model& model, const Quantization& quantization,
                    const std::filesystem::path& file, const Progress& progress = {});

/// Reads a file of save_quantized(), with the origins of its nodes. `original`: the model it was
/// made from; the result has its path. Throws what load_model() throws.
Model load_quantized(const std::filesystem::path& file, const Model& original,
                     const Progress& progress = {});

/// Quantizes the opened model in this process. Throws what samples_of() and quantize_model() throw.
Model quantized_model(const ModelPtr& opened, const Quantization& quantization,
                      const Progress& progress = {});

}  // namespace lapidary::app
