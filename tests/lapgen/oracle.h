// SPDX-License-Identifier: Apache-2.0
// Does optimizing a model change what it computes?
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lapgen/generator.h"

namespace lapidary::lapgen {

struct Verdict {
    enum class Kind { agrees, differs, cannot_run };
    Kind kind = Kind::agrees;
    std::string symptom;  // "extended, 2 threads: output "y": ..." or the error text
    std::string pass;     // the pass whose rewrite moved the result first, where that could be told
};

struct OracleOptions {
    std::uint64_t input_seed = 1;
    std::function<void(const std::string& pass)> applied;  // told of every rewrite at level all
    std::function<void(const std::string& pass)> missed;
};

/// Runs the model at level disabled and then at every level with 1 and 2 threads. Exact models must
/// agree bit by bit. Others within 1e-3 of each output's largest magnitude, where the output moves
/// less than that when the inputs move by 1e-6 (an output that amplifies rounding is not compared).
/// Results of models that round to 16 bits may differ by twice what those roundings move the output
/// by, measured against the model held in float32, for what is fused rounds less often; exact
/// models in which they round anything are not judged. There, and from level extended on, an
/// element at a tie of two quantization steps may be rounded to either (either_step.h), and one
/// that only overflows in 16 bits may be finite. Also: no pass makes what would be refused in a
/// file, every invariant after every pass, names and types of inputs and outputs, optimizing twice
/// changes nothing, the same bytes both times.
Verdict judge(const Model& model, bool exact, const std::map<std::string, std::int64_t>& dimensions,
              const OracleOptions& options = {});

/// Smallest model found that still fails in the same way (`kind`): outputs, then nodes are taken
/// away one by one.
Model reduce(const Model& model, const std::function<bool(const Model&)>& fails);

}  // namespace lapidary::lapgen
