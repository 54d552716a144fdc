// SPDX-License-Identifier: Apache-2.0
// Passes for models that run on devices of plugins' providers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lapidary/optimize.h>

namespace lapidary {

/// For OptimizeOptions::provider: what the passes of that provider make has kernels on such devices, and on the CPU,
/// where nodes that a device does not take run. Those that are for kernels of the CPU alone, such as blocked channels,
/// are not among them.
inline constexpr std::string_view device_passes = "device";

/// apply_session_passes() for sessions that are meant for the provider ("cpu", device_passes).
PipelineReport apply_session_passes_for(std::string_view provider, Model& model, const SessionPasses& passes,
                                        const Progress& progress = {}, std::optional<std::size_t> stop_after = {});

}  // namespace lapidary
