// SPDX-License-Identifier: Apache-2.0
// How close the kernels of a profile come to the peak of their device, and the time they lose.
#pragma once

#include <string>
#include <vector>

#include <lapidary/cost/roofline.h>

namespace lapidary::cli {

/// All nodes of one operator that ran by one kernel.
struct KernelPeak {
    std::string op, kernel, provider;
    std::string arithmetic;  // as RooflinePoint::arithmetic, of the node that takes longest
    double ms = 0;           // per run
    double share = 0;        // of the run, 0..1
    // achieved rates; 0 if it does no arithmetic or the work is not known
    double gflops = 0, gb_per_s = 0;
    double share_of_peak = 0;  // share of the lower roof of each node, 0..1
    // what limits most of its time: memory, arithmetic, caches; empty if the work is not known
    std::string bound;
    // time beyond that needed at the device's peak; all of `ms` if the work is not known
    double lost_ms = 0;
    bool is_known() const { return !bound.empty(); }
};
/// The largest loss first. `run_ms`: time of one run.
std::vector<KernelPeak> kernel_peaks(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                     const Roofs& roofs, double run_ms);

}  // namespace lapidary::cli
