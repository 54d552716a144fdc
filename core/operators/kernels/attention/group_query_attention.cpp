// SPDX-License-Identifier: Apache-2.0
// com.microsoft GroupQueryAttention in float, with rotary positions and a cache of float, of
// float16 or bfloat16, or of scaled bytes: of i8 without a quantization (scaled_bytes.h).
#include <cmath>

#include "kernels/attention/scaled_bytes.h"
#include "kernels/attention/score_terms.h"
#include "kernels/float_inputs.h"
#include "kernels/input_index.h"

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
        : heads_(node.int_attribute("num_heads", 0)),
          key_heads_(node.int_attribute("kv_num_heads", 0)),
          window_(node.int_attribute("local_window_size", -1)),
          rotates_(node.int_attribute("do_rotary", 0) != 0),
          interleaved_(node.int_attribute("rotary_interleaved", 0) != 0),
          causal_(node.int_attribute("causal", 1) != 0),
          smooth_(node.int_attribute("smooth_softmax", 0) == 1),
          softcap_(node.float_attribute("softcap", 0.0f)),
          scale_(node.float_attribute("scale", 0.0f)) {}

    /// Leaves runs that output scores, or whose shapes do not fit, to the reference kernel.
    void run(KernelContext& context) const override {
        if (const FallbackReason why = run_fast(context))
            context.run_on_reference(reference::group_query_attention, why);
    }

