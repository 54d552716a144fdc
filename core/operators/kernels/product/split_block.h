// SPDX-License-Identifier: Apache-2.0
// What multiply_split() cuts a product into, and how one block of it is multiplied.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/cpu_features.h"
#include "kernels/product/packed_product.h"
#include "kernels/product/panels.h"
#include "kernels/product/split_product.h"
#include "kernels/vector/product/split_tiles.h"

namespace lapidary {

/// How a product is cut. Rows are cut into tiles of most_rows, so that no row's result depends on
/// how many workers there are.
struct SplitBlocking {
    static constexpr std::int64_t most_inner = PanelSource::most_apart;  // of a part of the depth
    static constexpr std::int64_t tasks_of_worker = 4;
    static constexpr std::int64_t least_tiles = 4;  // that make it worth to split a part of B
    static constexpr std::int64_t line_bytes = 64;

    SplitBlocking(const Product& p, int workers, const SplitBlocks& apart = {})
        : product(p), blocks(apart), cut(p.columns), groups((cut.count + 1) / 2),
          parts((p.inner + most_inner - 1) / most_inner), factor_depth(factors_of(p)),
          part_inner(rounded_up((p.inner + parts - 1) / parts,
                                std::max(factor_depth, split_tiles::step))) {
        const auto cache = static_cast<std::int64_t>(cache_sizes().l2);
        // twice as much where a part of B is made for each block of rows
        const std::int64_t near =
            std::max<std::int64_t>(cache * (p.source ? 10 : 5) / 16 / tile_bytes(), 4);
        const bool has_few_groups = groups < tasks_of_worker * workers;
        const std::int64_t tiles = tiles_of(p.rows);
        by_rows = tiles >= tasks_of_worker * workers && (has_few_groups || tiles > near) &&
                  groups * parts * shared_bytes() <= cache / 2;
        // each of several workers has some of the rows where columns are few
        const std::int64_t most = near * (has_few_groups ? std::max(workers, 1) : 1),
                           row_blocks = (tiles + most - 1) / most;
        block_tiles = by_rows ? 2 : (tiles + row_blocks - 1) / row_blocks;
    }
    static std::int64_t tiles_of(std::int64_t rows) {
        return (rows + split_tiles::most_rows - 1) / split_tiles::most_rows;
    }
    /// Of a part of the left side of a tile.
    std::int64_t tile_elements() const {
        return split_tiles::left_elements(split_tiles::most_rows, part_inner);
    }
    std::int64_t tile_bytes() const { return tile_elements() * 2; }
    std::int64_t ranges_bytes() const {
        return rounded_up(block_tiles * static_cast<std::int64_t>(sizeof(SplitRange)), line_bytes);
    }
    std::int64_t rows_bytes() const { return block_tiles * tile_bytes(); }
    /// The first panel of a group, which has two; of an odd number of panels the first group has
    /// one.
    std::int64_t panel(std::int64_t group) const {
        return std::max<std::int64_t>(2 * group - cut.count % 2, 0);
    }
    std::int64_t panels(std::int64_t group) const { return panel(group + 1) - panel(group); }
    std::int64_t begin(std::int64_t group) const { return cut.begin(panel(group)); }
    /// Of the two panels of a group.
    std::int64_t group_columns() const { return 2 * cut.width; }
    /// Of a part of B as 16-bit elements.
    std::int64_t split_bytes() const {
        return split_tiles::right_elements(group_columns(), part_inner) * 2;
    }
    std::int64_t factors_bytes() const {
        return factor_depth ? (part_inner / factor_depth) * split_tiles::most_columns * 4 : 0;
    }
    /// Of a part of B with its factors, which workers may share.
    std::int64_t shared_bytes() const { return line_bytes + split_bytes() + factors_bytes(); }
    /// Of the same as floats where they are not at hand.
    std::int64_t floats_bytes() const { return part_inner * group_columns() * 4; }
    std::int64_t left_bytes() const { return ranges_bytes() + rows_bytes(); }
    /// Blocks that are whole steps, and a part or less.
    static std::int64_t factors_of(const Product& p) {
        if (p.packed_b || p.packed_half_b || !p.source) return 0;
        const std::int64_t depth = p.source->factor_depth();
        return depth > 0 && depth % split_tiles::step == 0 && most_inner % depth == 0 ? depth : 0;
    }
    /// Rows of B from row `k` on that are a part.
    std::int64_t inner_from(std::int64_t k) const {
        return std::min(part_inner, product.inner - k);
    }
    /// Where a column of C begins; 16 columns begin at a multiple of 16.
    std::int64_t column_of_c(std::int64_t column) const {
        return blocks.c ? column / block_columns * blocks.c + column % block_columns : column;
    }

