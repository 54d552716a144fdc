// SPDX-License-Identifier: Apache-2.0
// A profile as the command prints it: text for a terminal, or JSON.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/cost/cost_rollback.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/cost/memory_report.h>
#include <lapidary/profile/profile.h>
#include <lapidary/profile/session_overhead.h>

#include "cli/output/json_output.h"
#include "cli/run/kernel_peaks.h"
#include "cli/run/resident_caches.h"

namespace lapidary::cli {

/// Times of the optimized graph on the nodes of the model as loaded.
struct OriginalCosts {
    CostMap map;
    std::vector<NodeCost> nodes;  // dearest first
};

/// Against what the machine and its devices can do.
struct KernelRoofs {
    Roofs roofs;
    std::vector<KernelPeak> kernels;
};

struct ProfileTables {
    std::filesystem::path file;  // model or trace
    std::string source;          // who recorded it, where it is read from a trace; empty: this run
    const Profile& profile;
    ProfileSummary summary;
    SessionOverhead overhead;
    std::optional<OriginalCosts> originals;  // of an optimized model
    std::optional<KernelRoofs> roofs;
    std::filesystem::path trace;                   // that was written; empty: none
    std::optional<LoweredPrecision> lowered = {};  // of devices; its text ends the verdict
    std::optional<ResidentCaches> caches = {};     // that stay on a device between runs
    std::optional<ProcessMemory> process = {};     // that runs the model

    /// Sizes that a trace does not contain are unknown.
    bool is_trace() const { return !source.empty(); }
};

Json profile_json(const ProfileTables& tables);
void print_profile(std::ostream& out, const ProfileTables& tables);

}  // namespace lapidary::cli
