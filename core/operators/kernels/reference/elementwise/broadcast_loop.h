// SPDX-License-Identifier: Apache-2.0
// Walks several tensors of different shapes together under numpy broadcasting.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <vector>

#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"

namespace lapidary::reference {

/// Operands of an element-wise kernel read under one output shape. Neighbouring dimensions are
/// merged where every operand allows it, so equal shapes become one long row.
class BroadcastLoop {
public:
    static constexpr std::size_t max_operands = 3;
    /// A stretch of the innermost dimension: element offset of each operand, and of the output.
    struct Row {
        std::array<std::int64_t, max_operands> offsets;
        std::int64_t output;
        std::int64_t count;
    };

    /// Throws invalid_input when an operand does not broadcast to the output shape.
    BroadcastLoop(const Shape& output, std::initializer_list<const Shape*> operands);

    std::int64_t elements() const { return elements_; }
    /// 1 when the operand advances along a row, 0 when one element is repeated.
    std::int64_t step(std::size_t operand) const {
        return strides_[operand].empty() ? 0 : strides_[operand].back();
    }

    /// Calls body for rows that cover the output, in parallel when it is large.
    void run(KernelContext& context, const std::function<void(const Row&)>& body,
             std::int64_t grain = 16384) const;

private:
    std::vector<std::int64_t> dims_;
    std::array<std::vector<std::int64_t>, max_operands> strides_;
    std::size_t operands_;
    std::int64_t elements_ = 1;
};

}  // namespace lapidary::reference
