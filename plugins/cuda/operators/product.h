// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/product/product.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// How products of tensors of that type are computed with that precision: 16-bit floats always on
/// their tensor cores, which multiply them exactly.
Arithmetic arithmetic_of(std::int32_t type, Precision precision);
/// "exact", "tf32x3", "tf32", "f16", "bf16": ends of the names of kernels.
const char* name_of(Arithmetic arithmetic);
/// Sizes, strides and batches of the product of tensors of these shapes; the shape of the result.
/// Throws DeviceError.
Dims set_product(ProductArgs& args, Dims a, Dims b, bool transposes_a, bool transposes_b);
void set_activation(Epilogue& epilogue, const Step& activation);
/// Attributes activation, activation_alpha and activation_beta, as far as they are there.
Step fused_activation(const NodeView& node);
/// launch_product(), split along k where that fills the device better, with working memory of the
/// run; or a variant of it that the queue's device has.
void launch_split_product(KernelRun& run, ProductArgs args, Arithmetic arithmetic);
/// y[rows, n] = x[rows, k] * w[n, k]^T + bias[n], of one type, packed; bias may be null.
ProductArgs linear_product(const void* x, const void* w, const void* bias, void* y,
                           std::int32_t type, std::int64_t rows, std::int64_t n, std::int64_t k);

}  // namespace lapidary::cuda
