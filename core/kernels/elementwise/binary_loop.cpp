// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/binary_loop.h"

#include <cstring>

#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

using Walk = BroadcastWalk<2>;

OperandForm form_of(const Walk& walk) {
    return walk.stride(0, 1) == 0 ? OperandForm::second_repeats : walk.stride(0, 0) == 0 ? OperandForm::first_repeats : OperandForm::both;
}

/// A short row that every row of the other operand meets (a bias of few channels): repeated on the stack, so that the
/// function runs over many rows at once.
bool combine_short_rows(KernelContext& context, const Walk& walk, const std::byte* a, const std::byte* b, std::byte* y, const RowForms& f,
                        std::int64_t width, std::int64_t out_width, std::int64_t grain) {
    constexpr std::int64_t capacity = 4096;
    const std::int64_t length = walk.dim(0), rows = walk.rank() == 2 ? walk.dim(1) : 0;
    if (rows < 4 || length * width > capacity / 8 || walk.stride(0, 0) != 1 || walk.stride(0, 1) != 1) return false;
    const int repeated = walk.stride(1, 0) == 0 ? 0 : 1;
    if (walk.stride(1, repeated) != 0 || walk.stride(1, 1 - repeated) != length) return false;
    const std::int64_t together = std::min(rows, capacity / (length * width));
    alignas(64) std::byte pattern[capacity];
    for (std::int64_t r = 0; r < together; ++r)
        std::memcpy(pattern + r * length * width, repeated == 0 ? a : b, static_cast<std::size_t>(length * width));
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

}  // namespace

Shape combined_shape(const Tensor& a, const Tensor& b) {
    if (a.shape() == b.shape() || (b.size() == 1 && b.rank() <= a.rank())) return a.shape();
    if (a.size() == 1 && a.rank() <= b.rank()) return b.shape();
    return broadcast_shapes(a.shape(), b.shape());
}

bool combine_rows(KernelContext& context, const Tensor& a, const Tensor& b, Tensor& y, const RowForms& f, std::int64_t width,
                  std::int64_t out_width, std::int64_t grain) {
    const auto* p = static_cast<const std::byte*>(a.raw());
    const auto* q = static_cast<const std::byte*>(b.raw());
    auto* out = static_cast<std::byte*>(y.mutable_raw());
    if (y.size() == 0) return true;
    const bool whole_a = a.size() == y.size(), whole_b = b.size() == y.size();
    if ((whole_a || a.size() == 1) && (whole_b || b.size() == 1)) {
        const RowFunction function = f[!whole_b ? OperandForm::second_repeats : !whole_a ? OperandForm::first_repeats : OperandForm::both];
        const std::int64_t a_width = whole_a ? width : 0, b_width = whole_b ? width : 0;
        for_elements(context, y.size(), grain, [&](std::int64_t begin, std::int64_t end) {
            function(p + begin * a_width, q + begin * b_width, out + begin * out_width, end - begin);
        });
        return true;
    }
    Walk walk;
    if (!walk.resolve(y.shape(), {&a.shape(), &b.shape()})) return false;
    if (combine_short_rows(context, walk, p, q, out, f, width, out_width, grain)) return true;
    const RowFunction function = f[form_of(walk)];
    for_elements(context, y.size(), grain, [&](std::int64_t begin, std::int64_t end) {
        walk.rows(begin, end, [&](const Walk::Row& row) {
            function(p + row.offsets[0] * width, q + row.offsets[1] * width, out + row.output * out_width, row.count);
        });
    });
    return true;
}

}  // namespace lapidary
