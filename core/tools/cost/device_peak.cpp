// SPDX-License-Identifier: Apache-2.0
#include <lapidary/exec/device_peak.h>

#include <algorithm>

#include <lapidary/base/error.h>

#include "exec/provider.h"

namespace lapidary {

const ArithmeticPeak* DevicePeak::of_product(DType type) const {
    const auto found = std::ranges::find_if(arithmetic, [&](const ArithmeticPeak& peak) {
        return std::ranges::find(peak.product_types, type) != peak.product_types.end();
    });
    return found == arithmetic.end() ? of_others() : &*found;
}

const ArithmeticPeak* DevicePeak::of_others() const {
    const auto found = std::ranges::find_if(arithmetic, &ArithmeticPeak::is_of_others);
    return found == arithmetic.end() ? nullptr : &*found;
}

std::vector<DevicePeak> device_peaks(
    const std::vector<std::shared_ptr<const Provider>>& providers) {
    std::vector<DevicePeak> peaks;
    for (const auto& provider : providers) {
        if (!provider->device()) continue;
        try {
            peaks.push_back(provider->device()->peak());
        } catch (const Error& error) {
            peaks.push_back({provider->name(), 0, {}, error.message()});
        }
        peaks.back().provider = provider->name();
    }
    return peaks;
}

}  // namespace lapidary