    static constexpr std::int64_t block_columns = 16;
    const Product& product;
    SplitBlocks blocks;
    Panels cut;
    std::int64_t groups;
    std::int64_t parts;
    std::int64_t factor_depth;  // 0: the elements of B come with their factors
    std::int64_t part_inner;
    std::int64_t block_tiles;
    // B, which is small, is split first; each worker then has rows of its own, which it splits
    bool by_rows = false;
};

/// A part of the two panels of a group.
class SplitRight {
public:
    /// `memory` has shared_bytes(), `floats` floats_bytes() that no other worker uses meanwhile.
    SplitRight(const SplitBlocking& blocking, const SplitTileKernels& kernels, std::byte* memory,
               std::byte* floats)
        : range(*reinterpret_cast<SplitRange*>(memory)), blocking_(blocking), kernels_(kernels),
          elements_(reinterpret_cast<std::uint16_t*>(memory + SplitBlocking::line_bytes)),
          factors_(reinterpret_cast<float*>(memory + SplitBlocking::line_bytes +
                                            blocking.split_bytes())),
          floats_(reinterpret_cast<float*>(floats)) {}

    /// Says which part was split before.
    void place(std::int64_t k) {
        k_ = k;
        inner = blocking_.inner_from(k);
    }
    /// The panels of `group` from row `k` of B on.
    void split(std::int64_t group, std::int64_t k) {
        range = {};
        place(k);
        for (std::int64_t n = 0; n < blocking_.panels(group); ++n) {
            const std::int64_t panel = blocking_.panel(group) + n,
                               column = blocking_.cut.begin(panel);
            SplitColumns c;
            c.columns = blocking_.cut.begin(panel + 1) - column;
            c.inner = inner;
            c.first = column - blocking_.begin(group);
            c.to = elements_;
            if (blocking_.blocks.b) {
                split_blocks(c, column);
                continue;
            }
            c.from = blocking_.factor_depth ? apart(column, c, n)
                                            : source(column, c.columns, n, c.stride);
            range.add(kernels_.split_columns(c));
        }
    }

    /// Column `first` of panel `n` of the group and those behind it as floats, [inner, columns
    /// rounded up to whole vectors].
    const float* panel(std::int64_t group, std::int64_t n, std::int64_t first,
                       std::int64_t& stride) const {
        const std::int64_t column = blocking_.cut.begin(blocking_.panel(group) + n);
        if (blocking_.blocks.b) return block(first, stride);
        return whole_panel(column, blocking_.cut.begin(blocking_.panel(group) + n + 1) - column, n,
                           stride) +
               (first - column);
    }

    const std::uint16_t* elements() const { return elements_; }
    /// Null where elements have none.
    const float* factors() const { return blocking_.factor_depth ? factors_ : nullptr; }

