// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduction/selection.h"

#include "kernels/block_reduce.cuh"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

constexpr int threads = static_cast<int>(reduce_threads), per_thread = selection_chunk / threads;

struct Larger64 {
    GPU_METHOD unsigned long long operator()(unsigned long long a, unsigned long long b) const {
        return a > b ? a : b;
    }
};

/// The sum of the values of the threads before this one in a block of reduce_threads (an exclusive
/// scan).
GPU_DEVICE int block_sum_before(int value) {
    GPU_SHARED int sums[reduce_threads];
    const unsigned thread = thread_index();
    sums[thread] = value;
    block_barrier();
    for (unsigned step = 1; step < reduce_threads; step *= 2) {
        const int other = thread >= step ? sums[thread - step] : 0;
        block_barrier();
        sums[thread] += other;
        block_barrier();
    }
    const int result = sums[thread] - value;
    block_barrier();  // the next sum writes there
    return result;
}

GPU_DEVICE bool is_non_zero(const NonZeroArgs& args, int i) {
    return i < args.count && load_as<double>(args.input, args.type, i) != 0;
}

/// Counts non-zeros among the elements of this thread, which are neighbours.
GPU_DEVICE int non_zeros_of_thread(const NonZeroArgs& args) {
    const int first = static_cast<int>(block_x()) * selection_chunk +
                      static_cast<int>(thread_index()) * per_thread;
    int found = 0;
    for (int i = 0; i < per_thread; ++i) found += is_non_zero(args, first + i) ? 1 : 0;
    return found;
}

GPU_GLOBAL void count_non_zero(NonZeroArgs args) {
    kernel_begin();
    const int total = block_reduce(non_zeros_of_thread(args), Plus());
    if (thread_index() == 0) args.counts[block_x()] = total;
}

/// counts[i] becomes the sum of the counts before it, counts[count] the total. By one block.
GPU_GLOBAL void sum_counts(std::int32_t* counts, int count) {
    kernel_begin();
    const int per = (count + threads - 1) / threads, first = static_cast<int>(thread_index()) * per;
    const int end = first + per < count ? first + per : count;
    int own = 0;
    for (int i = first; i < end; ++i) own += counts[i];
    int before = block_sum_before(own);
    for (int i = first; i < end; ++i) {
        const int next = before + counts[i];
        counts[i] = before;
        before = next;
    }
    if (thread_index() == reduce_threads - 1) counts[count] = before;
}

GPU_GLOBAL void write_non_zero(NonZeroArgs args) {
    kernel_begin();
    const int first = static_cast<int>(block_x()) * selection_chunk +
                      static_cast<int>(thread_index()) * per_thread;
    int at = args.counts[block_x()] + block_sum_before(non_zeros_of_thread(args));
    for (int i = first; i < first + per_thread; ++i) {
        if (!is_non_zero(args, i)) continue;
        int rest = i;
        for (int axis = args.rank - 1; axis >= 0; --axis) {
            args.output[static_cast<long long>(axis) * args.found + at] = rest % args.dims[axis];
            rest /= args.dims[axis];
        }
        ++at;
    }
}

struct Box {
    float y1, x1, y2, x2, area;
};

GPU_DEVICE Box box_at(const float* b, bool is_center) {
    Box box;
    if (is_center) {
        box.y1 = b[1] - b[3] / 2;
        box.x1 = b[0] - b[2] / 2;
        box.y2 = b[1] + b[3] / 2;
        box.x2 = b[0] + b[2] / 2;
    } else {
        box.y1 = b[0] < b[2] ? b[0] : b[2];
        box.x1 = b[1] < b[3] ? b[1] : b[3];
        box.y2 = b[0] < b[2] ? b[2] : b[0];
        box.x2 = b[1] < b[3] ? b[3] : b[1];
    }
    box.area = (box.y2 - box.y1) * (box.x2 - box.x1);
    return box;
}

GPU_DEVICE bool overlaps(const Box& a, const Box& b, float threshold) {
    const float height = (a.y2 < b.y2 ? a.y2 : b.y2) - (a.y1 > b.y1 ? a.y1 : b.y1);
    const float width = (a.x2 < b.x2 ? a.x2 : b.x2) - (a.x1 > b.x1 ? a.x1 : b.x1);
    if (!(height > 0) || !(width > 0) || !(a.area > 0) || !(b.area > 0)) return false;
    const float shared = height * width;
    return shared / (a.area + b.area - shared) > threshold;
}

