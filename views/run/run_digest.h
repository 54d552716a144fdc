// SPDX-License-Identifier: GPL-3.0-or-later
// What the run page shows, worked out of a RunRecord on a worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "run/timeline_layout.h"
#include "workbench/workbench.h"

namespace lapidary::views {

struct OutputRow {
    std::string name;
    std::string type;          // "f32[1,1000]"
    std::int64_t elements = 0;
    bool numeric = false;      // the figures below are filled
    double minimum = 0, maximum = 0, mean = 0, stddev = 0;
    std::int64_t nans = 0, infinities = 0, zeros = 0;
    std::string first;         // the first values, comma-separated
};

struct PhaseRow {
    std::string name;
    std::int64_t begin_ns = 0, duration_ns = 0;
};

/// Totals of a part of the recording; times of a range are sums, those of all runs means per run.
struct RunTotals {
    std::vector<OperatorTotal> operators;  // slowest first; outermost kernels only
    std::vector<NodeTotal> nodes;          // slowest first
    double kernel_ms = 0;                  // of outermost kernels
};

struct RunDigest {
    app::RunRecordPtr run;
    ModelPtr original;                        // with the sizes of the run, where a variant of it ran; null: no variant
    Timeline timeline;
    RunTotals whole;
    std::vector<OutputRow> outputs;
    std::vector<PhaseRow> phases;
    double min_wall_ms = 0, max_wall_ms = 0;  // over the profiled runs
    std::vector<std::uint32_t> groupOf;       // per kernel span of the profile: spans of one node share a group
    std::vector<std::uint32_t> firstOfGroup;  // per group: a kernel span that names it
};
using RunDigestPtr = std::shared_ptr<const RunDigest>;

/// `opened`: the model that variants are made from; null: none.
RunDigestPtr digestRun(app::RunRecordPtr run, const Progress& progress = {}, const ModelPtr& opened = nullptr);

/// Sums what of each kernel lies in [begin, end) ns.
RunTotals totalsInRange(const RunDigest& digest, std::int64_t begin, std::int64_t end);

/// Type, statistics and first values of one output. Never throws: what cannot be shown is said in `first`.
OutputRow describeOutput(const std::string& name, const RuntimeValue& value);

}  // namespace lapidary::views
