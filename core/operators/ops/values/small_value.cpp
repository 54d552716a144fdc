// SPDX-License-Identifier: Apache-2.0
#include "ops/values/small_value.h"

#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "ops/dimensions/dim_algebra.h"
#include "ops/values/value_propagation.h"

namespace lapidary {
namespace {

constexpr double exact_limit = 9007199254740992.0;  // 2^53

/// The result if it fits the integer type; wrapping is left to the kernels.
Element fitted(const Element& value, DType dtype) {
    const auto number = value.as_int();
    if (!number || !is_integer(dtype)) return value;
    const std::size_t bits = bit_width(dtype);
    if (is_signed_integer(dtype)) {
        if (bits >= 64) return value;
        const std::int64_t half = std::int64_t{1} << (bits - 1);
        return *number >= -half && *number < half ? value : Element{};
    }
    if (*number < 0) return {};
    return bits >= 64 || *number < (std::int64_t{1} << bits) ? value : Element{};
}

/// Rounded as the float type stores it; only the types that shape arithmetic uses.
Element rounded(double value, DType dtype) {
    if (dtype == DType::f32) return Element::of_real(static_cast<float>(value));
    if (dtype == DType::f64) return Element::of_real(value);
    return {};
}

/// No dimension is large, also where another one is 0: strides then cannot overflow.
bool is_small(const std::vector<std::int64_t>& shape) {
    return shape.size() <= 8 && std::all_of(shape.begin(), shape.end(), [](std::int64_t d) {
               return d <= max_followed_elements;
           });
}

bool both_real(const Element& a, const Element& b) { return a.as_real() && b.as_real(); }

}  // namespace

Element Element::of_int(std::int64_t value) { return of(dim_of(value)); }

Element Element::of_real(double value) {
    if (std::floor(value) == value && std::abs(value) < exact_limit &&
        !(value == 0 && std::signbit(value))) {
        return of_int(static_cast<std::int64_t>(value));
    }
    return {Dim(), value};
}

std::optional<std::int64_t> Element::as_int() const { return constant_of(dim); }

std::optional<double> Element::as_real() const {
    if (real) return real;
    const auto whole = as_int();
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::optional<SmallValue> small_input(const InferenceContext& context, std::size_t index) {
    const KnownValue& known = context.input_value(index);
    SmallValue value;
    if (known.tensor) {
        const Tensor& tensor = *known.tensor;
        if (tensor.size() > max_followed_elements || !is_small(tensor.shape())) return std::nullopt;
        value.dtype = tensor.dtype();
        value.shape = tensor.shape();
        if (is_integer(tensor.dtype()) || tensor.dtype() == DType::boolean) {
            for (std::int64_t number : to_int64s(tensor))
                value.elements.push_back(Element::of_int(number));
        } else if (is_float(tensor.dtype())) {
            for (double number : to_doubles(tensor))
                value.elements.push_back(Element::of_real(number));
        } else {
            return std::nullopt;
        }
        return value;
    }
    const Type& type = context.input_type(index);
    if (!known.elements || !type.is_static()) return std::nullopt;
    value.dtype = type.dtype;
    value.shape = type.static_shape();
    for (const Dim& element : *known.elements) value.elements.push_back(Element::of(element));
    if (!is_small(value.shape) ||
        static_cast<std::int64_t>(value.elements.size()) != element_count(value.shape))
        return std::nullopt;
    return value;
}

void set_small_output(InferenceContext& context, std::size_t index, const SmallValue& value) {
    KnownValue known;
    bool exact = true, useful = false;
    for (const Element& element : value.elements) {
        exact = exact && element.as_real().has_value();
        useful = useful || !element.dim.is_unknown();
    }
    const auto fill = [&]<typename T>(T) {
        std::vector<T> numbers;
        for (const Element& e : value.elements) {
            if constexpr (std::is_floating_point_v<T>)
                numbers.push_back(static_cast<T>(*e.as_real()));
            else numbers.push_back(static_cast<T>(e.as_int().value_or(0)));
        }
        Tensor tensor(dtype_of<T>, value.shape);
        std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<T>().begin());
        known.tensor = std::move(tensor);
    };
    if (exact) {
        switch (value.dtype) {
        case DType::i64: fill(std::int64_t{}); break;
        case DType::i32: fill(std::int32_t{}); break;
        case DType::f32: fill(float{}); break;
        case DType::f64: fill(double{}); break;
        case DType::boolean: fill(bool{}); break;
        default: break;
        }
    }
    if (!known.tensor) {
        if (!useful) return;
        known.elements.emplace();
        for (const Element& element : value.elements) known.elements->push_back(element.dim);
    }
    context.set_output_value(index, std::move(known));
}

Element add_elements(const Element& a, const Element& b, DType dtype) {
    if (is_float(dtype) && both_real(a, b)) return rounded(*a.as_real() + *b.as_real(), dtype);
    return fitted(Element::of(add(a.dim, b.dim)), dtype);
}

Element subtract_elements(const Element& a, const Element& b, DType dtype) {
    if (is_float(dtype) && both_real(a, b)) return rounded(*a.as_real() - *b.as_real(), dtype);
    return fitted(Element::of(subtract(a.dim, b.dim)), dtype);
}

Element multiply_elements(const Element& a, const Element& b, DType dtype) {
    if (is_float(dtype)) {
        if (both_real(a, b)) return rounded(*a.as_real() * *b.as_real(), dtype);
        // size * 0.5 and the like: the reciprocal of a whole number divides.
        const Element& number = a.as_real() ? a : b;
        const Element& size = a.as_real() ? b : a;
        if (number.real && *number.real > 0 && !size.dim.is_unknown()) {
            const double inverse = 1.0 / *number.real;
            if (std::floor(inverse) == inverse && inverse < 1e6) {
                if (auto quotient =
                        exact_divide(size.dim, dim_of(static_cast<std::int64_t>(inverse))))
                    return Element::of(*quotient);
            }
        }
    }
    if (a.is_unknown() || b.is_unknown()) return {};  // 0 * NaN is no 0
    return fitted(Element::of(multiply(a.dim, b.dim)), dtype);
}

Element divide_elements(const Element& a, const Element& b, DType dtype) {
    if (is_float(dtype)) {
        if (both_real(a, b)) return rounded(*a.as_real() / *b.as_real(), dtype);
        auto quotient = b.dim.is_unknown() ? std::nullopt : exact_divide(a.dim, b.dim);
        return quotient ? Element::of(*quotient) : Element{};
    }
    const auto numerator = a.as_int(), denominator = b.as_int();
    if (denominator == 0) return {};
    if (numerator && denominator) {
        if (*numerator == INT64_MIN && *denominator == -1) return {};
        return Element::of_int(*numerator / *denominator);  // toward zero
    }
    if (surely_not_negative(a.dim) && surely_not_negative(b.dim))
        return Element::of(floor_divide(a.dim, b.dim));
    auto quotient =
        a.dim.is_unknown() || b.dim.is_unknown() ? std::nullopt : exact_divide(a.dim, b.dim);
    return quotient ? Element::of(*quotient) : Element{};
}

Element modulo_elements(const Element& a, const Element& b, DType dtype, bool c_style) {
    if (is_float(dtype))
        return both_real(a, b) ? rounded(std::fmod(*a.as_real(), *b.as_real()), dtype) : Element{};
    const auto numerator = a.as_int(), denominator = b.as_int();
    if (denominator == 0) return {};
    if (numerator && denominator) {
        if (*denominator == -1) return Element::of_int(0);
        std::int64_t rest = *numerator % *denominator;
        if (!c_style && rest != 0 && (rest < 0) != (*denominator < 0)) rest += *denominator;
        return Element::of_int(rest);
    }
    if (surely_not_negative(a.dim) && surely_not_negative(b.dim))
        return Element::of(modulo(a.dim, b.dim));
    return {};
}

Element maximum_elements(const Element& a, const Element& b) {
    if (both_real(a, b)) return std::isnan(*a.as_real()) || *a.as_real() > *b.as_real() ? a : b;
    return a.dim.is_unknown() || b.dim.is_unknown() ? Element{}
                                                    : Element::of(maximum(a.dim, b.dim));
}

Element minimum_elements(const Element& a, const Element& b) {
    if (both_real(a, b)) return std::isnan(*a.as_real()) || *a.as_real() < *b.as_real() ? a : b;
    return a.dim.is_unknown() || b.dim.is_unknown() ? Element{}
                                                    : Element::of(minimum(a.dim, b.dim));
}

Element compare_elements(const Element& a, const Element& b, std::string_view relation) {
    const auto truth = [](bool value) { return Element::of_int(value ? 1 : 0); };
    if (both_real(a, b)) {
        const double x = *a.as_real(), y = *b.as_real();
        if (relation == "Equal") return truth(x == y);
        if (relation == "Less") return truth(x < y);
        if (relation == "LessOrEqual") return truth(x <= y);
        if (relation == "Greater") return truth(x > y);
        return truth(x >= y);
    }
    if (a.dim.is_unknown() || b.dim.is_unknown()) return {};
    if (relation == "Equal") {
        const DimRelation related = relate(a.dim, b.dim);
        return related == DimRelation::undecided ? Element{} : truth(related == DimRelation::equal);
    }
    const bool swapped = relation.starts_with("Greater"), or_equal = relation.ends_with("OrEqual");
    // holds when > 0 (or >= 0)
    const Dim ahead = swapped ? subtract(a.dim, b.dim) : subtract(b.dim, a.dim);
    const Dim behind = swapped ? subtract(b.dim, a.dim) : subtract(a.dim, b.dim);
    if (surely_not_negative(or_equal ? ahead : subtract(ahead, 1))) return truth(true);
    if (surely_not_negative(or_equal ? subtract(behind, 1) : behind)) return truth(false);
    return {};
}

Element cast_element(const Element& a, DType from, DType to) {
    if (to == DType::boolean) {
        if (const auto number = a.as_real()) return Element::of_int(*number != 0 ? 1 : 0);
        return a.dim.is_unknown()                                              ? Element{}
               : compare_elements(Element::of_int(0), a, "Less").as_int() == 1 ? Element::of_int(1)
                                                                               : Element{};
    }
    if (is_float(to)) {
        if (const auto number = a.as_real()) return rounded(*number, to);
        // sizes that large have other troubles
        return to == DType::f32 || to == DType::f64 ? a : Element{};
    }
    if (!is_integer(to)) return {};
    if (a.real) {
        if (!is_float(from) || !(std::abs(*a.real) < exact_limit)) return {};
        return fitted(Element::of_int(static_cast<std::int64_t>(*a.real)), to);  // toward zero
    }
    return fitted(a, to);
}

}  // namespace lapidary
