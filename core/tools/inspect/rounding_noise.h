// SPDX-License-Identifier: Apache-2.0
// Runs the nodes that make one value alone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <lapidary/base/progress.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/tensor/runtime_value.h>

#include "inspect/node_region.h"

namespace lapidary {

/// Two ways to compute a value may differ by so many times what plain kernels change of it.
inline constexpr double allowed_noise = 8;

/// The value of an input of a region; empty: it does not exist any more.
using RegionInput = std::function<RuntimeValue(ValueId)>;

/// This program with plain reference kernels, whose sums run in another order.
EngineRun plain_kernels(const Progress& progress);

/// The value that `output`, by name, has when the region's nodes run alone. Empty where they
/// cannot: they are in a body, were made by a session, or an input is gone.
RuntimeValue run_region(const Model& loaded, const NodeRegion& region, const std::string& output,
                        const RegionInput& input, const EngineRun& engine,
                        const Progress& progress);

/// How much plain kernels change the output `value` of the region. Nothing where it cannot be
/// measured, or takes too long.
std::optional<double> rounding_noise(const Model& loaded, const NodeRegion& region,
                                     const std::string& output, const RuntimeValue& value,
                                     const RegionInput& input, const Progress& progress);

}  // namespace lapidary
