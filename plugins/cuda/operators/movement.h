// SPDX-License-Identifier: Apache-2.0
// What makers of kernels that move elements share.
#pragma once

#include "kernels/movement/movement.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// Row-major, in elements.
Dims strides_of(const Dims& dims);
/// `axis` counted from the front. Throws DeviceError where there is no such axis.
std::size_t whole_axis(std::int64_t axis, std::size_t rank);
/// Copies a box of elements; axes that are contiguous are merged. Strides in elements.
void copy_box(KernelRun& run, const void* input, Dims input_strides, void* output,
              Dims output_strides, Dims dims, std::int64_t element_bytes);
/// Throws Refusal for types whose elements have no fixed size of whole bytes.
void require_plain(const NodeView& node, std::size_t input);

}  // namespace lapidary::cuda
