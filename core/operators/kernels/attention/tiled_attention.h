// SPDX-License-Identifier: Apache-2.0
// Attention of all heads in float, directly on tensors of any layout, in parallel over batches,
// heads and blocks of queries: the core of the attention kernels.
#pragma once

#include <cstdint>

#include "kernels/kernel.h"

namespace lapidary {

/// Rows of heads: element i of row r of head h of batch b lies at data[b * batch + h * head + r *
/// row + i].
template <typename T>
struct HeadRows {
    T* data = nullptr;
    std::int64_t batch = 0, head = 0, row = 0;
    T* at(std::int64_t b, std::int64_t h, std::int64_t r = 0) const {
        return data + b * batch + h * head + r * row;
    }
};

/// The angles by which pairs of elements of a row are rotated, by the row's position.
struct RotaryTable {
    const float *cosine = nullptr, *sine = nullptr;  // [positions, half]
    std::int64_t half = 0;                           // pairs; 2 * half <= size
    bool interleaved = false;                        // pairs are neighbours; else half apart

    void rotate(float* row, std::int64_t position) const;
};

struct TiledAttention {
    std::int64_t batch = 0, heads = 0, key_heads = 0;  // heads is a multiple of key_heads
    std::int64_t queries = 0, keys = 0, size = 0, value_size = 0;
    HeadRows<const float> q, k, v;  // k and v by key head
    // k and v of float16, or of bfloat16, in place of those; no data: none
    HeadRows<const std::uint16_t> half_k, half_v;
    bool halves_are_bfloat = false;
    HeadRows<const std::int8_t> byte_k, byte_v;  // or of scaled bytes (scaled_bytes.h)
    bool key_columns = false;                    // k lies as [size, keys]: its rows are columns
    HeadRows<float> out;
    float blind = 0;                // the output of a query whose scores are all -infinity
    const float* q_bias = nullptr;  // [heads, size]
    float scale = 1, softcap = 0;
    /// Query s of batch b sees keys [max(0, end - window), end), end = ends[b] + (causal ? s : 0);
    /// `window` 0: from the first.
    const std::int64_t* ends = nullptr;  // null: `end` for every batch
    std::int64_t end = 0, window = 0;
    bool causal = false;
    HeadRows<const float> padding;  // by batch and query (head 0), one per key; no data: none
    HeadRows<const float> bias;     // by batch, head and query
    const float* sinks = nullptr;   // [heads]
    RotaryTable rotary;             // of the queries; no cosine: none
    const std::int64_t* positions = nullptr;  // [batch, queries], for rotary

    void run(KernelContext& context) const;
};

/// Writes past rows [batch, heads, past_capacity, size] (the first past_rows[b] of batch b, or
/// `past_count` of all batches) and then the new rows to [batch, heads, capacity, size]. The
/// remaining rows become zero, or keep what the past has there (keeps_rest, or `to` is the past).
struct CacheAppend {
    std::int64_t batch = 0, heads = 0, size = 0;
    const float* past = nullptr;
    const std::int64_t* past_rows = nullptr;
    std::int64_t past_count = 0, past_capacity = 0;
    HeadRows<const float> fresh;
    std::int64_t fresh_rows = 0;
    const float* bias = nullptr;  // [heads, size], added to new rows
    bool keeps_rest = false;
    RotaryTable rotary;
    const std::int64_t* positions = nullptr;  // [batch, fresh_rows]
    float* to = nullptr;                      // may be `past` where the capacities agree
    std::int64_t capacity = 0;

    void run(KernelContext& context) const;
    /// The same with a cache of float16: new rows are rounded to it. `past` and `to` are not used,
    /// but `half_past`, which may be null, and `half_to`.
    void run_half(KernelContext& context, const std::uint16_t* half_past,
                  std::uint16_t* half_to) const;
    /// The same with a cache of bfloat16.
    void run_bfloat(KernelContext& context, const std::uint16_t* past_bits,
                    std::uint16_t* to_bits) const;
    /// The same with a cache of scaled bytes, whose rows have scaled_bytes::row(size) of them.
    void run_bytes(KernelContext& context, const std::int8_t* byte_past,
                   std::int8_t* byte_to) const;

private:
    /// The new rows alone, as floats in `holder`: [batch, heads, fresh_rows, size].
    const float* fresh_floats(KernelContext& context, Tensor& holder) const;
    template <typename T, typename Store>
    void run_narrow(KernelContext& context, const T* narrow_past, T* narrow_to, std::int64_t width,
                    const Store& store) const;
};

/// A scratch buffer of floats that the kernel asked for, of at least one element.
float* scratch_floats(Tensor& holder, KernelContext& context, std::int64_t count);

/// Causal attention skips hidden keys, because their weight is 0. But where a graph adds a mask to
/// the scores, and in ONNX Runtime, NaN and Inf among hidden keys or values still enter every sum.
/// Where there are any, this gives every query all keys, and hides keys by a bias of -infinity (in
/// `holder`, added to the attention's own bias). Call it last before run(). Does nothing for
/// attention that is not causal, has a window, or ends by batch.
void keep_odd_hidden_keys(KernelContext& context, TiledAttention& attention, Tensor& holder);

}  // namespace lapidary
