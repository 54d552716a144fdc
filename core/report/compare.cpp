// SPDX-License-Identifier: Apache-2.0
#include <lapidary/compare.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <sstream>

#include <lapidary/error.h>

#include "kernels/dispatch.h"

namespace lapidary {
namespace {

/// Gathers element differences of one value; sequences and maps add theirs to the same sums.
class Differences {
public:
    explicit Differences(const Tolerance& tolerance) : tolerance_(tolerance) {}

    void fail(const std::string& place, const std::string& reason) {
        is_comparable_ = false;
        if (result_.reason.empty()) result_.reason = place.empty() ? reason : place + ": " + reason;
    }

    /// Two numbers; `allowed` is what they may differ by.
    template <typename Describe>
    void add(double actual, double expected, double difference, double allowed, Describe&& describe) {
        ++result_.elements;
        const bool same_special =
            (std::isnan(actual) && std::isnan(expected)) || (!std::isfinite(actual) && actual == expected);
        if (!std::isfinite(actual) || !std::isfinite(expected)) {
            if (!same_special) {
                mismatch(describe);
                max_abs_ = max_rel_ = std::numeric_limits<double>::infinity();
                noise_ = std::numeric_limits<double>::infinity();
            }
            return;
        }
        max_abs_ = std::max(max_abs_, difference);
        if (expected != 0) max_rel_ = std::max(max_rel_, difference / std::abs(expected));
        noise_ += difference * difference;
        signal_ += expected * expected;
        actual_power_ += actual * actual;
        product_ += actual * expected;
        if (!(difference <= allowed)) mismatch(describe);
    }

    template <typename Describe>
    void add_exact(bool equal, Describe&& describe) {
        ++result_.elements;
        if (!equal) mismatch(describe);
    }

    const Tolerance& tolerance() const { return tolerance_; }

    Comparison finish() {
        result_.matches = is_comparable_ && result_.mismatches == 0;
        if (result_.reason.empty() && result_.mismatches > 0)
            result_.reason = std::to_string(result_.mismatches) + " of " + std::to_string(result_.elements) +
                             " elements differ, the first at " + first_mismatch_;
        result_.max_abs = max_abs_;
        result_.max_rel = max_rel_;
        const double infinity = std::numeric_limits<double>::infinity();
        if (noise_ == 0) result_.sqnr_db = infinity;
        else result_.sqnr_db = signal_ == 0 || std::isinf(noise_) ? -infinity : 10 * std::log10(signal_ / noise_);
        if (signal_ == 0 && actual_power_ == 0) result_.cosine = 1;
        else if (signal_ == 0 || actual_power_ == 0) result_.cosine = 0;
        else result_.cosine = std::clamp(product_ / (std::sqrt(signal_) * std::sqrt(actual_power_)), -1.0, 1.0);
        if (!is_comparable_ && result_.elements == 0) result_.sqnr_db = -infinity, result_.cosine = 0;
        return result_;
    }

private:
    template <typename Describe>
    void mismatch(Describe&& describe) {
        ++result_.mismatches;
        if (first_mismatch_.empty()) first_mismatch_ = describe();
    }

    Tolerance tolerance_;
    Comparison result_;
    std::string first_mismatch_;
    bool is_comparable_ = true;
    double max_abs_ = 0, max_rel_ = 0, noise_ = 0, signal_ = 0, actual_power_ = 0, product_ = 0;
};

std::string index_text(std::size_t flat, const Shape& shape) {
    std::string text = "]";
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        const auto dim = static_cast<std::size_t>(shape[axis]);
        text = std::to_string(flat % dim) + (text == "]" ? "" : ",") + text;
        flat /= dim;
    }
    return "[" + text;
}

template <typename T>
std::string number_text(const T& value) {
    std::ostringstream text;
    text.precision(9);
    text << value;
    return text.str();
}

template <typename T>
std::string pair_text(const std::string& place, std::size_t i, const Shape& shape, const T& actual, const T& expected) {
    return (place.empty() ? "" : place + " ") + index_text(i, shape) + ": " + number_text(actual) + ", expected " +
           number_text(expected);
}

void compare_floats(Differences& result, const std::string& place, const Shape& shape, std::size_t i, double a,
                    double e) {
    const Tolerance& t = result.tolerance();
    result.add(a, e, std::abs(a - e), t.atol + t.rtol * std::abs(e), [&] { return pair_text(place, i, shape, a, e); });
}

/// Integers and booleans: equal, or apart by no more than the absolute tolerance.
template <typename T>
void compare_integers(Differences& result, const std::string& place, const Tensor& actual, const Tensor& expected) {
    const auto a = actual.data<T>(), e = expected.data<T>();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto wide_a = static_cast<__int128>(a[i]), wide_e = static_cast<__int128>(e[i]);
        const double difference = static_cast<double>(wide_a > wide_e ? wide_a - wide_e : wide_e - wide_a);
        const double allowed = std::is_same_v<T, bool> ? 0 : std::floor(result.tolerance().atol);
        result.add(static_cast<double>(a[i]), static_cast<double>(e[i]), difference, allowed,
                   [&] { return pair_text(place, i, actual.shape(), +a[i], +e[i]); });
    }
}

