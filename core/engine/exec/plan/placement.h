// SPDX-License-Identifier: Apache-2.0
// Decides which provider runs each node of a main graph. Providers are asked in order. Control
// flow, shape computation and values that are not numeric tensors stay on the CPU. Neighbouring
// nodes of one provider form islands. An island that would lose more time to copies than it gains
// goes back to the CPU.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <lapidary/exec/placement.h>

#include "exec/provider.h"

namespace lapidary {

using Providers = std::vector<std::shared_ptr<const Provider>>;

/// The provider that runs a node, and why the others do not.
struct NodeAssignment {
    const Provider* provider = nullptr;
    // inputs that its kernel reads in host memory; not listed for the CPU, which reads all there
    std::vector<std::size_t> host_inputs;
    double gain_ns = 0;
    std::size_t island = 0;
    bool is_shape_computation = false;
    std::vector<PlacementReason> reasons;

    const DeviceProvider* device() const { return provider->device(); }
    /// The device in whose memory the node reads that input; null: host memory.
    const DeviceProvider* reads_on(std::size_t input) const;
    /// Whether `node`, whose assignment this is, reads elements of that input. CPU kernels that
    /// read only its shape do not: the host also knows the shapes of values on devices.
    bool reads_elements(const Node& node, std::size_t input) const;
};

struct DevicePlacement {
    std::vector<NodeAssignment> nodes;  // by NodeId::index; provider is null for erased nodes
    std::vector<PlacementIsland> islands;
};

/// Throws not_supported naming the first node that `fallback` keeps off the CPU and why no provider
/// takes it; cancelled.
DevicePlacement place_nodes(const Graph& graph,
                            std::span<const std::shared_ptr<const Provider>> providers,
                            Fallback fallback, const KernelOptions& options, WeightStore& weights,
                            const CancelToken& cancel);

/// Sends islands whose gain is less than the cost of their copies back to the CPU until none is
/// left, then numbers the others. A copy whose size is known only at run time counts as zero bytes.
void settle_islands(const Graph& graph, DevicePlacement& placement, const CancelToken& cancel);

}  // namespace lapidary
