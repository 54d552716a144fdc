// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/compare.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "kernels/dispatch.h"
#include "proof/changed_answers.h"

namespace lapidary {
namespace {

/// Factors of Tolerance::by_magnitude, by element type.
double weight_of_magnitude(DType dtype) {
    switch (dtype) {
    case DType::f32:
    case DType::f64: return 0.1;
    case DType::f16: return 4;
    case DType::bf16: return 16;
    default: return is_float(dtype) ? 16 : 0;
    }
}

bool has_real_numbers(DType dtype) {
    return dtype != DType::undefined && dtype != DType::string && dtype != DType::complex64 &&
           dtype != DType::complex128;
}

/// True for 8-bit values that are levels of a quantizer rather than flags or labels.
bool are_levels(const Tensor& tensor) {
    if (tensor.dtype() != DType::u8 && tensor.dtype() != DType::i8) return false;
    const std::vector<double> values = to_doubles(tensor);
    const auto [low, high] = std::ranges::minmax_element(values);
    return !values.empty() && *high - *low >= 15;
}

/// Two numbers and their index.
struct Pair {
    double actual = 0, expected = 0;
    std::size_t at = 0;
};

/// Gathers element differences of one value; sequences and maps add theirs to the same sums.
class Differences {
public:
    explicit Differences(const Tolerance& tolerance) : tolerance_(tolerance) {}

    void fail(const std::string& place, const std::string& reason) {
        is_comparable_ = false;
        if (result_.reason.empty()) result_.reason = place.empty() ? reason : place + ": " + reason;
    }

    /// `allowed()` is what the two may differ by; asked only where they differ.
    template <typename Allowed>
    void add(const Pair& pair, double difference, Allowed&& allowed) {
        const auto [actual, expected, at] = pair;
        ++result_.elements;
        if (std::isfinite(expected))
            result_.magnitude = std::max(result_.magnitude, std::abs(expected));
        if (!std::isfinite(actual) || !std::isfinite(expected)) {
            if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return;
            mismatch(at, std::numeric_limits<double>::infinity());
            result_.max_abs = result_.max_rel = noise_ = std::numeric_limits<double>::infinity();
            return;
        }
        signal_ += expected * expected;
        actual_power_ += actual * actual;
        product_ += actual * expected;
        if (difference == 0) return;
        result_.max_abs = std::max(result_.max_abs, difference);
        if (expected != 0)
            result_.max_rel = std::max(result_.max_rel, difference / std::abs(expected));
        noise_ += difference * difference;
        if (!(difference <= allowed())) mismatch(at, difference);
    }

    void add_exact(bool equal, std::size_t at) {
        ++result_.elements;
        if (!equal) mismatch(at, 0);
    }

    const Tolerance& tolerance() const { return tolerance_; }

    /// Ends a tensor. `describe(at)` describes the element with both its values.
    template <typename Describe>
    void end(Describe&& describe) {
        if (is_worst_here_) worst_text_ = describe(worst_at_);
        is_worst_here_ = false;
    }

    Comparison finish() {
        result_.matches = is_comparable_ && result_.mismatches == 0;
        const double infinity = std::numeric_limits<double>::infinity();
        if (noise_ == 0) result_.sqnr_db = infinity;
        else
            result_.sqnr_db =
                signal_ == 0 || std::isinf(noise_) ? -infinity : 10 * std::log10(signal_ / noise_);
        if (signal_ == 0 && actual_power_ == 0) result_.cosine = 1;
        else if (signal_ == 0 || actual_power_ == 0) result_.cosine = 0;
        else
            result_.cosine =
                std::clamp(product_ / (std::sqrt(signal_) * std::sqrt(actual_power_)), -1.0, 1.0);
        if (!is_comparable_ && result_.elements == 0)
            result_.sqnr_db = -infinity, result_.cosine = 0;
        if (result_.reason.empty() && result_.mismatches > 0) result_.reason = mismatch_text();
        return result_;
    }

private:
    void mismatch(std::size_t at, double difference) {
        ++result_.mismatches;
        if (worst_ && difference <= *worst_) return;
        worst_ = difference;
        worst_at_ = at;
        is_worst_here_ = true;
    }

    std::string mismatch_text() const {
        const std::string text = std::to_string(result_.mismatches) + " of " +
                                 std::to_string(result_.elements) + " elements differ, most at " +
                                 worst_text_;
        if (!std::isfinite(result_.sqnr_db) || *worst_ == 0) return text;
        return text +
               fmt::format("; the largest magnitude is {:.4g}, SQNR {:.1f} dB, cosine {:.6f}",
                           result_.magnitude, result_.sqnr_db, result_.cosine);
    }

