// SPDX-License-Identifier: Apache-2.0
#include "kernels/widened_kernel.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <lapidary/float16.h>

#include "kernels/inner_context.h"

namespace lapidary {
namespace {

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }

void widen(const Tensor& from, Tensor& to) {
    const auto floats = to.mutable_data<float>();
    const auto convert = [](auto v) { return static_cast<float>(v); };
    if (from.dtype() == DType::f16) std::ranges::transform(from.data<Half>(), floats.begin(), convert);
    else std::ranges::transform(from.data<BFloat16>(), floats.begin(), convert);
}

void narrow(const Tensor& from, Tensor& to) {
    const auto floats = from.data<float>();
    if (to.dtype() == DType::f16)
        std::ranges::transform(floats, to.mutable_data<Half>().begin(), [](float v) { return Half(v); });
    else std::ranges::transform(floats, to.mutable_data<BFloat16>().begin(), [](float v) { return BFloat16(v); });
}

/// The node's run as a kernel of float32 sees it.
class WideContext final : public InnerContext {
public:
    WideContext(KernelContext& outer, DType result)
        : InnerContext(outer), inputs_(outer.input_count()), outputs_(outer.output_count()), narrow_(result) {
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            const Tensor* const given = outer.has_input(i) ? outer.optional_input(i) : nullptr;
            if (!given || !is_half(given->dtype())) continue;
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
        return index < inputs_.size() && inputs_[index] ? &*inputs_[index] : outer_.input_value(index);
    }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        if (dtype != DType::f32 || !is_half(narrow_)) return outer_.output(index, dtype, std::move(shape));
        return outputs_.at(index).emplace(outer_.scratch(dtype, std::move(shape)));
    }

private:
    std::vector<std::optional<RuntimeValue>> inputs_;
    std::vector<std::optional<Tensor>> outputs_;
    const DType narrow_;
};

class WidenedKernel final : public Kernel {
public:
    WidenedKernel(std::unique_ptr<Kernel> inner, DType result) : inner_(std::move(inner)), result_(result) {}
    void run(KernelContext& context) const override {
        WideContext wide(context, result_);
        inner_->run(wide);
        wide.finish();
    }

private:
    std::unique_ptr<Kernel> inner_;
    const DType result_;
};

}  // namespace

std::unique_ptr<Kernel> widened_kernel(std::unique_ptr<Kernel> inner, DType result) {
    return inner ? std::make_unique<WidenedKernel>(std::move(inner), result) : nullptr;
}

bool reads_halves(const KernelRequest& request) { return request.has_input(0) && is_half(request.input_type(0).dtype); }

}  // namespace lapidary