    SplitRange& range;
    std::int64_t inner = 0;  // rows of the part

private:
    /// 16 columns of a B whose columns stand apart.
    const float* block(std::int64_t column, std::int64_t& stride) const {
        stride = SplitBlocking::block_columns;
        return blocking_.product.b + column / stride * blocking_.blocks.b + k_ * stride;
    }
    void split_blocks(SplitColumns c, std::int64_t column) {
        const std::int64_t end = column + c.columns;
        for (; column < end; column += c.columns, c.first += c.columns) {
            c.columns = std::min(SplitBlocking::block_columns, end - column);
            c.from = block(column, c.stride);
            range.add(kernels_.split_columns(c));
        }
    }
    /// The columns of a source whose factors stand apart. Factors that are not moderate are as bad
    /// as such elements.
    const float* apart(std::int64_t column, SplitColumns& c, std::int64_t n) {
        c.stride = packed_matrix::panel_stride(c.columns);
        float *const to = floats(n), *const factors = factors_ + c.first;
        blocking_.product.source->fill_apart(column, c.columns, k_, inner, c.stride, to, factors,
                                             split_tiles::most_columns);
        for (std::int64_t k = 0; k < inner; k += blocking_.factor_depth)
            for (std::int64_t j = 0; j < c.columns; ++j)
                if (!(std::fabs(
                          factors[k / blocking_.factor_depth * split_tiles::most_columns + j]) <
                      largest_factor))
                    range.largest = ~std::uint32_t{0};
        return to;
    }
    static constexpr float largest_factor = 0x1p40f;
    const float* whole_panel(std::int64_t column, std::int64_t columns, std::int64_t n,
                             std::int64_t& stride) const {
        const Product& p = blocking_.product;
        if (p.packed_b || p.packed_half_b || p.source || p.transposed_b)
            return source(column, columns, n, stride);
        stride = packed_matrix::panel_stride(columns);
        packed_matrix::pack_panel(p.b + k_ * p.b_stride + column, p.b_stride, false, inner, columns,
                                  floats(n));
        return floats(n);
    }

    float* floats(std::int64_t n) const {
        return floats_ + n * blocking_.part_inner * blocking_.cut.width;
    }
    /// Floats of a part of a panel, where they are or made in memory.
    const float* source(std::int64_t column, std::int64_t columns, std::int64_t n,
                        std::int64_t& stride) const {
        const Product& p = blocking_.product;
        float* const to = floats(n);
        stride = packed_matrix::panel_stride(columns);
        if (p.packed_b) return p.packed_b + column * p.inner + k_ * stride;
        if (p.packed_half_b)
            product_kernels().widen(p.packed_half_b +
                                        column * packed_matrix::half_rows(p.half_format, p.inner) +
                                        k_ * stride,
                                    p.half_format, inner, stride, to);
        else if (p.source) p.source->fill(column, columns, k_, inner, stride, to);
        else if (p.transposed_b)
            packed_matrix::pack_panel(p.b + column * p.b_stride + k_, p.b_stride, true, inner,
                                      columns, to);
        else {
            stride = p.b_stride;
            return p.b + k_ * p.b_stride + column;
        }
        return to;
    }

    const SplitBlocking& blocking_;
    const SplitTileKernels& kernels_;
    std::uint16_t* elements_;
    float *factors_, *floats_;
    std::int64_t k_ = 0;
};

/// Tiles [first, first + count) of rows, from value `k` of each row on.
struct SplitBlock {
    const SplitBlocking& blocking;
    const SplitTileKernels& kernels;
    std::int64_t first, count, k;
    std::byte* memory;

    std::int64_t row(std::int64_t tile) const { return (first + tile) * split_tiles::most_rows; }
    int rows(std::int64_t tile) const {
        return static_cast<int>(
            std::min<std::int64_t>(blocking.product.rows - row(tile), split_tiles::most_rows));
    }
    SplitRange& range(std::int64_t tile) const {
        return reinterpret_cast<SplitRange*>(memory)[tile];
    }
    std::uint16_t* left(std::int64_t tile) const {
        return reinterpret_cast<std::uint16_t*>(memory + blocking.ranges_bytes()) +
               tile * blocking.tile_elements();
    }

    void split(std::int64_t tile) const {
        const Product& p = blocking.product;
        SplitRows r;
        r.row_step = p.a_stride;
        if (blocking.blocks.a) r.block_step = blocking.blocks.a;
        r.from = p.a + row(tile) * p.a_stride +
                 (blocking.blocks.a ? k / SplitBlocking::block_columns * blocking.blocks.a : k);
        r.rows = rows(tile);
        r.inner = blocking.inner_from(k);
        r.to = left(tile);
        range(tile) = kernels.split_rows(r);
    }

