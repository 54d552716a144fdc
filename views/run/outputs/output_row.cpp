// SPDX-License-Identifier: GPL-3.0-or-later
// One output of a run in words and figures.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <lapidary/report/tensor_statistics.h>

#include "run/run_digest.h"

namespace lapidary::views {
namespace {

constexpr std::int64_t values_shown = 8;
constexpr std::size_t histogram_bars = 48;
constexpr std::ptrdiff_t most_largest = 5;
constexpr std::int64_t most_classes = 1'000'000;
// elements; more are not converted for the page
constexpr std::int64_t most_looked_at = 50'000'000;

std::string number_text(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// The first elements as a tensor of their own, so that large outputs are not converted whole.
std::vector<double> first_values(const Tensor& tensor, std::int64_t count) {
    Tensor head =
        Tensor::borrow(tensor.dtype(), {count}, const_cast<void*>(tensor.raw()), tensor.owner());
    return to_doubles(head);
}

std::string first_text(const Tensor& tensor) {
    const std::int64_t count = std::min(tensor.size(), values_shown);
    std::string text;
    const auto add = [&](const std::string& value) { text += (text.empty() ? "" : ", ") + value; };
    if (tensor.dtype() == DType::string) {
        for (std::int64_t i = 0; i < count; ++i)
            add(quote(tensor.data<std::string>()[std::size_t(i)], 40));
    } else if (tensor.dtype() == DType::complex64) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto value = tensor.data<std::complex<float>>()[std::size_t(i)];
            add(number_text(value.real()) + (value.imag() < 0 ? " - " : " + ") +
                number_text(std::fabs(value.imag())) + "i");
        }
    } else if (tensor.dtype() == DType::complex128) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto value = tensor.data<std::complex<double>>()[std::size_t(i)];
            add(number_text(value.real()) + (value.imag() < 0 ? " - " : " + ") +
                number_text(std::fabs(value.imag())) + "i");
        }
    } else {
        for (const double value : first_values(tensor, count)) add(number_text(value));
    }
    if (tensor.size() > count) text += " …";
    return text;
}

/// The largest of the first row of the last dimension: scores of classes, mostly.
std::vector<std::pair<std::int64_t, double>> largest_of(const std::vector<double>& values,
                                                        std::int64_t width) {
    std::vector<std::pair<std::int64_t, double>> row;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(width, std::ssize(values)); ++i)
        if (!std::isnan(values[std::size_t(i)])) row.emplace_back(i, values[std::size_t(i)]);
    const auto shown = std::min<std::ptrdiff_t>(most_largest, std::ssize(row));
    std::ranges::partial_sort(row, row.begin() + shown, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    row.resize(std::size_t(shown));
    return row;
}

/// Distribution, largest values, picture.
void describe_values(const Tensor& tensor, OutputRow& row) {
    if (tensor.size() == 0 || tensor.size() > most_looked_at) return;
    const std::vector<double> values = to_doubles(tensor);
    row.bins.assign(histogram_bars, 0);
    const double width = row.maximum - row.minimum;
    if (!std::isfinite(width)) row.bins.clear();
    for (const double value : values) {
        if (!std::isfinite(value) || row.bins.empty()) continue;
        const double share = width > 0 ? (value - row.minimum) / width : 0;
        ++row.bins[std::min(histogram_bars - 1, std::size_t(share * double(histogram_bars)))];
    }
    const std::int64_t last = tensor.rank() == 0 ? 1 : tensor.dim(std::size_t(tensor.rank() - 1));
    if (last > 1 && last <= most_classes) row.top = largest_of(values, last);
    const app::SamplePreview preview =
        app::preview_samples(given_samples({{{row.name, tensor}}}), false, 1);
    if (!preview.samples.empty()) row.picture = preview.samples.front().picture;
}

}  // namespace

OutputRow describeOutput(const std::string& name, const RuntimeValue& value) {
    OutputRow row;
    row.name = name;
    try {
        row.type = value.describe();
        if (!value.is_tensor()) return row;
        const Tensor& tensor = value.tensor();
        row.type = std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
        row.elements = tensor.size();
        row.first = first_text(tensor);
        if (tensor.dtype() == DType::string || tensor.dtype() == DType::complex64 ||
            tensor.dtype() == DType::complex128)
            return row;
        const TensorStatistics statistics = statistics_of(tensor);
        row.numeric = true;
        row.minimum = statistics.minimum;
        row.maximum = statistics.maximum;
        row.mean = statistics.mean;
        row.stddev = statistics.stddev;
        row.nans = statistics.nans;
        row.infinities = statistics.infinities;
        row.zeros = statistics.zeros;
        describe_values(tensor, row);
    } catch (const Error& error) { row.first = error.message(); }
    return row;
}

}  // namespace lapidary::views
