// SPDX-License-Identifier: Apache-2.0
#include "exec/device/device_plan.h"

#include <algorithm>

namespace lapidary {

std::size_t DevicePlan::index_of(const DeviceProvider& provider) const {
    const auto it = std::ranges::find(devices, &provider, &Device::provider);
    return static_cast<std::size_t>(it - devices.begin());
}

std::unique_ptr<DevicePlan> make_device_plan(const Graph& graph, const DevicePlacement& placement) {
    if (placement.islands.empty()) return nullptr;
    auto plan = std::make_unique<DevicePlan>();
    for (NodeId id : graph.nodes())
        if (const DeviceProvider* device = placement.nodes[id.index].device();
            device != nullptr && plan->index_of(*device) == plan->devices.size())
            plan->devices.push_back({device, {}, 0});
    plan->memory = memory_of_values(graph, placement);
    plan->residents = make_resident_plan(graph, placement);
    return plan;
}

}  // namespace lapidary