private:
    /// The operands of one run and their sizes.
    struct Call {
        const Tensor *query, *key, *value, *past_key, *past_value, *ids, *sink;
        bool packed = false;       // query holds keys and values too
        DType cache = DType::f32;  // its elements: f32, f16, bf16, or i8 in scaled bytes
        std::int64_t batch = 0, sequence = 0, size = 0, total = 0, capacity = 0, rows = 0;
        /// Per sequence: keys before the new ones, the end of what query 0 sees; per query: its
        /// position.
        std::int64_t *past = nullptr, *ends = nullptr, *positions = nullptr;
    };

    /// Why the operands are not such as the fast kernel takes.
    FallbackReason read(KernelContext& context, Call& c) const {
        using namespace group_query_input;
        c.query = &context.input(0);
        const Tensor &query = *c.query, &lengths = context.input(seqlens_k),
                     &total = context.input(total_sequence_length);
        c.key = context.optional_input(1), c.value = context.optional_input(2);
        c.past_key = context.optional_input(past_key),
        c.past_value = context.optional_input(past_value);
        c.ids = context.optional_input(position_ids), c.sink = context.optional_input(head_sink);
        c.packed = c.key == nullptr;
        const std::int64_t columns = c.packed ? heads_ + 2 * key_heads_ : heads_;
        if (is_wanted(context, scores_output)) return fallback::score_output;
        if (query.size() == 0) return fallback::no_elements;
        if (heads_ < 1 || key_heads_ < 1 || heads_ % key_heads_ != 0 || query.rank() != 3 ||
            query.dim(2) % columns != 0)
            return fallback::shapes;
        if (!is_integer(lengths) || !is_integer(total) || total.size() != 1 ||
            lengths.size() != query.dim(0))
            return "seqlens_k or total_sequence_length has another shape or type than the fast "
                   "kernel takes";
        c.batch = query.dim(0), c.sequence = query.dim(1), c.size = query.dim(2) / columns;
        c.total = integer_at(total, 0);
        if (!c.packed &&
            (!c.value || c.key->shape() != Shape{c.batch, c.sequence, key_heads_ * c.size} ||
             c.value->shape() != c.key->shape()))
            return fallback::shapes;
        if (!read_capacity(c)) return fallback::cache_shapes;
        if (c.sink && c.sink->size() != heads_) return fallback::parameter_sizes;
        c.rows = std::max(c.capacity, c.total);
        return fallback::none;
    }

    /// Rows of the cache; false: keys and values of the past do not fit, or the total does not.
    bool read_capacity(Call& c) const {
        c.capacity = c.past_key && c.past_key->rank() == 4 ? c.past_key->dim(2) : 0;
        if (c.past_key) c.cache = c.past_key->dtype();
        if (c.past_key &&
            (!c.past_value || c.past_key->shape() != cache_shape(c, c.capacity) ||
             c.past_value->shape() != c.past_key->shape() || c.past_value->dtype() != c.cache))
            return false;
        return c.total >= 0 && c.total <= c.capacity + c.sequence;
    }

    Shape cache_shape(const Call& c, std::int64_t rows) const {
        return {c.batch, key_heads_, rows,
                c.cache == DType::i8 ? scaled_bytes::row(c.size) : c.size};
    }

    /// Fills past and ends; false where a sequence's length does not fit the cache.
    bool read_lengths(const Tensor& lengths, Call& c) const {
        const bool is_prompt = c.sequence == c.total;
        for (std::int64_t b = 0; b < c.batch; ++b) {
            const std::int64_t used = integer_at(lengths, b) + 1;
            c.past[b] = is_prompt ? 0 : used - c.sequence;
            c.ends[b] = causal_ ? c.past[b] + 1 : used;
            if (used < 0 || used > c.rows || c.past[b] < 0 || c.past[b] > c.capacity ||
                c.past[b] + c.sequence > c.rows)
                return false;
        }
        return true;
    }

    /// Fills positions and a.rotary; false where tables or positions do not fit.
    bool read_rotary(KernelContext& context, const Call& c, TiledAttention& a) const {
        const Tensor &cosine = context.input(group_query_input::cos_cache),
                     &sine = context.input(group_query_input::sin_cache);
        if (cosine.dtype() != DType::f32 || sine.dtype() != DType::f32 || cosine.rank() != 2 ||
            cosine.size() == 0 || cosine.shape() != sine.shape() || 2 * cosine.dim(1) > c.size ||
            (c.ids && (!is_integer(*c.ids) || c.ids->shape() != Shape{c.batch, c.sequence})))
            return false;
        a.rotary = {cosine.data<float>().data(), sine.data<float>().data(), cosine.dim(1),
                    interleaved_};
        for (std::int64_t i = 0; i < c.batch * c.sequence; ++i) {
            const std::int64_t position =
                c.ids ? integer_at(*c.ids, i) : c.past[i / c.sequence] + i % c.sequence;
            if (position < 0) return false;
            // Queries behind the end of a shorter sequence are padding.
            c.positions[i] = std::min(position, cosine.dim(0) - 1);
        }
        a.positions = c.positions;
        return true;
    }

    /// The cache with the new rows appended, in the node's output or in `holder`.
    HeadRows<const float> join(KernelContext& context, const Call& c, const Tensor* old,
                               const float* fresh, std::size_t output,
                               const TiledAttention* rotated, Tensor& holder) const {
        float* to = is_wanted(context, output)
                        ? context.output(output, DType::f32, {c.batch, key_heads_, c.rows, c.size})
                              .mutable_data<float>()
                              .data()
                        : scratch_floats(holder, context, c.batch * key_heads_ * c.rows * c.size);
        CacheAppend append = append_of(c, fresh, rotated);
        append.past = old ? old->data<float>().data() : nullptr;
        append.to = to;
        append.run(context);
        return {to, key_heads_ * c.rows * c.size, c.rows * c.size, c.size};
    }

    /// The same with a cache in fewer bits, whose elements are of type T; `run` is CacheAppend's
    /// for it.
    template <typename T>
    HeadRows<const T> join_narrow(KernelContext& context, const Call& c, const Tensor& old,
                                  const float* fresh, std::size_t output,
                                  const TiledAttention* rotated, Tensor& holder,
                                  void (CacheAppend::*run)(KernelContext&, const T*, T*)
                                      const) const {
        const Shape shape = cache_shape(c, c.rows);
        Tensor* all = &holder;
        if (is_wanted(context, output)) all = &context.output(output, c.cache, shape);
        else holder = context.scratch(c.cache, shape);
        auto* const to = static_cast<T*>(all->mutable_raw());
        (append_of(c, fresh, rotated).*run)(context, static_cast<const T*>(old.raw()), to);
        const std::int64_t width = shape[3];
        return {to, key_heads_ * c.rows * width, c.rows * width, width};
    }

    /// New rows behind the past, which is the caller's to say.
    CacheAppend append_of(const Call& c, const float* fresh, const TiledAttention* rotated) const {
        const std::int64_t width = c.packed ? c.query->dim(2) : key_heads_ * c.size;
        CacheAppend append;
        append.batch = c.batch;
        append.heads = key_heads_;
        append.size = c.size;
        append.past_rows = c.past;
        append.past_capacity = c.capacity;
        append.fresh = {fresh, c.sequence * width, c.size, width};
        append.fresh_rows = c.sequence;
        if (rotated) append.rotary = rotated->rotary;
        append.positions = c.positions;
        append.capacity = c.rows;
        return append;
    }

    FallbackReason run_fast(KernelContext& context) const {
        Call c;
        if (const FallbackReason why = read(context, c)) return why;
        Tensor numbers = context.scratch(DType::i64, {c.batch * (2 + c.sequence)});
        c.past = numbers.mutable_data<std::int64_t>().data();
        c.ends = c.past + c.batch, c.positions = c.ends + c.batch;
        if (!read_lengths(context.input(group_query_input::seqlens_k), c))
            return "the length of a sequence does not fit the cache";
        TiledAttention a;
        if (rotates_ && !read_rotary(context, c, a))
            return "positions or rotary tables do not fit the heads";
        if (!bias_rows(context.optional_input(group_query_input::attention_bias), c.batch, heads_,
                       c.sequence, c.total, a.bias))
            return fallback::mask_shape;

        Tensor key_holder, value_holder, sink_holder;
        a.batch = c.batch;
        a.heads = heads_;
        a.key_heads = key_heads_;
        a.queries = c.sequence;
        a.keys = c.total;
        a.size = a.value_size = c.size;
        a.softcap = softcap_;
        a.scale =
            scale_ != 0 ? scale_ : static_cast<float>(1 / std::sqrt(static_cast<double>(c.size)));
        a.causal = causal_;
        a.ends = c.ends;
        a.window = std::max<std::int64_t>(window_, 0);
        const std::int64_t width = c.query->dim(2), out_width = heads_ * c.size;
        const float* from = c.query->data<float>().data();
        a.q = {from, c.sequence * width, c.size, width};
        const float* keys = c.packed ? from + heads_ * c.size : c.key->data<float>().data();
        const float* values =
            c.packed ? from + (heads_ + key_heads_) * c.size : c.value->data<float>().data();
        if (c.cache == DType::f16 || c.cache == DType::bf16) {
            a.halves_are_bfloat = c.cache == DType::bf16;
            const auto run =
                a.halves_are_bfloat ? &CacheAppend::run_bfloat : &CacheAppend::run_half;
            a.half_k = join_narrow(context, c, *c.past_key, keys, 1, &a, key_holder, run);
            a.half_v =
                join_narrow(context, c, *c.past_value, values, 2, nullptr, value_holder, run);
        } else if (c.cache == DType::i8) {
            const auto run = &CacheAppend::run_bytes;
            a.byte_k = join_narrow(context, c, *c.past_key, keys, 1, &a, key_holder, run);
            a.byte_v =
                join_narrow(context, c, *c.past_value, values, 2, nullptr, value_holder, run);
        } else {
            a.k = join(context, c, c.past_key, keys, 1, &a, key_holder);
            a.v = join(context, c, c.past_value, values, 2, nullptr, value_holder);
        }
        if (c.sink) a.sinks = c.sink->data<float>().data();
        else if (smooth_) {
            float* zeros = scratch_floats(sink_holder, context, heads_);
            std::fill_n(zeros, heads_, 0.0f);
            a.sinks = zeros;
        }
        a.out = {context.output(0, DType::f32, {c.batch, c.sequence, out_width})
                     .mutable_data<float>()
                     .data(),
                 c.sequence * out_width, c.size, out_width};
        a.run(context);
        return fallback::none;
    }

    const std::int64_t heads_, key_heads_, window_;
    const bool rotates_, interleaved_, causal_, smooth_;
    const float softcap_, scale_;
};

}  // namespace

std::unique_ptr<Kernel> make_group_query_attention(const KernelRequest& request,
                                                   std::string& reason) {
    using namespace group_query_input;
    const DType cache =
        request.has_input(past_key) ? request.input_type(past_key).dtype : DType::undefined;
    const bool is_narrow = (cache == DType::f16 || cache == DType::bf16 || cache == DType::i8) &&
                           request.has_input(past_value) &&
                           request.input_type(past_value).dtype == cache;
    if (!takes_floats(request, {0, 1, 2}, reason) ||
        (!is_narrow && !takes_floats(request, {past_key, past_value}, reason)) ||
        !takes_floats(request, {cos_cache, sin_cache, attention_bias, head_sink}, reason))
        return nullptr;
    const Node& node = request.node;
    if (node.string_attribute("k_quant_type", "NONE") != "NONE" ||
        node.string_attribute("v_quant_type", "NONE") != "NONE") {
        reason = "the cache is quantized";
        return nullptr;
    }
    if (request.has_input(group_query_input::q_norm_weight) ||
        request.has_input(group_query_input::k_norm_weight)) {
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
