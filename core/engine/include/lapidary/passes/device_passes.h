// SPDX-License-Identifier: Apache-2.0
// Passes for models that run on devices of plugins' providers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lapidary/tensor/dtype.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// For OptimizeOptions::provider: what the passes of that provider make has kernels on such
/// devices, and on the CPU, where nodes that a device does not take run. Those that are for kernels
/// of the CPU alone, such as blocked channels, are not among them.
inline constexpr std::string_view device_passes = "device";
/// The same for devices that are to hold floats of 32 bits in 16: "device" and what turns values
/// and weights into float16, or bfloat16.
inline constexpr std::string_view device_passes_f16 = "device_fp16";
inline constexpr std::string_view device_passes_bf16 = "device_bf16";

/// For a device that holds floats as `stored` (DeviceProvider::stored_floats()).
constexpr std::string_view device_passes_storing(DType stored) {
    return stored == DType::f16    ? device_passes_f16
           : stored == DType::bf16 ? device_passes_bf16
                                   : device_passes;
}
/// For a provider whose option "precision" is this: "fp16" and "bf16" are stored, others are how it
/// computes.
constexpr std::string_view device_passes_of_precision(std::string_view precision) {
    return precision == "fp16"   ? device_passes_f16
           : precision == "bf16" ? device_passes_bf16
                                 : device_passes;
}
/// Of passes for devices, whatever they store.
constexpr bool is_for_devices(std::string_view provider) {
    return provider == device_passes || provider == device_passes_f16 ||
           provider == device_passes_bf16;
}

/// apply_session_passes() for sessions that are meant for the provider ("cpu", device_passes ...).
PipelineReport apply_session_passes_for(std::string_view provider, Model& model,
                                        const SessionPasses& passes, const Progress& progress = {},
                                        std::optional<std::size_t> stop_after = {});

}  // namespace lapidary
