// SPDX-License-Identifier: Apache-2.0
// By how much results of a random model may differ where only rounding differs.
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
/// By which share of itself a number is rounded at most where values of the model have 16 bits; 0
/// where none has.
double rounding_of_halves(const Model& model);
/// A value of 16-bit floats is in it.
bool has_half(const Model& model);
/// Magnitude; infinity where an element is not finite.
double largest(const Tensor& tensor);
/// Whole numbers from -4 to 4 in place of float32 inputs.
void make_whole(NamedValues& inputs);
/// Floats become bytes in it: where sums in another order are rounded to another byte, results
/// differ by a step.
bool quantizes(const Model& model);
/// float32 inputs moved by that share of each, down and up in turn.
NamedValues nudged(const NamedValues& inputs, float share = 1e-6f);

/// The bound of each output, or nothing where it amplifies rounding too much (or is not finite) to
/// be compared. `moved`: the outputs on nudged() inputs. `exact`: they must be equal.
/// `share_of_floats`: of the largest element of an output of float32 or float64.
std::vector<std::optional<Tolerance>> bounds(const NamedValues& expected, const NamedValues& moved,
                                             bool exact, double share_of_floats = 1e-3);
/// The first output that is beyond its bound, and how; empty where none is.
std::string differences_of(const NamedValues& found, const NamedValues& expected,
                           const std::vector<std::optional<Tolerance>>& tolerances);

/// `found` with the elements put to `expected` for which `is_as_good` holds; as it is where types
/// or shapes differ, or an element has no bytes of its own.
RuntimeValue with_expected_where(const RuntimeValue& found, const RuntimeValue& expected,
                                 const std::function<bool(std::size_t)>& is_as_good);

}  // namespace lapidary::lapgen
