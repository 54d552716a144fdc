// SPDX-License-Identifier: Apache-2.0
// Finds the rewrite that changes an output, and the smallest model that shows it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/guard.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// An optimizer in place of optimize(): another one, or optimize() with a fault, for tests.
using OptimizeFunction =
    std::function<OptimizeResult(const Model&, const OptimizeOptions&, const Progress&)>;

/// How to optimize, and when an output counts as changed.
struct BisectOptions {
    OptimizeOptions optimize;    // rewrites of its session_passes are searched too
    GuardOptions guard;          // inputs, seeds and tolerance
    bool exhaustive = false;     // check every rewrite from the first on instead of halving
    OptimizeFunction optimizer;  // nothing: optimize()
};

/// The nodes that a rewrite replaced and those that it made, each as a model. Both have the same
/// inputs and outputs.
struct RewriteRegion {
    Model before, after;  // the nodes alone
    NamedValues inputs;   // their values when the original ran on the guard's inputs
    GuardReport report;   // `after` against `before` on these inputs
};

/// The rewrite that changes an output, if any does.
struct BisectResult {
    std::size_t rewrites = 0;  // of the whole optimization
    std::size_t trials = 0;    // optimized models that were compared
    /// rewrites were checked one after the other: as requested, or because halving was inconclusive
    bool scanned = false;
    GuardReport whole;  // the fully optimized model against the original
    /// number of the rewrite, from 1; 0: none changes an output beyond tolerance
    std::size_t number = 0;
    AppliedRewrite rewrite;
    std::vector<std::string> removed, added;  // its nodes: Node::describe()
    GuardReport at;                           // the model right after it, against the original
    std::optional<RewriteRegion> region;      // its place cut out; nothing: see region_problem
    std::string region_problem;               // why there is no region
};

/// Finds the rewrite after which an output is beyond tolerance while right before it none is; with
/// `exhaustive` the first such. Throws as guard() and optimize().
BisectResult bisect(const Model& model, const BisectOptions& options = {},
                    const Progress& progress = {});

/// Writes before.onnx, after.onnx and inputs.npz into the folder, made when it is not there. Throws
/// io_failure.
void save_region(const RewriteRegion& region, const std::filesystem::path& folder);

}  // namespace lapidary
