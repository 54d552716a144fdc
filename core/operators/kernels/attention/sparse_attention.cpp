// SPDX-License-Identifier: Apache-2.0
// The plain kernel of com.microsoft SparseAttention: causal attention in which a query sees only
// the blocks of keys that its head's layout lists. It is GroupQueryAttention with the other blocks
// hidden by a bias. Shorter sequences give the same result as alone. In ONNX Runtime 1.32's CPU
// kernel that holds only for sequences of full length; for others it weights values by the wrong
// rows of scores.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"

namespace lapidary::reference {

void group_query_attention(KernelContext&);

namespace {

/// Which blocks of keys each block of queries sees, per layout: compressed rows [layouts, blocks +
/// 1] of columns.
class BlockLayouts {
public:
    BlockLayouts(const KernelContext& context, const Tensor& rows, const Tensor& columns) {
        if (rows.rank() != 2 || columns.rank() != 2 || rows.dim(0) < 1 ||
            rows.dim(0) != columns.dim(0) || rows.dim(1) < 1)
            context.fail(
                "block_row_indices and block_col_indices: expected [layouts,blocks + 1] and "
                "[layouts,entries], found " +
                to_string(rows.shape()) + " and " + to_string(columns.shape()));
        layouts_ = rows.dim(0);
        blocks_ = rows.dim(1) - 1;
        const auto starts = to_int64s(rows), listed = to_int64s(columns);
        sees_.assign(static_cast<std::size_t>(layouts_ * blocks_ * blocks_), false);
        for (std::int64_t l = 0; l < layouts_; ++l)
            for (std::int64_t r = 0; r < blocks_; ++r) {
                const std::int64_t begin = starts[static_cast<std::size_t>(l * (blocks_ + 1) + r)],
                                   end =
                                       starts[static_cast<std::size_t>(l * (blocks_ + 1) + r + 1)];
                if (begin < 0 || end < begin || end > columns.dim(1))
                    context.fail("block_row_indices: entries " + std::to_string(begin) + " to " +
                                 std::to_string(end) + " are not within the " +
                                 std::to_string(columns.dim(1)) + " of block_col_indices");
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t c = listed[static_cast<std::size_t>(l * columns.dim(1) + i)];
                    if (c < 0 || c >= blocks_)
                        context.fail("block_col_indices: block " + std::to_string(c) +
                                     " is none of " + std::to_string(blocks_));
                    sees_[static_cast<std::size_t>((l * blocks_ + r) * blocks_ + c)] = true;
                }
            }
    }
    std::int64_t layouts() const { return layouts_; }
    std::int64_t blocks() const { return blocks_; }
    bool sees(std::int64_t layout, std::int64_t row, std::int64_t column) const {
        return sees_[static_cast<std::size_t>((layout * blocks_ + row) * blocks_ + column)];
    }

private:
    std::int64_t layouts_, blocks_;
    std::vector<bool> sees_;
};

/// Past and present are one buffer: the rows behind the first used[b] of [B, heads, rows, size]
/// stay as they are.
void keep_rest(Tensor& present, const Tensor& past, const std::vector<std::int64_t>& used) {
    if (present.shape() != past.shape() || present.dtype() != past.dtype()) return;
    const std::size_t row = bit_width(past.dtype()) / 8 * static_cast<std::size_t>(past.dim(3));
    const auto capacity = static_cast<std::size_t>(past.dim(2));
    const auto* from = static_cast<const char*>(past.raw());
    auto* to = static_cast<char*>(present.mutable_raw());
    for (std::int64_t head = 0; head < past.dim(0) * past.dim(1); ++head) {
        const auto first =
            static_cast<std::size_t>(used[static_cast<std::size_t>(head / past.dim(1))]);
        if (first >= capacity) continue;
        const std::size_t at = (static_cast<std::size_t>(head) * capacity + first) * row;
        std::memcpy(to + at, from + at, (capacity - first) * row);
    }
}

/// Keys before the new ones, by sequence: a prompt (as many queries as keys) starts at 0 and ends
/// in padding where it is shorter; later the cache of a shorter sequence ends earlier.
std::vector<std::int64_t> past_lengths(const KernelContext& context, const Tensor& lengths,
                                       std::int64_t queries, std::int64_t keys) {
    if (lengths.size() != context.input(0).dim(0))
        context.fail("key_total_sequence_lengths: expected one per sequence, found " +
                     to_string(lengths.shape()));
    std::vector<std::int64_t> past;
    for (const std::int64_t length : to_int64s(lengths)) {
        const bool is_prompt = queries == keys;
        if (length < (is_prompt ? 1 : queries) || length > keys)
            context.fail("key_total_sequence_lengths: " + std::to_string(length) +
                         " does not fit " + std::to_string(queries) +
                         " queries and total_sequence_length " + std::to_string(keys));
        past.push_back(is_prompt ? 0 : length - queries);
    }
    return past;
}

/// [B, heads, queries, keys], or [1, ...] where all sequences are of one length: 0 for a key in a
/// block that the query sees, else the lowest number, by which a query that sees no block weighs
/// all keys alike, as in ONNX Runtime.
Tensor hidden_blocks(KernelContext& context, const BlockLayouts& layouts,
                     const std::vector<std::int64_t>& past, std::int64_t heads,
                     std::int64_t queries, std::int64_t keys, std::int64_t block) {
    const bool is_shared = std::ranges::adjacent_find(past, std::not_equal_to{}) == past.end();
    const std::size_t batch = is_shared ? std::min<std::size_t>(1, past.size()) : past.size();
    Tensor bias =
        context.scratch(DType::f32, {static_cast<std::int64_t>(batch), heads, queries, keys});
    float* to = bias.mutable_data<float>().data();
    for (std::size_t b = 0; b < batch; ++b)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t s = 0; s < queries; ++s)
                for (std::int64_t t = 0; t < keys; ++t)
                    *to++ = layouts.sees(h % layouts.layouts(), (past[b] + s) / block, t / block)
                                ? 0
                                : std::numeric_limits<float>::lowest();
    return bias;
}

}  // namespace

