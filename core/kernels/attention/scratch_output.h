// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "kernels/kernel.h"

namespace lapidary {

/// A node's context for a kernel that makes an intermediate result from the node's inputs: its output is scratch
/// memory.
class ScratchOutput final : public KernelContext {
public:
    explicit ScratchOutput(KernelContext& outer) : outer_(outer) {}
    Tensor take() { return std::move(result_); }

    const Node& node() const override { return outer_.node(); }
    std::size_t input_count() const override { return outer_.input_count(); }
    const RuntimeValue* input_value(std::size_t index) const override { return outer_.input_value(index); }
    std::size_t output_count() const override { return 1; }
    bool wants_output(std::size_t index) const override { return index == 0; }
    Tensor& output(std::size_t, DType dtype, Shape shape) override {
        return result_ = outer_.scratch(dtype, std::move(shape));
    }
    void set_output(std::size_t, RuntimeValue value) override { result_ = value.tensor(); }
    RuntimeValue keep(const RuntimeValue& value) override { return outer_.keep(value); }
    Tensor scratch(DType dtype, Shape shape) override { return outer_.scratch(dtype, std::move(shape)); }
    ThreadPool& threads() override { return outer_.threads(); }
    const CancelToken& cancel() const override { return outer_.cancel(); }
    const Limits& limits() const override { return outer_.limits(); }
    std::vector<RuntimeValue> run_subgraph(std::string_view attribute, std::span<const RuntimeValue> inputs) override {
        return outer_.run_subgraph(attribute, inputs);
    }
    std::uint64_t random_seed() const override { return outer_.random_seed(); }
    void note_fallback(FallbackReason why) override { outer_.note_fallback(why); }

private:
    KernelContext& outer_;
    Tensor result_;
};

}  // namespace lapidary
