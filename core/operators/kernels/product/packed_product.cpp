// SPDX-License-Identifier: Apache-2.0
// Loops around the register tile. A block of A's rows is packed and stays in the second-level cache
// while the panels of B pass over it, each read from memory once per block of rows, the next one
// being fetched meanwhile.
#include "kernels/product/packed_product.h"

#include <algorithm>
#include <numeric>

#include "kernels/product/dot_product.h"
#include "kernels/product/half_product.h"
#include "kernels/product/panels.h"
#include "kernels/product/rounded_product.h"
#include "kernels/product/split_product.h"
#include "kernels/product/task_runs.h"
#include "kernels/vector/product/product.h"

namespace lapidary {
namespace {

constexpr std::int64_t float_bytes = sizeof(float);
constexpr std::int64_t tiles_per_look = 8;  // between two looks at the token

/// Rough time on one core, to leave small products on the caller: multiplications or reading B,
/// whatever takes longer.
bool is_worth_threads(const Product& p) {
    const double reads = static_cast<double>(p.inner) * static_cast<double>(p.columns);
    return std::max(reads * static_cast<double>(p.rows) / 100e3, reads / 8e3) > 3;
}

/// How a product is blocked: rows into blocks and those into tiles, the inner dimension into
/// depths, columns into panels.
struct Blocking {
    /// `the_token`: null: the product is not cancelled.
    Blocking(const Product& p, int threads, const CancelToken* the_token = nullptr)
        : product(p), cancel(the_token), kernels(product_kernels()), cut(p.columns, kernels),
          panels(cut.count), workers(threads > 1 && is_worth_threads(p) ? threads : 1) {
        const CacheSizes& cache = cache_sizes();
        const auto l1 = static_cast<std::int64_t>(cache.l1),
                   l2 = static_cast<std::int64_t>(cache.l2);
        const std::int64_t tile = kernels.tile_rows, width = kernels.panel_columns;
        // A tile of A stays in the first-level cache, a panel of B takes a small part of the second
        // one.
        std::int64_t longest =
            std::min(l1 * 3 / 4 / (tile * float_bytes), l2 / 5 / (width * float_bytes));
        longest = std::max<std::int64_t>(longest / 16 * 16, 64);
        if (p.rows <= tile) longest = std::max<std::int64_t>(p.inner, 1);
        depths = std::max<std::int64_t>(1, (p.inner + longest - 1) / longest);
        const std::int64_t multiple = p.source ? PanelSource::depth_multiple : 4;
        depth = rounded_up((p.inner + depths - 1) / depths, multiple);
        depths = depth ? (p.inner + depth - 1) / depth : 1;
        packs_rows = p.transposed_a || (p.rows > tile && panels > 2 && crowds_l1(l1));
        // Where B stays in the second-level cache each worker has rows of its own, else panels.
        const bool is_right_near = panels <= 2 || p.inner * p.columns * float_bytes <= l2 / 2;
        by_rows = !p.source && p.rows >= 2 * tile * workers && is_right_near;
        std::int64_t most =
            std::max(l2 / 2 / (std::max<std::int64_t>(depth, 1) * float_bytes), 4 * tile);
        if (by_rows && workers > 1)
            most = std::min(most, std::max(p.rows / (4 * workers), 2 * tile));
        right = right_for(l1);
        // A panel packed on the way is packed once: all rows pass over it. Widening is cheap enough
        // to be done for each block.
        const bool is_packed_once = right == Right::packed_by_panel && !stores_halves();
        blocks = is_packed_once ? 1 : (p.rows + most - 1) / most;
        // A few workers pack the same rows rather than read what another core has written.
        copies = !packs_rows ? 0 : by_rows || workers <= 4 ? workers : 1;
    }

    enum class Right { ready, half, in_place, packed_whole, packed_by_panel };