    void multiply(std::int64_t tile, std::int64_t group, const SplitRight& right) const {
        if (range(tile).fits() && right.range.fits()) multiply_tiles(tile, group, right);
        else multiply_floats(tile, group, right);
    }

private:
    /// What the sums of a tile of either kind start and end with.
    template <typename Tile>
    void place(Tile& t, std::int64_t at_row, std::int64_t column, bool is_first,
               bool is_last) const {
        const Product& p = blocking.product;
        const std::int64_t column_of_c = blocking.column_of_c(column);
        t.c = p.c + at_row * p.c_stride + column_of_c;
        t.c_stride = p.c_stride;
        t.scale = p.scale;
        t.initial = t.c;
        t.initial_stride = p.c_stride;
        if (is_first) {
            t.initial =
                p.residual ? p.residual + at_row * p.residual_stride + column_of_c : nullptr;
            t.initial_stride = p.residual_stride;
        }
        t.bias = is_last && p.bias ? p.bias + column : nullptr;
        t.row_bias = is_last && p.row_bias ? p.row_bias + at_row : nullptr;
    }

    void multiply_tiles(std::int64_t tile, std::int64_t group, const SplitRight& right) const {
        const Product& p = blocking.product;
        const std::int64_t begin = blocking.begin(group), end = blocking.begin(group + 1);
        const bool is_last = k + right.inner >= p.inner;
        SplitTile t;
        t.rows = rows(tile);
        t.steps = split_tiles::steps(right.inner);
        t.left = left(tile);
        t.left_parts = range(tile).parts;
        t.right_parts = right.range.parts;
        t.factors = right.factors();
        t.factor_steps = blocking.factor_depth / split_tiles::step;
        if (blocking.blocks.c) t.c_block = blocking.blocks.c;
        t.columns = end - begin;
        t.right = right.elements();
        t.right_steps = t.steps;
        place(t, row(tile), begin, k == 0, is_last);
        kernels.multiply(t);
        if (is_last && p.activation) activate(t.c, t.rows, t.columns);
    }

    /// The same in float32, of whatever numbers.
    void multiply_floats(std::int64_t tile, std::int64_t group, const SplitRight& right) const {
        for (std::int64_t n = 0; n < blocking.panels(group); ++n) {
            const std::int64_t begin = blocking.cut.begin(blocking.panel(group) + n),
                               end = blocking.cut.begin(blocking.panel(group) + n + 1),
                               step = blocking.blocks.b || blocking.blocks.c
                                          ? SplitBlocking::block_columns
                                          : std::max<std::int64_t>(end - begin, 1);
            for (std::int64_t column = begin; column < end; column += step) {
                ProductTile t;
                t.columns = std::min(step, end - column);
                t.b = right.panel(group, n, column, t.b_stride);
                multiply_columns(t, tile, column, right.inner);
            }
        }
    }

    /// All rows of a tile by some columns of a panel. Where values of A stand apart, each 16 of
    /// them are added to C.
    void multiply_columns(ProductTile& t, std::int64_t tile, std::int64_t column,
                          std::int64_t inner) const {
        const Product& p = blocking.product;
        const ProductKernels& floats = product_kernels();
        const std::int64_t step = blocking.blocks.a ? SplitBlocking::block_columns : inner;
        const float* const b = t.b;
        t.a_stride = p.a_stride;
        for (std::int64_t i = 0; i < rows(tile); i += floats.tile_rows) {
            const std::int64_t at = row(tile) + i;
            t.rows = static_cast<int>(std::min<std::int64_t>(floats.tile_rows, rows(tile) - i));
            for (std::int64_t d = k; d < k + inner; d += step) {
                t.inner = std::min(step, k + inner - d);
                t.a =
                    p.a + at * p.a_stride + (blocking.blocks.a ? d / step * blocking.blocks.a : d);
                t.b = b + (d - k) * t.b_stride;
                const bool is_last = d + t.inner >= p.inner;
                place(t, at, column, d == 0, is_last);
                floats.multiply(t);
                if (is_last && p.activation) activate(t.c, t.rows, t.columns);
            }
        }
    }

    void activate(float* c, std::int64_t rows, std::int64_t columns) const {
        const Product& p = blocking.product;
        const auto apply = product_kernels().activate;
        if (!blocking.blocks.c) return apply(c, p.c_stride, rows, columns, p.activation);
        for (std::int64_t j = 0; j < columns; j += SplitBlocking::block_columns)
            apply(c + blocking.column_of_c(j), p.c_stride, rows,
                  std::min(SplitBlocking::block_columns, columns - j), p.activation);
    }
};

}  // namespace lapidary
