// SPDX-License-Identifier: Apache-2.0
// com.microsoft MultiHeadAttention in float, with Q, K and V of their own.
#include <cmath>

#include "kernels/attention/hidden_keys.h"
#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"

namespace lapidary {

namespace reference {
void multi_head_attention(KernelContext&);
}

namespace {

class MultiHeadAttention final : public Kernel {
public:
    explicit MultiHeadAttention(const Node& node)
        : heads_(node.int_attribute("num_heads", 0)), unidirectional_(node.int_attribute("unidirectional", 0) != 0),
          scale_(node.float_attribute("scale", 0.0f)), filter_(node.float_attribute("mask_filter_value", -10000.0f)) {}

    /// What is packed, shares buffers, shows its scores or does not fit is left to the reference kernel.
    void run(KernelContext& context) const override {
        if (!run_fast(context)) reference::multi_head_attention(context);
    }

private:
    bool run_fast(KernelContext& context) const {
        const Tensor& query = context.input(0);
        const Tensor *key = context.optional_input(1), *value = context.optional_input(2),
                     *bias = context.optional_input(3), *attention_bias = context.optional_input(5);
        const Tensor *past_key = context.optional_input(6), *past_value = context.optional_input(7);
        if (heads_ < 1 || query.rank() != 3 || query.size() == 0 || query.dim(2) % heads_ != 0 || !key || !value ||
            context.optional_input(8) || context.optional_input(9) || is_wanted(context, 3))
            return false;
        const std::int64_t batch = query.dim(0), queries = query.dim(1), hidden = query.dim(2), size = hidden / heads_;
        TiledAttention a;
        std::int64_t rows = 0;
        const bool is_split = key->rank() == 4;
        if (is_split) {
            rows = key->dim(2);
            if (value->rank() != 4 || key->shape() != Shape{batch, heads_, rows, size} ||
                value->shape() != Shape{batch, heads_, rows, value->dim(3)})
                return false;
            a.value_size = value->dim(3);
        } else {
            if (key->rank() != 3 || value->rank() != 3) return false;
            rows = key->dim(1);
            if (key->shape() != Shape{batch, rows, hidden} || value->shape() != Shape{batch, rows, value->dim(2)} ||
                value->dim(2) % heads_ != 0)
                return false;
            a.value_size = value->dim(2) / heads_;
        }
        if (a.value_size == 0 || (bias && (bias->rank() != 1 || bias->size() < 2 * hidden + heads_ * a.value_size)))
            return false;
        const std::int64_t past_rows = past_key && past_key->rank() == 4 ? past_key->dim(2) : 0,
                           keys = past_rows + rows;
        if (past_key && (!past_value || past_key->shape() != Shape{batch, heads_, past_rows, size} ||
                         past_value->shape() != Shape{batch, heads_, past_rows, a.value_size}))
            return false;
        if (!bias_rows(attention_bias, batch, heads_, queries, keys, a.bias)) return false;

        Tensor padding_holder, key_holder, value_holder;
        a.padding =
            padding_rows(context, context.optional_input(4), batch, queries, keys, past_rows, filter_, padding_holder);
        a.batch = batch;
        a.heads = a.key_heads = heads_;
        a.queries = queries;
        a.keys = keys;
        a.size = size;
        a.scale = scale_ != 0 ? scale_ : static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
        a.causal = unidirectional_;
        a.end = unidirectional_ ? keys - queries + 1 : keys;
        a.q = {query.data<float>().data(), queries * hidden, size, hidden};
        a.q_bias = bias ? bias->data<float>().data() : nullptr;
        const auto source = [&](const Tensor& t, std::int64_t item) -> HeadRows<const float> {
            const float* data = t.data<float>().data();
            return is_split ? HeadRows<const float>{data, heads_ * rows * item, rows * item, item}
                            : HeadRows<const float>{data, rows * heads_ * item, item, heads_ * item};
        };
        a.k = source(*key, size);
        a.v = source(*value, a.value_size);
        const bool has_bias = bias && !is_split;  // keys and values that come split have theirs already
        if (past_key || has_bias || is_wanted(context, 1) || is_wanted(context, 2)) {
            const auto join = [&](const Tensor* past, HeadRows<const float>& rows_of, std::int64_t item,
                                  std::int64_t bias_offset, std::size_t output, Tensor& holder) {
                float* to =
                    is_wanted(context, output)
                        ? context.output(output, DType::f32, {batch, heads_, keys, item}).mutable_data<float>().data()
                        : scratch_floats(holder, context, batch * heads_ * keys * item);
                CacheAppend append;
                append.batch = batch;
                append.heads = heads_;
                append.size = item;
                append.past = past ? past->data<float>().data() : nullptr;
                append.past_count = append.past_capacity = past_rows;
                append.fresh = rows_of;
                append.fresh_rows = rows;
                append.bias = has_bias ? bias->data<float>().data() + bias_offset : nullptr;
                append.capacity = keys;
                append.to = to;
                append.run(context);
                rows_of = {to, heads_ * keys * item, keys * item, item};
            };
            join(past_key, a.k, size, hidden, 1, key_holder);
            join(past_value, a.v, a.value_size, 2 * hidden, 2, value_holder);
        }
        const std::int64_t out_width = heads_ * a.value_size;
        a.out = {context.output(0, DType::f32, {batch, queries, out_width}).mutable_data<float>().data(),
                 queries * out_width, a.value_size, out_width};
        Tensor hidden_holder;
        keep_odd_hidden_keys(context, a, hidden_holder);
        a.run(context);
        return true;
    }

    const std::int64_t heads_;
    const bool unidirectional_;
    const float scale_, filter_;
};

}  // namespace

std::unique_ptr<Kernel> make_multi_head_attention(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0, 1, 2, 3, 5, 6, 7}, reason)) return nullptr;
    return std::make_unique<MultiHeadAttention>(request.node);
}

}  // namespace lapidary