    Right right_for(std::int64_t l1) const {
        if (product.packed_b) return Right::ready;
        if (stores_halves()) {
            // Widening a panel first pays where more than two tiles read it.
            if (!packs_rows && product.rows <= 2 * kernels.tile_rows) return Right::half;
            return by_rows && workers > 1 ? Right::packed_whole : Right::packed_by_panel;
        }
        if (product.source) return Right::packed_by_panel;
        if (!packs_rows && !product.transposed_b &&
            (product.rows <= kernels.tile_rows || reads_near(l1)))
            return Right::in_place;
        return by_rows && workers > 1 ? Right::packed_whole : Right::packed_by_panel;
    }

    bool stores_halves() const { return !product.packed_b && product.packed_half_b; }
    /// The panel of a B that is stored in 16 bits whose first column is `column`.
    const std::uint16_t* half_panel(std::int64_t column) const {
        return product.packed_half_b +
               column * packed_matrix::half_rows(product.half_format, product.inner);
    }

    /// Rows of A read in place would spread too far, or fall on too few sets of the first-level
    /// cache. Several workers, each of whom would pack all rows, put up with more of that.
    bool crowds_l1(std::int64_t l1) const {
        constexpr std::int64_t way = 4096;
        const std::int64_t ways = l1 / way,
                           places = way / std::gcd(product.a_stride * float_bytes, way),
                           tile = kernels.tile_rows;
        if (tile * product.a_stride * float_bytes <= l1 / 4) return false;
        const std::int64_t lines = (tile + places - 1) / places;  // of a tile in one set
        return l1 < 48 << 10 || (workers > 1 ? 4 * lines > 3 * ways : 2 * lines > ways);
    }

    /// Whether a panel of an unpacked B stays in the first-level cache.
    bool reads_near(std::int64_t l1) const {
        return product.inner * kernels.panel_columns * float_bytes <= l1 / 2 &&
               product.b_stride * float_bytes % 1024 != 0;
    }

    std::int64_t block_begin(std::int64_t block) const { return product.rows * block / blocks; }
    std::int64_t copy_floats() const {
        return packs_rows ? rounded_up((product.rows + blocks - 1) / blocks * product.inner, 16)
                          : 0;
    }
    /// The columns of the last panel when B is read in place: a vector must not reach behind its
    /// end.
    std::int64_t cut_columns() const {
        return right == Right::in_place && product.columns % kernels.vector
                   ? product.columns - cut.begin(panels - 1)
                   : 0;
    }
    std::int64_t panel_floats() const { return depth * kernels.panel_columns; }
    std::size_t workspace() const {
        const auto rows = static_cast<std::size_t>(copies * copy_floats() * float_bytes);
        switch (right) {
        case Right::ready:
        case Right::half: return rows;
        case Right::in_place: return rows + packed_matrix::bytes(product.inner, cut_columns());
        case Right::packed_whole:
            return rows + packed_matrix::bytes(product.inner, product.columns);
        case Right::packed_by_panel:
            return rows + static_cast<std::size_t>(workers * panel_floats() * float_bytes);
        }
        return rows;
    }

    const Product& product;
    const CancelToken* cancel;
    const ProductKernels& kernels;
    Panels cut;
    std::int64_t panels, workers;
    std::int64_t depths, depth, blocks, copies;
    bool packs_rows;  // else A is read in place
    bool by_rows;     // workers share the rows, not the panels
    Right right;      // how B is read
};

/// Rows [begin, begin + rows) of the product in tiles of nearly equal height.
struct RowBlock {
    const Blocking& blocking;
    std::int64_t begin, rows;
    float* packed;  // the tiles of A one after the other when blocking.packs_rows
    // all of it; of its last panel alone when it is read in place; none when packed by panel
    const float* packed_b;
    float* panel;  // for one depth of one panel when packed by panel

    std::int64_t tiles() const {
        return (rows + blocking.kernels.tile_rows - 1) / blocking.kernels.tile_rows;
    }
    std::int64_t tile_begin(std::int64_t tile) const { return rows * tile / tiles(); }
    const float* row(std::int64_t index) const {
        const Product& p = blocking.product;
        return p.a + (begin + index) * (p.transposed_a ? 1 : p.a_stride);
    }