    Tolerance tolerance_;
    Comparison result_;
    std::optional<double> worst_;  // largest difference that is too large
    std::size_t worst_at_ = 0;
    bool is_worst_here_ = false;  // it stands in the tensor that is being added
    std::string worst_text_;
    bool is_comparable_ = true;
    double noise_ = 0, signal_ = 0, actual_power_ = 0, product_ = 0;
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
std::string pair_text(const std::string& place, std::size_t i, const Shape& shape, const T& actual,
                      const T& expected) {
    return (place.empty() ? "" : place + " ") + index_text(i, shape) + ": " + number_text(actual) +
           ", expected " + number_text(expected);
}

/// The tolerance that all elements of a tensor have in addition to rtol * |expected|.
double allowed_by_tensor(const Tolerance& t, const Tensor& expected) {
    const double usual = usual_magnitude(expected);
    const double by_usual =
        t.by_magnitude ? t.rtol * weight_of_magnitude(expected.dtype()) * usual : 0;
    const bool is_fine = expected.dtype() == DType::f32 || expected.dtype() == DType::f64;
    if (!t.scales_atol || !is_fine || usual == 0) return t.atol + by_usual;
    double largest = 0;
    dispatch<TypeList<float, double>>(expected.dtype(), [&]<typename T>() {
        for (const T value : expected.data<T>())
            if (std::isfinite(value))
                largest = std::max(largest, std::abs(static_cast<double>(value)));
    });
    constexpr double epsilon = std::numeric_limits<float>::epsilon();
    return std::min(t.atol, std::max({t.rtol * usual, 8 * epsilon * largest, 4 * epsilon})) +
           by_usual;
}

/// Elements `a(i)` and `e(i)` of a tensor of floats; `shared()`: what all of them may differ by,
/// asked for once and only where it is needed.
template <typename Actual, typename Expected, typename Shared>
void compare_floats(Differences& result, const std::string& place, const Shape& shape,
                    std::size_t count, Actual&& a, Expected&& e, Shared&& shared) {
    const Tolerance& t = result.tolerance();
    std::optional<double> of_all;
    for (std::size_t i = 0; i < count; ++i) {
        const double actual = a(i), expected = e(i), difference = std::abs(actual - expected);
        result.add({actual, expected, i}, difference, [&] {
            const double own = t.further + t.rtol * std::abs(expected);
            if (difference <= own) return own;
            if (!of_all) of_all = shared();
            return own + *of_all;
        });
    }
    result.end([&](std::size_t i) { return pair_text(place, i, shape, a(i), e(i)); });
}

/// Integers and booleans: equal, or apart by no more than the absolute tolerance.
template <typename T>
void compare_integers(Differences& result, const std::string& place, const Tensor& actual,
                      const Tensor& expected) {
    const auto a = actual.data<T>(), e = expected.data<T>();
    double allowed = std::is_same_v<T, bool> ? 0 : std::floor(result.tolerance().atol);
    if (result.tolerance().by_magnitude && allowed < 1 && are_levels(expected)) allowed = 1;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto wide_a = static_cast<__int128>(a[i]), wide_e = static_cast<__int128>(e[i]);
        const double difference =
            static_cast<double>(wide_a > wide_e ? wide_a - wide_e : wide_e - wide_a);
        result.add({static_cast<double>(a[i]), static_cast<double>(e[i]), i}, difference,
                   [&] { return allowed; });
    }
    result.end([&](std::size_t i) { return pair_text(place, i, actual.shape(), +a[i], +e[i]); });
}

template <typename T>
void compare_complex(Differences& result, const std::string& place, const Tensor& actual,
                     const Tensor& expected) {
    const auto a = actual.data<std::complex<T>>(), e = expected.data<std::complex<T>>();
    const auto atol = [&] { return result.tolerance().atol; };
    compare_floats(
        result, place + " real part", actual.shape(), a.size(),
        [&](std::size_t i) { return a[i].real(); }, [&](std::size_t i) { return e[i].real(); },
        atol);
    compare_floats(
        result, place + " imaginary part", actual.shape(), a.size(),
        [&](std::size_t i) { return a[i].imag(); }, [&](std::size_t i) { return e[i].imag(); },
        atol);
}

void compare_strings(Differences& result, const std::string& place, const Tensor& actual,
                     const Tensor& expected) {
    const auto a = actual.data<std::string>(), e = expected.data<std::string>();
    for (std::size_t i = 0; i < a.size(); ++i) result.add_exact(a[i] == e[i], i);
    result.end([&](std::size_t i) {
        return pair_text(place, i, actual.shape(), quote(a[i]), quote(e[i]));
    });
}

/// Types that hold no C++ numbers: float8, float4, integers of 4 bits.
void compare_packed(Differences& result, const std::string& place, const Tensor& actual,
                    const Tensor& expected) {
    const std::vector<double> a = to_doubles(actual), e = to_doubles(expected);
    const auto at = [](const std::vector<double>& values) {
        return [&](std::size_t i) { return values[i]; };
    };
    if (is_float(actual.dtype()))
        return compare_floats(result, place, actual.shape(), a.size(), at(a), at(e),
                              [&] { return allowed_by_tensor(result.tolerance(), expected); });
    for (std::size_t i = 0; i < a.size(); ++i)
        result.add({a[i], e[i], i}, std::abs(a[i] - e[i]),
                   [&] { return std::floor(result.tolerance().atol); });
    result.end([&](std::size_t i) { return pair_text(place, i, actual.shape(), a[i], e[i]); });
}

void compare_tensors(Differences& result, const std::string& place, const Tensor& actual,
                     const Tensor& expected) {
    if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape()) {
        result.fail(place, std::string(name_of(actual.dtype())) + to_string(actual.shape()) +
                               ", expected " + std::string(name_of(expected.dtype())) +
                               to_string(expected.shape()));
        return;
    }
    const auto floats = [&]<typename T>(T) {
        const auto a = actual.data<T>(), e = expected.data<T>();
        compare_floats(
            result, place, actual.shape(), a.size(),
            [&](std::size_t i) { return static_cast<double>(a[i]); },
            [&](std::size_t i) { return static_cast<double>(e[i]); },
            [&] { return allowed_by_tensor(result.tolerance(), expected); });
    };
    switch (actual.dtype()) {
    case DType::undefined: return;
    case DType::string: return compare_strings(result, place, actual, expected);
    case DType::f32: return floats(float{});
    case DType::f64: return floats(double{});
    case DType::f16: return floats(Half{});
    case DType::bf16: return floats(BFloat16{});
    case DType::complex64: return compare_complex<float>(result, place, actual, expected);
    case DType::complex128: return compare_complex<double>(result, place, actual, expected);
    case DType::boolean: return compare_integers<bool>(result, place, actual, expected);
    default: break;
    }
    if (!is_integer(actual.dtype()) || is_packed(actual.dtype()))
        return compare_packed(result, place, actual, expected);
    dispatch<IntegerTypes>(actual.dtype(), [&]<typename T>() {
        compare_integers<T>(result, place, actual, expected);
    });
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

void compare_maps(Differences& result, const std::string& place, const Map& actual,
                  const Map& expected) {
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
        const auto order = actual.int_keys.empty()
                               ? reordered(actual.string_keys, expected.string_keys)
                               : reordered(actual.int_keys, expected.int_keys);
        const std::size_t count = std::max(actual.int_keys.size(), actual.string_keys.size());
        if (order.size() != count ||
            count != std::max(expected.int_keys.size(), expected.string_keys.size())) {
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
            result.fail(place, "a sequence of " + std::to_string(a.size()) + " items, expected " +
                                   std::to_string(e.size()));
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

double Comparison::relative() const {
    if (max_abs == 0) return 0;
    return magnitude > 0 ? max_abs / magnitude : std::numeric_limits<double>::infinity();
}

double usual_magnitude(const Tensor& tensor) {
    if (!has_real_numbers(tensor.dtype())) return 0;
    const auto usual = []<typename T>(std::vector<T> sizes) {
        for (T& v : sizes) v = std::abs(v);
        std::erase_if(sizes, [](T v) { return v == 0 || !std::isfinite(v); });
        if (sizes.empty()) return 0.0;
        const double largest = *std::ranges::max_element(sizes);
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::ranges::nth_element(sizes, middle);
        return std::min(largest, 4 * static_cast<double>(*middle));
    };
    if (tensor.dtype() != DType::f32) return usual(to_doubles(tensor));
    // half the memory, for large values inside of models
    const auto elements = tensor.data<float>();
    return usual(std::vector<float>(elements.begin(), elements.end()));
}

Comparison compare(const RuntimeValue& actual, const RuntimeValue& expected,
                   const Tolerance& tolerance) {
    Differences result(tolerance);
    compare_values(result, "", actual, expected);
    return result.finish();
}

namespace {

bool are_floats(const RuntimeValue& value) {
    return value.is_tensor() && is_float(value.tensor().dtype());
}

}  // namespace

std::vector<OutputComparison> compare_outputs(const NamedValues& actual,
                                              const NamedValues& expected,
                                              const Tolerance& tolerance) {
    std::vector<OutputComparison> results;
    const auto lacks = [&](const std::string& name, std::string_view which) {
        results.push_back({name, {}});
        results.back().comparison.reason =
            "the " + std::string(which) + " model has no output of this name";
    };
    for (const auto& [name, value] : expected) {
        const RuntimeValue* const found = find(actual, name);
        if (!found) {
            lacks(name, "second");
            continue;
        }
        OutputComparison& result =
            results.emplace_back(OutputComparison{name, compare(*found, value, tolerance)});
        if (!are_floats(*found) || !are_floats(value)) continue;
        const AnswerCounts counts = count_answers(name, found->tensor(), value.tensor());
        result.answers = counts.all;
        result.changed_answers = counts.changed;
    }
    for (const auto& [name, value] : actual)
        if (!find(expected, name)) lacks(name, "first");
    return results;
}

}  // namespace lapidary
