// SPDX-License-Identifier: GPL-3.0-or-later
// What the run page shows, worked out of a RunRecord on a worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <lapidary/bench/bench.h>
#include <lapidary/cost/roofline.h>
#include <lapidary/profile/session_overhead.h>

#include "run/timeline/run_pair.h"
#include "run/nodes/scope_tree.h"
#include "run/timeline/timeline_counters.h"
#include "run/timeline/timeline_layout.h"
#include "worker/inputs/sample_preview.h"
#include "workbench/document/run_conditions.h"
#include "workbench/workbench.h"

namespace lapidary::views {

struct OutputRow {
    std::string name;
    std::string type;  // "f32[1,1000]"
    std::int64_t elements = 0;
    bool numeric = false;  // the figures below are filled
    double minimum = 0, maximum = 0, mean = 0, stddev = 0;
    std::int64_t nans = 0, infinities = 0, zeros = 0;
    std::string first;  // the first values, comma-separated
    // finite values by equal parts of their range; empty: not numeric
    std::vector<std::size_t> bins;
    // largest of the first row of the last dimension, largest first
    std::vector<std::pair<std::int64_t, double>> top;
    std::optional<app::SamplePicture> picture;  // where it is one
    bool checked = false, matches = false;      // against what was recorded
    double maxAbs = 0;
    std::string checkReason;  // why it does not match
};

/// A phase of the session, or all of them together.
struct PhaseRow : PhaseTime {
    bool isSum = false;
};

/// A node of a run against what can be done by what ran it.
struct NodeRow : NodeTotal {
    double share_of_peak = -1;  // 0..1; negative: not known
    enum class Bound { unknown, arithmetic, memory, caches } bound = Bound::unknown;
    bool isAbovePeak = false;    // see isAbovePeak()
    bool isOnDevice = false;     // whose roofs these are of; else of this machine
    std::string placed_because;  // why no other provider runs it; empty: none was asked
};

/// Totals of a part of the recording; times of a range are sums, those of all runs are of the
/// typical run.
struct RunTotals {
    std::vector<OperatorTotal>
        // slowest first, outermost kernels only; then the session overhead, if runs were recorded
        operators;
    std::vector<NodeRow> nodes;  // slowest first
    ScopeTree scopes;
    double kernel_ms = 0;      // of outermost kernels
    std::int64_t kernels = 0;  // how many ran, outermost ones
    std::vector<double> busy;  // by track of the timeline, 0..1 of the range
};
using RunTotalsPtr = std::shared_ptr<const RunTotals>;

struct RunDigest {
    app::RunRecordPtr run;
    // a trace of something else than the model that is open
    bool isStranger = false;
    // with the sizes of the run, where a variant of it ran; null: no variant
    ModelPtr original;
    Timeline timeline;
    TimelineCounters counters;
    RunTotals whole;
    std::vector<OutputRow> outputs;
    std::vector<PhaseRow> phases;
    std::vector<OverheadSpan> overhead;       // in time order
    double min_wall_ms = 0, max_wall_ms = 0;  // over the profiled runs
    // wall time of the typical run, with its interval; without samples: not known
    MedianEstimate median;
    // of the symbolic dimensions of `opened`; empty: there are none
    app::InputSizes sizes;
    KernelGroups groups;  // of the profile
    // the slowest run and a typical one, where there are two
    std::optional<RunPair> pair;
    std::int64_t longestKernelNs = 0;
    // of the CPU for as many threads as ran, and of the devices; nothing for traces and for runs on
    // targets: what those machines can do is not known
    std::optional<Roofs> roofs;
    std::vector<RooflinePoint> roofline;              // slowest first; of the whole recording
    std::unordered_map<NodeId, std::size_t> pointOf;  // into roofline
    // NodeRow::placed_because; empty: only the CPU had work
    std::unordered_map<NodeId, std::string> placedBecause;
};
using RunDigestPtr = std::shared_ptr<const RunDigest>;

/// `opened`: the model that variants are made from; null: none.
RunDigestPtr digestRun(app::RunRecordPtr run, const Progress& progress = {},
                       const ModelPtr& opened = nullptr);

/// Sums what of each kernel lies in [begin, end) ns. Takes as long as there are kernels in it: some
/// 10 ns each.
RunTotals totalsInRange(const RunDigest& digest, std::int64_t begin, std::int64_t end,
                        const CancelToken& cancel = {});
/// "CUDA: no kernel for i64; CPU: ..." of what was asked before and does not run it.
std::string placementText(const std::vector<PlacementReason>& reasons);
/// It computed faster than the measured peak, by more than two such measurements differ: shares are
/// cut at 1, and the peak or the count of its work is not true for it.
bool isAbovePeak(const RooflinePoint& point);
/// How many kernels begin in the range.
std::size_t kernelsInRange(const RunDigest& digest, std::int64_t begin, std::int64_t end);

/// Type, statistics and first values of one output. Never throws: what cannot be shown is said in
/// `first`.
OutputRow describeOutput(const std::string& name, const RuntimeValue& value);

}  // namespace lapidary::views
