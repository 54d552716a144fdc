// SPDX-License-Identifier: Apache-2.0
// Decides which provider runs each node of a main graph. Providers are asked in order; control
// flow, computation with shapes and values that are no tensors of numbers stay on the CPU. Nodes of
// one provider form islands; one that would lose more time to copies than it wins goes back to the
// CPU.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <lapidary/exec/placement.h>

#include "exec/provider.h"

namespace lapidary {

using Providers = std::vector<std::shared_ptr<const Provider>>;

struct NodeHome {
    const Provider* provider = nullptr;
    // that its kernel reads in host memory; on the CPU all, and none listed
    std::vector<std::size_t> host_inputs;
    double gain_ns = 0;
    std::size_t island = 0;
    bool is_shape_computation = false;
    std::vector<PlacementReason> reasons;

    const DeviceProvider* device() const { return provider->device(); }
    /// In whose memory the node reads that input; null: the host's.
    const DeviceProvider* reads_on(std::size_t input) const;
    /// Whether the node, whose home this is, wants elements of that input in some memory. Kernels
    /// of the CPU that read its shape alone do not: that the host knows of values of devices too.
    bool reads_elements(const Node& node, std::size_t input) const;
};

struct DevicePlacement {
    std::vector<NodeHome> homes;  // by NodeId::index; of nodes that are no more, provider is null
    std::vector<PlacementIsland> islands;
};

/// Throws not_supported naming the first node that `fallback` keeps off the CPU, and why no
/// provider takes it; cancelled.
DevicePlacement place_nodes(const Graph& graph,
                            std::span<const std::shared_ptr<const Provider>> providers,
                            Fallback fallback, const KernelOptions& options, WeightStore& weights,
                            const CancelToken& cancel);

/// Sends islands back whose gain is less than their copies cost, until none is left, and numbers
/// the others. A copy whose size is known only when the model runs counts as one of no bytes.
void settle_islands(const Graph& graph, DevicePlacement& placement, const CancelToken& cancel);

}  // namespace lapidary