template <typename T>
void compare_complex(Differences& result, const std::string& place, const Tensor& actual, const Tensor& expected) {
    const auto a = actual.data<std::complex<T>>(), e = expected.data<std::complex<T>>();
    for (std::size_t i = 0; i < a.size(); ++i) {
        compare_floats(result, place + " real part", actual.shape(), i, a[i].real(), e[i].real());
        compare_floats(result, place + " imaginary part", actual.shape(), i, a[i].imag(), e[i].imag());
    }
}

void compare_tensors(Differences& result, const std::string& place, const Tensor& actual, const Tensor& expected) {
    if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape()) {
        result.fail(place, std::string(name_of(actual.dtype())) + to_string(actual.shape()) + ", expected " +
                               std::string(name_of(expected.dtype())) + to_string(expected.shape()));
        return;
    }
    const auto floats = [&]<typename T>(T) {
        const auto a = actual.data<T>(), e = expected.data<T>();
        for (std::size_t i = 0; i < a.size(); ++i)
            compare_floats(result, place, actual.shape(), i, static_cast<double>(a[i]), static_cast<double>(e[i]));
    };
    switch (actual.dtype()) {
        case DType::undefined: return;
        case DType::string: {
            const auto a = actual.data<std::string>(), e = expected.data<std::string>();
            for (std::size_t i = 0; i < a.size(); ++i)
                result.add_exact(a[i] == e[i],
                                 [&] { return pair_text(place, i, actual.shape(), quote(a[i]), quote(e[i])); });
            return;
        }
        case DType::f32: floats(float{}); return;
        case DType::f64: floats(double{}); return;
        case DType::f16: floats(Half{}); return;
        case DType::bf16: floats(BFloat16{}); return;
        case DType::complex64: compare_complex<float>(result, place, actual, expected); return;
        case DType::complex128: compare_complex<double>(result, place, actual, expected); return;
        case DType::boolean: compare_integers<bool>(result, place, actual, expected); return;
        default: break;
    }
    if (is_integer(actual.dtype()) && !is_packed_4bit(actual.dtype())) {
        dispatch<IntegerTypes>(actual.dtype(),
                               [&]<typename T>() { compare_integers<T>(result, place, actual, expected); });
        return;
    }
    const std::vector<double> a = to_doubles(actual), e = to_doubles(expected);  // float8, float4, 4-bit integers
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (is_float(actual.dtype())) compare_floats(result, place, actual.shape(), i, a[i], e[i]);
        else
            result.add(a[i], e[i], std::abs(a[i] - e[i]), std::floor(result.tolerance().atol),
                       [&] { return pair_text(place, i, actual.shape(), a[i], e[i]); });
    }
}

/// Elements of a 1-D tensor in another order.
Tensor picked(const Tensor& values, const std::vector<std::int64_t>& order) {
    Tensor result(values.dtype(), {static_cast<std::int64_t>(order.size())});
    dispatch_by_width(values.dtype(), [&]<typename T>() {
        const auto* from = static_cast<const T*>(values.raw());
        auto* to = static_cast<T*>(result.mutable_raw());
        for (std::size_t i = 0; i < order.size(); ++i) to[i] = from[order[i]];
    });
    return result;
}

void compare_maps(Differences& result, const std::string& place, const Map& actual, const Map& expected) {
    if (actual.int_keys != expected.int_keys || actual.string_keys != expected.string_keys) {
        // the same keys in another order are the same map
        const auto reordered = [&](const auto& keys, const auto& wanted) {
            std::vector<std::int64_t> order;
            for (const auto& key : wanted) {
                const auto at = std::find(keys.begin(), keys.end(), key);
                if (at == keys.end()) return std::vector<std::int64_t>{};
                order.push_back(at - keys.begin());
            }
            return order;
        };
        const auto order = actual.int_keys.empty() ? reordered(actual.string_keys, expected.string_keys)
                                                   : reordered(actual.int_keys, expected.int_keys);
        const std::size_t count = std::max(actual.int_keys.size(), actual.string_keys.size());
        if (order.size() != count || count != std::max(expected.int_keys.size(), expected.string_keys.size())) {
            result.fail(place, "the keys of the map differ");
            return;
        }
        compare_tensors(result, place, picked(actual.values, order), expected.values);
        return;
    }
    compare_tensors(result, place, actual.values, expected.values);
}

void compare_values(Differences& result, const std::string& place, const RuntimeValue& actual,
                    const RuntimeValue& expected) {
    if (actual.is_tensor() && expected.is_tensor()) {
        compare_tensors(result, place, actual.tensor(), expected.tensor());
    } else if (actual.is_sequence() && expected.is_sequence()) {
        const auto& a = actual.sequence().items;
        const auto& e = expected.sequence().items;
        if (a.size() != e.size()) {
            result.fail(place,
                        "a sequence of " + std::to_string(a.size()) + " items, expected " + std::to_string(e.size()));
            return;
        }
        for (std::size_t i = 0; i < a.size(); ++i)
            compare_values(result, place + "item " + std::to_string(i), a[i], e[i]);
    } else if (actual.is_map() && expected.is_map()) {
        compare_maps(result, place, actual.map(), expected.map());
    } else if (!(actual.is_empty() && expected.is_empty())) {
        result.fail(place, actual.describe() + ", expected " + expected.describe());
    }
}

}  // namespace

Comparison compare(const RuntimeValue& actual, const RuntimeValue& expected, const Tolerance& tolerance) {
    Differences result(tolerance);
    compare_values(result, "", actual, expected);
    return result.finish();
}

}  // namespace lapidary
