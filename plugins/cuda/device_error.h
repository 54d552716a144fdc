// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace lapidary::cuda {

/// An operation that the device could not do. It becomes the LpError of a call of the interface.
class DeviceError : public std::runtime_error {
public:
    DeviceError(std::int32_t code, const std::string& text, std::int32_t native = 0)
        : std::runtime_error(text), code_(code), native_(native) {}
    std::int32_t code() const { return code_; }      // LpCode
    std::int32_t native() const { return native_; }  // of the driver

private:
    std::int32_t code_, native_;
};

/// Why the provider does not take a node: a noun phrase or a short sentence without a full stop.
class Refusal : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace lapidary::cuda
