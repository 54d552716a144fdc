// SPDX-License-Identifier: Apache-2.0
// com.microsoft MultiHeadAttention in float, with Q, K and V of their own.
#include <cmath>

#include "kernels/attention/tiled_attention.h"
#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"

namespace lapidary {

namespace reference {
void multi_head_attention(KernelContext&);
}

namespace {

class MultiHeadAttention final : public Kernel {
public:
    explicit MultiHeadAttention(const Node& node)
        : heads_(node.int_attribute("num_heads", 0)),
          unidirectional_(node.int_attribute("unidirectional", 0) != 0),
          scale_(node.float_attribute("scale", 0.0f)),
          filter_(node.float_attribute("mask_filter_value", -10000.0f)) {}

    /// Leaves runs with packed inputs, shared buffers, scores as an output, or shapes that do not
    /// fit, to the reference kernel.
    void run(KernelContext& context) const override {
        if (const FallbackReason why = run_fast(context))
            context.run_on_reference(reference::multi_head_attention, why);
    }

private:
    /// The operands of one run and their sizes.
    struct Call {
        const Tensor *key, *value, *bias, *past_key, *past_value;
        std::int64_t batch = 0, queries = 0, hidden = 0, size = 0, value_size = 0, rows = 0,
                     past_rows = 0, keys = 0;
        // keys and values come as [batch, heads, rows, size], with their bias added
        bool is_split = false;

        HeadRows<const float> rows_of(const Tensor& t, std::int64_t heads,
                                      std::int64_t item) const {
            const float* data = t.data<float>().data();
            return is_split ? HeadRows<const float>{data, heads * rows * item, rows * item, item}
                            : HeadRows<const float>{data, rows * heads * item, item, heads * item};
        }
    };

    /// Why the operands are not such as the fast kernel takes.
    FallbackReason read(KernelContext& context, Call& c) const {
        using namespace multi_head_input;
        const Tensor& query = context.input(0);
        c.key = context.optional_input(1), c.value = context.optional_input(2),
        c.bias = context.optional_input(bias);
        c.past_key = context.optional_input(past_key),
        c.past_value = context.optional_input(past_value);
        if (!c.key || !c.value) return "queries, keys and values come packed in one input";
        if (context.optional_input(past_sequence_length) ||
            context.optional_input(cache_indirection))
            return "past and present keys share one buffer";
        if (is_wanted(context, scores_output)) return fallback::score_output;
        if (query.size() == 0) return fallback::no_elements;
        if (heads_ < 1 || query.rank() != 3 || query.dim(2) % heads_ != 0) return fallback::shapes;
        c.batch = query.dim(0), c.queries = query.dim(1), c.hidden = query.dim(2),
        c.size = c.hidden / heads_;
        if (!read_rows(c)) return fallback::shapes;
        if (c.value_size == 0) return fallback::no_elements;
        if (c.bias &&
            (c.bias->rank() != 1 || c.bias->size() < 2 * c.hidden + heads_ * c.value_size))
            return fallback::parameter_sizes;
        c.past_rows = c.past_key && c.past_key->rank() == 4 ? c.past_key->dim(2) : 0;
        c.keys = c.past_rows + c.rows;
        const bool fits =
            !c.past_key ||
            (c.past_value && c.past_key->shape() == Shape{c.batch, heads_, c.past_rows, c.size} &&
             c.past_value->shape() == Shape{c.batch, heads_, c.past_rows, c.value_size});
        return fits ? fallback::none : fallback::cache_shapes;
    }

    /// Rows and size of the values; false: keys and values do not fit the queries or each other.
    bool read_rows(Call& c) const {
        c.is_split = c.key->rank() == 4;
        if (c.is_split) {
            c.rows = c.key->dim(2);
            if (c.value->rank() != 4 || c.key->shape() != Shape{c.batch, heads_, c.rows, c.size} ||
                c.value->shape() != Shape{c.batch, heads_, c.rows, c.value->dim(3)})
                return false;
            c.value_size = c.value->dim(3);
        } else {
            c.rows = c.key->rank() == 3 ? c.key->dim(1) : 0;
            if (c.key->shape() != Shape{c.batch, c.rows, c.hidden} || c.value->rank() != 3 ||
                c.value->shape() != Shape{c.batch, c.rows, c.value->dim(2)} ||
                c.value->dim(2) % heads_ != 0)
                return false;
            c.value_size = c.value->dim(2) / heads_;
        }
        return true;
    }

