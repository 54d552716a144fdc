// SPDX-License-Identifier: Apache-2.0
// Prints a profile as text or JSON.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/bench/run_counters.h>
#include <lapidary/cost/cost_rollback.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/cost/source_costs.h>
#include <lapidary/profile/profile.h>
#include <lapidary/profile/session_overhead.h>

#include "cli/output/json_output.h"
#include "cli/run/kernel_peaks.h"
#include "cli/run/resident_caches.h"

namespace lapidary::cli {

/// Times of the optimized graph on the nodes of the model as loaded.
struct OriginalCosts {
    CostMap map;
    std::vector<NodeCost> nodes;  // the longest time first
};

/// Kernels compared with the peaks of the machine and its devices.
struct KernelRoofs {
    Roofs roofs;
    std::vector<KernelPeak> kernels;
};

/// Times by what exporters noted of the nodes.
struct SourceTimes {
    SourceUnit unit = SourceUnit::class_name;
    std::vector<SourceCost> costs;
};

struct ProfileTables {
    std::filesystem::path file;  // model or trace
    std::string source;          // the program that recorded the trace; empty: not from a trace
    const Profile& profile;
    ProfileSummary summary;
    SessionOverhead overhead;
    std::optional<OriginalCosts> originals;  // only for an optimized model
    std::optional<KernelRoofs> roofs;
    std::filesystem::path trace;                   // file that was written; empty: none
    std::optional<LoweredPrecision> lowered = {};  // by devices; its text is the end of the verdict
    std::optional<ResidentCaches> caches = {};     // caches that stay on a device between runs
    std::optional<ProcessMemory> process = {};     // of a process that runs the model
    std::optional<SourceTimes> sources = {};       // where they were asked for
    std::optional<RunCounters> counters = {};      // of the processor, in this engine

    /// Sizes that a trace does not contain are unknown.
    bool is_trace() const { return !source.empty(); }
};

Json profile_json(const ProfileTables& tables);
void print_profile(std::ostream& out, const ProfileTables& tables);

}  // namespace lapidary::cli
