// SPDX-License-Identifier: Apache-2.0
// Two engines on one model, node by node: which node became slower from one to the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/bench/bench.h>
#include <lapidary/engines/onnxruntime_engine.h>
#include <lapidary/engines/plugin_engine.h>
#include <lapidary/exec/session_options.h>
#include <lapidary/graph/model.h>

namespace lapidary {

/// What runs one side: ONNX Runtime, an engine of a plugin, or, where neither is set, this
/// program's own engine.
struct ComparedEngine {
    std::optional<OnnxRuntimeOptions> onnxruntime;  // of ONNX Runtime
    std::optional<PluginEngineOptions> plugin;      // of the engine of a plugin
    Level level = default_run_level;                // of this program's own engine
    SessionOptions session;                         // of this program's own engine
};

/// When the pairs of runs end.
struct NodeComparisonOptions {
    double seconds = 10;     // of measuring, per side
    int pairs = 0;           // exactly so many; 0: as many as the time allows, at least 20
    std::uint64_t seed = 1;  // for the order within pairs
};

/// One side as it was measured.
struct ComparedEngineTimes {
    std::string name;             // "ONNX Runtime", "Lapidary"
    std::string version;          // "1.21.1"; empty: this program's own
    std::filesystem::path place;  // of its library or interpreter; empty: this program
    double wall_ms = 0;           // of a profiled run, the median
    double kernel_ms = 0;         // of the kernels in it, the median
};

/// A node of the model, or several whose times cannot be separated, since one of the engines runs
/// them in one kernel.
struct ComparedGroup {
    /// of the node with the most work; of what is no node of the model: its operator
    std::string name;
    std::vector<std::string> ops;         // "Conv", "Relu": each once, that of most work first
    std::vector<std::string> node_names;  // in the order of the model; empty: no node of it
    std::vector<NodeId> nodes;            // parallel to node_names
    std::optional<double> a_ms, b_ms;     // of a run, the median; nothing: it ran no kernel for it
    /// B less A in pairs of runs, ms. The intervals of all groups together hold with 95 %
    /// confidence, so that among many nodes without a difference none shows one.
    MedianEstimate difference;
    /// The interval does not hold 0, and there are enough pairs for one.
    bool is_shown = false;
};

/// A against B.
struct NodeComparison {
    ComparedEngineTimes a, b;           // the two sides
    std::size_t pairs = 0;              // that were run
    MedianEstimate difference;          // of whole runs: B less A in ms, with its 95 % interval
    bool is_shown = false;              // the interval does not hold 0
    std::vector<ComparedGroup> groups;  // largest difference first
    /// What B loses and gains where, the greatest first: "B loses 3.1 ms [2.9, 3.3] in
    /// TreeEnsembleRegressor (node trees)"; else one that says that no difference shows.
    std::vector<std::string> sentences;
};

/// The most pairs of runs whose recordings of the model engines keep whole.
std::size_t most_recorded_pairs(const Model& model);

/// Runs both in pairs of random order, recorded node by node. `file` holds `model`, in a form that
/// both engines read; this program's own engine runs `model`. Throws invalid_input for more
/// pairs than most_recorded_pairs(), and what optimize(), Session::compile(), run_onnxruntime()
/// and run_plugin_engine() throw.
NodeComparison compare_nodes(const ModelPtr& model, const std::filesystem::path& file,
                             const ComparedEngine& a, const ComparedEngine& b,
                             const NamedValues& inputs, const NodeComparisonOptions& options = {},
                             const Progress& progress = {});

}  // namespace lapidary
