// SPDX-License-Identifier: GPL-3.0-or-later
// The slowest profiled run against a typical one, kernel by kernel: where the time was lost.
#pragma once

#include <optional>
#include <vector>

#include <lapidary/profile/profile.h>

#include "run/timeline/timeline_lane.h"

namespace lapidary::views {

/// A kernel in both runs, or in one of them.
struct PairedKernel {
    static constexpr std::size_t none = std::size_t(-1);
    std::size_t typical = none, slowest = none;  // into Profile::kernels
    std::int64_t lostNs = 0;                     // that it took longer in the slowest run
    std::size_t any() const { return slowest != none ? slowest : typical; }
};

struct RunPair {
    std::size_t typicalRun = 0, slowestRun = 0;  // into Profile::run_spans
    std::int64_t typicalNs = 0, slowestNs = 0;   // wall time of the runs
    std::int64_t betweenNs = 0;                  // lost while no kernel ran
    // outermost ones of the calling thread, as the slowest run has them
    std::vector<PairedKernel> kernels;
    std::vector<std::size_t> marks;  // into kernels: those that lost most, most first
    // in the slowest run, from its begin on: its longest wait between kernels; equal where that is
    // no mark's worth
    std::int64_t gapBegin = 0, gapEnd = 0;
    // from the begin of their run on; TimelineSpan::index: into kernels
    TimelineLane typical, slowest;
    std::int64_t lostNs() const { return slowestNs - typicalNs; }
};

/// Nothing where fewer than two runs, or no kernels, were recorded.
std::optional<RunPair> pairRuns(const Profile& profile, const KernelGroups& groups);

}  // namespace lapidary::views
