// SPDX-License-Identifier: Apache-2.0
// Passes for models that run on devices of plugins' providers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lapidary/tensor/dtype.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// For OptimizeOptions::provider. The nodes that these passes make have kernels on such devices and
/// on the CPU, which runs what a device does not take. Passes that only suit kernels of the CPU,
/// such as blocked channels, are left out.
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
/// For a provider whose option "precision" has this value: "fp16" and "bf16" say how floats are
/// stored, other values how they are computed with.
constexpr std::string_view device_passes_of_precision(std::string_view precision) {
    return precision == "fp16"   ? device_passes_f16
           : precision == "bf16" ? device_passes_bf16
                                 : device_passes;
}
/// True for the passes of devices, in whatever type these store floats.
constexpr bool is_for_devices(std::string_view provider) {
    return provider == device_passes || provider == device_passes_f16 ||
           provider == device_passes_bf16;
}

/// apply_session_passes() for sessions that are meant for the provider ("cpu", device_passes ...).
PipelineReport apply_session_passes_for(std::string_view provider, Model& model,
                                        const SessionPasses& passes, const Progress& progress = {},
                                        std::optional<std::size_t> stop_after = {});

}  // namespace lapidary