    void pack(std::int64_t tile) const {
        const Product& p = blocking.product;
        const std::int64_t first = tile_begin(tile);
        blocking.kernels.pack_rows(row(first), p.a_stride, p.transposed_a,
                                   tile_begin(tile + 1) - first, p.inner, packed + first * p.inner);
    }

    /// Tiles [first_tile, last_tile) times panels [first_panel, last_panel); `following` is the
    /// panel after those. Packs the tiles on the way when `packs`.
    void multiply(std::int64_t first_tile, std::int64_t last_tile, std::int64_t first_panel,
                  std::int64_t last_panel, std::int64_t following, bool packs) const;

private:
    /// The part of B that the tiles of one panel together prefetch for the next panel.
    struct NextRight {
        const char *at = nullptr, *end = nullptr;
        std::int64_t share = 0;  // lines of 64 bytes per 4 values of k

        void give(ProductTile& t) {
            if (at >= end) return;
            t.fetch[0] = {at, share > 1 ? 64 : 0, 64 * share};
            if (share > 3) t.fetch[1] = {at + 192, 64, 64 * share};
            at += t.inner / 4 * 64 * share;
        }
    };

    void place_right(ProductTile& t, std::int64_t index, std::int64_t k) const;
    NextRight next_right(const ProductTile& t, std::int64_t next_panel, std::int64_t next_k,
                         std::int64_t tiles) const;
    void place_rows(ProductTile& t, std::int64_t tile, std::int64_t column, std::int64_t k,
                    bool is_last) const;
};

/// Panel `index` of B from value `k` of inner on; packed here where that is done on the way.
void RowBlock::place_right(ProductTile& t, std::int64_t index, std::int64_t k) const {
    const Product& p = blocking.product;
    const std::int64_t column = blocking.cut.begin(index), vector = blocking.kernels.vector;
    t.columns = blocking.cut.begin(index + 1) - column;
    t.b_stride = rounded_up(t.columns, vector);
    if (blocking.right == Blocking::Right::half) {
        t.half_b = blocking.half_panel(column) + k * t.b_stride;
        t.half_format = p.half_format;
    } else if (blocking.stores_halves() && blocking.right == Blocking::Right::packed_by_panel) {
        blocking.kernels.widen(blocking.half_panel(column) + k * t.b_stride, p.half_format, t.inner,
                               t.b_stride, panel);
        t.b = panel;
    } else if (p.source && blocking.right == Blocking::Right::packed_by_panel) {
        p.source->fill(column, t.columns, k, t.inner, t.b_stride, panel);
        t.b = panel;
    } else if (blocking.right == Blocking::Right::packed_by_panel) {
        blocking.kernels.pack_panel(
            p.b + (p.transposed_b ? column * p.b_stride + k : column + k * p.b_stride), p.b_stride,
            p.transposed_b, t.inner, t.columns, t.b_stride, panel);
        t.b = panel;
    } else if (blocking.right != Blocking::Right::in_place) {
        t.b = packed_b + column * p.inner + k * t.b_stride;
    } else if (t.columns % vector) {
        t.b = packed_b + k * t.b_stride;
    } else {
        t.b = p.b + column + k * p.b_stride;
        t.b_stride = p.b_stride;
    }
}

RowBlock::NextRight RowBlock::next_right(const ProductTile& t, std::int64_t next_panel,
                                         std::int64_t next_k, std::int64_t tiles) const {
    const bool are_halves =
        blocking.stores_halves() && blocking.right != Blocking::Right::packed_whole;
    const std::int64_t bytes = are_halves ? 2 : float_bytes,
                       lines = 4 * t.b_stride * bytes / 64;  // per 4 values of k
    const bool is_stored = are_halves || blocking.right == Blocking::Right::ready ||
                           blocking.right == Blocking::Right::packed_whole;
    if (tiles <= 1 || next_panel >= blocking.panels || lines <= 0 || !is_stored) return {};
    const std::int64_t column = blocking.cut.begin(next_panel), first = next_k * t.b_stride;
    const char* at =
        are_halves
            ? reinterpret_cast<const char*>(blocking.half_panel(column) + first)
            : reinterpret_cast<const char*>(packed_b + column * blocking.product.inner + first);
    return {at, at + t.inner * t.b_stride * bytes, tiles >= lines ? 1 : 3 * tiles >= lines ? 3 : 6};
}

/// Rows of A and C of a tile, and what its sums start and end with.
void RowBlock::place_rows(ProductTile& t, std::int64_t tile, std::int64_t column, std::int64_t k,
                          bool is_last) const {
    const Product& p = blocking.product;
    const std::int64_t top = tile_begin(tile), first = begin + top;
    t.rows = static_cast<int>(tile_begin(tile + 1) - top);
    t.a = t.packed_a ? packed + top * p.inner + k * t.rows : p.a + first * p.a_stride + k;
    t.fetch[0] = t.fetch[1] = {reinterpret_cast<const char*>(t.a), 0, 0};
    t.c = p.c + first * p.c_stride + column;
    t.initial = t.c;
    t.initial_stride = p.c_stride;
    if (k == 0) {
        t.initial = p.residual ? p.residual + first * p.residual_stride + column : nullptr;
        t.initial_stride = p.residual_stride;
    }
    t.bias = is_last && p.bias ? p.bias + column : nullptr;
    t.row_bias = is_last && p.row_bias ? p.row_bias + first : nullptr;
}

void RowBlock::multiply(std::int64_t first_tile, std::int64_t last_tile, std::int64_t first_panel,
                        std::int64_t last_panel, std::int64_t following, bool packs) const {
    const Product& p = blocking.product;
    const ProductKernels& kernels = blocking.kernels;
    const std::int64_t count = last_tile - first_tile;
    ProductTile t;
    t.a_stride = p.a_stride;
    t.packed_a = blocking.packs_rows;
    t.c_stride = p.c_stride;
    t.scale = p.scale;
    for (std::int64_t part = 0; part < blocking.depths; ++part) {
        const std::int64_t k = part * blocking.depth;
        const bool is_last = part + 1 == blocking.depths;
        t.inner = std::min(blocking.depth, p.inner - k);
        for (std::int64_t index = first_panel; index < last_panel; ++index) {
            const std::int64_t column = blocking.cut.begin(index);
            place_right(t, index, k);
            const bool is_panel_last = index + 1 == last_panel;
            const std::int64_t next_panel = !is_panel_last ? index + 1
                                            : is_last      ? following
                                                           : first_panel;
            const std::int64_t next_k = !is_panel_last ? k : is_last ? 0 : k + blocking.depth;
            NextRight next = next_right(t, next_panel, next_k, count);
            const bool is_first_pass = part == 0 && index == first_panel;
            // a stream that one tile reads: the processor fetches it faster alone
            t.ahead = count == 1 ? 1 : 32;
            for (std::int64_t tile = first_tile; tile < last_tile; ++tile) {
                // The first panel of a product takes a page of C from the system with every row: a
                // block of many rows would hold on to its thread for seconds.
                if (tile % tiles_per_look == 0 && blocking.cancel &&
                    blocking.cancel->is_cancelled())
                    blocking.cancel->throw_if_cancelled();
                if (packs && is_first_pass) pack(tile);
                place_rows(t, tile, column, k, is_last);
                next.give(t);
                if (is_first_pass && next.share <= 3 && tile + 1 < last_tile && !p.transposed_a)
                    t.fetch[1] = {reinterpret_cast<const char*>(row(tile_begin(tile + 1))), 64,
                                  192};
                (t.half_b ? kernels.multiply_half : kernels.multiply)(t);
                t.ahead = 8;
                if (is_last && p.activation)
                    kernels.activate(t.c, p.c_stride, t.rows, t.columns, p.activation);
            }
        }
    }
}

/// Panel `panel` of a B that is stored in 16 bits, in its place in `to`.
void widen_panel(const Blocking& blocking, std::int64_t panel, float* to) {
    const Product& p = blocking.product;
    const std::int64_t column = blocking.cut.begin(panel),
                       width = rounded_up(blocking.cut.begin(panel + 1) - column,
                                          blocking.kernels.vector);
    blocking.kernels.widen(blocking.half_panel(column), p.half_format, p.inner, width,
                           to + column * p.inner);
}

/// B for RowBlock: already packed, or packed into `to` as far as that is done before the loops.
const float* packed_right(const Blocking& blocking, ThreadPool* pool, float* to) {
    const Product& p = blocking.product;
    if (blocking.right == Blocking::Right::ready) return p.packed_b;
    if (blocking.right == Blocking::Right::half) return nullptr;
    if (const std::int64_t cut = blocking.cut_columns())
        packed_matrix::pack(p.b + p.columns - cut, p.b_stride, false, p.inner, cut, 0, 1, to);
    if (blocking.right == Blocking::Right::packed_whole)
        pool->parallel_tasks(blocking.panels, [&](std::int64_t panel, int) {
            if (blocking.stores_halves()) return widen_panel(blocking, panel, to);
            packed_matrix::pack(p.b, p.b_stride, p.transposed_b, p.inner, p.columns, panel,
                                panel + 1, to);
        });
    return to;
}

/// Memory of the loops: copies of A's rows, B, and panels of B for each worker.
struct Buffers {
    float* rows;
    const float* right;
    float* panels;

