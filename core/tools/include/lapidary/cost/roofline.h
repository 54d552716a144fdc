// SPDX-License-Identifier: Apache-2.0
// The roofline model: arithmetic and memory traffic of nodes against the peak rates of the
// processor or device that ran them.
#pragma once

#include <cstdint>
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
    int threads = 1;       // that it was measured with
    double gflops = 0;     // 32-bit floats, multiply-add counted as two
    double int8_gops = 0;  // u8 x s8 into s32; 0: no instruction for it
    double gb_per_s = 0;   // reading memory far larger than the caches (1e9 bytes)
};
/// `threads` <= 0: one per core. Takes about half a second the first time; later calls give the
/// same figures.
MachinePeak machine_peak(int threads, const CancelToken& cancel = {});

/// 1e9 bytes per second of reading the same `bytes` again and again: what fits into caches comes
/// from there. No more than 512 MB are read, which stand for more. `threads` as at machine_peak().
/// Takes a tenth of a second.
double reading_gb_per_s(int threads, std::uint64_t bytes, const CancelToken& cancel = {});

/// Peaks that nodes are compared with, each with that of the provider that ran it.
struct Roofs {
    MachinePeak machine;              // of the CPU
    std::vector<DevicePeak> devices;  // of other providers

    /// The peak of a provider. Null: it is the CPU, or not known.
    const DevicePeak* of(std::string_view provider) const;
};

/// Work of one call of a node.
struct NodeWork {
    /// a multiply-add counts as two, a transcendental function as ten; 0: it only moves data
    double flop = 0;
    /// of inputs read (weights included) and outputs written, each once; 0: it reads and writes
    /// none
    double bytes = 0;
    bool integer = false;  // int8 arithmetic: compare with int8_gops
    /// type of the first input of a node that multiplies matrices; undefined: it does not
    DType product = DType::undefined;
};
/// Work by the types of the graph. Nothing: a size (see sized_for()) or the operator is not known.
std::optional<NodeWork> work_of(const Graph& graph, NodeId node);
/// Work by the sizes that a run recorded (NodeTotal::shapes), or by the types of the graph if those
/// do not fit the node.
std::optional<NodeWork> work_of(const Graph& graph, NodeId node, std::string_view recorded_shapes);

/// One point of a roofline plot.
struct RooflinePoint {
    NodeId node;                     // in the graph that ran
    std::string name, op, provider;  // as in NodeTotal
    /// on a device: the kind of arithmetic whose peak is the roof, "tf32"; empty: on the CPU
    std::string arithmetic;
    double roof_gops = 0, roof_gb_per_s = 0;  // peaks of the provider that ran it
    NodeWork work;                            // arithmetic and bytes of one run
    double ms = 0;                            // in the typical run
    double flop_per_byte = 0;                 // arithmetic intensity
    double gflops = 0;          // achieved, 1e9 operations per second; 0: the node only moves data
    double gb_per_s = 0;        // achieved
    double share_of_peak = 0;   // of the lower of the two roofs at its intensity, 0..1
    bool memory_bound = false;  // the lower roof is that of memory
    /// faster than memory allows, so that its data came from caches: compared by arithmetic only
    bool from_cache = false;
};
/// `executed`: the graph that the profile's nodes belong to. Sizes are the recorded ones, or else
/// those of its types. Nodes are left out if their work or time is not known, if they read and
/// write no data, or if the peaks of their device are not known. Sorted as `nodes`, slowest first.
std::vector<RooflinePoint> roofline(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                    const Roofs& roofs);
/// The share of the time of operator `op` (empty: of all) that it would need at the peaks. Nothing:
/// there are no such points.
std::optional<double> share_of_peak(const std::vector<RooflinePoint>& points,
                                    std::string_view op = {});

}  // namespace lapidary
