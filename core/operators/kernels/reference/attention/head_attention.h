// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention over heads that lie in [batch, heads, sequence, size] order: the
// core of com.microsoft's attention operators.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/kernel.h"

namespace lapidary::reference {

struct HeadAttention {
    std::int64_t batch = 0, heads = 0, key_heads = 0;  // heads is a multiple of key_heads
    // rows of k and v per head; `keys` of them are used
    std::int64_t queries = 0, keys = 0, key_capacity = 0;
    std::int64_t size = 0, value_size = 0;
    float scale = 0, softcap = 0;
    const float* q = nullptr;  // [batch, heads, queries, size]
    const float* k = nullptr;  // [batch, key_heads, key_capacity, size]
    const float* v = nullptr;  // [batch, key_heads, key_capacity, value_size]
    /// Keys [first, last) that query `s` of batch `b` may see; all when not set.
    std::function<std::pair<std::int64_t, std::int64_t>(std::int64_t b, std::int64_t s)> visible;
    /// Adds masks and biases to the scores of one query (first to last of `visible`).
    std::function<void(std::int64_t b, std::int64_t head, std::int64_t s, float* scores)> add_bias;
    /// An extra score per head that takes part in the softmax without a value.
    std::vector<float> sinks;
    /// When set: scores [batch, heads, queries, keys], 1: before the softmax (0 for keys that are
    /// not visible), 2: after it, 3: before it (the lowest float for keys that are not visible).
    float* scores_out = nullptr;
    int scores_stage = 0;

    /// Query s sees the keys before `first_end` + s. What it does not see is left out, or hidden by
    /// -infinity where it is not finite: NaN and Inf come into every sum, as where a graph adds a
    /// mask. To be called last before run().
    void hide_later_keys(std::int64_t first_end);

    /// out: [batch, queries, heads * value_size].
    void run(KernelContext& context, float* out) const;
};

/// [B, S, heads * size] (columns from `first_column` of rows `width` wide) to [B, heads, S, size],
/// adding a bias of heads * size when given.
void split_heads(const float* x, std::int64_t width, std::int64_t first_column, const float* bias,
                 std::int64_t batch, std::int64_t sequence, std::int64_t heads, std::int64_t size,
                 float* out);
/// Past rows [B, N, P, size] followed by new ones [B, N, S, size], in `capacity` rows per head;
/// what is beyond them keeps the past's contents (`keeps_rest`: one buffer for past and present) or
/// is zero.
void join_past(const float* past, std::int64_t past_rows, std::int64_t past_capacity,
               const float* fresh, std::int64_t fresh_rows, std::int64_t batch_heads,
               std::int64_t size, std::int64_t capacity, bool keeps_rest, float* out);

/// mask_index or key_padding_mask in all its forms, as the value added to a score.
class PaddingMask {
public:
    /// `mask` may be null. Throws invalid_input for a shape that is none of the forms.
    PaddingMask(const KernelContext& context, const Tensor* mask, std::int64_t batch,
                std::int64_t queries, std::int64_t keys, std::int64_t past, float filter);
    void add(std::int64_t b, std::int64_t s, float* scores) const;
    /// Whether it hides anything at all, and whether what it hides differs from query to query.
    bool has_values() const { return form_ != Form::none; }
    bool depends_on_query() const {
        return form_ == Form::queries_and_keys || form_ == Form::square;
    }

private:
    enum class Form {
        none,
        lengths,
        start_and_end,
        keys,
        queries_and_keys,
        square
    } form_ = Form::none;
    std::int64_t value(std::int64_t i) const {
        return narrow_ ? narrow_[i] : wide_[static_cast<std::size_t>(i)];
    }
    const std::int32_t* narrow_ = nullptr;  // the mask's own elements; else a copy
    std::vector<std::int64_t> wide_;
    std::int64_t batch_, queries_, keys_, past_, side_ = 0;
    float filter_;
};

/// attention_bias [B or 1, N or 1, S, T].
class ScoreBias {
public:
    ScoreBias(KernelContext& context, const Tensor* bias, std::int64_t batch, std::int64_t heads,
              std::int64_t queries, std::int64_t keys);
    void add(std::int64_t b, std::int64_t head, std::int64_t s, float* scores) const;

private:
    Tensor values_;
    std::int64_t batch_stride_ = 0, head_stride_ = 0, keys_ = 0, row_ = 0;
};

}  // namespace lapidary::reference
