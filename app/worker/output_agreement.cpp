// SPDX-License-Identifier: Apache-2.0
#include "worker/output_agreement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <lapidary/compare.h>
#include <lapidary/error.h>

namespace lapidary::app {
namespace {

constexpr double agreed_share = 1e-3;

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

bool has_numbers(DType dtype) { return dtype != DType::string && dtype != DType::complex64 && dtype != DType::complex128; }

struct Differences {
    double largest = 0, magnitude = 0;
    std::size_t at = 0;               // of the largest
    bool same_specials = true;        // NaN and infinities at the same places
};

Differences differences(const std::vector<double>& a, const std::vector<double>& b) {
    Differences found;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isfinite(a[i])) found.magnitude = std::max(found.magnitude, std::abs(a[i]));
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
            if (!(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))) found.same_specials = false;
        } else if (const double difference = std::abs(a[i] - b[i]); difference > found.largest) {
            found.largest = difference;
            found.at = i;
        }
    }
    return found;
}

void compare_numbers(const Tensor& a, const Tensor& b, OutputAgreement& result) {
    const std::vector<double> x = to_doubles(a), y = to_doubles(b);
    const Differences found = differences(x, y);
    result.largest = found.largest;
    result.relative = found.magnitude > 0 ? found.largest / found.magnitude : found.largest > 0 ? 1 : 0;
    const bool is_byte = a.dtype() == DType::u8 || a.dtype() == DType::i8;
    const double allowed = is_float(a.dtype()) ? agreed_share * found.magnitude : is_byte ? 1 : 0;
    if (!found.same_specials) result.reason = "NaN or infinities are at other places";
    else if (found.largest > allowed)
        result.reason = "element " + std::to_string(found.at) + " is " + number(x[found.at]) + " and " + number(y[found.at]) + "; the largest magnitude is " + number(found.magnitude);
    result.matches = result.reason.empty();
}

}  // namespace

std::vector<OutputAgreement> output_agreements(const NamedValues& a, const NamedValues& b) {
    std::vector<OutputAgreement> results;
    for (const auto& [name, value] : a) {
        OutputAgreement& result = results.emplace_back();
        result.output = name;
        result.matches = false;
        const RuntimeValue* const other = find(b, name);
        if (other == nullptr) {
            result.reason = "the other model has no such output";
        } else if (value.is_tensor() && other->is_tensor() && has_numbers(value.tensor().dtype())) {
            const Tensor &x = value.tensor(), &y = other->tensor();
            if (x.dtype() != y.dtype() || x.shape() != y.shape()) result.reason = value.describe() + " and " + other->describe();
            else compare_numbers(x, y, result);
        } else {
            const Comparison comparison = compare(*other, value, {agreed_share, 0});
            result.matches = comparison.matches;
            result.reason = comparison.reason;
        }
    }
    return results;
}

}  // namespace lapidary::app
