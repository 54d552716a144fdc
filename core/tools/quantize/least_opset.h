// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <lapidary/quantize/quantize.h>

namespace lapidary {

/// That the options need of a model; 0: any that preparing brings it to.
std::int64_t least_opset(const QuantizeOptions& options);

}  // namespace lapidary
