// SPDX-License-Identifier: Apache-2.0
// Compares the outputs of two variants of one model by the rule of guard().
#pragma once

#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// A model and its outputs. Both must outlive the call.
struct VariantRun {
    const Model& model;          // of the variant
    const NamedValues& outputs;  // of a run
    double run_ms = 0;           // of one run
};

/// As compare_outputs(), for variants of one model that ran on the same inputs. If an output is
/// only slightly beyond the tolerance, rounding may be the cause. Then `reference`, the less
/// optimized of both, runs with its sums in another order, as in guard(). Twice the difference that
/// this makes is added to atol; Comparison::reason says how much, also for an output that matches
/// by it. This is not done with an rtol below that of same_result, which asks for all changes.
/// Throws cancelled.
std::vector<OutputComparison> compare_variants(const VariantRun& actual, const VariantRun& expected,
                                               const VariantRun& reference,
                                               const NamedValues& inputs,
                                               const Tolerance& tolerance = same_result,
                                               const Progress& progress = {});

}  // namespace lapidary
