// SPDX-License-Identifier: Apache-2.0
// Writes a Python program that quantizes with ONNX Runtime's own tools as Lapidary would.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <lapidary/quantize/quantize.h>
#include <lapidary/tensor/tensor_file.h>

namespace lapidary {

/// Where the samples of a quantization come from.
struct SnippetSamples {
    std::filesystem::path data;    // what folder_samples() reads; empty: generated
    bool is_text = false;          // lines of text_samples(), which NumPy does not cut into tokens
    std::uint64_t generated = 16;  // samples, where there is no data
    ImageOptions images;           // how pictures and bytes are read
};

/// The settings that the program repeats.
struct QuantizeSnippetSettings {
    /// as the program names them
    std::string model_file = "model.onnx", quantized_file = "model.quantized.onnx";
    /// "major.minor", 1.20 or newer; empty: the newest known.
    std::string onnxruntime_version;
    QuantizeOptions options;
    SnippetSamples samples;  // for mode static; the first is read, to find out how to read them
    /// Decisions of quantize_model() on the model's nodes; empty: as it decides without samples.
    std::vector<NodeDecision> nodes;
};

/// A whole Python program: quantize_dynamic, quantize_static with a CalibrationDataReader,
/// MatMulNBitsQuantizer or convert_float_to_float16 of ONNX Runtime on the model, with the nodes
/// that stay float excluded. Comments at its head list what these tools do differently from
/// Lapidary. Throws not_supported naming a setting that these tools, or that version, do not have;
/// invalid_input for samples that do not belong to the model; and what quantize_model() throws.
std::string quantize_snippet(const Model& model, const QuantizeSnippetSettings& settings,
                             const Progress& progress = {});
/// Checks the settings without the model: files, version, mode, types and forms. Throws as
/// quantize_snippet().
void check_quantize_snippet(const QuantizeSnippetSettings& settings);
/// Versions that such programs are written for, newest first.
std::vector<std::string> quantize_snippet_versions();

}  // namespace lapidary
