// SPDX-License-Identifier: Apache-2.0
// Loops around the register tile: a block of A's rows is packed and stays in the second-level cache while the panels of B
// pass over it, each read from memory once per block of rows, the next one being fetched meanwhile.
#include "kernels/product/packed_product.h"

#include <algorithm>

#include "kernels/vector/product.h"

namespace lapidary {
namespace packed_matrix {

std::int64_t panels(std::int64_t columns) {
    const std::int64_t width = product_kernels().panel_columns;
    return (columns + width - 1) / width;
}

std::size_t bytes(std::int64_t inner, std::int64_t columns) {
    const std::int64_t vector = product_kernels().vector;
    return static_cast<std::size_t>((columns + vector - 1) / vector * vector * inner) * sizeof(float);
}

void pack(const float* b, std::int64_t stride, bool transposed, std::int64_t inner, std::int64_t columns, std::int64_t begin, std::int64_t end,
          float* to) {
    const ProductKernels& kernels = product_kernels();
    const std::int64_t width = kernels.panel_columns, vector = kernels.vector;
    for (std::int64_t panel = begin; panel < end; ++panel) {
        const std::int64_t first = panel * width, count = std::min(width, columns - first);
        kernels.pack_panel(b + first * (transposed ? stride : 1), stride, transposed, inner, count, (count + vector - 1) / vector * vector,
                           to + first * inner);
    }
}

const char* format() {
    switch (product_kernels().panel_columns) {
        case 48: return "product panels of 48";
        case 16: return "product panels of 16";
        default: return "product panels of 4";
    }
}

}  // namespace packed_matrix

namespace {

constexpr std::int64_t float_bytes = sizeof(float);

/// How one product is cut: rows into blocks and those into tiles, inner into depths, columns into panels.
struct Blocking {
    explicit Blocking(const Product& p, const ProductKernels& k = product_kernels()) : product(p), kernels(k) {
        const CacheSizes& cache = cache_sizes();
        const auto l1 = static_cast<std::int64_t>(cache.l1), l2 = static_cast<std::int64_t>(cache.l2);
        panels = (p.columns + k.panel_columns - 1) / k.panel_columns;
        packs_rows = p.transposed_a || (p.rows > k.tile_rows && panels > 2);
        reads_b = !p.packed_b && !p.transposed_b && p.rows <= k.tile_rows && !packs_rows;
        // A tile of A stays in the first-level cache, a panel of B takes a small part of the second one.
        std::int64_t longest = std::min(l1 * 3 / 4 / (k.tile_rows * float_bytes), l2 / 6 / (k.panel_columns * float_bytes));
        longest = std::max<std::int64_t>(longest / 16 * 16, 64);
        if (p.rows <= k.tile_rows) longest = std::max<std::int64_t>(p.inner, 1);
        depths = std::max<std::int64_t>(1, (p.inner + longest - 1) / longest);
        depth = ((p.inner + depths - 1) / depths + 3) / 4 * 4;
        depths = std::max<std::int64_t>(1, depth ? (p.inner + depth - 1) / depth : 1);
        const std::int64_t most = std::max<std::int64_t>(l2 / 2 / (std::max<std::int64_t>(depth, 1) * float_bytes), 4 * k.tile_rows);
        blocks = packs_rows ? (p.rows + most - 1) / most : 1;
    }

    std::int64_t block_begin(std::int64_t block) const { return p_rows() * block / blocks; }
    std::int64_t block_rows() const { return (p_rows() + blocks - 1) / blocks; }  // at most
    std::size_t packed_rows_bytes() const {
        return packs_rows ? (static_cast<std::size_t>(block_rows() * product.inner * float_bytes) + 63) / 64 * 64 : 0;
    }
    /// The columns of the last panel when B is read in place: a vector must not reach behind its end.
    std::int64_t cut_columns() const { return reads_b && product.columns % kernels.vector ? product.columns % kernels.panel_columns : 0; }
    std::size_t packed_b_bytes() const {
        return product.packed_b ? 0 : packed_matrix::bytes(product.inner, reads_b ? cut_columns() : product.columns);
    }
    std::int64_t p_rows() const { return product.rows; }

