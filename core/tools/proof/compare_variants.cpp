// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/compare_variants.h>

#include <optional>
#include <string>

#include <fmt/format.h>

#include "proof/plain_run.h"

namespace lapidary {

std::vector<OutputComparison> compare_variants(const VariantRun& actual, const VariantRun& expected,
                                               const VariantRun& reference,
                                               const NamedValues& inputs,
                                               const Tolerance& tolerance,
                                               const Progress& progress) {
    std::vector<OutputComparison> outputs =
        compare_outputs(actual.outputs, expected.outputs, tolerance);
    if (tolerance.rtol < same_result.rtol) return outputs;
    PlainRun plain(reference.model, inputs, reference.run_ms, progress);
    for (OutputComparison& output : outputs) {
        const std::string& name = output.name;
        Comparison& comparison = output.comparison;
        const RuntimeValue* const found = find(actual.outputs, name);
        const RuntimeValue* const wanted = find(expected.outputs, name);
        const RuntimeValue* const fast = find(reference.outputs, name);
        if (comparison.matches || !found || !wanted || !fast) continue;
        if (is_exact(*wanted) || !may_be_rounding(comparison)) continue;
        const std::optional<double> moves = plain.moves(name, *fast);
        if (!moves) continue;
        Tolerance wider = tolerance;
        wider.further += 2 * *moves;
        comparison = compare(*found, *wanted, wider);
        const std::string reported =
            fmt::format("in another order of its sums the model itself moves it by {:.3g}", *moves);
        comparison.reason = comparison.matches ? reported + "; twice that is allowed"
                                               : comparison.reason + "; " + reported;
    }
    return outputs;
}

}  // namespace lapidary
