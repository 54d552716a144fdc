// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary {

/// How much an element may differ: atol + further + rtol * (|expected| + usual), where `usual` is 0
/// unless by_magnitude is set.
struct Tolerance {
    double rtol = 1e-3;  // share of the expected magnitude
    double atol = 1e-5;  // in the unit of the elements
    /// Rounding errors are relative to the terms of a sum, not to the sum, so that small elements
    /// of an output may be wrong by a share of its large ones. If true, `usual` is
    /// usual_magnitude() of the expected tensor times a factor for the rounding of its element
    /// type: 0.1 for float32 and float64, 4 for float16, 16 for bfloat16 and float8. Integers of 8
    /// bits that span 16 values or more are levels of a quantizer, and may be one step apart.
    bool by_magnitude = false;
    /// `atol` is for elements of about one and larger. An output of float32 or float64 that holds
    /// less takes at most rtol times usual_magnitude() of what is expected, or what sums of terms
    /// as large as its largest element round (8 * 2^-23 of that), or of terms of about one (4 *
    /// 2^-23); all of atol where every expected element is 0.
    bool scales_atol = false;
    double further = 0;  // added to atol for floats, not scaled
};

/// The rule for "the same result" of guard, check, bisect, bench, compare and the window.
inline constexpr Tolerance same_result{1e-3, 1e-5, true, true};

/// That rule with other tolerances. An `atol` other than that of same_result comes from the user
/// and is not scaled.
constexpr Tolerance same_result_within(double rtol, double atol) {
    return {rtol, atol, true, atol == same_result.atol};
}

/// How two values differ.
struct Comparison {
    bool matches = false;  // type, shape, and every element within the tolerance
    /// why not: type, shape, the largest difference with both values, SQNR and cosine
    std::string reason;
    std::int64_t elements = 0;  // compared
    /// differ by more than the tolerance; NaN equals NaN, an infinity itself
    std::int64_t mismatches = 0;
    double max_abs = 0, max_rel = 0;  // max_rel: over elements whose expected value is not 0
    double magnitude = 0;             // of the largest finite element expected
    double sqnr_db = 0;               // 10 log10(sum e^2 / sum (a-e)^2); infinity when equal
    double cosine = 1;                // of the angle between both, -1..1

    /// max_abs as a share of `magnitude`; 0 where both are 0.
    double relative() const;
};

/// Four times the median magnitude of the elements that are finite and not 0, at most the largest
/// magnitude. Single huge elements, such as the -1e9 of masked scores, do not affect it. 0 for
/// tensors of no real numbers.
double usual_magnitude(const Tensor& tensor);

/// Tensors of any type, sequences and maps element by element. Strings and booleans must be equal,
/// integers may differ by atol rounded down, real and imaginary parts are compared each for itself.
/// Element types and shapes must be the same; keys of maps may come in another order.
Comparison compare(const RuntimeValue& actual, const RuntimeValue& expected,
                   const Tolerance& tolerance = {});

/// An output of one model against that of another on the same inputs.
struct OutputComparison {
    std::string name;       // of the output
    Comparison comparison;  // of the first model's against the second's
    /// Rows of a tensor of floats along its last axis, and those whose largest element is
    /// elsewhere: what a classifier or a decoder answers. Filled by compare_outputs().
    std::int64_t answers = 0, changed_answers = 0;
};

/// One entry per output of `expected`, then the outputs that only `actual` has. An output that one
/// side lacks does not match.
std::vector<OutputComparison> compare_outputs(const NamedValues& actual,
                                              const NamedValues& expected,
                                              const Tolerance& tolerance = same_result);

}  // namespace lapidary
