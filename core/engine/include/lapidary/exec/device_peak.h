// SPDX-License-Identifier: Apache-2.0
// Peak rates of plugin devices, as measured by kernels of the plugin that do nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <lapidary/tensor/dtype.h>

namespace lapidary {

class Provider;

/// A kind of arithmetic and the peak rate of a device in it.
struct ArithmeticPeak {
    std::string name;  // "float32", "tf32", "int8"
    double gops = 0;   // 1e9 operations per second, a multiply-add counted as two
    /// Element types whose products and convolutions run at this rate, given the options that the
    /// device was opened with.
    std::vector<DType> product_types;
    bool is_of_others = false;  // operators other than products and convolutions run at it too
    friend bool operator==(const ArithmeticPeak&, const ArithmeticPeak&) = default;
};

/// The peak rates of a device.
struct DevicePeak {
    std::string provider;  // as SpanText::provider
    /// reading memory of the device far larger than its caches (1e9 bytes)
    double gb_per_s = 0;
    std::vector<ArithmeticPeak> arithmetic;  // in the plugin's order
    std::string problem;  // a short sentence why no peak is known; empty: they are
    friend bool operator==(const DevicePeak&, const DevicePeak&) = default;

    /// The peak of products whose factors have that element type. Null: not known.
    const ArithmeticPeak* of_product(DType type) const;
    /// The peak of operators other than products. Null: not known.
    const ArithmeticPeak* of_others() const;
};

/// One for each provider with a device, in their order. May take a second for a device that was not
/// measured yet; the plugin keeps what it found.
std::vector<DevicePeak> device_peaks(const std::vector<std::shared_ptr<const Provider>>& providers);

}  // namespace lapidary
