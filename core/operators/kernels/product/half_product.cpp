// SPDX-License-Identifier: Apache-2.0
// A block of A's rows is rounded and stays in the second-level cache. Each task brings two panels
// of B into the order of tiles, part of the depth by part, and passes over rows with them.
#include "kernels/product/half_product.h"

#include <algorithm>

#include "base/cpu_features.h"
#include "kernels/product/panels.h"
#include "kernels/vector/product/half_tiles.h"

namespace lapidary {
namespace {

/// How a product is cut.
struct HalfBlocking {
    /// Fewer rows read B as fast in float32.
    static constexpr std::int64_t least_rows = 16;
    /// Of the depth, whose part of B stays in the second-level cache beside the rows.
    static constexpr std::int64_t part_inner = 512,
                                  part_stretches = part_inner / half_tiles::stretch;
    static constexpr std::int64_t least_tiles = 4;  // that make it worth to arrange a part of B
    static constexpr std::int64_t line_bytes = 64;

    explicit HalfBlocking(const Product& p, const ColumnBlocks& apart = {})
        : product(p), blocks(apart), cut(p.columns), groups((cut.count + 1) / 2),
          stretches(half_tiles::stretches(p.inner)) {
        const auto cache = static_cast<std::int64_t>(cache_sizes().l2) / 2;
        const std::int64_t most = cache / row_bytes() / half_tiles::most_rows;
        block_rows = std::min(std::max<std::int64_t>(most, 8) * half_tiles::most_rows, p.rows);
    }
    /// Of a rounded row with its scales.
    std::int64_t row_bytes() const { return stretches * (half_tiles::stretch + 1) * 4; }
    std::int64_t rows_bytes() const { return rounded_up(block_rows * row_bytes(), line_bytes); }
    /// Of a part of B with its scales.
    static constexpr std::int64_t right_bytes() {
        return part_inner * half_tiles::most_columns * 2 + part_stretches * 4;
    }

    /// Where a column of C begins; 16 columns begin at a multiple of 16.
    std::int64_t column_of_c(std::int64_t column) const {
        return blocks.c ? column / block_columns * blocks.c : column;
    }

    static constexpr std::int64_t block_columns = 16;
    const Product& product;
    ColumnBlocks blocks;
    Panels cut;
    std::int64_t groups;     // pairs of panels
    std::int64_t stretches;  // of the whole depth
    std::int64_t block_rows;
};

/// A part of B in the order of tiles.
struct HalfRight {
    explicit HalfRight(std::byte* memory)
        : elements(reinterpret_cast<std::uint16_t*>(memory)),
          scales(reinterpret_cast<float*>(memory + HalfBlocking::part_inner *
                                                       half_tiles::most_columns * 2)) {}

    /// Panels 2 `group` and the next from row `k` of B on.
    void arrange(const HalfBlocking& blocking, std::int64_t group, std::int64_t k) const {
        const Product& p = blocking.product;
        const Panels& cut = blocking.cut;
        HalfPanels panels;
        for (std::int64_t n = 0; n < 2 && 2 * group + n < cut.count; ++n) {
            const std::int64_t column = cut.begin(2 * group + n);
            panels.width[n] = packed_matrix::panel_stride(cut.begin(2 * group + n + 1) - column);
            panels.from[n] = p.packed_half_b + column * p.inner + k * panels.width[n];
        }
        panels.inner = std::min(HalfBlocking::part_inner, p.inner - k);
        panels.to = elements;
        panels.scales = scales;
        half_tile_kernels()->arrange(panels);
    }

    std::uint16_t* elements;
    float* scales;
};

/// Rows [begin, begin + rows) in tiles of nearly equal height.
struct HalfBlock {
    const HalfBlocking& blocking;
    std::int64_t begin, rows;
    std::byte* memory;

    std::int64_t tiles() const {
        return (rows + half_tiles::most_rows - 1) / half_tiles::most_rows;
    }
    std::int64_t tile_begin(std::int64_t tile) const { return rows * tile / tiles(); }
    std::uint32_t* words(std::int64_t tile) const {
        return reinterpret_cast<std::uint32_t*>(memory) +
               tile_begin(tile) * blocking.stretches * half_tiles::stretch;
    }
    float* scales(std::int64_t tile) const {
        return reinterpret_cast<float*>(words(tiles())) + tile_begin(tile) * blocking.stretches;
    }

    void round(std::int64_t tile) const {
        const Product& p = blocking.product;
        HalfRows r;
        r.row_step = p.transposed_a ? 1 : p.a_stride;
        r.inner_step = p.transposed_a ? p.a_stride : 1;
        r.block_step = blocking.blocks.a;
        r.from = p.a + (begin + tile_begin(tile)) * r.row_step;
        r.rows = static_cast<int>(tile_begin(tile + 1) - tile_begin(tile));
        r.inner = p.inner;
        r.to = words(tile);
        r.scales = scales(tile);
        half_tile_kernels()->round_rows(r);
    }

