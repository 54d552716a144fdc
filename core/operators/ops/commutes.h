// SPDX-License-Identifier: Apache-2.0
// Operators whose operands may be exchanged.
#pragma once

#include <string_view>

namespace lapidary {

/// True for operators of ai.onnx that give the same for their operands in another order.
/// traits/commutes.inc lists them.
bool commutes(std::string_view op_type);

}  // namespace lapidary
