// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/wide_operand.h"

#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

constexpr std::int64_t grain = 1 << 15;  // elements that are worth a thread

}  // namespace

WideOperand::WideOperand(KernelContext& context, const Tensor* tensor) {
    if (!tensor) return;
    if (tensor->dtype() == DType::f32) {
        data_ = static_cast<const float*>(tensor->raw());
        return;
    }
    copy_ = context.scratch(DType::f32, tensor->shape());
    auto* to = static_cast<float*>(copy_.mutable_raw());
    const auto* from = static_cast<const std::uint16_t*>(tensor->raw());
    context.threads().parallel_for(
        tensor->size(), grain, [&](std::int64_t begin, std::int64_t end) {
            elementwise_kernels().widen_half(from + begin, to + begin, end - begin);
        });
    data_ = to;
}

WideResult::WideResult(KernelContext& context, Tensor& output)
    : context_(context), output_(output) {
    if (output.dtype() != DType::f32) copy_ = context.scratch(DType::f32, output.shape());
    data_ = static_cast<float*>(copy_ ? copy_.mutable_raw() : output.mutable_raw());
}

void WideResult::store() {
    if (!copy_) return;
    auto* to = static_cast<std::uint16_t*>(output_.mutable_raw());
    context_.threads().parallel_for(
        output_.size(), grain, [&](std::int64_t begin, std::int64_t end) {
            elementwise_kernels().narrow_half(data_ + begin, to + begin, end - begin);
        });
}

}  // namespace lapidary
