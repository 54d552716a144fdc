// SPDX-License-Identifier: Apache-2.0
// com.microsoft GroupQueryAttention in float, with rotary positions and a cache.
#include <cmath>

#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"

namespace lapidary {

namespace reference {
void group_query_attention(KernelContext&);
}

namespace {

bool is_integer(const Tensor& t) { return t.dtype() == DType::i32 || t.dtype() == DType::i64; }
std::int64_t integer_at(const Tensor& t, std::int64_t i) {
    return t.dtype() == DType::i32 ? t.data<std::int32_t>()[static_cast<std::size_t>(i)]
                                   : t.data<std::int64_t>()[static_cast<std::size_t>(i)];
}

class GroupQueryAttention final : public Kernel {
public:
    explicit GroupQueryAttention(const Node& node)
        : heads_(node.int_attribute("num_heads", 0)), key_heads_(node.int_attribute("kv_num_heads", 0)),
          window_(node.int_attribute("local_window_size", -1)), rotates_(node.int_attribute("do_rotary", 0) != 0),
          interleaved_(node.int_attribute("rotary_interleaved", 0) != 0), causal_(node.int_attribute("causal", 1) != 0),
          smooth_(node.int_attribute("smooth_softmax", 0) == 1), softcap_(node.float_attribute("softcap", 0.0f)),
          scale_(node.float_attribute("scale", 0.0f)) {}

