// SPDX-License-Identifier: Apache-2.0
// float16 operands of products, which are computed in float32.
#pragma once

#include "kernels/kernel.h"

namespace lapidary {

/// A float32 or float16 tensor's elements as float: its own, or a widened copy in scratch memory.
/// Null stays null.
class WideOperand {
public:
    WideOperand(KernelContext& context, const Tensor* tensor);
    const float* data() const { return data_; }

private:
    Tensor copy_;
    const float* data_ = nullptr;
};

/// Where a product writes an output: into it, or into scratch memory that store() rounds to
/// float16.
class WideResult {
public:
    WideResult(KernelContext& context, Tensor& output);
    float* data() { return data_; }
    void store();

private:
    KernelContext& context_;
    Tensor& output_;
    Tensor copy_;
    float* data_;
};

}  // namespace lapidary
