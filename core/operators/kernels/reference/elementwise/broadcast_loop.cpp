// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/elementwise/broadcast_loop.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "kernels/reference/elementwise/elementwise_map.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

BroadcastLoop::BroadcastLoop(const Shape& output, std::initializer_list<const Shape*> operands)
    : operands_(operands.size()) {
    std::array<Shape, max_operands> strides;
    for (std::size_t k = 0; k < operands_; ++k) {
        const Shape& shape = *operands.begin()[k];
        bool fits = shape.size() <= output.size();
        for (std::size_t i = 1; fits && i <= shape.size(); ++i)
            fits = shape[shape.size() - i] == 1 ||
                   shape[shape.size() - i] == output[output.size() - i];
        if (!fits)
            fail_input("an operand " + to_string(shape) + " does not broadcast to " +
                       to_string(output));
        strides[k] = broadcast_strides(shape, output);
    }
    elements_ = element_count(output);
    for (std::size_t axis = 0; axis < output.size(); ++axis) {
        if (output[axis] == 1) continue;
        bool merges = !dims_.empty();
        for (std::size_t k = 0; k < operands_ && merges; ++k)
            merges = strides_[k].back() == strides[k][axis] * output[axis];
        if (merges) {
            dims_.back() *= output[axis];
            for (std::size_t k = 0; k < operands_; ++k) strides_[k].back() = strides[k][axis];
        } else {
            dims_.push_back(output[axis]);
            for (std::size_t k = 0; k < operands_; ++k) strides_[k].push_back(strides[k][axis]);
        }
    }
}

void BroadcastLoop::run(KernelContext& context, const std::function<void(const Row&)>& body,
                        std::int64_t grain) const {
    if (elements_ == 0) return;
    if (dims_.empty()) {
        body({{}, 0, 1});
        return;
    }
    const std::int64_t row_length = dims_.back();
    for_ranges(
        context, elements_,
        [&](std::int64_t begin, std::int64_t end) {
            // Coordinates of `begin`, then row by row; the first and last row may be partial.
            std::vector<std::int64_t> at(dims_.size());
            Row row{{}, begin, 0};
            std::int64_t rest = begin;
            for (std::size_t axis = dims_.size(); axis-- > 0;) {
                at[axis] = rest % dims_[axis];
                rest /= dims_[axis];
                for (std::size_t k = 0; k < operands_; ++k)
                    row.offsets[k] += at[axis] * strides_[k][axis];
            }
            while (row.output < end) {
                row.count = std::min(row_length - at.back(), end - row.output);
                body(row);
                row.output += row.count;
                at.back() += row.count;
                for (std::size_t k = 0; k < operands_; ++k)
                    row.offsets[k] += row.count * strides_[k].back();
                for (std::size_t axis = dims_.size() - 1; axis > 0 && at[axis] == dims_[axis];
                     --axis) {
                    at[axis] = 0;
                    ++at[axis - 1];
                    for (std::size_t k = 0; k < operands_; ++k)
                        row.offsets[k] += strides_[k][axis - 1] - dims_[axis] * strides_[k][axis];
                }
            }
        },
        grain);
}

}  // namespace lapidary::reference
