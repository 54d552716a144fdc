// SPDX-License-Identifier: Apache-2.0
// What the kernels of a profile reach of the peak of what they ran on, and what the rest costs.
#pragma once

#include <string>
#include <vector>

#include <lapidary/cost/roofline.h>

namespace lapidary::cli {

/// All nodes of one operator that ran by one kernel.
struct KernelPeak {
    std::string op, kernel, provider;
    std::string arithmetic;  // as RooflinePoint::arithmetic, of its dearest node
    double ms = 0;           // per run
    double share = 0;        // of the run, 0..1
    // reached; 0 where it does no arithmetic, or the work is not known
    double gflops = 0, gb_per_s = 0;
    double share_of_peak = 0;  // of the lower roof of each node, 0..1
    // the roof of most of its time: memory, arithmetic, caches; empty where the work is not known
    std::string bound;
    // above what is needed at the peak of what ran it; all of `ms` where the work is not known
    double lost_ms = 0;
    bool is_known() const { return !bound.empty(); }
};
/// Dearest loss first. `run_ms`: of one run.
std::vector<KernelPeak> kernel_peaks(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                     const Roofs& roofs, double run_ms);

}  // namespace lapidary::cli
