// SPDX-License-Identifier: Apache-2.0
// What operators of ai.onnx require of their inputs, independent of the model.
#pragma once

#include <cstddef>
#include <string_view>

#include "inputs/input_usage.h"

namespace lapidary {

/// Adds the requirements of operator `op` on its input `input` to `usage`: the only sensible value,
/// the domain, the sign. Adds nothing for inputs that accept any value.
void add_table_usage(std::string_view op, std::size_t input, InputUsage& usage);

}  // namespace lapidary
