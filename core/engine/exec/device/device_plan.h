// SPDX-License-Identifier: Apache-2.0
// The part of a plan that is only there when some of its steps run on devices.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "exec/plan/planned_copies.h"
#include "exec/provider.h"
#include "exec/device/resident_plan.h"

namespace lapidary {

struct DevicePlan {
    struct Device {
        const DeviceProvider* provider = nullptr;
        // by ValueId::index; uploaded once
        std::unordered_map<std::uint32_t, DeviceTensor> constants;
        std::uint64_t constant_bytes = 0;
    };
    std::vector<Device> devices;  // those that run a node, in the order of their first node
    ValueMemory memory;
    ResidentPlan residents;

    std::size_t index_of(const DeviceProvider& provider) const;
};

/// Null when every node runs on the CPU.
std::unique_ptr<DevicePlan> make_device_plan(const Graph& graph, const DevicePlacement& placement);

}  // namespace lapidary
