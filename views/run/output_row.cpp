// SPDX-License-Identifier: GPL-3.0-or-later
// One output of a run in words and figures.
#include <cmath>
#include <cstdio>

#include <lapidary/tensor_statistics.h>

#include "run/run_digest.h"

namespace lapidary::views {
namespace {

constexpr std::int64_t values_shown = 8;

std::string number_text(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// The first elements as a tensor of their own, so that large outputs are not converted whole.
std::vector<double> first_values(const Tensor& tensor, std::int64_t count) {
    Tensor head = Tensor::borrow(tensor.dtype(), {count}, const_cast<void*>(tensor.raw()), tensor.owner());
    return to_doubles(head);
}

std::string first_text(const Tensor& tensor) {
    const std::int64_t count = std::min(tensor.size(), values_shown);
    std::string text;
    const auto add = [&](const std::string& value) { text += (text.empty() ? "" : ", ") + value; };
    if (tensor.dtype() == DType::string) {
        for (std::int64_t i = 0; i < count; ++i) add(quote(tensor.data<std::string>()[std::size_t(i)], 40));
    } else if (tensor.dtype() == DType::complex64) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto value = tensor.data<std::complex<float>>()[std::size_t(i)];
            add(number_text(value.real()) + (value.imag() < 0 ? " - " : " + ") + number_text(std::fabs(value.imag())) +
                "i");
        }
    } else if (tensor.dtype() == DType::complex128) {
        for (std::int64_t i = 0; i < count; ++i) {
            const auto value = tensor.data<std::complex<double>>()[std::size_t(i)];
            add(number_text(value.real()) + (value.imag() < 0 ? " - " : " + ") + number_text(std::fabs(value.imag())) +
                "i");
        }
    } else {
        for (const double value : first_values(tensor, count)) add(number_text(value));
    }
    if (tensor.size() > count) text += " …";
    return text;
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
    } catch (const Error& error) {
        row.first = error.message();
    }
    return row;
}

}  // namespace lapidary::views
