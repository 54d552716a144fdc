// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that the Compare page shows, computed from a ComparisonRecord on a worker thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/graph/ids.h>

#include "compare/matched_timelines.h"
#include "compare/module_differences.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {

/// Times per run, in ms, of profiled runs, in the scale of TimeScale; NaN-free.
struct OperatorDifference {
    // "com.microsoft::Gelu"; the same name for the NCHWc layout; empty: session overhead
    std::string op;
    std::int64_t calls_a = 0, calls_b = 0;
    double a_ms = 0, b_ms = 0;
    std::int64_t blocked_a = 0, blocked_b = 0;  // calls in the NCHWc layout
    double difference() const { return b_ms - a_ms; }
};

/// One node of the model as opened, with the time on each side of the nodes that replaced it.
struct NodeDifference {
    NodeId node;  // invalid: time of nodes that replace no node of the original
    std::string name, op;
    std::string in_a, in_b;  // names of the nodes that replaced it; empty: there is none
    double a_ms = 0, b_ms = 0;
    // of the difference, 95 %; empty with fewer than three runs on a side
    std::optional<std::pair<double, double>> interval;
    double difference() const { return b_ms - a_ms; }
    bool isSignificant() const { return interval && (interval->first > 0 || interval->second < 0); }
};

/// The number of nodes of an operator, including subgraphs.
struct OperatorCount {
    std::string op;
    std::int64_t a = 0, b = 0;
};

/// Activations alive over the steps of the plan.
struct MemorySide {
    std::vector<double> bytes;  // by step
    double peak_bytes = 0;
    std::string peak_node;
    std::uint64_t block_bytes = 0, weight_bytes = 0;
};

/// A profiled run takes longer than one without a profile. Only the shares of its time are used: if
/// there is a measurement, they are applied to the measured median, so that the parts of A add up
/// to A's latency.
struct TimeScale {
    // factors for times of profiled runs; 1: not measured
    double a = 1, b = 1;
    double profiled_a_ms = 0, profiled_b_ms = 0;  // times of the typical profiled runs, not scaled
    // true: the total times are measured medians; false: those of typical profiled runs
    bool isOfMeasurement = false;
};

struct CompareDigest {
    app::ComparisonPtr record;
    app::RunRecordPtr run_a, run_b;  // null: a side was not profiled
    TimeScale scale;                 // for the times of operators, nodes and modules
    // largest difference first; empty unless both were profiled
    std::vector<OperatorDifference> operators;
    std::vector<NodeDifference> nodes;  // the same
    // the same by parts of the model; empty: names of nodes have no scopes
    std::vector<ModuleDifference> modules;
    MatchedTimelines timelines;  // of typical runs
    // operators whose number differs, largest change first
    std::vector<OperatorCount> counts;
    std::optional<MemorySide> memory_a, memory_b;  // nothing: no plan was recorded
};
using CompareDigestPtr = std::shared_ptr<const CompareDigest>;

/// `opened`: the model that variants are made from; its node ids are those of NodeDifference.
CompareDigestPtr digestComparison(app::ComparisonPtr record, const ModelPtr& opened,
                                  const Progress& progress = {});

/// Only the numbers of nodes by operator, which are known before anything ran.
std::vector<OperatorCount> countDifferences(const ModelSummary& a, const ModelSummary& b);

}  // namespace lapidary::views
