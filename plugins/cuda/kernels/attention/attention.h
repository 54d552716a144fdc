// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention with an online softmax: scores are never stored in global memory.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

/// Strides of a tensor of heads, in elements.
struct HeadStrides {
    std::int32_t batch = 0, head = 0, row = 0, column = 1;
};

inline constexpr std::int32_t attention_size = 256;  // most elements of a head

/// Keys or values of the past, [batch, key_heads, old_rows, size], and the output for past and new
/// ones together, [batch, key_heads, capacity, size].
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
    // [batch, keys]: an entry that is not positive adds key_filter to the score
    const std::int32_t* key_mask = nullptr;
    const std::int32_t* key_lengths = nullptr;  // of each batch, plus length_offset
    std::int32_t length_offset = 0;
    // key_filter is added to the scores of keys beyond the length; else they are hidden
    bool length_filters = false;
    float key_filter = 0;
    bool is_causal = false;  // query s sees the keys before first_end + s
    std::int32_t first_end = 0;
    bool end_follows_length = false;  // first_end is each batch's length - queries + 1
    std::int32_t window = 0;          // keys that a causal query sees at most; 0: all
    float blind = 0;                  // the result of a query that sees no key
    /// With a cache (capacity > 0), k and v hold `fresh_rows` new keys and values. The cache then
    /// holds the rows of the past (`past` rows, or the length minus fresh_rows), the new rows, and
    /// zeros. Input and output cache share no memory.
    CacheOfHeads k_cache, v_cache;
    std::int32_t fresh_rows = 0, past = 0, old_rows = 0, capacity = 0;
    bool past_follows_length = false;
    bool in_tf32 = false;  // products of float32 may use tensor cores
    /// Splits the keys into parts of `part_keys`, so that enough blocks have work when there are
    /// few queries (one new token). `partial` takes the sums of each part, [parts, batch, heads,
    /// queries, value_size], then its largest scores and sums of weights, [parts, batch, heads,
    /// queries, 2]. The parts are joined in order. See split_of().
    std::int32_t parts = 1, part_keys = 0;
    // the blocks for the parts of a query form a cluster; see kernels/hopper/attention_clusters.h
    bool in_clusters = false;
    float* partial = nullptr;
    // set by launch_attention() to Queue::counters where the blocks themselves join the parts
    unsigned* counters = nullptr;
};

/// The best split of launch_attention() for a device with many multiprocessors; depends only on the
/// sizes.
struct AttentionSplit {
    std::int32_t parts = 1, part_keys = 0;
    std::int64_t partial_bytes = 0;
};
AttentionSplit split_of(const AttentionArgs& args);

void launch_attention(Queue& queue, const AttentionArgs& args);

/// True where tensor cores can be used: heads have at most 128 elements and the queries fill a
/// tile.
bool is_for_tiles(const AttentionArgs& args);
/// Queries that a block of launch_attention_tiles() handles.
std::int32_t tile_queries_of(const AttentionArgs& args);
/// The kernel of launch_attention() where is_for_tiles(). launch_attention() joins the parts.
void launch_attention_tiles(Queue& queue, const AttentionArgs& args);
void launch_attention_tiles_tf32(Queue& queue, const AttentionArgs& args);

inline constexpr std::int32_t few_attention_rows = 16;
/// True for fewer queries than that, with heads whose rows a warp can read at once.
bool is_for_rows(const AttentionArgs& args);
/// The kernel of launch_attention() where is_for_rows(). Its blocks join the parts themselves where
/// args.counters is set.
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
    // else the first position is the batch's length + length_offset - rows
    const std::int32_t* key_lengths = nullptr;
    std::int32_t length_offset = 0, past = 0;  // without both, rows count from `past` on
    bool is_interleaved = false, clamps = false;
    std::int32_t node = 0;
};
void launch_rotary(Queue& queue, const RotaryArgs& args);

/// Only writes the output caches, and lets k and v of `args` point to them.
void launch_caches(Queue& queue, AttentionArgs& args);

}  // namespace lapidary::cuda
