// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary {

/// The context that a kernel passes to another kernel which does a part of its work. It forwards to
/// the node's context; subclasses replace inputs, outputs or types.
class InnerContext : public KernelContext {
public:
    const Node& node() const override { return outer_.node(); }
    std::size_t input_count() const override { return outer_.input_count(); }
    const RuntimeValue* input_value(std::size_t index) const override {
        return outer_.input_value(index);
    }
    std::size_t output_count() const override { return outer_.output_count(); }
    bool wants_output(std::size_t index) const override { return outer_.wants_output(index); }
    Tensor& output(std::size_t index, DType dtype, Shape shape) override {
        return outer_.output(index, dtype, std::move(shape));
    }
    void set_output(std::size_t index, RuntimeValue value) override {
        outer_.set_output(index, std::move(value));
    }
    RuntimeValue keep(const RuntimeValue& value) override { return outer_.keep(value); }
    Tensor scratch(DType dtype, Shape shape) override {
        return outer_.scratch(dtype, std::move(shape));
    }
    ThreadPool& threads() override { return outer_.threads(); }
    const CancelToken& cancel() const override { return outer_.cancel(); }
    const Limits& limits() const override { return outer_.limits(); }
    std::vector<RuntimeValue> run_subgraph(std::string_view attribute,
                                           std::span<const RuntimeValue> inputs) override {
        return outer_.run_subgraph(attribute, inputs);
    }
    std::uint64_t random_seed() const override { return outer_.random_seed(); }
    void note_fallback(FallbackReason why) override { outer_.note_fallback(why); }

protected:
    explicit InnerContext(KernelContext& outer) : outer_(outer) {}
    KernelContext& outer_;
};

}  // namespace lapidary