    /// One tile times the part of B from row `k` on.
    void multiply(std::int64_t tile, std::int64_t group, std::int64_t k,
                  const HalfRight& right) const {
        const Product& p = blocking.product;
        const std::int64_t column = blocking.cut.begin(2 * group), first = begin + tile_begin(tile),
                           s = k / half_tiles::stretch, column_of_c = blocking.column_of_c(column);
        const bool is_last = k + HalfBlocking::part_inner >= p.inner;
        HalfTile t;
        t.rows = static_cast<int>(tile_begin(tile + 1) - tile_begin(tile));
        t.stretches = std::min(HalfBlocking::part_stretches, blocking.stretches - s);
        t.columns = blocking.cut.begin(2 * group + 2) - column;
        t.a = words(tile) + s * t.rows * half_tiles::stretch;
        t.a_scales = scales(tile) + s * t.rows;
        t.b = right.elements;
        t.b_scales = right.scales;
        t.c = p.c + first * p.c_stride + column_of_c;
        t.c_stride = p.c_stride;
        if (blocking.blocks.c) t.c_block = blocking.blocks.c;
        t.scale = p.scale;
        t.initial = t.c;
        t.initial_stride = p.c_stride;
        if (k == 0) {
            t.initial = p.residual ? p.residual + first * p.residual_stride + column_of_c : nullptr;
            t.initial_stride = p.residual_stride;
        }
        t.bias = is_last && p.bias ? p.bias + column : nullptr;
        t.row_bias = is_last && p.row_bias ? p.row_bias + first : nullptr;
        half_tile_kernels()->multiply(t);
        if (is_last && p.activation) activate(t);
    }

    void activate(const HalfTile& t) const {
        const Product& p = blocking.product;
        const auto apply = product_kernels().activate;
        if (!blocking.blocks.c) return apply(t.c, p.c_stride, t.rows, t.columns, p.activation);
        for (std::int64_t j = 0; j < t.columns; j += HalfBlocking::block_columns)
            apply(t.c + blocking.column_of_c(j), p.c_stride, t.rows, HalfBlocking::block_columns,
                  p.activation);
    }
};

/// Into how many ranges of rows a group of columns is cut, so that workers have enough to share.
std::int64_t row_ranges(const HalfBlock& block, std::int64_t workers) {
    std::int64_t ranges = 1;
    const auto leaves_idle = [&] {
        const std::int64_t tasks = block.blocking.groups * ranges;
        return rounded_up(tasks, workers) * 8 > 9 * tasks;
    };
    while (ranges < 8 && block.tiles() / (2 * ranges) >= HalfBlocking::least_tiles && leaves_idle())
        ranges *= 2;
    return ranges;
}

}  // namespace

bool prefers_halves(const Product& p) {
    return p.rounds_a && !p.packed_b && p.packed_half_b && p.half_format == HalfFormat::binary16 &&
           p.rows >= HalfBlocking::least_rows && p.inner > 0 && half_tile_kernels() != nullptr;
}

std::size_t halves_workspace(const Product& p, int workers) {
    return static_cast<std::size_t>(HalfBlocking(p).rows_bytes() +
                                    std::max(workers, 1) * HalfBlocking::right_bytes());
}

void multiply_halves(const Product& p, ThreadPool* pool, const CancelToken* cancel,
                     std::byte* workspace, const ColumnBlocks& blocks) {
    const HalfBlocking blocking(p, blocks);
    std::byte* const rights = workspace + blocking.rows_bytes();
    const auto each = [&](std::int64_t count, const auto& work) {
        if (pool) return pool->parallel_tasks(count, work);
        for (std::int64_t i = 0; i < count; ++i) work(i, 0);
    };
    for (std::int64_t begin = 0; begin < p.rows; begin += blocking.block_rows) {
        const HalfBlock block{blocking, begin, std::min(blocking.block_rows, p.rows - begin),
                              workspace};
        const std::int64_t tiles = block.tiles();
        each(tiles, [&](std::int64_t tile, int) { block.round(tile); });
        const std::int64_t ranges = row_ranges(block, pool ? pool->threads() : 1);
        each(blocking.groups * ranges, [&](std::int64_t task, int worker) {
            const std::int64_t group = task / ranges, range = task % ranges;
            const HalfRight right(rights + worker * HalfBlocking::right_bytes());
            for (std::int64_t k = 0; k < p.inner; k += HalfBlocking::part_inner) {
                if (cancel) cancel->throw_if_cancelled();
                right.arrange(blocking, group, k);
                for (std::int64_t tile = tiles * range / ranges;
                     tile < tiles * (range + 1) / ranges; ++tile)
                    block.multiply(tile, group, k, right);
            }
        });
    }
}

}  // namespace lapidary
