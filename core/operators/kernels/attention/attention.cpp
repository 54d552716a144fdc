// SPDX-License-Identifier: Apache-2.0
// Attention (23 to 25, without windows) in float.
#include <limits>

#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"
#include "kernels/reference/attention/attention_geometry.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {

namespace reference {
void attention(KernelContext&);
}

namespace {

class Attention final : public Kernel {
public:
    explicit Attention(const Node& node) : softcap_(node.float_attribute("softcap", 0.0f)) {}

    /// Leaves runs with a mask of one column for all keys, or without elements, to the reference
    /// kernel.
    void run(KernelContext& context) const override {
        const reference::AttentionGeometry g(context);
        if (const FallbackReason why = run_fast(context, g))
            context.run_on_reference(reference::attention, why);
    }

private:
    FallbackReason run_fast(KernelContext& context, const reference::AttentionGeometry& g) const {
        using namespace attention_input;
        const Tensor *mask = context.optional_input(attn_mask),
                     *past_keys = context.optional_input(past_key),
                     *past_values = context.optional_input(past_value),
                     *lengths = context.optional_input(nonpad_kv_seqlen);
        if (g.batch * g.query_heads * g.queries * g.value_size == 0 || g.head_size == 0)
            return fallback::no_elements;
        if (lengths && past_keys) return "there are lengths of the keys and past keys too";
        Tensor mask_holder, length_holder, key_holder, value_holder;
        TiledAttention a;
        a.keys = g.keys;
        if (mask && !read_mask(context, g, *mask, a, mask_holder)) return fallback::mask_shape;
        a.batch = g.batch;
        a.heads = g.query_heads;
        a.key_heads = g.key_heads;
        a.queries = g.queries;
        a.size = g.head_size;
        a.value_size = g.value_size;
        a.scale = static_cast<float>(g.scale);
        a.softcap = softcap_;
        a.causal = g.is_causal;
        a.end = g.is_causal ? g.past_keys + 1 : g.keys;
        if (lengths) {
            if (lengths->shape() != Shape{g.batch} || lengths->dtype() != DType::i64)
                return fallback::parameter_sizes;
            length_holder = context.scratch(DType::i64, {std::max<std::int64_t>(g.batch, 1)});
            auto ends = length_holder.mutable_data<std::int64_t>();
            for (std::int64_t b = 0; b < g.batch; ++b) {
                const std::int64_t valid =
                    lengths->data<std::int64_t>()[static_cast<std::size_t>(b)];
                if (valid < 0 || valid > g.keys) return fallback::index_outside;
                ends[static_cast<std::size_t>(b)] = g.is_causal ? valid - g.queries + 1 : valid;
            }
            a.ends = ends.data();
        }
        const auto rows_of = [&](const Tensor& t, std::int64_t heads, std::int64_t rows,
                                 std::int64_t size) -> HeadRows<const float> {
            return {t.data<float>().data(), rows * heads * size, g.heads_last ? size : rows * size,
                    g.row_stride(heads, size)};
        };
        a.q = rows_of(context.input(0), g.query_heads, g.queries, g.head_size);
        a.k = joined(context, g, past_keys,
                     rows_of(context.input(1), g.key_heads, g.new_keys, g.head_size), g.head_size,
                     1, key_holder);
        a.v = joined(context, g, past_values,
                     rows_of(context.input(2), g.key_heads, g.new_keys, g.value_size), g.value_size,
                     2, value_holder);
        Shape shape{g.batch, g.query_heads, g.queries, g.value_size};
        if (g.heads_last) shape = {g.batch, g.queries, g.query_heads * g.value_size};
        float* out = context.output(0, DType::f32, shape).mutable_data<float>().data();
        a.out = {out, g.queries * g.query_heads * g.value_size,
                 g.heads_last ? g.value_size : g.queries * g.value_size,
                 g.row_stride(g.query_heads, g.value_size)};
        a.run(context);
        return fallback::none;
    }

    /// The mask as rows of a bias; keys behind its last column are out of sight.
    static bool read_mask(KernelContext& context, const reference::AttentionGeometry& g,
                          const Tensor& mask, TiledAttention& a, Tensor& holder) {
        if (mask.rank() < 1 || mask.rank() > 4 ||
            (mask.dtype() != DType::f32 && mask.dtype() != DType::boolean))
            return false;
        const std::int64_t columns = mask.shape().back();
        const Shape target{g.batch, g.query_heads, g.queries, columns};
        if ((columns == 1 && g.keys != 1) || columns > g.keys ||
            broadcast_shapes(mask.shape(), target) != target)
            return false;
        const Shape strides = broadcast_strides(mask.shape(), target);
        const float* values = nullptr;
        if (mask.dtype() == DType::f32) {
            values = mask.data<float>().data();
        } else {
            float* to = scratch_floats(holder, context, mask.size());
            const bool* attends = mask.data<bool>().data();
            for (std::int64_t i = 0; i < mask.size(); ++i)
                to[i] = attends[i] ? 0.0f : -std::numeric_limits<float>::infinity();
            values = to;
        }
        a.bias = {values, strides[0], strides[1], strides[2]};
        a.keys = columns;
        return true;
    }

    /// Past rows and new ones as [batch, heads, keys, size]: in the present output where it is
    /// wanted. New rows alone stay where they are.
    static HeadRows<const float> joined(KernelContext& context,
                                        const reference::AttentionGeometry& g, const Tensor* past,
                                        HeadRows<const float> fresh, std::int64_t size,
                                        std::size_t output, Tensor& holder) {
        if (!past && !is_wanted(context, output)) return fresh;
        float* to = is_wanted(context, output)
                        ? context.output(output, DType::f32, {g.batch, g.key_heads, g.keys, size})
                              .mutable_data<float>()
                              .data()
                        : scratch_floats(holder, context, g.batch * g.key_heads * g.keys * size);
        CacheAppend append;
        append.batch = g.batch;
        append.heads = g.key_heads;
        append.size = size;
        append.past = past ? past->data<float>().data() : nullptr;
        append.past_count = append.past_capacity = g.past_keys;
        append.fresh = fresh;
        append.fresh_rows = g.new_keys;
        append.to = to;
        append.capacity = g.keys;
        append.run(context);
        return {to, g.key_heads * g.keys * size, g.keys * size, size};
    }

    const float softcap_;
};

}  // namespace

std::unique_ptr<Kernel> make_attention(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0, 1, 2, attention_input::past_key, attention_input::past_value},
                      reason))
        return nullptr;
    if (request.node.outputs.size() > scores_output && request.node.outputs[scores_output]) {
        reason = "the scores themselves are wanted (output 3)";
        return nullptr;
    }
    for (const char* name : {"left_window_size", "right_window_size"})
        if (request.node.int_attribute(name, -1) != -1) {
            reason = std::string("attribute ") + name + " is served by the reference kernel";
            return nullptr;
        }
    return std::make_unique<Attention>(request.node);
}

}  // namespace lapidary
