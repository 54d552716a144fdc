// SPDX-License-Identifier: Apache-2.0
// The outputs of two variants of one model, by the rule of guard().
#pragma once

#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// What ran, and what it gave. All of it must outlive the call.
struct VariantRun {
    const Model& model;          // as a session takes it
    const NamedValues& outputs;  // that it gave
    double run_ms = 0;           // of one run
};

/// As compare_outputs(), of variants of one model that ran on the same inputs. An output beyond the
/// tolerance by as little as rounding may explain is held against how far `reference`, the less
/// optimized of both, moves it itself when its sums run in another order, as guard() does: twice
/// that is allowed on top of atol. Comparison::reason says how much that is, of an output that
/// matches by it, too. Not asked with an rtol below that of same_result: who gives one asks what
/// changed. Throws cancelled.
std::vector<OutputComparison> compare_variants(const VariantRun& actual, const VariantRun& expected,
                                               const VariantRun& reference,
                                               const NamedValues& inputs,
                                               const Tolerance& tolerance = same_result,
                                               const Progress& progress = {});

}  // namespace lapidary
