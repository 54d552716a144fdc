// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/binary_loop.h"

#include <cstring>

#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

using BinaryWalk = BroadcastWalk<2>;

OperandForm form_of(const BinaryWalk& walk) {
    return walk.stride(0, 1) == 0   ? OperandForm::second_repeats
           : walk.stride(0, 0) == 0 ? OperandForm::first_repeats
                                    : OperandForm::both;
}

/// A short row that every row of the other operand meets (a bias of few channels): repeated on the
/// stack, so that the function runs over many rows at once.
bool combine_short_rows(KernelContext& context, const BinaryWalk& walk, const std::byte* a,
                        const std::byte* b, std::byte* y, const RowForms& f, std::int64_t width,
                        std::int64_t out_width, std::int64_t grain) {
    constexpr std::int64_t capacity = 4096;
    const std::int64_t length = walk.dim(0), rows = walk.rank() == 2 ? walk.dim(1) : 0;
    if (rows < 4 || length * width > capacity / 8 || walk.stride(0, 0) != 1 ||
        walk.stride(0, 1) != 1)
        return false;
    // One operand repeats and the other advances row by row; otherwise the walk would have merged
    // the two dimensions.
    const int repeated = walk.stride(1, 0) == 0 ? 0 : 1;
    const std::int64_t together = std::min(rows, capacity / (length * width));
    alignas(64) std::byte pattern[capacity];
    for (std::int64_t r = 0; r < together; ++r)
        std::memcpy(pattern + r * length * width, repeated == 0 ? a : b,
                    static_cast<std::size_t>(length * width));
    const RowFunction function = f[OperandForm::both];
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; row += together) {
            const std::int64_t at = row * length, n = std::min(together, end - row) * length;
            if (repeated == 0) function(pattern, b + at * width, y + at * out_width, n);
            else function(a + at * width, pattern, y + at * out_width, n);
        }
    };
    if (rows * length <= grain) body(0, rows);
    else context.threads().parallel_for(rows, std::max<std::int64_t>(1, grain / length), body);
    return true;
}

/// Copies `count` contiguous elements of `width` bytes, or one element `count` times.
template <typename T>
void spread_row(const std::byte* from, std::byte* to, std::int64_t count, std::int64_t step) {
    const T* source = reinterpret_cast<const T*>(from);
    T* target = reinterpret_cast<T*>(to);
    for (std::int64_t i = 0; i < count; ++i) target[i] = source[i * step];
}

void spread_row(const std::byte* from, std::byte* to, std::int64_t count, std::int64_t step,
                std::int64_t width) {
    switch (width) {
    case 1: return spread_row<std::uint8_t>(from, to, count, step);
    case 4: return spread_row<std::uint32_t>(from, to, count, step);
    default: return spread_row<std::uint64_t>(from, to, count, step);
    }
}

/// Rows of a few elements: operands that are not whole are spread over blocks, so that the function
/// runs over many rows.
void combine_spread(KernelContext& context, const BinaryWalk& walk, const std::byte* a,
                    const std::byte* b, std::byte* y, RowFunction function, std::int64_t width,
                    std::int64_t out_width, std::int64_t size, bool whole_a, bool whole_b,
                    std::int64_t grain) {
    for_elements(context, size, grain, [&](std::int64_t begin, std::int64_t end) {
        constexpr std::int64_t block = 512;
        alignas(64) std::byte spread_a[block * 8], spread_b[block * 8];
        for (; begin < end; begin += block) {
            const std::int64_t n = std::min(block, end - begin);
            walk.rows(begin, begin + n, [&](const BinaryWalk::Row& row) {
                const std::int64_t at = (row.output - begin) * width;
                if (!whole_a)
                    spread_row(a + row.offsets[0] * width, spread_a + at, row.count,
                               walk.stride(0, 0), width);
                if (!whole_b)
                    spread_row(b + row.offsets[1] * width, spread_b + at, row.count,
                               walk.stride(0, 1), width);
            });
            function(whole_a ? a + begin * width : spread_a, whole_b ? b + begin * width : spread_b,
                     y + begin * out_width, n);
        }
    });
}

}  // namespace

Shape combined_shape(const Tensor& a, const Tensor& b) {
    if (a.shape() == b.shape() || (b.size() == 1 && b.rank() <= a.rank())) return a.shape();
    if (a.size() == 1 && a.rank() <= b.rank()) return b.shape();
    return broadcast_shapes(a.shape(), b.shape());
}

bool combine_rows(KernelContext& context, const Tensor& a, const Tensor& b, Tensor& y,
                  const RowForms& f, std::int64_t width, std::int64_t out_width,
                  std::int64_t grain) {
    const auto* p = static_cast<const std::byte*>(a.raw());
    const auto* q = static_cast<const std::byte*>(b.raw());
    auto* out = static_cast<std::byte*>(y.mutable_raw());
    if (y.size() == 0) return true;
    const bool whole_a = a.size() == y.size(), whole_b = b.size() == y.size();
    if ((whole_a || a.size() == 1) && (whole_b || b.size() == 1)) {
        const RowFunction function = f[!whole_b   ? OperandForm::second_repeats
                                       : !whole_a ? OperandForm::first_repeats
                                                  : OperandForm::both];
        const std::int64_t a_width = whole_a ? width : 0, b_width = whole_b ? width : 0;
        for_elements(context, y.size(), grain, [&](std::int64_t begin, std::int64_t end) {
            function(p + begin * a_width, q + begin * b_width, out + begin * out_width,
                     end - begin);
        });
        return true;
    }
    BinaryWalk walk;
    if (!walk.resolve(y.shape(), {&a.shape(), &b.shape()})) return false;
    if (combine_short_rows(context, walk, p, q, out, f, width, out_width, grain)) return true;
    if (walk.dim(0) < 16 && walk.rank() > 1) {
        combine_spread(context, walk, p, q, out, f[OperandForm::both], width, out_width, y.size(),
                       whole_a, whole_b, grain);
        return true;
    }
    const RowFunction function = f[form_of(walk)];
    for_elements(context, y.size(), grain, [&](std::int64_t begin, std::int64_t end) {
        walk.rows(begin, end, [&](const BinaryWalk::Row& row) {
            function(p + row.offsets[0] * width, q + row.offsets[1] * width,
                     out + row.output * out_width, row.count);
        });
    });
    return true;
}

}  // namespace lapidary
