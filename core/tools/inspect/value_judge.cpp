// SPDX-License-Identifier: Apache-2.0
#include "inspect/value_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/dispatch.h"

namespace lapidary {
namespace {

bool is_plain_float(const RuntimeValue& value) {
    if (!value.is_tensor()) return false;
    const DType dtype = value.tensor().dtype();
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::f16 ||
           dtype == DType::bf16;
}

/// The distance of 1 to the next number.
double epsilon_of(DType dtype) {
    switch (dtype) {
    case DType::f64: return std::numeric_limits<double>::epsilon();
    case DType::f16: return 0x1p-10;
    case DType::bf16: return 0x1p-7;
    default: return std::numeric_limits<float>::epsilon();
    }
}

bool holds_levels(const RuntimeValue& value) {
    return value.is_tensor() &&
           (value.tensor().dtype() == DType::u8 || value.tensor().dtype() == DType::i8);
}

const RuntimeValue& coarser(const RuntimeValue& a, const RuntimeValue& b) {
    return epsilon_of(a.tensor().dtype()) >= epsilon_of(b.tensor().dtype()) ? a : b;
}

}  // namespace

RuntimeValue as_type_of(const RuntimeValue& value, const RuntimeValue& like) {
    if (!is_plain_float(value) || !is_plain_float(like) ||
        value.tensor().dtype() == like.tensor().dtype())
        return value;
    const Tensor& from = value.tensor();
    Tensor to(like.tensor().dtype(), from.shape());
    dispatch<FloatTypes>(from.dtype(), [&]<typename From>() {
        dispatch<FloatTypes>(to.dtype(), [&]<typename To>() {
            const auto elements = from.data<From>();
            std::ranges::transform(elements, to.mutable_data<To>().begin(), [](const From& v) {
                return static_cast<To>(static_cast<compute_t<From>>(v));
            });
        });
    });
    return to;
}

bool overflows_in(const RuntimeValue& value, const RuntimeValue& like) {
    if (!is_plain_float(value) || !is_plain_float(like) ||
        value.tensor().dtype() == like.tensor().dtype())
        return false;
    const RuntimeValue narrowed = as_type_of(value, like);
    const auto infinite = [](const RuntimeValue& of) {
        return std::ranges::count_if(to_doubles(of.tensor()),
                                     [](double element) { return std::isinf(element); });
    };
    return infinite(narrowed) > infinite(value);
}

Tolerance rounding_of_one_node(const RuntimeValue& a, const RuntimeValue& b) {
    if (!is_plain_float(a) || !is_plain_float(b)) return {0, 0};
    const DType dtype = coarser(a, b).tensor().dtype();
    // By magnitude, compare() weighs the usual element of float16 by 4 and of bfloat16 by 16, of
    // wider types by 0.1.
    const double steps = dtype == DType::f16 ? 1 : dtype == DType::bf16 ? 0.25 : 700;
    return {steps * epsilon_of(dtype), 1e-12, true, false};
}

bool are_levels(const RuntimeValue& a, const RuntimeValue& b) {
    return holds_levels(a) && holds_levels(b);
}

Comparison compare_one_node(const RuntimeValue& a, const RuntimeValue& b, double further) {
    if (!is_plain_float(a) || !is_plain_float(b)) {
        const Comparison equal = compare(b, a, {0, 0});
        if (equal.matches || !are_levels(a, b)) return equal;
        const Comparison step = compare(b, a, {0, 1});
        return step.matches && equal.mismatches * 50 <= equal.elements ? step : equal;
    }
    Tolerance tolerance = rounding_of_one_node(a, b);
    tolerance.further = further;
    const RuntimeValue& coarse = coarser(a, b);
    const RuntimeValue& fine = &coarse == &a ? b : a;
    // An infinity in the coarser type is not what the finer one has.
    const RuntimeValue& type = overflows_in(fine, coarse) ? fine : coarse;
    return compare(as_type_of(b, type), as_type_of(a, type), tolerance);
}

}  // namespace lapidary
