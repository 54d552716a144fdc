// SPDX-License-Identifier: Apache-2.0
// Inputs that users' models get but tests rarely try. They find rewrites that assume too much.
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
    /// How they are odd.
    enum class Kind : std::uint8_t {
        /// masks with 2, -1 and (floats) 1/2 between 0 and 1; bool ones with both values
        other_values,
        hidden_rows,  // masks in which every other row, from the first on, is all 0
        /// a row of NaN, and Inf and -Inf here and there, in inputs of floats that are no masks
        not_finite,
    } kind;
    NamedValues inputs;  // all of the model's
};

/// One entry for each kind that changes something, in that order. Masks are recognized by their use
/// in the graph and by name, as for generated inputs. Settings, scales, indices and scalars are not
/// changed. The same seed gives the same values. The work grows with the number of
/// inputs and their elements; throws cancelled.
std::vector<OddInputs> odd_inputs(const Model& model, const NamedValues& inputs,
                                  std::uint64_t seed = 0, const CancelToken& cancel = {});

/// "masks with other values than 0 and 1", "masks that hide whole rows", "inputs with NaN and Inf".
std::string_view words_for(OddInputs::Kind kind);

/// compare(), adapted to odd inputs. Whether a sum is Inf, -Inf or NaN depends on the
/// order of its terms, so all elements that are not finite count as equal to each other. Finite
/// floats may differ by `share` of the largest expected one in addition to the tolerance.
Comparison compare_on_odd_inputs(const RuntimeValue& actual, const RuntimeValue& expected,
                                 Tolerance tolerance, double share);

/// The `share` for a model: 0.01, since a score beside a mask's -10000 keeps three digits. 0.1 for
/// a model that quantizes: there Inf saturates, means of saturated integers lie between two steps,
/// and a difference of one step grows to that after a few layers.
double fair_share(const Model& model);

}  // namespace lapidary
