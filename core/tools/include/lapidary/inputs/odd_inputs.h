// SPDX-License-Identifier: Apache-2.0
// Inputs that models meet but tests rarely try. They find rewrites that assume too much.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// The same inputs, odd in one way.
struct OddInputs {
    /// In which way.
    enum class Kind : std::uint8_t {
        /// masks with 2, -1 and (floats) 1/2 between 0 and 1; bool ones with both values
        other_values,
        hidden_rows,  // masks with every other row of nothing but 0, the first among them
        /// a row of NaN, and Inf and -Inf here and there, in inputs of floats that are no masks
        not_finite,
    } kind;
    NamedValues inputs;  // all of the model's
};

/// Every kind that changes something, in that order. What is a mask follows from what the graph
/// does with an input and from its name, as for generated inputs; settings, scales, indices and
/// scalars stay as they are. The same seed gives the same values. The work grows with the number of
/// inputs and their elements; throws cancelled.
std::vector<OddInputs> odd_inputs(const Model& model, const NamedValues& inputs,
                                  std::uint64_t seed = 0, const CancelToken& cancel = {});

/// "masks with other values than 0 and 1", "masks that hide whole rows", "inputs with NaN and Inf".
std::string_view words_for(OddInputs::Kind kind);

/// compare() as far as it is fair on odd inputs. Whether a sum is Inf, -Inf or NaN depends on the
/// order of its terms, so what is not finite is compared as one value, at its place. Finite floats
/// may differ by `share` of the largest one expected on top of the tolerance.
Comparison compare_on_odd_inputs(const RuntimeValue& actual, const RuntimeValue& expected,
                                 Tolerance tolerance, double share);

/// A hundredth: a score beside a mask's -10000 keeps three digits. A tenth where the model
/// quantizes: Inf saturates to the same integers everywhere, whose means lie between two steps, and
/// each step weighs that much after a few layers.
double fair_share(const Model& model);

}  // namespace lapidary
