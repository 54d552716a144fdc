// SPDX-License-Identifier: Apache-2.0
// Decoders of the Llama kind in llama.cpp's format.
#pragma once

#include <filesystem>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// Writes the model, as onnxruntime-genai's builder makes it, for llama.cpp: with weights of as
/// many bits, without a vocabulary. Throws not_supported with what has no counterpart there,
/// io_failure, cancelled.
void write_llama_gguf(const Model& model, const std::filesystem::path& file,
                      const CancelToken& cancel = {});

}  // namespace lapidary
