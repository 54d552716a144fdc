// SPDX-License-Identifier: Apache-2.0
// Proof by running: an optimized model against the one it was made from.
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

/// What both models run on, and what counts as the same result.
struct GuardOptions {
    NamedValues inputs;                      // by input name; the others are generated
    std::vector<std::uint64_t> seeds = {0};  // one is enough when all inputs are given
    /// sizes of symbolic dimensions of generated inputs
    std::map<std::string, std::int64_t> dimensions;
    /// integer outputs must be equal but for the steps of 8-bit ones
    Tolerance tolerance = same_result;
    int threads = 0;  // 0: one per core that this process may use
    /// of the result; the original runs one kernel per node
    SessionPasses session_passes;
    /// What the result is made for. Both models are compared on the CPU; where one of these rounds
    /// floats, the result runs there too, and GuardReport::lowered says what that costs it.
    std::vector<std::shared_ptr<const Provider>> providers;
    Fallback fallback = Fallback::allow;  // of those runs
};

/// One output, with the figures of the seed at which it came out worst.
struct GuardOutput {
    std::string name;        // of the output
    std::string type;        // as computed: "tensor f32[1,1000]"
    std::uint64_t seed = 0;  // of that worst run
    Comparison comparison;   // result against original
    /// How far the original's own roundings to float16 and bfloat16 move the output on the same
    /// inputs (largest difference to the model held in float32 throughout). 0 unless the result
    /// leaves some of them out: then twice that is allowed on top of atol.
    double rounding = 0;
    /// How far the original's own output moves on the same inputs when its sums run in another
    /// order (plain kernels against fast ones), looked at only where the result is beyond the
    /// tolerance by as little as rounding may explain: then twice that is allowed on top of atol.
    /// Not asked with an rtol below that of same_result: who gives one asks what changed.
    std::optional<double> moves;
};

/// Whether the result computes what the original does.
struct GuardReport {
    bool matches = false;              // every compared output, at every seed
    std::vector<GuardOutput> outputs;  // in the order of the result
    std::vector<std::string> dropped;  // outputs of the original that the result does not have
    /// why the result did not run, though the original did, or why that is no reference
    std::string failure;
    Tolerance tolerance = same_result;
    /// the result keeps float32 where the original rounds (drop_rounding_casts): see
    /// GuardOutput::rounding
    bool excess_precision = false;
    std::size_t runs = 0;                   // of each model
    double original_ms = 0, result_ms = 0;  // mean wall time of the last runs
    /// The result on GuardOptions::providers against itself on the CPU, each output at the seed at
    /// which it came out worst; nothing where none of them rounds. Says nothing about `matches`.
    std::optional<LoweredPrecision> lowered;
};

/// Runs both models per seed on the same inputs, changed ones (see repeated_run.h), odd ones where
/// the original takes them (see odd_inputs.h: compared as compare_on_odd_inputs() does) and the
/// first again. The original as it is written is the reference; where its own last run differs from
/// its first, that is the failure. Throws what the original throws, invalid_input when an input
/// does not fit, limit_exceeded where memory or a limit does not suffice for the result, cancelled.
GuardReport guard(const Model& original, const Model& result, const GuardOptions& options = {},
                  const Progress& progress = {});

}  // namespace lapidary
