// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/blocked_weight.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/vector/movement/reorder.h"
#include "tensor/channel_blocks.h"

namespace lapidary {
namespace {

/// Squares of whole blocks side by side in one row of them, [begin, end), by vectors; `weight` may
/// lie at any address.
void write_whole(const BlockedWeightSquares& s, const std::byte* weight, std::int64_t begin,
                 std::int64_t end, float* to) {
    const std::int64_t stride = s.inputs * s.taps, columns = s.depth * s.taps;
    const auto* from = reinterpret_cast<const float*>(weight) +
                       begin / s.across() * s.block * stride + begin % s.across() * columns;
    const ReorderKernels& kernels = reorder_kernels();
    if (s.taps == 1)
        return kernels.block(from, stride, s.block, (end - begin) * columns, to, s.block);
    // [input channel][tap][output channel]
    std::vector<float> turned(static_cast<std::size_t>(s.size()));
    for (std::int64_t square = begin; square < end; ++square, from += columns) {
        kernels.block(from, stride, s.block, columns, turned.data(), s.block);
        for (std::int64_t tap = 0; tap < s.taps; ++tap)
            for (std::int64_t row = 0; row < s.depth; ++row, to += s.block)
                std::memcpy(to, turned.data() + (row * s.taps + tap) * s.block,
                            static_cast<std::size_t>(s.block) * sizeof(float));
    }
}

void write_squares(const BlockedWeightSquares& s, const std::byte* weight, std::int64_t begin,
                   std::int64_t end, float* to) {
    const bool has_vectors = (s.block == 8 || s.block == 16) && s.depth == s.block;
    while (begin < end) {
        std::int64_t last = begin;
        if (has_vectors)
            while (last < end && last / s.across() == begin / s.across() && s.is_whole(last))
                ++last;
        if (last > begin) {
            write_whole(s, weight, begin, last, to);
        } else {
            last = begin + 1;
            std::fill_n(to, s.size(), 0.0f);
            s.walk(begin, last, [&](std::int64_t at, std::int64_t plain) {
                std::memcpy(to + at, weight + plain * std::int64_t{sizeof(float)}, sizeof(float));
            });
        }
        to += (last - begin) * s.size();
        begin = last;
    }
}

}  // namespace

Tensor blocked_weight(const Tensor& weight, std::int64_t block, bool blocks_inputs) {
    require_f32_weight(weight);
    Shape shape{rounded_to_block(weight.dim(0), block),
                blocks_inputs ? rounded_to_block(weight.dim(1), block) : weight.dim(1),
                weight.dim(2), weight.dim(3)};
    if (weight.size() == 0) {
        Tensor empty(DType::f32, std::move(shape));
        std::ranges::fill(empty.mutable_data<float>(), 0.0f);
        return empty;
    }
    const BlockedWeightSquares squares(weight.shape(), block, blocks_inputs);
    return Tensor::deferred(
        DType::f32, std::move(shape), static_cast<std::size_t>(squares.size()) * sizeof(float),
        [weight, squares](std::byte* to, std::size_t begin, std::size_t end) {
            write_squares(squares, weight.bytes().data(), static_cast<std::int64_t>(begin),
                          static_cast<std::int64_t>(end), reinterpret_cast<float*>(to));
        },
        {weight});
}

}  // namespace lapidary
