// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel.h"

namespace lapidary {

const Tensor& KernelContext::input(std::size_t index) const {
    const RuntimeValue* value = input_value(index);
    if (value == nullptr || value->is_empty())
        fail("input " + std::to_string(index) + " is required but missing");
    if (!value->is_tensor())
        fail("input " + std::to_string(index) + ": expected a tensor, found " + value->describe());
    return value->tensor();
}

const Tensor* KernelContext::optional_input(std::size_t index) const {
    const RuntimeValue* value = input_value(index);
    return value && value->is_tensor() ? &value->tensor() : nullptr;
}

}  // namespace lapidary
