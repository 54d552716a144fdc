// SPDX-License-Identifier: Apache-2.0
// Arithmetic and memory traffic of nodes against what the processor or the device that ran them can
// do at most.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/exec/device_peak.h>
#include <lapidary/graph/model.h>
#include <lapidary/profile/profile.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// Measured once per process and thread count: see machine_peak().
struct MachinePeak {
    int threads = 1;       // that the peak is of
    double gflops = 0;     // 32-bit floats, multiply-add counted as two
    double int8_gops = 0;  // u8 x s8 into s32; 0: no instruction for it
    double gb_per_s = 0;   // reading memory far larger than the caches (1e9 bytes)
};
/// `threads` <= 0: one per core. Takes about half a second the first time; later calls give the
/// same figures.
MachinePeak machine_peak(int threads, const CancelToken& cancel = {});

/// What the nodes of a run are held against, each against those of the provider that ran it.
struct Roofs {
    MachinePeak machine;              // of the CPU
    std::vector<DevicePeak> devices;  // of other providers

    /// Null: of the CPU, or of none that is among them.
    const DevicePeak* of(std::string_view provider) const;
};

/// What one node does in one call.
struct NodeWork {
    /// a multiply-add counts as two, a transcendental function as ten; 0: it only moves data
    double flop = 0;
    /// of inputs read, weights among them, and outputs written, each once; 0: it does not touch
    /// them
    double bytes = 0;
    bool integer = false;  // int8 arithmetic: compare with int8_gops
    /// type of the first input of what multiplies matrices; undefined: it does not
    DType product = DType::undefined;
};
/// Of the graph's types; nothing where a size is not known (use the model of sized_for()) or the
/// operator is not.
std::optional<NodeWork> work_of(const Graph& graph, NodeId node);
/// Of the sizes that a run recorded (NodeTotal::shapes); of the graph's types where they do not fit
/// the node.
std::optional<NodeWork> work_of(const Graph& graph, NodeId node, std::string_view recorded_shapes);

/// One point of a roofline plot.
struct RooflinePoint {
    NodeId node;                     // in the graph that ran
    std::string name, op, provider;  // as in NodeTotal
    /// of a device: the kind whose roof it is held against, "tf32"; empty: of the CPU
    std::string arithmetic;
    double roof_gops = 0, roof_gb_per_s = 0;  // the two roofs, of the provider that ran it
    NodeWork work;                            // arithmetic and bytes of one run
    double ms = 0;                            // in the typical run
    double flop_per_byte = 0;                 // work by traffic
    double gflops = 0;    // reached, 1e9 operations per second; 0 where the node only moves data
    double gb_per_s = 0;  // reached
    double share_of_peak = 0;   // of the lower of the two roofs at its intensity, 0..1
    bool memory_bound = false;  // the lower roof is that of memory
    /// faster than memory allows, so its data came out of the caches: measured by arithmetic alone
    bool from_cache = false;
};
/// `executed`: the graph that the profile's nodes belong to. Sizes are those recorded, or else
/// those of its types. Nodes without known work or time are left out, those that touch no data or
/// ran on a device whose roofs are not known too. Slowest first, as `nodes` are.
std::vector<RooflinePoint> roofline(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                    const Roofs& roofs);
/// How much of the time that the points of `op` take (of all where empty) would be needed at the
/// peak of what ran them; nothing without such points.
std::optional<double> share_of_peak(const std::vector<RooflinePoint>& points,
                                    std::string_view op = {});

}  // namespace lapidary
