// SPDX-License-Identifier: Apache-2.0
// Operands of an elementwise kernel read under one output shape, without heap memory: neighbouring
// dimensions are merged where every operand allows it, so that equal shapes are one long row.
#pragma once

#include <algorithm>
#include <cstdint>

#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"

namespace lapidary {

// elements of simple arithmetic that are worth another thread
inline constexpr std::int64_t cheap_grain = 32768;
inline constexpr std::int64_t costly_grain = 4096;  // elements of exp and the like

/// Calls body(begin, end) over [0, count): on the calling thread when that is at most `grain`, else
/// on all threads, in multiples of 1024 elements. The cancel flag is checked every 262144 elements.
template <typename Body>
void for_elements(KernelContext& context, std::int64_t count, std::int64_t grain,
                  const Body& body) {
    if (count <= grain) {
        if (count > 0) body(std::int64_t{0}, count);
        return;
    }
    constexpr std::int64_t unit = 1024, piece = 256 * unit;
    const CancelToken& cancel = context.cancel();
    context.threads().parallel_for(
        (count + unit - 1) / unit, std::max<std::int64_t>(1, grain / unit),
        [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t b = begin * unit; b < std::min(count, end * unit); b += piece) {
                cancel.throw_if_cancelled();
                body(b, std::min({count, end * unit, b + piece}));
            }
        });
}

template <int operands>
class BroadcastWalk {
public:
    static constexpr int max_rank = 12;  // of merged dimensions

    /// Offset of each operand and of the output, in elements, and the length of a stretch of the
    /// innermost dimension.
    struct Row {
        std::int64_t offsets[operands];
        std::int64_t output;
        std::int64_t count;
    };

    /// False when an operand does not broadcast to `output` or too many dimensions are left.
    bool resolve(const Shape& output, const Shape* const (&shapes)[operands]) {
        rank_ = 0;
        // strides of the current dimension; goes from the innermost outwards
        std::int64_t own[operands];
        for (int k = 0; k < operands; ++k) {
            own[k] = 1;
            if (shapes[k]->size() > output.size()) return false;
        }
        // Built from the innermost dimension outwards: dims_[0] is the innermost.
        for (std::size_t back = 1; back <= output.size(); ++back) {
            const std::int64_t dim = output[output.size() - back];
            std::int64_t stride[operands];
            for (int k = 0; k < operands; ++k) {
                const Shape& shape = *shapes[k];
                const std::int64_t size = back <= shape.size() ? shape[shape.size() - back] : 1;
                if (size != 1 && size != dim) return false;
                stride[k] = size == 1 ? 0 : own[k];
                own[k] *= size;
            }
            if (dim == 1) continue;
            bool merges = rank_ > 0;
            for (int k = 0; k < operands && merges; ++k)
                merges = stride[k] == strides_[rank_ - 1][k] * dims_[rank_ - 1];
            if (merges) {
                dims_[rank_ - 1] *= dim;
                continue;
            }
            if (rank_ == max_rank) return false;
            dims_[rank_] = dim;
            for (int k = 0; k < operands; ++k) strides_[rank_][k] = stride[k];
            ++rank_;
        }
        if (rank_ == 0) {
            rank_ = 1;
            dims_[0] = 1;
            for (int k = 0; k < operands; ++k) strides_[0][k] = 0;
        }
        return true;
    }

    int rank() const { return rank_; }
    /// Dimensions and strides from the innermost (0) outwards.
    std::int64_t dim(int axis) const { return dims_[axis]; }
    std::int64_t stride(int axis, int operand) const { return strides_[axis][operand]; }

    /// Calls body(row) for the rows of output elements [begin, end); the first and the last may be
    /// partial.
    template <typename Body>
    void rows(std::int64_t begin, std::int64_t end, const Body& body) const {
        std::int64_t at[max_rank];
        Row row{{}, begin, 0};
        std::int64_t rest = begin;
        for (int axis = 0; axis < rank_; ++axis) {
            at[axis] = axis + 1 == rank_ ? rest : rest % dims_[axis];
            rest /= dims_[axis];
            for (int k = 0; k < operands; ++k) row.offsets[k] += at[axis] * strides_[axis][k];
        }
        while (row.output < end) {
            row.count = std::min(dims_[0] - at[0], end - row.output);
            body(row);
            row.output += row.count;
            at[0] += row.count;
            for (int k = 0; k < operands; ++k) row.offsets[k] += row.count * strides_[0][k];
            for (int axis = 0; axis + 1 < rank_ && at[axis] == dims_[axis]; ++axis) {
                at[axis] = 0;
                ++at[axis + 1];
                for (int k = 0; k < operands; ++k)
                    row.offsets[k] += strides_[axis + 1][k] - dims_[axis] * strides_[axis][k];
            }
        }
    }

private:
    int rank_ = 0;
    std::int64_t dims_[max_rank];
    std::int64_t strides_[max_rank][operands];
};

}  // namespace lapidary
