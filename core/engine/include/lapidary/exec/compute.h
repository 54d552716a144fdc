// SPDX-License-Identifier: Apache-2.0
// In which numbers a session on the CPU holds the weights of products.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <lapidary/exec/session_options.h>

namespace lapidary {

/// Kernels widen 16-bit weights as they read them, and sum in float32: where few rows are
/// multiplied, as when a language model makes tokens, reading weights takes most of the time, and
/// half the bytes take half of it. Results differ from exact ones by the rounding of weights. From
/// 16 rows on what they are multiplied with is rounded, too, where the CPU is faster so: in bf16 by
/// tile registers (AMX), with sums in float32; in fp16 by arithmetic of float16 (AVX512_FP16), with
/// sums of 32 terms in float16, which are then added up in float32.
///
/// In int8 weights have 8 bits with a scale for each column, and what they are multiplied with is
/// quantized in each run, as dynamic quantization does; sums are exact integers.
///
/// Convolutions over blocks of channels are rounded where the CPU is faster so: in bf16 by tile
/// registers, of any window and stride in one group; in fp16 by arithmetic of float16, of one tap.
/// Other convolutions and recurrent operators stay float32. Sessions of reference kernels round
/// nothing to int8.
enum class Compute : std::uint8_t {
    exact,  // as the model has them
    fp16,   // large float32 weights of products are rounded to float16 where they are in its range
    bf16,   // to bfloat16
    int8    // to 8-bit integers, and what they are multiplied with too
};

/// All of them, in the order in which they are offered, tried and shown.
inline constexpr std::array all_computes{Compute::exact, Compute::fp16, Compute::bf16,
                                         Compute::int8};
/// Those that round.
inline constexpr std::array rounding_computes{Compute::fp16, Compute::bf16, Compute::int8};

/// The entry of RunResources::config that chooses.
inline constexpr std::string_view compute_key = "lapidary.compute";

std::string_view name_of(Compute compute);  // "exact", "fp16", "bf16", "int8"
/// The names of all, each but the first behind `separator`.
std::string compute_names(std::string_view separator);
/// "exact, fp16, bf16 or int8"
std::string compute_names_or();
/// Nothing: there is no such name.
std::optional<Compute> compute_from_name(std::string_view name);
/// What the configuration of the options says; exact unless it has the entry. Throws invalid_input
/// naming the values allowed.
Compute compute_of(const SessionOptions& options);

/// The entry of the configuration as it stands there; "exact" where there is none.
std::string compute_entry(const RunResources& resources);

}  // namespace lapidary
