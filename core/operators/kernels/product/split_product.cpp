// SPDX-License-Identifier: Apache-2.0
// A part of the depth of a block of A's rows is split and stays in the second-level cache. Each
// task splits the same part of two panels of B and passes over the rows with it. Sums of a part are
// added to C. Where B is small and rows are many, all of B is split first, and each task splits
// rows of its own.
#include "kernels/product/split_product.h"

#include <algorithm>

#include "kernels/product/split_block.h"
#include "kernels/product/split_rate.h"

namespace lapidary {
namespace {

/// What a term of a sum takes beside its product, in about nanoseconds: rows share the splitting of
/// B, columns that of A, and the depth what is done with a sum. Tiles gain `gain` at a term.
constexpr double right_cost = 0.34, left_cost = 0.20, sum_cost = 0.16, gain = 0.0057;

/// Into how many ranges of rows a group of columns is cut, so that workers have enough to share;
/// the last group may be a third of the others.
std::int64_t split_ranges(const SplitBlock& block, std::int64_t workers) {
    std::int64_t ranges = 1;
    const auto leaves_idle = [&] {
        const std::int64_t tasks = block.blocking.groups * ranges;
        return workers > 1 && (tasks < SplitBlocking::tasks_of_worker * workers ||
                               rounded_up(tasks, workers) * 8 > 9 * tasks);
    };
    const auto least = [&] {
        return block.blocking.groups * ranges < workers ? 1 : SplitBlocking::least_tiles;
    };
    while (ranges < 8 && block.count / (2 * ranges) >= least() && leaves_idle()) ranges *= 2;
    return ranges;
}

}  // namespace

bool prefers_splitting(const Product& p) {
    if (p.transposed_a || p.rows <= 0 || p.columns <= 0 || p.inner <= 0) return false;
    if (right_cost / static_cast<double>(p.rows) + left_cost / static_cast<double>(p.columns) +
            sum_cost / static_cast<double>(p.inner) >
        gain)
        return false;
    const SplitTileKernels* const kernels = split_tile_kernels();
    return kernels && splitting_is_faster(*kernels);
}

std::size_t split_workspace(const Product& p, int workers) {
    const auto of = [&](int count) {
        const SplitBlocking b(p, count);
        return b.by_rows ? b.groups * b.parts * b.shared_bytes() +
                               count * (b.left_bytes() + b.floats_bytes())
                         : b.left_bytes() + count * (b.shared_bytes() + b.floats_bytes());
    };
    // a product that is not worth threads has one worker
    return static_cast<std::size_t>(std::max(of(1), of(std::max(workers, 1))));
}

namespace {

/// One product's loops and memory.
class SplitLoops {
public:
    SplitLoops(const SplitBlocking& blocking, ThreadPool* pool, const CancelToken* cancel,
               std::byte* workspace, const SplitTileKernels& kernels)
        : blocking_(blocking), pool_(pool), cancel_(cancel), kernels_(kernels),
          workers_(pool ? pool->threads() : 1), memory_(workspace),
          tiles_(SplitBlocking::tiles_of(blocking.product.rows)) {}

    void by_blocks() const {
        for (std::int64_t first = 0; first < tiles_; first += blocking_.block_tiles)
            for (std::int64_t k = 0; k < blocking_.product.inner; k += blocking_.part_inner)
                multiply_block(block(first, k, memory_));
    }

    void by_rows() const {
        const std::int64_t parts = blocking_.parts, groups = blocking_.groups,
                           each_left = blocking_.left_bytes() + blocking_.floats_bytes();
        std::byte* const shared = memory_ + workers_ * each_left;
        const auto right = [&](std::int64_t group, std::int64_t part, int worker) {
            return SplitRight(blocking_, kernels_,
                              shared + (group * parts + part) * blocking_.shared_bytes(),
                              memory_ + worker * each_left + blocking_.left_bytes());
        };
        each(groups * parts, [&](std::int64_t task, int worker) {
            right(task / parts, task % parts, worker)
                .split(task / parts, task % parts * blocking_.part_inner);
        });
        const std::int64_t chunk = blocking_.block_tiles;
        each((tiles_ + chunk - 1) / chunk, [&](std::int64_t task, int worker) {
            for (std::int64_t part = 0; part < parts; ++part) {
                const std::int64_t k = part * blocking_.part_inner;
                const SplitBlock rows = block(task * chunk, k, memory_ + worker * each_left);
                for (std::int64_t tile = 0; tile < rows.count; ++tile) rows.split(tile);
                for (std::int64_t group = 0; group < groups; ++group) {
                    SplitRight columns = right(group, part, worker);
                    columns.place(k);
                    for (std::int64_t tile = 0; tile < rows.count; ++tile)
                        rows.multiply(tile, group, columns);
                }
            }
        });
    }

private:
    template <typename Work>
    void each(std::int64_t count, const Work& work) const {
        const auto step = [&](std::int64_t task, int worker) {
            if (cancel_) cancel_->throw_if_cancelled();
            work(task, worker);
        };
        if (pool_) return pool_->parallel_tasks(count, step);
        for (std::int64_t i = 0; i < count; ++i) step(i, 0);
    }
    SplitBlock block(std::int64_t first, std::int64_t k, std::byte* memory) const {
        return {blocking_, kernels_, first, std::min(blocking_.block_tiles, tiles_ - first),
                k,         memory};
    }
    void multiply_block(const SplitBlock& rows) const {
        each(rows.count, [&](std::int64_t tile, int) { rows.split(tile); });
        const std::int64_t ranges = split_ranges(rows, workers_), groups = blocking_.groups,
                           each_right = blocking_.shared_bytes() + blocking_.floats_bytes();
        each(groups * ranges, [&](std::int64_t task, int worker) {
            const std::int64_t group = task % groups, range = task / groups;
            std::byte* const at = memory_ + blocking_.left_bytes() + worker * each_right;
            SplitRight right(blocking_, kernels_, at, at + blocking_.shared_bytes());
            right.split(group, rows.k);
            for (std::int64_t tile = rows.count * range / ranges;
                 tile < rows.count * (range + 1) / ranges; ++tile)
                rows.multiply(tile, group, right);
        });
    }

    const SplitBlocking& blocking_;
    ThreadPool* pool_;
    const CancelToken* cancel_;
    const SplitTileKernels& kernels_;
    int workers_;
    std::byte* memory_;
    std::int64_t tiles_;
};

}  // namespace

void multiply_split(const Product& p, ThreadPool* pool, const CancelToken* cancel,
                    std::byte* workspace, const SplitTileKernels& kernels,
                    const SplitBlocks& blocks) {
    const SplitBlocking blocking(p, pool ? pool->threads() : 1, blocks);
    const SplitLoops loops(blocking, pool, cancel, workspace, kernels);
    if (blocking.by_rows) loops.by_rows();
    else loops.by_blocks();
}

}  // namespace lapidary
