// SPDX-License-Identifier: Apache-2.0
// Scalar inputs of the signal operators.
#pragma once

#include <string>
#include <string_view>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary::reference {

/// The one element of an integer tensor; `name` serves the message.
inline std::int64_t scalar_integer(const Tensor& tensor, std::string_view name) {
    if (tensor.size() != 1)
        fail_input(std::string(name) + ": expected a scalar, found shape " +
                   to_string(tensor.shape()));
    return to_int64s(tensor)[0];
}

/// The one element of a numeric tensor.
inline double scalar_number(const Tensor& tensor, std::string_view name) {
    if (tensor.size() != 1)
        fail_input(std::string(name) + ": expected a scalar, found shape " +
                   to_string(tensor.shape()));
    return to_doubles(tensor)[0];
}

}  // namespace lapidary::reference
