// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention with an online softmax: scores are never in memory.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

/// How a tensor of heads lies, in elements.
struct HeadStrides {
    std::int32_t batch = 0, head = 0, row = 0, column = 1;
};

inline constexpr std::int32_t attention_size = 256;  // most elements of a head

/// Keys or values of the past, [batch, key_heads, old_rows, size], and where those of the past and
/// new ones behind them go, [batch, key_heads, capacity, size].
struct CacheOfHeads {
    const void* past = nullptr;  // null: old_rows is 0
    void* present = nullptr;
};

struct AttentionArgs {
    const void *q = nullptr, *k = nullptr, *v = nullptr;
    void* y = nullptr;
    std::int32_t type = 1;
    HeadStrides q_strides, k_strides, v_strides, y_strides;
    std::int32_t batch = 0, heads = 0, key_heads = 0, queries = 0, keys = 0, size = 0,
                 value_size = 0;
    float scale = 1, softcap = 0;
    const void* bias = nullptr;             // added to scores; strides of 0 repeat
    std::int32_t bias_type = 1;             // f32, f16 or bf16
    const std::uint8_t* allowed = nullptr;  // 0 hides a key, by bias_strides too
    HeadStrides bias_strides;
    // [batch, keys]: what is not positive adds key_filter
    const std::int32_t* key_mask = nullptr;
    const std::int32_t* key_lengths = nullptr;  // of each batch, plus length_offset
    std::int32_t length_offset = 0;
    // keys behind the length get key_filter added; else they are hidden
    bool length_filters = false;
    float key_filter = 0;
    bool is_causal = false;  // query s sees the keys before first_end + s
    std::int32_t first_end = 0;
    bool end_follows_length = false;  // first_end is each batch's length - queries + 1
    std::int32_t window = 0;          // keys that a causal query sees at most; 0: all
    float blind = 0;                  // what a query that sees no key gives
    /// Where there is a capacity, k and v are `fresh_rows` new ones, and the keys are the present
    /// ones: of the past before `past`, or before the length less fresh_rows; new ones; zeros. Past
    /// and present share no memory.
    CacheOfHeads k_cache, v_cache;
    std::int32_t fresh_rows = 0, past = 0, old_rows = 0, capacity = 0;
    bool past_follows_length = false;
    bool in_tf32 = false;  // of float32: products may be those of tensor cores
    /// Parts of `part_keys` keys, whose sums, [parts, batch, heads, queries, value_size], and
    /// behind them largest scores and sums of weights, [parts, batch, heads, queries, 2], go to
    /// `partial` and are joined in order: where too few blocks would have too many keys each, as
    /// one new token has. See split_of().
    std::int32_t parts = 1, part_keys = 0;
    // blocks of a query's parts are a cluster; see kernels/hopper/attention_clusters.h
    bool in_clusters = false;
    float* partial = nullptr;
    // launch_attention() sets it: of Queue, where the blocks themselves join the parts
    unsigned* counters = nullptr;
};

/// How launch_attention() is best split for a device of many multiprocessors, by the sizes alone.
struct AttentionSplit {
    std::int32_t parts = 1, part_keys = 0;
    std::int64_t partial_bytes = 0;
};
AttentionSplit split_of(const AttentionArgs& args);

void launch_attention(Queue& queue, const AttentionArgs& args);

/// Tensor cores may multiply them: heads of at most 128 elements, queries enough to fill a tile.
bool is_for_tiles(const AttentionArgs& args);
/// Queries of a block of launch_attention_tiles().
std::int32_t tile_queries_of(const AttentionArgs& args);
/// What launch_attention() launches for those: parts are joined by it.
void launch_attention_tiles(Queue& queue, const AttentionArgs& args);
void launch_attention_tiles_tf32(Queue& queue, const AttentionArgs& args);

inline constexpr std::int32_t few_attention_rows = 16;
/// Fewer queries than that, heads whose rows a warp reads at once.
bool is_for_rows(const AttentionArgs& args);
/// What launch_attention() launches for those; they join their parts themselves where args.counters
/// is there.
void launch_attention_rows(Queue& queue, const AttentionArgs& args);

/// Rotates pairs of the first 2 * half elements of each head by tables of cosines and sines,
/// [positions, half].
struct RotaryArgs {
    const void *x = nullptr, *cosines = nullptr, *sines = nullptr;
    void* y = nullptr;
    std::int32_t type = 1, batch = 0, heads = 0, rows = 0, size = 0, half = 0, positions = 0;
    HeadStrides x_strides, y_strides;
    const std::int64_t* position_ids = nullptr;  // [batch, rows], or one that is the first
    bool is_one_position = false;
    // else: of each batch, plus length_offset, minus rows
    const std::int32_t* key_lengths = nullptr;
    std::int32_t length_offset = 0, past = 0;  // without any of them: rows count from past on
    bool is_interleaved = false, clamps = false;
    std::int32_t node = 0;
};
void launch_rotary(Queue& queue, const RotaryArgs& args);

/// Writes present keys and values alone, and says where they lie instead of the new ones.
void launch_caches(Queue& queue, AttentionArgs& args);

}  // namespace lapidary::cuda
