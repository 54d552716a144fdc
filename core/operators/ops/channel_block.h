// SPDX-License-Identifier: Apache-2.0
// The block size of the NCHWc layout. Operators of com.microsoft.nchwc do not carry it: ONNX
// Runtime takes that of the CPU it runs on, so a file is only right on CPUs of the same kind.
// Models written here say it in their metadata:
//   lapidary.channel_block   "8" or "16"
//   lapidary.layout          provider and vector instructions it was laid out for: "cpu avx512f"
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/graph/model.h>

namespace lapidary {

inline constexpr std::string_view nchwc_domain = "com.microsoft.nchwc";
inline constexpr std::string_view channel_block_key = "lapidary.channel_block";
inline constexpr std::string_view layout_key = "lapidary.layout";
/// How a compiled model passes the block to its kernels; never in a file.
inline constexpr std::string_view channel_block_attribute = "channel_block";

/// What ONNX Runtime uses on this CPU: 16 with AVX-512 and on 64-bit ARM, else 8. Follows
/// active_isa().
std::int64_t cpu_channel_block();
/// "avx512f", "avx2", "sse2", "neon" or "generic".
std::string cpu_vector_instructions();

/// The block of a model's NCHWc operators: as its metadata says, else as its shapes allow (files of
/// ONNX Runtime). 0 when it has no such operator. Throws invalid_model for metadata of a size that
/// is not 1 to 64 and where shapes allow none, not_supported where they allow several: the CPU that
/// a file was saved on may have been another one than this.
std::int64_t channel_block_of(const Model& model);
/// Writes into the metadata of a model with NCHWc operators that its block is 8 or 16. Throws
/// invalid_input where a shape says otherwise.
void state_channel_block(Model& model, std::int64_t block);
/// Gives every NCHWc node the attribute channel_block, subgraphs included; nothing happens to other
/// models.
void mark_channel_block(Model& model);

}  // namespace lapidary
