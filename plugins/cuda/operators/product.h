// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/product/product.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// The arithmetic for products of that type with that precision. 16-bit floats always use tensor
/// cores, which multiply them exactly.
Arithmetic arithmetic_of(std::int32_t type, Precision precision);
/// "exact", "tf32x3", "tf32", "f16", "bf16": ends of the names of kernels.
const char* name_of(Arithmetic arithmetic);
/// Sets sizes, strides and batches for the product of tensors with these shapes, and returns the
/// shape of the result. Throws DeviceError.
Dims set_product(ProductArgs& args, Dims a, Dims b, bool transposes_a, bool transposes_b);
void set_activation(Epilogue& epilogue, const Step& activation);
/// The fused activation from the attributes activation, activation_alpha and activation_beta.
Step fused_activation(const NodeView& node);
/// Calls launch_product() or a variant for the queue's device, split along k where that fills the
/// device better. Takes working memory from the run.
void launch_split_product(KernelRun& run, ProductArgs args, Arithmetic arithmetic);
/// y[rows, n] = x[rows, k] * w[n, k]^T + bias[n], all of one type and packed; bias may be null.
ProductArgs linear_product(const void* x, const void* w, const void* bias, void* y,
                           std::int32_t type, std::int64_t rows, std::int64_t n, std::int64_t k);

}  // namespace lapidary::cuda
