// SPDX-License-Identifier: Apache-2.0
// Quantizes random models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lapgen/generator.h"

namespace lapidary::lapgen {

struct Twin {
    std::string made;  // "static, then fp16"
    Model model;
    std::size_t quantized = 0;  // number of quantized nodes in all steps
};

/// The model quantized, converted to float16, or both, chosen by `turn`. Empty if the quantizer
/// refuses it, because it does not run on samples or cannot be upgraded to the opset.
std::optional<Twin> twin_of(const GeneratedModel& generated, std::uint64_t turn);

}  // namespace lapidary::lapgen
