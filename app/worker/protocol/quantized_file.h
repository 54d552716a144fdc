// SPDX-License-Identifier: Apache-2.0
// Quantized models as files that several processes of one window read: with the nodes of the opened
// model that theirs stand for, which ONNX has no place for.
#pragma once

#include <filesystem>
#include <optional>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

#include "worker/protocol/quantization.h"

namespace lapidary::app {

/// Where the model of this quantization lies in the folder.
std::filesystem::path quantized_file(const std::filesystem::path& folder,
                                     const Quantization& quantization);

/// Writes the options that quantize_model() made the model with into its metadata (key
/// lapidary.quantization), in place of others.
void stamp_quantization(Model& model, const QuantizeOptions& options);
/// As stamp_quantization() wrote them; nothing: the model does not say. Throws invalid_input naming
/// the member that is wrong or not known.
std::optional<QuantizeOptions> quantization_of(const Model& model);

/// Writes what quantize_model() made, stamped.
void save_quantized(const Model& model, const Quantization& quantization,
                    const std::filesystem::path& file, const Progress& progress = {});

/// As save_quantized() wrote it, with origins; `original`: what it was made from, whose path it
/// bears. Throws what load_model() throws.
Model load_quantized(const std::filesystem::path& file, const Model& original,
                     const Progress& progress = {});

/// The opened model quantized, in this process. Throws what samples_of() and quantize_model()
/// throw.
Model quantized_model(const ModelPtr& opened, const Quantization& quantization,
                      const Progress& progress = {});

}  // namespace lapidary::app
