// SPDX-License-Identifier: Apache-2.0
// What the kernels of a profile reach of the machine's peak, and what the rest costs.
#pragma once

#include <string>
#include <vector>

#include <lapidary/roofline.h>

namespace lapidary::cli {

/// All nodes of one operator that ran by one kernel.
struct KernelPeak {
    std::string op, kernel;
    double ms = 0;             // per run
    double share = 0;          // of the run, 0..1
    double gflops = 0, gb_per_s = 0;  // reached; 0 where it does no arithmetic, or the work is not known
    double share_of_peak = 0;  // of the lower roof of each node, 0..1
    // the roof of most of its time: memory, arithmetic, caches; empty where the work is not known
    std::string bound;
    double lost_ms = 0;        // above what the machine needs at its peak; all of `ms` where the work is not known
    bool is_known() const { return !bound.empty(); }
};
/// Dearest loss first. `run_ms`: of one run.
std::vector<KernelPeak> kernel_peaks(const Graph& executed, const std::vector<NodeTotal>& nodes,
                                     const MachinePeak& peak, double run_ms);

}  // namespace lapidary::cli
