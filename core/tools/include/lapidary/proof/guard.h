// SPDX-License-Identifier: Apache-2.0
// The guard: runs an optimized model and the one it was made from, and compares their outputs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// Inputs of both models, and what counts as the same result.
struct GuardOptions {
    NamedValues inputs;                      // by input name; the others are generated
    std::vector<std::uint64_t> seeds = {0};  // one is enough when all inputs are given
    /// sizes of symbolic dimensions of generated inputs
    std::map<std::string, std::int64_t> dimensions;
    /// integer outputs must be equal, except that 8-bit ones may be one step apart
    Tolerance tolerance = same_result;
    int threads = 0;  // 0: one per core that this process may use
    /// for the result; the original runs one kernel per node
    SessionPasses session_passes;
    /// Providers that the result is meant for. The comparison runs on the CPU. If one of these
    /// rounds floats, the result runs on it too, and GuardReport::lowered says how much accuracy
    /// that costs.
    std::vector<std::shared_ptr<const Provider>> providers;
    Fallback fallback = Fallback::allow;  // of runs on those providers
};

/// One output, with the figures of the seed at which it differed most.
struct GuardOutput {
    std::string name;        // of the output
    std::string type;        // computed type: "tensor f32[1,1000]"
    std::uint64_t seed = 0;  // of that run
    Comparison comparison;   // result against original
    /// How much the original's own roundings to float16 and bfloat16 change the output: the largest
    /// difference to the same model computed in float32. 0 unless the result leaves some of these
    /// roundings out. Twice this is added to atol.
    double rounding = 0;
    /// How much the original's output changes on the same inputs when its sums run in another order
    /// (plain kernels against fast ones). Only measured if the result is so slightly beyond the
    /// tolerance that rounding may be the cause, and not with an rtol below that of same_result,
    /// which asks for all changes. Twice this is added to atol.
    std::optional<double> moves;
};

/// Whether the result computes what the original does.
struct GuardReport {
    bool matches = false;              // every compared output, at every seed
    std::vector<GuardOutput> outputs;  // in the order of the result
    std::vector<std::string> dropped;  // outputs of the original that the result does not have
    /// why the result did not run although the original did, or why the original is no reference
    std::string failure;
    Tolerance tolerance = same_result;
    /// the result keeps float32 where the original rounds (drop_rounding_casts): see
    /// GuardOutput::rounding
    bool excess_precision = false;
    std::size_t runs = 0;                   // of each model
    double original_ms = 0, result_ms = 0;  // mean wall time of the last runs
    /// The result on GuardOptions::providers against itself on the CPU, each output at the seed at
    /// which it differed most. Nothing: no provider rounds. Does not affect `matches`.
    std::optional<LoweredPrecision> lowered;
};

/// For each seed, runs both models on the same inputs, then on changed inputs (repeated_run.h), on
/// odd inputs if the original accepts them (odd_inputs.h; compared by compare_on_odd_inputs()), and
/// on the first inputs again. The reference is the original without optimization. If its last run
/// differs from its first, the guard fails. Throws what the original throws, invalid_input when an
/// input does not fit, limit_exceeded if memory or a limit does not suffice for the result,
/// cancelled.
GuardReport guard(const Model& original, const Model& result, const GuardOptions& options = {},
                  const Progress& progress = {});

}  // namespace lapidary