    const Product& product;
    const ProductKernels& kernels;
    std::int64_t panels, depths, depth, blocks;
    bool packs_rows;  // else A is read in place
    bool reads_b;     // in place
};

/// Rows [begin, begin + rows) of the product in tiles of nearly equal height.
struct RowBlock {
    const Blocking& blocking;
    std::int64_t begin, rows;
    float* packed;          // the tiles of A one after the other when blocking.packs_rows
    const float* packed_b;  // of its last panel alone when blocking.reads_b

    std::int64_t tiles() const { return (rows + blocking.kernels.tile_rows - 1) / blocking.kernels.tile_rows; }
    std::int64_t tile_begin(std::int64_t tile) const { return rows * tile / tiles(); }

    void pack(std::int64_t first, std::int64_t last) const {
        const Product& p = blocking.product;
        for (std::int64_t tile = first; tile < last; ++tile) {
            const std::int64_t row = tile_begin(tile);
            blocking.kernels.pack_rows(p.a + (begin + row) * (p.transposed_a ? 1 : p.a_stride), p.a_stride, p.transposed_a,
                                       tile_begin(tile + 1) - row, p.inner, packed + row * p.inner);
        }
    }

    /// Tiles [first_tile, last_tile) times panels [first_panel, last_panel); `following` is the panel after those.
    void multiply(std::int64_t first_tile, std::int64_t last_tile, std::int64_t first_panel, std::int64_t last_panel, std::int64_t following) const {
        const Product& p = blocking.product;
        const ProductKernels& kernels = blocking.kernels;
        const std::int64_t width = kernels.panel_columns, vector = kernels.vector, count = last_tile - first_tile;
        ProductTile t;
        t.a_stride = p.a_stride;
        t.packed_a = blocking.packs_rows;
        t.c_stride = p.c_stride;
        t.scale = p.scale;
        for (std::int64_t part = 0; part < blocking.depths; ++part) {
            const std::int64_t k = part * blocking.depth;
            const bool is_first = part == 0, is_last = part + 1 == blocking.depths;
            t.inner = std::min(blocking.depth, p.inner - k);
            for (std::int64_t panel = first_panel; panel < last_panel; ++panel) {
                const std::int64_t column = panel * width;
                t.columns = std::min(width, p.columns - column);
                t.b_stride = (t.columns + vector - 1) / vector * vector;
                t.b = packed_b + column * p.inner + k * t.b_stride;
                if (blocking.reads_b && t.columns % vector) t.b = packed_b + k * t.b_stride;
                else if (blocking.reads_b) {
                    t.b = p.b + column + k * p.b_stride;
                    t.b_stride = p.b_stride;
                }
                // The panel that comes next is spread over the first tiles; a few rows only stream from memory.
                const std::int64_t next_panel = panel + 1 < last_panel ? panel + 1 : is_last ? following : first_panel;
                const std::int64_t next_k = panel + 1 < last_panel ? k : is_last ? 0 : k + blocking.depth;
                const std::int64_t lines = t.b_stride * float_bytes / 64;  // per value of k
                const bool has_next = count > 3 && next_panel < blocking.panels && lines > 0;
                t.next = has_next ? reinterpret_cast<const char*>(packed_b + next_panel * width * p.inner + next_k * t.b_stride) : nullptr;
                t.next_lines = !has_next ? 0 : count >= 4 * lines ? 1 : 3;
                t.ahead = count > 3 ? 8 : 32;
                std::int64_t fetched = 0;
                for (std::int64_t tile = first_tile; tile < last_tile; ++tile) {
                    const std::int64_t row = tile_begin(tile), first = begin + row;
                    t.rows = static_cast<int>(tile_begin(tile + 1) - row);
                    t.a = t.packed_a ? packed + row * p.inner + k * t.rows : p.a + first * p.a_stride + k;
                    t.c = p.c + first * p.c_stride + column;
                    t.initial = !is_first ? t.c : p.residual ? p.residual + first * p.residual_stride + column : nullptr;
                    t.initial_stride = is_first ? p.residual_stride : p.c_stride;
                    t.bias = is_last && p.bias ? p.bias + column : nullptr;
                    t.row_bias = is_last && p.row_bias ? p.row_bias + first : nullptr;
                    kernels.multiply(t);
                    if (t.next_lines) {
                        fetched += t.inner / 4 * t.next_lines;
                        t.next += t.inner / 4 * t.next_lines * 64;
                        if (fetched >= t.inner * lines) t.next_lines = 0;
                    }
                    if (is_last && p.activation) kernels.activate(t.c, p.c_stride, t.rows, t.columns, p.activation);
                }
            }
        }
    }
};

/// Rough time on one core, to leave small products on the caller: multiplications or reading B, whatever takes longer.
bool is_worth_threads(const Product& p) {
    const double reads = static_cast<double>(p.inner) * static_cast<double>(p.columns);
    return std::max(reads * static_cast<double>(p.rows) / 100e3, reads / 8e3) > 3;
}

void multiply(const Product& product, ThreadPool* pool, const CancelToken* cancel, std::byte* workspace) {
    if (product.rows <= 0 || product.columns <= 0) return;
    const Blocking blocking(product);
    if (pool && (pool->threads() < 2 || !is_worth_threads(product))) pool = nullptr;
    const std::int64_t workers = pool ? pool->threads() : 1;
    const float* packed_b = product.packed_b;
    if (!packed_b) {
        auto* to = reinterpret_cast<float*>(workspace + blocking.packed_rows_bytes());
        packed_b = to;
        if (const std::int64_t cut = blocking.cut_columns(); blocking.reads_b) {
            if (cut) packed_matrix::pack(product.b + product.columns - cut, product.b_stride, false, product.inner, cut, 0, 1, to);
        } else {
            const auto pack = [&](std::int64_t panel, int) {
                packed_matrix::pack(product.b, product.b_stride, product.transposed_b, product.inner, product.columns, panel, panel + 1, to);
            };
            if (pool && product.inner * product.columns >= 1 << 15) pool->parallel_tasks(blocking.panels, pack);
            else
                for (std::int64_t panel = 0; panel < blocking.panels; ++panel) pack(panel, 0);
        }
    }
    for (std::int64_t b = 0; b < blocking.blocks; ++b) {
        if (cancel) cancel->throw_if_cancelled();
        const std::int64_t first = blocking.block_begin(b);
        const RowBlock rows{blocking, first, blocking.block_begin(b + 1) - first, reinterpret_cast<float*>(workspace), packed_b};
        const std::int64_t tiles = rows.tiles();
        if (blocking.packs_rows) {
            if (!pool || rows.rows * product.inner < 1 << 15) rows.pack(0, tiles);
            else {
                const std::int64_t chunks = std::min(tiles, 2 * workers);
                pool->parallel_tasks(chunks, [&](std::int64_t chunk, int) { rows.pack(tiles * chunk / chunks, tiles * (chunk + 1) / chunks); });
            }
        }
        if (!pool) {
            if (!cancel) rows.multiply(0, tiles, 0, blocking.panels, blocking.panels);
            else
                for (std::int64_t panel = 0; panel < blocking.panels; panel += 8) {
                    cancel->throw_if_cancelled();
                    const std::int64_t end = std::min(panel + 8, blocking.panels);
                    rows.multiply(0, tiles, panel, end, end);
                }
            continue;
        }
        // Panels are handed out one by one, or a few where A is walked through several times for each group of them; few
        // rows read B as one stream per worker; few panels share the rows as well.
        std::int64_t group = tiles <= 3 ? std::max<std::int64_t>(1, blocking.panels / (4 * workers)) : blocking.depths > 1 ? 4 : 1;
        group = std::clamp<std::int64_t>(blocking.panels / (2 * workers), 1, group);
        const std::int64_t groups = (blocking.panels + group - 1) / group;
        const std::int64_t chunks = groups >= 4 * workers ? 1 : std::min(tiles, (4 * workers + groups - 1) / groups);
        pool->parallel_tasks(groups * chunks, [&](std::int64_t task, int) {
            cancel->throw_if_cancelled();
            const std::int64_t chunk = task / groups, panel = task % groups * group, end = std::min(panel + group, blocking.panels);
            const std::int64_t following = tiles <= 3 ? end : panel + group * workers;
            rows.multiply(tiles * chunk / chunks, tiles * (chunk + 1) / chunks, panel, end, following);
        });
    }
}

}  // namespace

std::size_t product_workspace(const Product& product, int) {
    if (product.rows <= 0 || product.columns <= 0) return 0;
    const Blocking blocking(product);
    return blocking.packed_rows_bytes() + blocking.packed_b_bytes();
}

void multiply(const Product& product, ThreadPool& pool, const CancelToken& cancel, std::byte* workspace) {
    multiply(product, &pool, &cancel, workspace);
}

void multiply(const Product& product, std::byte* workspace) { multiply(product, nullptr, nullptr, workspace); }

}  // namespace lapidary
