// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr std::array<std::pair<RangeMethod, std::string_view>, 4> methods{
    {{RangeMethod::minmax, "minmax"},
     {RangeMethod::percentile, "percentile"},
     {RangeMethod::entropy, "entropy"},
     {RangeMethod::mse, "mse"}}};

double bin_width(const ObservedTensor& t) {
    return (static_cast<double>(t.top()) - t.bottom()) / static_cast<double>(t.histogram.size());
}

RealRange percentile_range(const ObservedTensor& t, double percentile) {
    double total = 0;
    for (std::uint64_t n : t.histogram) total += static_cast<double>(n);
    const double cut = total * (1 - percentile / 100) / 2, width = bin_width(t);
    const auto bins_cut = [&](auto begin, auto end) {
        double passed = 0;
        std::size_t bins = 0;
        for (auto at = begin; at != end && passed + static_cast<double>(*at) <= cut; ++at, ++bins)
            passed += static_cast<double>(*at);
        return static_cast<double>(bins);
    };
    const double low = t.bottom() + bins_cut(t.histogram.begin(), t.histogram.end()) * width;
    const double high = t.top() - bins_cut(t.histogram.rbegin(), t.histogram.rend()) * width;
    return {static_cast<float>(std::min(low, 0.0)), static_cast<float>(std::max(high, 0.0))};
}

/// Sum of |error|^exponent if [low, high] is quantized to so many levels.
class HistogramError {
public:
    HistogramError(const ObservedTensor& t, const RangeOptions& options) : options_(options) {
        const double width = bin_width(t);
        for (std::size_t i = 0; i < t.histogram.size(); ++i)
            if (t.histogram[i] > 0)
                bins_.emplace_back(t.bottom() + (static_cast<double>(i) + 0.5) * width,
                                   static_cast<double>(t.histogram[i]));
    }
    double operator()(double low, double high) const {
        if (options_.symmetric) {
            high = std::max(-low, high);
            low = -high;
        }
        const double steps = options_.levels - (options_.symmetric ? 2 : 1),
                     scale = (high - low) / steps;
        if (!(scale > 0)) return std::numeric_limits<double>::infinity();
        const double zero = std::nearbyint(-low / scale);
        double sum = 0;
        for (const auto& [value, weight] : bins_) {
            const double stored = std::clamp(std::nearbyint(value / scale) + zero, 0.0, steps);
            sum += weight * std::pow(std::abs((stored - zero) * scale - value), options_.exponent);
        }
        return sum;
    }

private:
    const RangeOptions& options_;
    std::vector<std::pair<double, double>> bins_;  // centre, elements
};

RealRange mse_range(const ObservedTensor& t, const RangeOptions& options) {
    constexpr int shares = 35, steps = 21, rounds = 2;
    constexpr double least_share = 0.15, slack = 1.0001;
    const HistogramError error(t, options);
    const double bottom = t.bottom(), top = t.top();
    double low = bottom, high = top, best = error(low, high);
    const auto attempt = [&](double a, double b) {
        if (a < bottom * slack || b > top * slack) return;
        if (const double found = error(a, b); found < best) {
            best = found;
            low = a;
            high = b;
        }
    };
    for (int i = 1; i < shares; ++i) {
        const double share = 1 - (1 - least_share) * i / (shares - 1);
        attempt(bottom * share, top * share);
    }
    for (int round = 0; round < rounds; ++round) {
        const double from_high = high, from_low = low;
        for (int i = 0; i < steps; ++i)
            attempt(from_low, from_high * (0.5 + static_cast<double>(i) / (steps - 1)));
        attempt(from_low, top);
        const double kept_high = high;
        for (int i = 0; i < steps; ++i)
            attempt(from_low * (0.5 + static_cast<double>(i) / (steps - 1)), kept_high);
        attempt(bottom, kept_high);
    }
    return {static_cast<float>(low), static_cast<float>(high)};
}

