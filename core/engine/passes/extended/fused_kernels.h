// SPDX-License-Identifier: Apache-2.0
// The element types for which fused operators have kernels, here and in ONNX Runtime.
#pragma once

#include <string>
#include <string_view>

#include "patterns/scope.h"

namespace lapidary::passes {

/// Empty, or "Gelu has no f64 kernel on provider cpu".
std::string missing_kernel(const Scope& scope, std::string_view op, DType dtype);

}  // namespace lapidary::passes
