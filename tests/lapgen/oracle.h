// SPDX-License-Identifier: Apache-2.0
// Checks whether optimizing a model changes its results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <lapidary/passes/optimize.h>

#include "lapgen/generator.h"

namespace lapidary::lapgen {

struct Verdict {
    enum class Kind { agrees, differs, cannot_run };
    Kind kind = Kind::agrees;
    std::string symptom;  // "extended, 2 threads: output "y": ..." or the error text
    std::string pass;     // the pass whose rewrite first changed the result, if it could be found
};

struct OracleOptions {
    std::uint64_t input_seed = 1;
    std::vector<Level> levels{Level::disabled, Level::basic, Level::extended, Level::all};
    std::function<void(const std::string& pass)> applied;  // called for every rewrite at level all
    std::function<void(const std::string& pass)> missed;
};

/// Runs the model at level disabled and then at each of the levels with 1 and 2 threads. Exact
/// models must agree bit by bit. Others must agree within 1e-3 of each output's largest magnitude,
/// if the output moves less than that when the inputs move by 1e-6. An output that amplifies
/// rounding more is not compared. Fused kernels round to 16 bits less often. Results of models with
/// 16-bit values may therefore differ by twice the effect of these roundings, measured against the
/// same model in float32 (widened_by_rounding()). Exact models in which 16 bits round anything are
/// not judged. In models with 16-bit values, and from level extended on, an element at a tie of two
/// quantization steps may be rounded to either (either_step.h), and one that overflows only in 16
/// bits may be finite.
/// Also checks that no pass makes a graph that would be refused in a file, every invariant after
/// every pass, names and types of inputs and outputs, that optimizing again changes nothing, and
/// that both times give the same bytes.
Verdict judge(const Model& model, bool exact, const std::map<std::string, std::int64_t>& dimensions,
              const OracleOptions& options = {});

/// The smallest model found for which `fails` is true. Removes outputs, then nodes, one by one.
Model reduce(const Model& model, const std::function<bool(const Model&)>& fails);

}  // namespace lapidary::lapgen
