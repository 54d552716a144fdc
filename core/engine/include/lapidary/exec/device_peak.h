// SPDX-License-Identifier: Apache-2.0
// What devices of plugins reach at most, as kernels made for it measured it there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <lapidary/tensor/dtype.h>

namespace lapidary {

class Provider;

/// A kind of arithmetic, and what a device reaches of it at most.
struct ArithmeticPeak {
    std::string name;  // "float32", "tf32", "int8"
    double gops = 0;   // 1e9 operations per second, a multiply-add counted as two
    /// products and convolutions of these run at it, as the device was opened
    std::vector<DType> product_types;
    bool is_of_others = false;  // and so do operators that are no products
    friend bool operator==(const ArithmeticPeak&, const ArithmeticPeak&) = default;
};

/// What a device reaches at most.
struct DevicePeak {
    std::string provider;  // as Span::provider
    /// reading memory of the device far larger than its caches (1e9 bytes)
    double gb_per_s = 0;
    std::vector<ArithmeticPeak> arithmetic;  // in the plugin's order
    std::string problem;                     // why nothing is known, a short sentence; empty: it is
    friend bool operator==(const DevicePeak&, const DevicePeak&) = default;

    /// Null where nothing is known of it. `type`: of what a product multiplies.
    const ArithmeticPeak* of_product(DType type) const;
    const ArithmeticPeak* of_others() const;
};

/// One for each provider with a device, in their order. May take a second for a device that was not
/// measured yet; the plugin keeps what it found.
std::vector<DevicePeak> device_peaks(const std::vector<std::shared_ptr<const Provider>>& providers);

}  // namespace lapidary
