// SPDX-License-Identifier: Apache-2.0
// Contents of small tensors during inference: exact numbers, symbolic sizes, unknowns.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/inference/shape_rule.h"

namespace lapidary {

/// One element: a whole number or symbolic size (`dim`), another exact number (`real`), or unknown
/// (neither).
struct Element {
    Dim dim;
    // only for numbers that are not whole (or beyond 2^53), NaN and infinities
    std::optional<double> real;

    static Element of(Dim d) { return {std::move(d), std::nullopt}; }
    static Element of_int(std::int64_t value);
    static Element of_real(double value);
    bool is_unknown() const { return dim.is_unknown() && !real; }
    std::optional<std::int64_t> as_int() const;
    std::optional<double> as_real() const;  // of any exact number
};

struct SmallValue {
    DType dtype = DType::undefined;
    std::vector<std::int64_t> shape;
    std::vector<Element> elements;  // row-major
};

/// The contents of an input when it is small, of a numeric or bool type, and known at least in
/// part.
std::optional<SmallValue> small_input(const InferenceContext& context, std::size_t index);
/// Sets an output's value: a tensor when every element is exact, else the whole numbers and sizes.
void set_small_output(InferenceContext& context, std::size_t index, const SmallValue& value);

// Arithmetic as the element type `dtype` does it. Unknown where the result is not certain.
Element add_elements(const Element& a, const Element& b, DType dtype);
Element subtract_elements(const Element& a, const Element& b, DType dtype);
Element multiply_elements(const Element& a, const Element& b, DType dtype);
Element divide_elements(const Element& a, const Element& b, DType dtype);
Element modulo_elements(const Element& a, const Element& b, DType dtype, bool c_style);
Element maximum_elements(const Element& a, const Element& b);
Element minimum_elements(const Element& a, const Element& b);
/// `relation` is "Equal", "Less", "LessOrEqual", "Greater" or "GreaterOrEqual": 1, 0 or unknown.
Element compare_elements(const Element& a, const Element& b, std::string_view relation);
Element cast_element(const Element& a, DType from, DType to);

}  // namespace lapidary
