// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/byte_product.h"

#include <algorithm>

#include "kernels/product/task_runs.h"

namespace lapidary {
namespace {

/// How a product is cut into tasks: row blocks that stay in the second cache, each with some of the
/// panels.
struct Cut {
    std::int64_t blocks = 1, column_parts = 1, panels_per_part = 1;
    std::int64_t most_rows = 0;  // of a block
    std::int64_t begin(std::int64_t block, std::int64_t rows) const {
        return rows * block / blocks;
    }
};

Cut cut(const ByteProduct& p, int workers) {
    constexpr std::int64_t block_bytes = 192 << 10, table_bytes = 64 << 10, most_rows = 128;
    const std::int64_t row_bytes =
        std::max<std::int64_t>(1, p.layout.padded_inner() * p.layout.kernels->element_bytes);
    const std::int64_t rows_by_bytes = std::max<std::int64_t>(24, block_bytes / row_bytes),
                       rows_by_table = std::max<std::int64_t>(24, table_bytes / 8 / p.layout.taps);
    const std::int64_t rows = std::min({p.rows, rows_by_bytes, rows_by_table, most_rows});
    Cut c;
    c.blocks = std::max<std::int64_t>(1, (p.rows + rows - 1) / std::max<std::int64_t>(1, rows));
    const std::int64_t panels = std::max<std::int64_t>(1, p.layout.panels()),
                       wanted = workers == 1 ? 1 : 4 * workers;
    if (c.blocks < wanted) {
        // Every worker reads all of B when rows are divided, all of A when columns are. Rows that
        // stay with a worker from one product to the next also spare it what another core's cache
        // holds.
        const std::int64_t depth = p.layout.taps * p.layout.padded_inner();
        const bool has_many_rows =
            p.rows >= 32 * workers &&
            depth * p.layout.columns <= p.rows * (row_bytes + 2 * p.layout.columns);
        if (has_many_rows || p.rows >= 48 * wanted)
            c.blocks = std::max(c.blocks, std::clamp<std::int64_t>(p.rows / 48 / workers * workers,
                                                                   workers, wanted));
        else c.column_parts = std::min(panels, (wanted + c.blocks - 1) / c.blocks);
    }
    c.panels_per_part = (panels + c.column_parts - 1) / c.column_parts;
    c.column_parts = (panels + c.panels_per_part - 1) / c.panels_per_part;
    c.most_rows = (p.rows + c.blocks - 1) / c.blocks;
    return c;
}

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

/// Of ByteBlock::stage.
std::size_t stage_bytes(const ByteProduct& p) {
    if (p.multiply) return 0;
    const auto depth = static_cast<std::size_t>(p.layout.taps * p.layout.padded_inner());
    return static_cast<std::size_t>(p.layout.kernels->staged_rows) * rounded(depth);
}

std::size_t workspace_of_worker(const ByteProduct& p, const Cut& c) {
    const auto rows = static_cast<std::size_t>(c.most_rows);
    return rounded(rows * static_cast<std::size_t>(p.layout.taps) * sizeof(void*)) +
           rounded(rows * sizeof(std::int32_t)) + stage_bytes(p) +
           rounded(rows * p.buffer_per_row) + 64;
}

void run_task(const ByteProduct& p, const Cut& c, std::int64_t task, std::byte* workspace) {
    const ByteLayout& layout = p.layout;
    const std::int64_t block_index = task / c.column_parts, part = task % c.column_parts;
    const std::int64_t begin = c.begin(block_index, p.rows), end = c.begin(block_index + 1, p.rows);
    if (begin == end) return;
    const auto rows = static_cast<std::size_t>(c.most_rows);
    const auto places = reinterpret_cast<const void**>(workspace);
    workspace += rounded(rows * static_cast<std::size_t>(layout.taps) * sizeof(void*));
    const auto terms = reinterpret_cast<std::int32_t*>(workspace);
    workspace += rounded(rows * sizeof(std::int32_t));
    const auto stage = reinterpret_cast<std::uint8_t*>(workspace);
    workspace += stage_bytes(p);

    ByteBlock block;
    block.stage = stage;
    block.rows = end - begin;
    block.taps = layout.taps;
    block.inner = layout.padded_inner();
    const std::int64_t element = layout.kernels->element_bytes;
    if (p.places) p.places(begin, end, places, workspace);
    else
        for (std::int64_t r = begin; r < end; ++r)
            places[r - begin] = static_cast<const std::byte*>(p.a) + r * p.a_stride * element;
    block.places = places;
    if (p.finds_runs) block.runs = reinterpret_cast<const std::int32_t*>(workspace);
    block.run_step = p.run_step;
    block.panel_width = layout.width;
    block.panels = layout.data(p.packed_b);
    block.all_columns = layout.columns;
    block.column = part * c.panels_per_part * layout.width;
    block.columns = std::min(layout.columns - block.column, c.panels_per_part * layout.width);
    block.finish = p.finish;
    ByteFinish& f = block.finish;
    const std::int64_t out_bytes = f.to == ByteFinish::To::bytes ? 1 : 4;
    f.out = static_cast<std::byte*>(f.out) + begin * f.out_stride * out_bytes;
    if (f.residual) f.residual += begin * f.residual_stride;
    if (f.addend) f.addend = static_cast<const std::byte*>(f.addend) + begin * f.addend_stride;
    if (f.column_zero) {
        for (std::int64_t r = 0; r < block.rows; ++r) {
            terms[r] = 0;
            for (std::int64_t t = 0; t < layout.taps; ++t)
                terms[r] -= layout.kernels->row_sum(places[r * layout.taps + t], block.inner);
        }
        f.row_term = terms;
    }
    (p.multiply ? p.multiply : layout.kernels->multiply)(block);
}

}  // namespace

ByteLayout ByteLayout::of(std::int64_t taps, std::int64_t inner, std::int64_t columns) {
    ByteLayout l{&byte_product_kernels(), taps, inner, columns, 0};
    // The narrower panel where it leaves fewer columns empty, or as few: its tiles have more rows
    // per load of B.
    const std::int64_t wide = l.kernels->widest_panel, narrow = wide / 4 * 3;
    l.width = narrow % l.kernels->lanes == 0 && columns % narrow == 0 ? narrow : wide;
    return l;
}

void ByteLayout::pack(const void* b, DType dtype, ByteStrides strides, std::int64_t begin,
                      std::int64_t end, std::byte* to) const {
    for (std::int64_t p = begin; p < end; ++p) {
        const std::int64_t column = p * width,
                           columns_here = std::min(width, padded_columns() - column);
        kernels->pack(b, strides, dtype == DType::u8, taps, inner, columns, column, columns_here,
                      reinterpret_cast<std::int8_t*>(to) + column * taps * padded_inner(),
                      reinterpret_cast<std::int32_t*>(to + panel_bytes()) + column);
    }
    if (end == panels())
        std::fill_n(reinterpret_cast<std::int32_t*>(to + panel_bytes()) + padded_columns(), 64, 0);
}

std::string ByteLayout::format() const {
    return "byte panels " + std::to_string(width) + " of " + std::to_string(kernels->lanes) + "x" +
           std::to_string(kernels->element_bytes) + " taps " + std::to_string(taps) + " inner " +
           std::to_string(inner) + " columns " + std::to_string(columns);
}

std::size_t byte_product_workspace(const ByteProduct& product, int workers) {
    // A product for one worker alone may be cut into fewer and larger blocks than one for all of
    // them.
    return std::max(
        workspace_of_worker(product, cut(product, 1)),
        workspace_of_worker(product, cut(product, workers)) * static_cast<std::size_t>(workers));
}

void multiply(const ByteProduct& product, ThreadPool& pool, const CancelToken& cancel,
              std::byte* workspace) {
    constexpr double worth_a_hand_over = 1e6;  // multiplications: about a microsecond
    const double work = static_cast<double>(product.rows) *
                        static_cast<double>(product.layout.columns * product.layout.taps) *
                        static_cast<double>(product.layout.padded_inner());
    if (work < worth_a_hand_over || pool.threads() == 1) {
        const Cut c = cut(product, 1);
        for (std::int64_t task = 0; task < c.blocks * c.column_parts; ++task) {
            cancel.throw_if_cancelled();
            run_task(product, c, task, workspace);
        }
        return;
    }
    const Cut c = cut(product, pool.threads());
    const std::size_t bytes = workspace_of_worker(product, c);
    // the same rows or panels for a worker each time
    TaskRuns runs(c.blocks * c.column_parts, 1, pool.threads());
    pool.parallel_tasks(c.blocks * c.column_parts, [&](std::int64_t, int worker) {
        cancel.throw_if_cancelled();
        run_task(product, c, runs.take(worker),
                 workspace + bytes * static_cast<std::size_t>(worker));
    });
}

void multiply(const ByteProduct& product, const CancelToken& cancel, std::byte* workspace) {
    const Cut c = cut(product, 1);
    for (std::int64_t task = 0; task < c.blocks * c.column_parts; ++task) {
        cancel.throw_if_cancelled();
        run_task(product, c, task, workspace);
    }
}

void byte_column_offsets(const ByteLayout& layout, const std::byte* packed, std::int32_t a_zero,
                         const std::int32_t* bias, const std::int32_t* column_zero,
                         std::int32_t* offsets) {
    const std::int64_t padded = layout.padded_columns();
    layout.kernels->column_offsets(layout.column_sums(packed), padded, a_zero,
                                   static_cast<std::int32_t>(layout.taps * layout.inner),
                                   column_zero, offsets);
    for (std::int64_t n = 0; bias && n < layout.columns; ++n)
        offsets[n] = static_cast<std::int32_t>(static_cast<std::uint32_t>(offsets[n]) +
                                               static_cast<std::uint32_t>(bias[n]));
}

}  // namespace lapidary
