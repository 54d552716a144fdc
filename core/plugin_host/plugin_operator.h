// SPDX-License-Identifier: Apache-2.0
// An operator that a plugin offers, as the engine's own: its schema, its rule for shapes, its kernel on the CPU.
#pragma once

#include <string>

#include "plugin_abi.h"

namespace lapidary {

/// `op` must stay; `plugin` is its name. Throws invalid_input where the operator cannot be added, and why.
void add_plugin_operator(const std::string& plugin, const LpOperator& op);

}  // namespace lapidary
