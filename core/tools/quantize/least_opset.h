// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// The lowest opset with which a model can be quantized with these options; 0: any opset that
/// preparing can produce.
std::int64_t least_opset(const QuantizeOptions& options);

}  // namespace lapidary