    /// Joins past rows and new ones (with their bias) in the node's output cache or in `holder`,
    /// and lets `rows_of` refer to it.
    void join(KernelContext& context, const Call& c, const Tensor* past,
              HeadRows<const float>& rows_of, std::int64_t item, std::int64_t bias_offset,
              std::size_t output, Tensor& holder) const {
        float* to = is_wanted(context, output)
                        ? context.output(output, DType::f32, {c.batch, heads_, c.keys, item})
                              .mutable_data<float>()
                              .data()
                        : scratch_floats(holder, context, c.batch * heads_ * c.keys * item);
        CacheAppend append;
        append.batch = c.batch;
        append.heads = heads_;
        append.size = item;
        append.past = past ? past->data<float>().data() : nullptr;
        append.past_count = append.past_capacity = c.past_rows;
        append.fresh = rows_of;
        append.fresh_rows = c.rows;
        append.bias = c.bias && !c.is_split ? c.bias->data<float>().data() + bias_offset : nullptr;
        append.capacity = c.keys;
        append.to = to;
        append.run(context);
        rows_of = {to, heads_ * c.keys * item, c.keys * item, item};
    }

    FallbackReason run_fast(KernelContext& context) const {
        Call c;
        if (const FallbackReason why = read(context, c)) return why;
        TiledAttention a;
        if (!bias_rows(context.optional_input(multi_head_input::attention_bias), c.batch, heads_,
                       c.queries, c.keys, a.bias))
            return fallback::mask_shape;

        Tensor padding_holder, key_holder, value_holder;
        a.padding =
            padding_rows(context, context.optional_input(multi_head_input::key_padding_mask),
                         c.batch, c.queries, c.keys, c.past_rows, filter_, padding_holder);
        a.batch = c.batch;
        a.heads = a.key_heads = heads_;
        a.queries = c.queries;
        a.keys = c.keys;
        a.size = c.size;
        a.value_size = c.value_size;
        a.scale =
            scale_ != 0 ? scale_ : static_cast<float>(1 / std::sqrt(static_cast<double>(c.size)));
        a.causal = unidirectional_;
        a.end = unidirectional_ ? c.keys - c.queries + 1 : c.keys;
        a.q = {context.input(0).data<float>().data(), c.queries * c.hidden, c.size, c.hidden};
        a.q_bias = c.bias ? c.bias->data<float>().data() : nullptr;
        a.k = c.rows_of(*c.key, heads_, c.size);
        a.v = c.rows_of(*c.value, heads_, c.value_size);
        if (c.past_key || (c.bias && !c.is_split) || is_wanted(context, 1) ||
            is_wanted(context, 2)) {
            join(context, c, c.past_key, a.k, c.size, c.hidden, 1, key_holder);
            join(context, c, c.past_value, a.v, c.value_size, 2 * c.hidden, 2, value_holder);
        }
        const std::int64_t out_width = heads_ * c.value_size;
        a.out = {context.output(0, DType::f32, {c.batch, c.queries, out_width})
                     .mutable_data<float>()
                     .data(),
                 c.queries * out_width, c.value_size, out_width};
        Tensor hidden_holder;
        keep_odd_hidden_keys(context, a, hidden_holder);
        a.run(context);
        return fallback::none;
    }

    const std::int64_t heads_;
    const bool unidirectional_;
    const float scale_, filter_;
};

}  // namespace

std::unique_ptr<Kernel> make_multi_head_attention(const KernelRequest& request,
                                                  std::string& reason) {
    using namespace multi_head_input;
    if (!takes_floats(request, {0, 1, 2, bias, attention_bias, past_key, past_value}, reason))
        return nullptr;
    return std::make_unique<MultiHeadAttention>(request.node);
}

}  // namespace lapidary
