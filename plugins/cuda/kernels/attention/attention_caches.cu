// SPDX-License-Identifier: Apache-2.0
// The work before attention: rotates heads and appends new keys and values to those of the past.
#include "kernels/attention/attention_score.cuh"

namespace lapidary::cuda {
namespace {

template <typename T>
GPU_GLOBAL void rotary(RotaryArgs args, Fault* fault) {
    kernel_begin();
    const int count = args.batch * args.heads * args.rows * args.size;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int c = i % args.size, head = i / args.size % args.heads,
                  row = i / args.size / args.heads % args.rows;
        const int batch = i / args.size / args.heads / args.rows;
        const T* const x = static_cast<const T*>(args.x);
        const auto element = [&](int column) {
            return load_element(x + place_of(args.x_strides, batch, head, row, column));
        };
        float y = element(c);
        if (c < 2 * args.half) {
            long long position = 0;
            if (args.is_one_position) position = args.position_ids[0] + row;
            else if (args.position_ids)
                position = args.position_ids[static_cast<long long>(batch) * args.rows + row];
            else if (args.key_lengths)
                position = args.key_lengths[batch] + args.length_offset - args.rows + row;
            else position = args.past + row;
            if (args.clamps && position >= args.positions) position = args.positions - 1;
            if (position < 0 || position >= args.positions) {
                report_fault(fault, index_out_of_range, args.node, position, args.positions);
                position = 0;
            }
            const int pair = args.is_interleaved ? c / 2 : c % args.half;
            const bool is_second = args.is_interleaved ? c % 2 == 1 : c >= args.half;
            const long long at = position * args.half + pair;
            const float cosine = load_element(static_cast<const T*>(args.cosines) + at);
            const float sine = load_element(static_cast<const T*>(args.sines) + at);
            const int other = args.is_interleaved ? c ^ 1
                              : is_second         ? c - args.half
                                                  : c + args.half;
            y = is_second ? element(other) * sine + y * cosine : y * cosine - element(other) * sine;
        }
        store_element(static_cast<T*>(args.y) + place_of(args.y_strides, batch, head, row, c), y);
    }
}

/// A cache in units of a number of bytes that divides whole rows.
struct CacheRows {
    const void *fresh, *old;
    void* y;
    HeadStrides strides;  // of `fresh`
    std::int32_t size;
};

/// y of the grid is 0 for keys, 1 for values.
template <typename Unit>
GPU_GLOBAL void caches(AttentionArgs args, CacheRows keys, CacheRows values) {
    kernel_begin();
    // field by field: taking the address of the structure would copy it to the stack
    const bool is_of_keys = block_y() == 0;
    const CacheRows cache{is_of_keys ? keys.fresh : values.fresh,
                          is_of_keys ? keys.old : values.old,
                          is_of_keys ? keys.y : values.y,
                          {is_of_keys ? keys.strides.batch : values.strides.batch,
                           is_of_keys ? keys.strides.head : values.strides.head,
                           is_of_keys ? keys.strides.row : values.strides.row,
                           is_of_keys ? keys.strides.column : values.strides.column},
                          is_of_keys ? keys.size : values.size};
    const int count = args.batch * args.key_heads * args.capacity * cache.size;
    for (int i = global_thread(); i < count; i += all_threads()) {
        const int place = i / cache.size, c = i - place * cache.size;
        const int matrix = place / args.capacity, row = place - matrix * args.capacity;
        const int batch = matrix / args.key_heads, head = matrix - batch * args.key_heads;
        const int past = past_of(args, length_of(args, batch));
        Unit value{};
        if (row >= past && row < past + args.fresh_rows)
            value = static_cast<const Unit*>(
                cache.fresh)[place_of(cache.strides, batch, head, row - past, c)];
        else if (row < past && row < args.old_rows)
            value = static_cast<const Unit*>(
                cache.old)[(static_cast<long long>(matrix) * args.old_rows + row) * cache.size + c];
        static_cast<Unit*>(cache.y)[i] = value;
    }
}

/// `per`: elements of a unit.
CacheRows rows_of(const void* fresh, HeadStrides strides, const CacheOfHeads& cache,
                  std::int32_t size, int per) {
    strides.batch /= per, strides.head /= per, strides.row /= per;
    return {fresh, cache.past, cache.present, strides, size / per};
}

bool lies_in_pieces(const void* fresh, const HeadStrides& s, const CacheOfHeads& cache, int size,
                    int per) {
    const auto addresses = reinterpret_cast<std::uintptr_t>(fresh) |
                           reinterpret_cast<std::uintptr_t>(cache.past) |
                           reinterpret_cast<std::uintptr_t>(cache.present);
    return s.column == 1 && addresses % 16 == 0 && (s.batch | s.head | s.row | size) % per == 0;
}

}  // namespace

void launch_rotary(Queue& queue, const RotaryArgs& args) {
    const long long count = static_cast<long long>(args.batch) * args.heads * args.rows * args.size;
    if (count == 0) return;
    Fault* const fault = queue.fault;
    const Grid grid = grid_for(count);
    if (args.type == 10) GPU_LAUNCH_FREE(rotary<half_t>, grid, free_threads, queue, args, fault);
    else if (args.type == 16)
        GPU_LAUNCH_FREE(rotary<bfloat_t>, grid, free_threads, queue, args, fault);
    else GPU_LAUNCH_FREE(rotary<float>, grid, free_threads, queue, args, fault);
}

void launch_caches(Queue& queue, AttentionArgs& args) {
    const int per = args.type == 1 ? per_piece<float> : per_piece<half_t>;
    const bool in_pieces =
        lies_in_pieces(args.k, args.k_strides, args.k_cache, args.size, per) &&
        lies_in_pieces(args.v, args.v_strides, args.v_cache, args.value_size, per);
    const int unit = in_pieces ? per : 1;
    const CacheRows keys = rows_of(args.k, args.k_strides, args.k_cache, args.size, unit);
    const CacheRows values = rows_of(args.v, args.v_strides, args.v_cache, args.value_size, unit);
    const std::int32_t size = keys.size > values.size ? keys.size : values.size;
    const long long count =
        static_cast<long long>(args.batch) * args.key_heads * args.capacity * size;
    Grid grid = grid_for(count);
    grid.y = 2;
    const AttentionArgs& in = args;
    if (count == 0) {
    } else if (in_pieces) {
        GPU_LAUNCH_FREE(caches<Piece>, grid, free_threads, queue, in, keys, values);
    } else if (args.type == 1) {
        GPU_LAUNCH_FREE(caches<float>, grid, free_threads, queue, in, keys, values);
    } else {
        GPU_LAUNCH_FREE(caches<std::uint16_t>, grid, free_threads, queue, in, keys, values);
    }
    const auto strides = [&](std::int32_t columns) {
        return HeadStrides{args.key_heads * args.capacity * columns, args.capacity * columns,
                           columns, 1};
    };
    args.k = args.k_cache.present;
    args.v = args.v_cache.present;
    args.k_strides = strides(args.size);
    args.v_strides = strides(args.value_size);
    args.k_cache = args.v_cache = {};
    args.capacity = 0;
}

}  // namespace lapidary::cuda
