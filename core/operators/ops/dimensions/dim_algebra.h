// SPDX-License-Identifier: Apache-2.0
// Arithmetic on symbolic dimensions. Results are in one canonical spelling, so equal text means
// equal size:
//
//   "2*batch*seq + past + 1"     polynomials with integer coefficients; higher degrees first, the
//                               constant last
//   "floor((seq + 1)/2)"         quotients that do not divide
//   "max(a,b)", "min(a,b)"       extremes that cannot be decided
//
// A name that is no plain identifier stands bare when alone and in back quotes within an
// expression. A text that is not in canonical spelling ("a+b") is one opaque name. Names are sizes:
// never negative. An unknown operand, an overflow, or an expression beyond 240 characters gives an
// unknown dimension.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/type.h>

namespace lapidary {

/// A number as a Dim, negative ones too: those are symbolic with the text "-3" (values of shape
/// arithmetic may be negative, sizes may not). INT64_MIN, whose magnitude has no int64, is unknown.
Dim dim_of(std::int64_t value);
/// The number that `dim` stands for, negative ones included; nothing when symbolic or unknown.
std::optional<std::int64_t> constant_of(const Dim& dim);
/// A declared dimension name as a Dim: "7" is a number; "", "?", "*", "None", "unknown" and
/// negative numbers are unknown; everything else is symbolic.
Dim dim_from_name(std::string_view name);

Dim add(const Dim& a, const Dim& b);
Dim subtract(const Dim& a, const Dim& b);
Dim multiply(const Dim& a, const Dim& b);
Dim floor_divide(const Dim& a, const Dim& b);  // rounds to minus infinity; unknown for b = 0
Dim ceil_divide(const Dim& a, const Dim& b);
Dim modulo(const Dim& a, const Dim& b);  // a - b * floor(a / b)
Dim maximum(const Dim& a, const Dim& b);
Dim minimum(const Dim& a, const Dim& b);
/// a / b when that is a polynomial without remainder for every value of the names.
std::optional<Dim> exact_divide(const Dim& a, const Dim& b);
/// 1 for an empty list.
Dim product(std::span<const Dim> dims);

enum class DimRelation : std::uint8_t { equal, different, undecided };
/// What holds for every value of the names. Unknown dimensions are undecided.
DimRelation relate(const Dim& a, const Dim& b);
inline bool surely_equal(const Dim& a, const Dim& b) { return relate(a, b) == DimRelation::equal; }
inline bool surely_different(const Dim& a, const Dim& b) {
    return relate(a, b) == DimRelation::different;
}
/// True when the value cannot be below zero (numbers, names, sums of those ...).
bool surely_not_negative(const Dim& dim);

/// True when `a` is min(k, b) with a number k >= 2. Then `a` is 0 or 1 only when `b` is, so where
/// the two must be equal or broadcast, the result is `b`. This occurs with position tables that are
/// cropped to the length of a sequence.
bool is_capped(const Dim& a, const Dim& b);

/// Every name in the dimension, each once, those inside rounded quotients and extremes included.
std::vector<std::string> names_in(const Dim& dim);
/// `dim` with numbers in place of names; names that are not listed stay.
Dim substitute(const Dim& dim, const std::map<std::string, std::int64_t>& values);

}  // namespace lapidary
