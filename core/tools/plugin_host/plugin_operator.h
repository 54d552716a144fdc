// SPDX-License-Identifier: Apache-2.0
// Adapts an operator of a plugin to this program's operators.
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

/// Throws invalid_input if the plugin's description is inconsistent.
PluginOperator plugin_operator(const std::string& plugin, const LpOperator& op);

}  // namespace lapidary