    RowBlock block(const Blocking& blocking, std::int64_t begin, std::int64_t end,
                   int worker) const {
        return {blocking,    begin,
                end - begin, rows + (blocking.copies > 1 ? worker * blocking.copy_floats() : 0),
                right,       panels + worker * blocking.panel_floats()};
    }
};

/// `step`: panels that all rows of a block pass over before the next ones.
void multiply_serially(const Blocking& blocking, std::int64_t step, const Buffers& buffers) {
    for (std::int64_t b = 0; b < blocking.blocks; ++b) {
        const RowBlock rows =
            buffers.block(blocking, blocking.block_begin(b), blocking.block_begin(b + 1), 0);
        for (std::int64_t panel = 0; panel < blocking.panels; panel += step) {
            const std::int64_t end = std::min(panel + step, blocking.panels);
            rows.multiply(0, rows.tiles(), panel, end, end, blocking.packs_rows && panel == 0);
        }
    }
}

void multiply_by_rows(const Blocking& blocking, ThreadPool& pool, const Buffers& buffers) {
    // the same rows for a worker each time
    TaskRuns runs(blocking.blocks, 1, static_cast<int>(blocking.workers));
    pool.parallel_tasks(blocking.blocks, [&](std::int64_t, int worker) {
        const std::int64_t b = runs.take(worker);
        const RowBlock rows =
            buffers.block(blocking, blocking.block_begin(b), blocking.block_begin(b + 1), worker);
        rows.multiply(0, rows.tiles(), 0, blocking.panels, 0, blocking.packs_rows);
    });
}

void multiply_by_panels(const Blocking& blocking, ThreadPool& pool, const Buffers& buffers) {
    const std::int64_t workers = blocking.workers;
    for (std::int64_t b = 0; b < blocking.blocks; ++b) {
        const std::int64_t begin = blocking.block_begin(b), end = blocking.block_begin(b + 1);
        const RowBlock rows = buffers.block(blocking, begin, end, 0);
        const std::int64_t tiles = rows.tiles();
        if (blocking.copies == 1)
            pool.parallel_tasks(tiles, [&](std::int64_t tile, int) { rows.pack(tile); });
        // A single tile of rows reads B as one stream; where A is walked through in parts, each
        // serves a few panels. Rows are shared, too, where that evens out the work.
        const std::int64_t most = tiles == 1 ? 64 : blocking.depths > 1 ? 4 : 1;
        const std::int64_t group =
            std::clamp<std::int64_t>(blocking.panels / (4 * workers), 1, most);
        const std::int64_t groups = (blocking.panels + group - 1) / group;
        std::int64_t chunks = 1;
        const auto leaves_idle = [&](std::int64_t tasks) {
            return rounded_up(tasks, workers) * 8 > 9 * tasks;
        };
        while (chunks < 8 && tiles / (2 * chunks) >= 2 && leaves_idle(groups * chunks)) chunks *= 2;
        TaskRuns runs(groups, chunks, static_cast<int>(workers));
        // bit per chunk that the worker's copy has
        std::uint8_t packed_chunks[TaskRuns::most_workers] = {};
        pool.parallel_tasks(groups * chunks, [&](std::int64_t, int worker) {
            const std::int64_t task = runs.take(worker), chunk = task % chunks,
                               panel = task / chunks * group;
            const std::int64_t end_panel = std::min(panel + group, blocking.panels);
            bool packs = false;
            if (blocking.copies > 1) {
                const auto bit = static_cast<std::uint8_t>(1u << chunk);
                packs = (packed_chunks[worker] & bit) == 0;
                packed_chunks[worker] |= bit;
            }
            buffers.block(blocking, begin, end, worker)
                .multiply(tiles * chunk / chunks, tiles * (chunk + 1) / chunks, panel, end_panel,
                          chunk + 1 < chunks ? blocking.panels : end_panel, packs);
        });
    }
}

void multiply(const Product& product, ThreadPool* pool, const CancelToken* cancel,
              std::byte* workspace) {
    if (product.rows <= 0 || product.columns <= 0) return;
    if (prefers_dots(product))
        return multiply_dots(product, is_worth_threads(product) ? pool : nullptr, cancel,
                             workspace);
    if (prefers_rounding(product))
        return multiply_rounded(product, is_worth_threads(product) ? pool : nullptr, cancel,
                                workspace);
    if (prefers_splitting(product))
        return multiply_split(product, is_worth_threads(product) ? pool : nullptr, cancel,
                              workspace, *split_tile_kernels());
    if (prefers_halves(product))
        return multiply_halves(product, is_worth_threads(product) ? pool : nullptr, cancel,
                               workspace);
    const bool is_alone = pool != nullptr;  // otherwise other products run at the same time
    const Blocking blocking(product, pool ? pool->threads() : 1, cancel);
    if (blocking.workers == 1) pool = nullptr;
    auto* rows = reinterpret_cast<float*>(workspace);
    float* behind = rows + blocking.copies * blocking.copy_floats();
    const Buffers buffers{rows, packed_right(blocking, pool, behind), behind};
    if (!pool) multiply_serially(blocking, is_alone ? 8 : blocking.panels, buffers);
    else if (blocking.by_rows) multiply_by_rows(blocking, *pool, buffers);
    else multiply_by_panels(blocking, *pool, buffers);
}

}  // namespace

std::size_t product_workspace(const Product& product, int workers) {
    if (product.rows <= 0 || product.columns <= 0) return 0;
    return prefers_dots(product)        ? dots_workspace(product)
           : prefers_rounding(product)  ? rounded_workspace(product)
           : prefers_splitting(product) ? split_workspace(product, workers)
           : prefers_halves(product)    ? halves_workspace(product, workers)
                                        : Blocking(product, workers).workspace();
}

void multiply(const Product& product, ThreadPool& pool, const CancelToken& cancel,
              std::byte* workspace) {
    multiply(product, &pool, &cancel, workspace);
}

void multiply(const Product& product, const CancelToken& cancel, std::byte* workspace) {
    multiply(product, nullptr, &cancel, workspace);
}

}  // namespace lapidary
