// SPDX-License-Identifier: Apache-2.0
// A block of A's rows is rounded and stays in the second-level cache while the panels of B pass
// over it.
#include "kernels/product/rounded_product.h"

#include <algorithm>

#include "base/cpu_features.h"
#include "kernels/product/panels.h"
#include "kernels/vector/product/bf16_tiles.h"

namespace lapidary {
namespace {

/// Fewer read B as fast in float32.
constexpr std::int64_t least_rows = 16;

std::int64_t padded_inner(const Product& p) { return rounded_up(p.inner, 32); }

/// Rows of A that stay in the second-level cache beside a panel of B.
std::int64_t block_rows(const Product& p) {
    const auto cache = static_cast<std::int64_t>(cache_sizes().l2) / 2;
    const std::int64_t most = cache / (padded_inner(p) * 2) / RoundedTile::most_rows;
    return std::max<std::int64_t>(most, 1) * RoundedTile::most_rows;
}

struct Block {
    const Product& product;
    std::int64_t begin, rows;
    std::uint16_t* rounded;  // rows of padded_inner() elements

    void round(std::int64_t row) const {
        const Product& p = product;
        const float* from = p.a + (begin + row) * (p.transposed_a ? 1 : p.a_stride);
        const std::int64_t padded = padded_inner(p);
        product_kernels().round_to_bf16(from, p.transposed_a ? p.a_stride : 1, p.inner, padded,
                                        rounded + row * padded);
    }
    void multiply(const Panels& cut, std::int64_t panel) const {
        const Product& p = product;
        const ProductKernels& kernels = product_kernels();
        const std::int64_t column = cut.begin(panel), padded = padded_inner(p);
        const auto tiles = bf16_tiles();
        RoundedTile t;
        t.inner = p.inner;
        t.columns = cut.begin(panel + 1) - column;
        t.a_stride = padded;
        t.b = p.packed_half_b + column * packed_matrix::half_rows(p.half_format, p.inner);
        t.b_stride = rounded_up(t.columns, kernels.vector);
        t.c_stride = p.c_stride;
        t.scale = p.scale;
        t.bias = p.bias ? p.bias + column : nullptr;
        t.initial_stride = p.residual_stride;
        for (std::int64_t row = 0; row < rows; row += RoundedTile::most_rows) {
            const std::int64_t first = begin + row;
            t.rows = static_cast<int>(std::min<std::int64_t>(rows - row, RoundedTile::most_rows));
            t.a = rounded + row * padded;
            t.c = p.c + first * p.c_stride + column;
            t.initial = p.residual ? p.residual + first * p.residual_stride + column : nullptr;
            t.row_bias = p.row_bias ? p.row_bias + first : nullptr;
            tiles(t);
            if (p.activation) kernels.activate(t.c, p.c_stride, t.rows, t.columns, p.activation);
        }
    }
};

}  // namespace

bool prefers_rounding(const Product& p) {
    return p.rounds_a && !p.packed_b && p.packed_half_b && p.half_format == HalfFormat::bfloat16 &&
           p.rows >= least_rows && p.inner > 0 && bf16_tiles() != nullptr;
}

std::size_t rounded_workspace(const Product& p) {
    const std::int64_t rows = rounded_up(std::min(p.rows, block_rows(p)), RoundedTile::most_rows);
    return static_cast<std::size_t>(rows * padded_inner(p)) * sizeof(std::uint16_t);
}

void multiply_rounded(const Product& p, ThreadPool* pool, const CancelToken* cancel,
                      std::byte* workspace) {
    const Panels cut(p.columns);
    const std::int64_t most = block_rows(p);
    const auto each = [&](std::int64_t count, const auto& work) {
        if (pool) return pool->parallel_tasks(count, [&](std::int64_t i, int) { work(i); });
        for (std::int64_t i = 0; i < count; ++i) work(i);
    };
    for (std::int64_t begin = 0; begin < p.rows; begin += most) {
        const Block block{p, begin, std::min(most, p.rows - begin),
                          reinterpret_cast<std::uint16_t*>(workspace)};
        constexpr std::int64_t group = 16;  // rows
        each((block.rows + group - 1) / group, [&](std::int64_t i) {
            for (std::int64_t row = i * group; row < std::min((i + 1) * group, block.rows); ++row)
                block.round(row);
        });
        each(cut.count, [&](std::int64_t panel) {
            if (cancel) cancel->throw_if_cancelled();
            block.multiply(cut, panel);
        });
    }
}

}  // namespace lapidary
