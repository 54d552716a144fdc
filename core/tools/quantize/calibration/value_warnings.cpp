// SPDX-License-Identifier: Apache-2.0
#include "quantize/calibration/value_warnings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr std::size_t reported = 5;
constexpr double outlier_share = 1e-4, outlier_ratio = 10;

/// The magnitude below which all elements but a share of `outlier_share` lie, by the histogram; 0:
/// not known.
double usual_peak(const ObservedTensor& tensor) {
    if (tensor.histogram.empty()) return 0;
    const double bottom = tensor.bottom(),
                 width = (static_cast<double>(tensor.top()) - bottom) / histogram_bins;
    std::vector<std::pair<double, std::uint64_t>> bins;  // by the larger magnitude of their ends
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < histogram_bins; ++i) {
        const double low = bottom + width * static_cast<double>(i);
        bins.emplace_back(std::max(std::abs(low), std::abs(low + width)), tensor.histogram[i]);
        all += tensor.histogram[i];
    }
    std::ranges::sort(bins);
    const double wanted = (1 - outlier_share) * static_cast<double>(all);
    double below = 0;
    for (const auto& [magnitude, count] : bins)
        if ((below += static_cast<double>(count)) >= wanted) return magnitude;
    return 0;
}

/// Adds the texts that are not empty, and the number of those left out.
template <typename TextOf>
void warn(const Calibration& calibration, std::vector<std::string>& notes, const char* more,
          TextOf text_of) {
    std::size_t count = 0;
    for (const ObservedTensor& tensor : calibration.tensors) {
        const std::string text = text_of(tensor);
        if (text.empty()) continue;
        if (++count <= reported) notes.push_back("value " + quote(tensor.name) + " " + text);
    }
    if (count > reported) notes.push_back(fmt::format("{} more {}", count - reported, more));
}

}  // namespace

void warn_of_values(const Calibration& calibration, std::vector<std::string>& notes) {
    warn(calibration, notes, "values had elements that are not finite",
         [](const ObservedTensor& tensor) {
             return tensor.not_finite > 0
                        ? std::string("had elements that are not finite, which were left out")
                        : std::string();
         });
    warn(calibration, notes, "values were the same in all samples",
         [](const ObservedTensor& tensor) {
             return tensor.low == tensor.high ? std::string("was the same in all samples")
                                              : std::string();
         });
    warn(calibration, notes, "values have outliers", [](const ObservedTensor& tensor) {
        const double usual = usual_peak(tensor),
                     peak = std::max(std::abs(static_cast<double>(tensor.low)),
                                     std::abs(static_cast<double>(tensor.high)));
        if (!(usual > 0) || peak <= outlier_ratio * usual) return std::string();
        return fmt::format(
            "has outliers: it reaches {:.3g}, 99.99 % of it stay below {:.3g}; smoothing or 16-bit "
            "activations may help",
            peak, usual);
    });
}

}  // namespace lapidary
