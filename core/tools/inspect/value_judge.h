// SPDX-License-Identifier: Apache-2.0
// Judges a value of B by the same value of A, where the nodes that made it read the same inputs.
#pragma once

#include <lapidary/proof/compare.h>
#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// The value as it would be in the element type of `like`, where both hold floats of different
/// precision; else the value itself.
RuntimeValue as_type_of(const RuntimeValue& value, const RuntimeValue& like);

/// True where a finite element of `value` is infinite in the narrower floats of `like`.
bool overflows_in(const RuntimeValue& value, const RuntimeValue& like);

/// Tolerance of one node's output, a few units of the last place of the coarser element type. All
/// but floats have to be equal.
Tolerance rounding_of_one_node(const RuntimeValue& a, const RuntimeValue& b);

/// True where both hold 8-bit integers, as quantizers write them.
bool are_levels(const RuntimeValue& a, const RuntimeValue& b);

/// B against A by that tolerance, in the coarser type of both. Levels of a quantizer may be one
/// step apart in one of 50 elements, where the rounding of what is quantized decides.
Comparison compare_one_node(const RuntimeValue& a, const RuntimeValue& b, double further = 0);

}  // namespace lapidary
