// SPDX-License-Identifier: Apache-2.0
// What operators of ai.onnx ask of an input by its place alone, whatever the model.
#pragma once

#include <cstddef>
#include <string_view>

#include "inputs/input_usage.h"

namespace lapidary {

/// Adds to `usage` the one sensible value, the domain and the sign that the operator `op` wants its
/// input `input` to have; nothing for inputs that take any value.
void add_table_usage(std::string_view op, std::size_t input, InputUsage& usage);

}  // namespace lapidary
