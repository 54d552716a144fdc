// SPDX-License-Identifier: Apache-2.0
#include "kernels/widened_kernel.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <lapidary/tensor/float16.h>

#include "kernels/inner_context.h"

namespace lapidary {
namespace {

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

bool is_mask(DType dtype) {
    return dtype == DType::i64 || dtype == DType::i32 || dtype == DType::boolean;
}

void widen(const Tensor& from, Tensor& to) {
    const auto convert = [&]<typename T>(std::span<const T> values) {
        std::ranges::transform(values, to.mutable_data<float>().begin(),
                               [](T v) { return static_cast<float>(v); });
    };
    switch (from.dtype()) {
    case DType::f16: return convert(from.data<Half>());
    case DType::bf16: return convert(from.data<BFloat16>());
    case DType::i64: return convert(from.data<std::int64_t>());
    case DType::i32: return convert(from.data<std::int32_t>());
    default: return convert(from.data<bool>());
    }
}

void narrow(const Tensor& from, Tensor& to) {
    const auto floats = from.data<float>();
    if (to.dtype() == DType::f16)
        std::ranges::transform(floats, to.mutable_data<Half>().begin(),
                               [](float v) { return Half(v); });
    else
        std::ranges::transform(floats, to.mutable_data<BFloat16>().begin(),
                               [](float v) { return BFloat16(v); });
}

/// The node's run as a kernel of float32 sees it.
class WideContext final : public InnerContext {
public:
    WideContext(KernelContext& outer, DType result, Widened widened)
        : InnerContext(outer), inputs_(outer.input_count()), outputs_(outer.output_count()),
          narrow_(result) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const Tensor* const given = outer.has_input(i) ? outer.optional_input(i) : nullptr;
            const bool is_widened =
                given && (is_half(given->dtype()) ||
                          (widened == Widened::halves_and_masks && is_mask(given->dtype())));
            if (!is_widened) continue;
            Tensor wide = outer.scratch(DType::f32, given->shape());
            widen(*given, wide);
            inputs_[i].emplace(std::move(wide));
        }
    }
    /// Rounds what was written.
    void finish() {
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (outputs_[i]) narrow(*outputs_[i], outer_.output(i, narrow_, outputs_[i]->shape()));
    }

    const RuntimeValue* input_value(std::size_t index) const override {
        return index < inputs_.size() && inputs_[index] ? &*inputs_[index]
                                                        : outer_.input_value(index);
    }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        if (dtype != DType::f32 || !is_half(narrow_))
            return outer_.output(index, dtype, std::move(shape));
        return outputs_.at(index).emplace(outer_.scratch(dtype, std::move(shape)));
    }

private:
    std::vector<std::optional<RuntimeValue>> inputs_;
    std::vector<std::optional<Tensor>> outputs_;
    const DType narrow_;
};

class WidenedKernel final : public Kernel {
public:
    WidenedKernel(std::unique_ptr<Kernel> inner, DType result, Widened widened)
        : inner_(std::move(inner)), result_(result), widened_(widened) {}
    void run(KernelContext& context) const override {
        WideContext wide(context, result_, widened_);
        inner_->run(wide);
        wide.finish();
    }

private:
    std::unique_ptr<Kernel> inner_;
    const DType result_;
    const Widened widened_;
};

}  // namespace

std::unique_ptr<Kernel> widened_kernel(std::unique_ptr<Kernel> inner, DType result,
                                       Widened widened) {
    return inner ? std::make_unique<WidenedKernel>(std::move(inner), result, widened) : nullptr;
}

bool reads_halves(const KernelRequest& request) {
    return request.has_input(0) && is_half(request.input_type(0).dtype);
}

}  // namespace lapidary
