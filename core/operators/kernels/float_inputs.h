// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>

#include "kernels/kernel.h"

namespace lapidary {

/// True when these inputs, as far as the node has them, are known to be f32. Otherwise `reason`
/// says which one is not.
inline bool takes_floats(const KernelRequest& request, std::initializer_list<std::size_t> inputs,
                         std::string& reason) {
    for (const std::size_t i : inputs) {
        if (!request.has_input(i)) continue;
        const DType dtype = request.input_type(i).dtype;
        if (dtype == DType::f32) continue;
        reason =
            dtype == DType::undefined
                ? "the element type of input " + std::to_string(i) + " is not known before the run"
                : "input " + std::to_string(i) + " has elements of type " +
                      std::string(name_of(dtype)) + ", this kernel takes f32";
        return false;
    }
    return true;
}

}  // namespace lapidary
