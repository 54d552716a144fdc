// SPDX-License-Identifier: Apache-2.0
// How much results of a random model may differ if only rounding differs.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/proof/compare.h>
#include <lapidary/graph/model.h>

namespace lapidary::lapgen {

bool is_float_tensor(const RuntimeValue& v);
/// The largest relative rounding error if values of the model have 16 bits, half a unit in the last
/// place: 2^-8 for bfloat16, 2^-11 for float16; 0 if none has.
double rounding_of_halves(const Model& model);
/// True if the model has a value of 16-bit floats.
bool has_half(const Model& model);
/// The largest magnitude; infinity if an element is not finite.
double largest(const Tensor& tensor);
/// Replaces float32 inputs by whole numbers from -4 to 4.
void make_whole(NamedValues& inputs);
/// True if the model quantizes floats to bytes. Then a sum in another order may be rounded to
/// another byte, and results differ by a step.
bool quantizes(const Model& model);
/// The inputs with each float32 element changed by that share, alternately down and up.
NamedValues nudged(const NamedValues& inputs, float share = 1e-6f);

/// The bound of each output; empty if it amplifies rounding too much to be compared, or is not
/// finite. `moved`: the outputs on nudged() inputs. `exact`: they must be equal. `share_of_floats`:
/// the bound as a share of the largest element, for outputs of float32 or float64.
std::vector<std::optional<Tolerance>> bounds(const NamedValues& expected, const NamedValues& moved,
                                             bool exact, double share_of_floats = 1e-3);
/// The bounds for results that round to 16 bits less often than the model, or at other places.
/// `held`: its outputs in float32 throughout; empty: not known, and nothing is compared. `unit`:
/// rounding_of_halves() of the model. What the roundings do to an output is measured as its largest
/// distance from `held`. They may cancel there, and do so more easily the fewer elements there are:
/// an output that they move at all counts as moved by at least one rounding of its largest element.
/// The bound allows twice that. An output that it would be more than a tenth of is not compared.
std::vector<std::optional<Tolerance>> widened_by_rounding(
    std::vector<std::optional<Tolerance>> tolerances, const NamedValues& expected,
    const NamedValues& held, double unit);
/// Describes the first output beyond its bound; empty if there is none.
std::string differences_of(const NamedValues& found, const NamedValues& expected,
                           const std::vector<std::optional<Tolerance>>& tolerances);

/// `found` with those elements replaced by `expected` for which `is_as_good` is true. Unchanged if
/// types or shapes differ, or elements are smaller than a byte.
RuntimeValue with_expected_where(const RuntimeValue& found, const RuntimeValue& expected,
                                 const std::function<bool(std::size_t)>& is_as_good);

}  // namespace lapidary::lapgen