/// Divergence of the bins [begin, end), what lies outside counted at its ends, from the same in
/// `levels` steps.
double divergence(const std::vector<std::uint64_t>& histogram, std::size_t begin, std::size_t end,
                  std::size_t levels) {
    const std::size_t kept = end - begin;
    std::vector<double> p(kept), q(kept, 0);
    for (std::size_t i = 0; i < histogram.size(); ++i)
        p[std::clamp(i, begin, end - 1) - begin] += static_cast<double>(histogram[i]);
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t from = level * kept / levels, to = (level + 1) * kept / levels;
        double sum = 0, filled = 0;
        for (std::size_t i = from; i < to; ++i) {
            sum += static_cast<double>(histogram[begin + i]);
            filled += p[i] > 0;
        }
        for (std::size_t i = from; i < to; ++i)
            if (p[i] > 0) q[i] = sum / filled;
    }
    double p_sum = 0, q_sum = 0;
    for (std::size_t i = 0; i < kept; ++i) p_sum += p[i], q_sum += q[i];
    if (!(q_sum > 0)) return std::numeric_limits<double>::infinity();
    constexpr double least = 1e-10;  // in place of a 0 whose logarithm there is none of
    double sum = 0;
    for (std::size_t i = 0; i < kept; ++i)
        if (p[i] > 0) sum += p[i] / p_sum * std::log(p[i] / p_sum / std::max(q[i] / q_sum, least));
    return sum;
}

RealRange entropy_range(const ObservedTensor& t, const RangeOptions& options) {
    const std::size_t bins = t.histogram.size(),
                      levels =
                          std::min<std::size_t>(static_cast<std::size_t>(options.levels), bins);
    const double bottom = t.bottom(), top = t.top(), width = bin_width(t);
    const auto zero = static_cast<std::size_t>(
        std::clamp(std::nearbyint(-bottom / width), 0.0, static_cast<double>(bins)));
    RealRange best{t.bottom(), t.top()};
    double least = divergence(t.histogram, 0, bins, levels);
    constexpr std::size_t step = 8;
    for (std::size_t kept = levels; kept < bins; kept += step) {
        const std::size_t begin = zero - zero * kept / bins, end = std::min(bins, begin + kept);
        if (end <= begin) continue;
        const double found = divergence(t.histogram, begin, end, levels);
        if (found >= least) continue;
        least = found;
        best = {static_cast<float>(bottom + static_cast<double>(begin) * width),
                static_cast<float>(bottom + static_cast<double>(end) * width)};
    }
    return {std::max(std::min(best.low, 0.0f), t.bottom()),
            std::min(std::max(best.high, 0.0f), static_cast<float>(top))};
}

RealRange chosen_range(const ObservedTensor& tensor, const RangeOptions& options) {
    if (options.method == RangeMethod::minmax || tensor.histogram.empty())
        return {tensor.low, tensor.high};
    switch (options.method) {
    case RangeMethod::percentile: return percentile_range(tensor, options.percentile);
    case RangeMethod::entropy: return entropy_range(tensor, options);
    default: return mse_range(tensor, options);
    }
}

}  // namespace

std::string_view name_of(RangeMethod method) {
    return std::ranges::find(methods, method, &decltype(methods)::value_type::first)->second;
}

std::optional<RangeMethod> range_method_from_name(std::string_view name) {
    const auto at = std::ranges::find(methods, name, &decltype(methods)::value_type::second);
    return at == methods.end() ? std::nullopt : std::optional(at->first);
}

RealRange choose_range(const ObservedTensor& tensor, const RangeOptions& options) {
    if (!(options.percentile > 0 && options.percentile <= 100))
        fail_input("a percentile lies above 0 and at most at 100");
    if (options.levels < 4 || !(options.exponent > 0))
        fail_input("a range is chosen for at least 4 levels and an exponent above 0");
    if (!(options.headroom >= 0 && options.headroom <= 1))
        fail_input("the headroom of a range is a share from 0 to 1");
    const RealRange range = chosen_range(tensor, options);
    if (options.headroom == 0) return range;
    constexpr double most = std::numeric_limits<float>::max();
    const auto wider = [&](float end) {
        return static_cast<float>(
            std::clamp(static_cast<double>(end) * (1 + options.headroom), -most, most));
    };
    // Ends move away from 0; an end on the other side of 0 stays.
    return {range.low < 0 ? wider(range.low) : range.low,
            range.high > 0 ? wider(range.high) : range.high};
}

}  // namespace lapidary
