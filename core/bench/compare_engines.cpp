// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <lapidary/bench.h>
#include <lapidary/compare.h>
#include <lapidary/error.h>

namespace lapidary {
namespace {

/// Largest difference and magnitude of two float tensors of one shape; NaN and infinities must be at the same places.
struct FloatDifference {
    double difference = 0, magnitude = 0;
    bool same_specials = true;
};

FloatDifference float_difference(const Tensor& a, const Tensor& b) {
    const std::vector<double> x = to_doubles(a), y = to_doubles(b);
    FloatDifference found;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isfinite(x[i]) && std::isfinite(y[i])) {
            found.difference = std::max(found.difference, std::abs(x[i] - y[i]));
            found.magnitude = std::max(found.magnitude, std::abs(y[i]));
        } else if (!(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))) {
            found.same_specials = false;
        }
    }
    return found;
}

void compare_output(const std::string& name, const RuntimeValue& ours, const RuntimeValue& theirs, const BenchOptions& options,
                    OutputDifference& result) {
    if (theirs.is_empty() || !ours.is_tensor() || !theirs.is_tensor()) return;  // not handed out by the other engine
    const auto differs = [&](std::string how) {
        result.matches = false;
        if (result.reason.empty()) result.reason = "output " + quote(name) + ": " + std::move(how);
    };
    const Tensor &a = ours.tensor(), &b = theirs.tensor();
    if (a.dtype() != b.dtype() || a.shape() != b.shape()) return differs(ours.describe() + ", ONNX Runtime has " + theirs.describe());
    if (is_float(a.dtype())) {
        const FloatDifference found = float_difference(a, b);
        if (found.magnitude > 0) result.relative = std::max(result.relative, found.difference / found.magnitude);
        if (!found.same_specials) return differs("NaN or infinities at other places");
        if (found.difference > options.atol + options.rtol * found.magnitude)
            differs("differs by " + std::to_string(found.difference) + " where the largest magnitude is " + std::to_string(found.magnitude));
        return;
    }
    const bool is_byte = a.dtype() == DType::u8 || a.dtype() == DType::i8;
    const Comparison found = compare(ours, theirs, {0, is_byte ? 1.0 : 0.0});
    if (!found.matches) differs(found.reason);
}

}  // namespace

OutputDifference compare_engines(const NamedValues& ours, const NamedValues& theirs, const BenchOptions& options) {
    OutputDifference result;
    for (const auto& [name, value] : theirs)
        if (const RuntimeValue* own = find(ours, name)) compare_output(name, *own, value, options, result);
    return result;
}

}  // namespace lapidary
