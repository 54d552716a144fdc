// SPDX-License-Identifier: Apache-2.0
// Which rewrite moves an output, and the smallest model that shows it.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/guard.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

/// As optimize(): for another optimizer, or optimize() with a fault put in.
using OptimizeFunction =
    std::function<OptimizeResult(const Model&, const OptimizeOptions&, const Progress&)>;

/// What is optimized, and when an output counts as moved.
struct BisectOptions {
    OptimizeOptions optimize;    // with session_passes their rewrites are looked into too
    GuardOptions guard;          // inputs, seeds and tolerance
    bool exhaustive = false;     // look at every rewrite from the first on instead of halving
    OptimizeFunction optimizer;  // nothing: optimize()
};

/// The place of one rewrite cut out of the graph, as it was before and after. Both have the same
/// inputs and outputs.
struct RewriteRegion {
    Model before, after;  // the nodes alone
    NamedValues inputs;   // what flowed in when the original ran on the guard's inputs
    GuardReport report;   // `after` against `before` on these inputs
};

/// The rewrite that moves an output, if any does.
struct BisectResult {
    std::size_t rewrites = 0;  // that the whole optimization makes
    std::size_t trials = 0;    // optimized models that were compared
    /// looked at one after the other: asked for, or halving was not conclusive
    bool scanned = false;
    GuardReport whole;  // the fully optimized model against the original
    /// of the rewrite found, from 1; 0: none moves an output beyond tolerance
    std::size_t number = 0;
    AppliedRewrite rewrite;                   // it
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
