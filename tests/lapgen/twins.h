// SPDX-License-Identifier: Apache-2.0
// Random models as the quantizer leaves them.
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
    std::size_t quantized = 0;  // nodes, all steps together
};

/// The model quantized, converted to float16, or one after the other: by turns, deterministic in
/// `turn`. Nothing where the quantizer does not take it (it does not run on samples, or cannot be
/// brought to the opset).
std::optional<Twin> twin_of(const GeneratedModel& generated, std::uint64_t turn);

}  // namespace lapidary::lapgen
