// SPDX-License-Identifier: Apache-2.0
// The block size of the NCHWc layout. Operators of com.microsoft.nchwc do not carry it: ONNX Runtime takes that of the
// CPU it runs on, so a file is only right on CPUs of the same kind. Models written here say it in their metadata:
//   lapidary.channel_block   "8" or "16"
//   lapidary.layout          provider and vector instructions it was laid out for: "cpu avx512f"
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/model.h>

namespace lapidary {

inline constexpr std::string_view nchwc_domain = "com.microsoft.nchwc";
inline constexpr std::string_view channel_block_key = "lapidary.channel_block";
inline constexpr std::string_view layout_key = "lapidary.layout";
/// How a compiled model tells its kernels; never in a file.
inline constexpr std::string_view channel_block_attribute = "channel_block";

/// What ONNX Runtime uses on this CPU: 16 with AVX-512 and on 64-bit ARM, else 8. Follows active_isa().
std::int64_t cpu_channel_block();
/// "avx512f", "avx2", "sse2", "neon" or "generic".
std::string cpu_vector_instructions();

/// The block of a model's NCHWc operators: what its metadata say, else what weights and reorders allow (files of ONNX
/// Runtime), else the CPU's. 0 when it has no such operator. Throws invalid_model for a size that is not 1 to 64.
std::int64_t channel_block_of(const Model& model);
/// Gives every NCHWc node the attribute channel_block, subgraphs included; nothing happens to other models.
void mark_channel_block(Model& model);

}  // namespace lapidary