    /// What shows its scores or does not fit is left to the reference kernel.
    void run(KernelContext& context) const override {
        if (!run_fast(context)) reference::group_query_attention(context);
    }

private:
    bool run_fast(KernelContext& context) const {
        const Tensor &query = context.input(0), &lengths = context.input(5), &total = context.input(6);
        const Tensor *key = context.optional_input(1), *value = context.optional_input(2),
                     *past_key = context.optional_input(3), *past_value = context.optional_input(4);
        const Tensor *ids = context.optional_input(9), *sink = context.optional_input(11);
        const bool packed = key == nullptr;
        const std::int64_t columns = packed ? heads_ + 2 * key_heads_ : heads_;
        if (heads_ < 1 || key_heads_ < 1 || heads_ % key_heads_ != 0 || query.rank() != 3 || query.size() == 0 ||
            query.dim(2) % columns != 0 || is_wanted(context, 3) || !is_integer(lengths) || !is_integer(total) ||
            total.size() != 1 || lengths.size() != query.dim(0))
            return false;
        const std::int64_t batch = query.dim(0), sequence = query.dim(1), size = query.dim(2) / columns,
                           total_length = integer_at(total, 0);
        if (!packed &&
            (!value || key->shape() != Shape{batch, sequence, key_heads_ * size} || value->shape() != key->shape()))
            return false;
        const std::int64_t capacity = past_key && past_key->rank() == 4 ? past_key->dim(2) : 0;
        if (past_key && (!past_value || past_key->shape() != Shape{batch, key_heads_, capacity, size} ||
                         past_value->shape() != past_key->shape()))
            return false;
        if (total_length < 0 || total_length > capacity + sequence || (sink && sink->size() != heads_)) return false;
        const std::int64_t rows = std::max(capacity, total_length);
        const bool is_prompt = sequence == total_length;

        // Per batch: keys before the new ones and the end of what query 0 sees; per query: its position.
        Tensor numbers = context.scratch(DType::i64, {batch * (2 + sequence)});
        std::int64_t* past = numbers.mutable_data<std::int64_t>().data();
        std::int64_t *ends = past + batch, *positions = ends + batch;
        for (std::int64_t b = 0; b < batch; ++b) {
            const std::int64_t used = integer_at(lengths, b) + 1;
            past[b] = is_prompt ? 0 : used - sequence;
            ends[b] = causal_ ? past[b] + 1 : used;
            if (used < 0 || used > rows || past[b] < 0 || past[b] > capacity || past[b] + sequence > rows) return false;
        }
        TiledAttention a;
        if (rotates_) {
            const Tensor &cosine = context.input(7), &sine = context.input(8);
            if (cosine.dtype() != DType::f32 || sine.dtype() != DType::f32 || cosine.rank() != 2 ||
                cosine.size() == 0 || cosine.shape() != sine.shape() || 2 * cosine.dim(1) > size ||
                (ids && (!is_integer(*ids) || ids->shape() != Shape{batch, sequence})))
                return false;
            a.rotary = {cosine.data<float>().data(), sine.data<float>().data(), cosine.dim(1), interleaved_};
            for (std::int64_t i = 0; i < batch * sequence; ++i) {
                const std::int64_t position = ids ? integer_at(*ids, i) : past[i / sequence] + i % sequence;
                if (position < 0) return false;
                // Queries behind the end of a shorter sequence are padding.
                positions[i] = std::min(position, cosine.dim(0) - 1);
            }
            a.positions = positions;
        }
        if (!bias_rows(context.optional_input(10), batch, heads_, sequence, total_length, a.bias)) return false;

        Tensor key_holder, value_holder, sink_holder;
        a.batch = batch;
        a.heads = heads_;
        a.key_heads = key_heads_;
        a.queries = sequence;
        a.keys = total_length;
        a.size = a.value_size = size;
        a.softcap = softcap_;
        a.scale = scale_ != 0 ? scale_ : static_cast<float>(1 / std::sqrt(static_cast<double>(size)));
        a.causal = causal_;
        a.ends = ends;
        a.window = std::max<std::int64_t>(window_, 0);
        const std::int64_t width = query.dim(2), key_width = packed ? width : key_heads_ * size;
        const float* from = query.data<float>().data();
        a.q = {from, sequence * width, size, width};
        const auto join = [&](const Tensor* old, const float* fresh, std::size_t output, bool rotated,
                              Tensor& holder) -> HeadRows<const float> {
            float* to =
                is_wanted(context, output)
                    ? context.output(output, DType::f32, {batch, key_heads_, rows, size}).mutable_data<float>().data()
                    : scratch_floats(holder, context, batch * key_heads_ * rows * size);
            CacheAppend append;
            append.batch = batch;
            append.heads = key_heads_;
            append.size = size;
            append.past = old ? old->data<float>().data() : nullptr;
            append.past_rows = past;
            append.past_capacity = capacity;
            append.fresh = {fresh, sequence * key_width, size, key_width};
            append.fresh_rows = sequence;
            if (rotated) append.rotary = a.rotary;
            append.positions = positions;
            append.to = to;
            append.capacity = rows;
            append.run(context);
            return {to, key_heads_ * rows * size, rows * size, size};
        };
        a.k = join(past_key, packed ? from + heads_ * size : key->data<float>().data(), 1, true, key_holder);
        a.v = join(past_value, packed ? from + (heads_ + key_heads_) * size : value->data<float>().data(), 2, false,
                   value_holder);
        if (sink) a.sinks = sink->data<float>().data();
        else if (smooth_) {
            float* zeros = scratch_floats(sink_holder, context, heads_);
            std::fill_n(zeros, heads_, 0.0f);
            a.sinks = zeros;
        }
        const std::int64_t out_width = heads_ * size;
        a.out = {context.output(0, DType::f32, {batch, sequence, out_width}).mutable_data<float>().data(),
                 sequence * out_width, size, out_width};
        a.run(context);
        return true;
    }

    const std::int64_t heads_, key_heads_, window_;
    const bool rotates_, interleaved_, causal_, smooth_;
    const float softcap_, scale_;
};

}  // namespace

std::unique_ptr<Kernel> make_group_query_attention(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0, 1, 2, 3, 4, 7, 8, 10, 11}, reason)) return nullptr;
    const Node& node = request.node;
    if (node.string_attribute("k_quant_type", "NONE") != "NONE" ||
        node.string_attribute("v_quant_type", "NONE") != "NONE") {
        reason = "the cache is quantized";
        return nullptr;
    }
    if (request.has_input(14) || request.has_input(15)) {
        reason = "query and key heads are normalized first";
        return nullptr;
    }
    if (node.int_attribute("sliding_window_cache", 0) != 0) {
        reason = "the cache holds a sliding window";
        return nullptr;
    }
    return std::make_unique<GroupQueryAttention>(node);
}

}  // namespace lapidary
