// SPDX-License-Identifier: Apache-2.0
// An operator of a plugin, as the program knows operators.
#pragma once

#include <string>

#include "kernels/added_kernels.h"
#include "ops/schemas/added_operators.h"
#include "plugin_abi.h"

namespace lapidary {

struct PluginOperator {
    AddedOperator added;
    AddedKernel kernel;
};

/// Throws invalid_input where the plugin describes it in a way that cannot be right.
PluginOperator plugin_operator(const std::string& plugin, const LpOperator& op);

}  // namespace lapidary