/// Orders by score, the lower index first among equals; no key is 0.
GPU_DEVICE unsigned long long key_of(float score, int index) {
    const std::uint32_t bits = bits_of(score + 0.0f);  // one zero
    const std::uint32_t ordered = bits >> 31 ? ~bits : bits | 0x80000000u;
    return static_cast<unsigned long long>(ordered) << 32 |
           (0xffffffffu - static_cast<std::uint32_t>(index));
}

/// A block repeatedly takes the best box of a row and drops the boxes that overlap it. Each thread
/// handles every `threads`-th box.
GPU_GLOBAL void suppress(SuppressionArgs args) {
    kernel_begin();
    for (int row = static_cast<int>(block_x()); row < args.rows;
         row += static_cast<int>(grid_x())) {
        const float* const scores = args.scores + static_cast<long long>(row) * args.count;
        const float* const boxes =
            args.boxes + static_cast<long long>(row / args.classes) * args.count * 4;
        std::uint8_t* const alive = args.alive + static_cast<long long>(row) * args.count;
        const int own = static_cast<int>(thread_index());
        for (int i = own; i < args.count; i += threads)
            alive[i] = (args.has_least ? scores[i] > args.least : scores[i] == scores[i]) ? 1 : 0;
        int taken = 0;
        for (; taken < args.most; ++taken) {
            unsigned long long key = 0;
            for (int i = own; i < args.count; i += threads)
                if (alive[i]) key = Larger64()(key, key_of(scores[i], i));
            key = block_reduce(key, Larger64());
            if (key == 0) break;
            const int best = static_cast<int>(0xffffffffu - static_cast<std::uint32_t>(key));
            if (own == 0) args.picked[static_cast<long long>(row) * args.most + taken] = best;
            const Box box = box_at(boxes + static_cast<long long>(best) * 4, args.is_center);
            for (int i = own; i < args.count; i += threads)
                if (alive[i] &&
                    (i == best ||
                     overlaps(box, box_at(boxes + static_cast<long long>(i) * 4, args.is_center),
                              args.overlap)))
                    alive[i] = 0;
        }
        if (own == 0) args.counts[row] = taken;
    }
}

GPU_GLOBAL void write_suppressed(SuppressionArgs args) {
    kernel_begin();
    for (int i = global_thread(); i < args.rows * args.most; i += all_threads()) {
        const int row = i / args.most, of_row = i % args.most, at = args.counts[row] + of_row;
        if (at >= args.counts[row + 1]) continue;
        args.output[at * 3LL] = row / args.classes;
        args.output[at * 3LL + 1] = row % args.classes;
        args.output[at * 3LL + 2] = args.picked[i];
    }
}

}  // namespace

void launch_count_non_zero(Queue& queue, const NonZeroArgs& args) {
    const Grid grid{static_cast<unsigned>(chunks_of(args.count)), 1, 1};
    GPU_LAUNCH(count_non_zero, grid, reduce_threads, queue, args);
    GPU_LAUNCH(sum_counts, (Grid{1, 1, 1}), reduce_threads, queue, args.counts,
               chunks_of(args.count));
}

void launch_write_non_zero(Queue& queue, const NonZeroArgs& args) {
    const Grid grid{static_cast<unsigned>(chunks_of(args.count)), 1, 1};
    GPU_LAUNCH(write_non_zero, grid, reduce_threads, queue, args);
}

void launch_suppress(Queue& queue, const SuppressionArgs& args) {
    const Grid grid{static_cast<unsigned>(args.rows < 65535 ? args.rows : 65535), 1, 1};
    GPU_LAUNCH(suppress, grid, reduce_threads, queue, args);
    GPU_LAUNCH(sum_counts, (Grid{1, 1, 1}), reduce_threads, queue, args.counts, args.rows);
}

void launch_write_suppressed(Queue& queue, const SuppressionArgs& args) {
    const Grid grid = grid_for(static_cast<long long>(args.rows) * args.most);
    GPU_LAUNCH_FREE(write_suppressed, grid, free_threads, queue, args);
}

}  // namespace lapidary::cuda
