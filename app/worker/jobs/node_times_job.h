// SPDX-License-Identifier: Apache-2.0
// Two engines on one model, node by node: which node became slower from one to the other.
#pragma once

#include <string>

#include <lapidary/internal/shared_memory.h>
#include <lapidary/node_times/node_comparison.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class ByteReader;

/// Runs the model in both in pairs, as `compare --by node` does. Throws what compare_nodes() and
/// inputs_of() throw.
struct NodeTimesJob {
    using Result = NodeComparison;
    static constexpr std::string_view name = "compare_nodes";

    ModelSource model;  // as in its file
    // what each side runs on, and at which level; other members are for this program's own engine
    Recipe a, b;
    RunSettings settings;  // inputs, sizes, threads
    double seconds = 5;    // of measuring, per side
    int pairs = 0;         // as in NodeComparisonOptions

    std::string title() const { return "the comparison of " + model.title() + " node by node"; }
    NodeComparison run(const JobContext& context) const;
    static SharedMemory block_of(const NodeComparison& found);
    NodeComparison complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<NodeTimesJob>();

}  // namespace lapidary::app
