// SPDX-License-Identifier: Apache-2.0
#include "kernels/expected_input.h"

#include <string>

namespace lapidary {

void fail_expected(const KernelContext& context, std::size_t index, std::string_view expected,
                   const Tensor& found) {
    context.fail("input " + std::to_string(index) + ": expected " + std::string(expected) +
                 ", found " + std::string(name_of(found.dtype())) + to_string(found.shape()));
}

void expect_shape(const KernelContext& context, std::size_t index, const Tensor& found, DType dtype,
                  const Shape& shape) {
    if (found.dtype() != dtype || found.shape() != shape)
        fail_expected(context, index, std::string(name_of(dtype)) + to_string(shape), found);
}

const Tensor& expect_rank(const KernelContext& context, std::size_t index, DType dtype,
                          std::size_t rank) {
    const Tensor& found = context.input(index);
    if (found.dtype() != dtype || found.shape().size() != rank)
        fail_expected(context, index,
                      std::string(name_of(dtype)) + " of rank " + std::to_string(rank), found);
    return found;
}

const Tensor& expect_channels(const KernelContext& context, std::size_t index, DType dtype,
                              std::size_t rank, std::int64_t channels) {
    const Tensor& found = context.input(index);
    if (found.dtype() != dtype || found.shape().size() != rank || found.dim(1) != channels)
        fail_expected(context, index,
                      std::string(name_of(dtype)) + " of rank " + std::to_string(rank) + " with " +
                          std::to_string(channels) + " channels",
                      found);
    return found;
}

const Tensor* optional_floats(const KernelContext& context, std::size_t index, const Shape& shape) {
    const Tensor* found = context.optional_input(index);
    if (found) expect_shape(context, index, *found, DType::f32, shape);
    return found;
}

}  // namespace lapidary