void sparse_attention(KernelContext& context) {
    namespace in = sparse_attention_input;
    const Node& node = context.node();
    const Tensor &query = context.input(0), &total = context.input(in::total_sequence_length),
                 &lengths = context.input(in::key_total_sequence_lengths);
    const std::int64_t heads = node.int_attribute("num_heads", 0),
                       block = node.int_attribute("sparse_block_size", 0);
    if (block < 1)
        fail_model("attribute sparse_block_size: expected at least 1, found " +
                   std::to_string(block));
    if (query.rank() != 3)
        context.fail("query: expected [B,S,H], found " + to_string(query.shape()));
    if (total.size() != 1)
        context.fail("total_sequence_length: expected one element, found " +
                     to_string(total.shape()));
    const std::int64_t keys = to_int64s(total)[0], queries = query.dim(1);
    const BlockLayouts layouts(context, context.input(in::block_row_indices),
                               context.input(in::block_col_indices));
    if (heads < 1 || heads % layouts.layouts() != 0)
        context.fail(std::to_string(heads) + " heads do not divide among " +
                     std::to_string(layouts.layouts()) + " layouts");
    if (keys < queries || keys / block + (keys % block != 0) > layouts.blocks())
        context.fail("total_sequence_length " + std::to_string(keys) + " does not fit " +
                     std::to_string(queries) + " queries and " + std::to_string(layouts.blocks()) +
                     " blocks of " + std::to_string(block));
    const std::vector<std::int64_t> past = past_lengths(context, lengths, queries, keys);
    Tensor used = context.scratch(DType::i32, {query.dim(0)});
    std::ranges::transform(
        to_int64s(lengths), used.mutable_data<std::int32_t>().begin(),
        [](std::int64_t length) { return static_cast<std::int32_t>(length - 1); });
    const Tensor bias = hidden_blocks(context, layouts, past, heads, queries, keys, block);
    NestedNode nested{"GroupQueryAttention", 1,
                      attributes_named(node, {"num_heads", "kv_num_heads", "scale", "do_rotary",
                                              "rotary_interleaved"})};
    const auto optional = [&](std::size_t input) {
        const Tensor* given = context.optional_input(input);
        return given ? *given : Tensor();
    };
    const std::vector<Tensor> inputs{query,
                                     optional(1),
                                     optional(2),
                                     context.input(in::past_key),
                                     context.input(in::past_value),
                                     used,
                                     total,
                                     optional(in::cos_cache),
                                     optional(in::sin_cache),
                                     Tensor(),
                                     bias};
    std::vector<std::int64_t> written = past;
    for (std::int64_t& rows : written) rows += queries;
    auto results = run_nested(context, group_query_attention, nested, inputs, 3);
    for (std::size_t i = 0; i < results.size() && i < context.output_count(); ++i) {
        if (!context.wants_output(i)) continue;
        if (i > 0) keep_rest(results[i], context.input(i + 2), written);
        set_result(context, i, results[i]);
    }
}

}  // namespace lapidary::reference
