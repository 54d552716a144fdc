// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "kernels/inner_context.h"

namespace lapidary {

/// The context for a kernel that computes an intermediate result from the node's inputs: its output
/// is scratch memory.
class ScratchOutput final : public InnerContext {
public:
    explicit ScratchOutput(KernelContext& outer) : InnerContext(outer) {}
    Tensor take() { return std::move(result_); }

    std::size_t output_count() const override { return 1; }
    bool wants_output(std::size_t index) const override { return index == 0; }
    Tensor& output(std::size_t, DType dtype, Shape shape) override {
        return result_ = outer_.scratch(dtype, std::move(shape));
    }
    void set_output(std::size_t, RuntimeValue value) override { result_ = value.tensor(); }

private:
    Tensor result_;
};

}  // namespace lapidary
