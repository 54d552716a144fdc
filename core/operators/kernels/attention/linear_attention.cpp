// SPDX-License-Identifier: Apache-2.0
// The plain kernels of LinearAttention and CausalConvWithState (27), whose state has a fixed size.
// LinearAttention has a matrix per head in place of past keys and values: each token decays it,
// adds key times value to it, and reads it by its query.
#include <algorithm>
#include <cmath>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {
namespace {

struct LinearSizes {
    std::int64_t batch, tokens, query_heads, heads, key_size, value_size;
};

LinearSizes checked_sizes(const KernelContext& context) {
    const Tensor &q = context.input(0), &k = context.input(1), &v = context.input(2);
    LinearSizes s;
    s.query_heads = context.node().int_attribute("q_num_heads", 0);
    s.heads = context.node().int_attribute("kv_num_heads", 0);
    if (s.heads < 1 || s.query_heads < 1 || s.query_heads % s.heads != 0)
        fail_model("attributes q_num_heads " + std::to_string(s.query_heads) +
                   " and kv_num_heads " + std::to_string(s.heads) +
                   ": expected a multiple of one another, at least 1");
    if (q.rank() != 3 || q.dim(2) % s.query_heads != 0)
        context.fail("query: expected [B,T,heads * size] for " + std::to_string(s.query_heads) +
                     " heads, found " + to_string(q.shape()));
    s.batch = q.dim(0);
    s.tokens = q.dim(1);
    s.key_size = q.dim(2) / s.query_heads;
    if (k.shape() != Shape{s.batch, s.tokens, s.heads * s.key_size})
        context.fail("key: expected " + to_string(Shape{s.batch, s.tokens, s.heads * s.key_size}) +
                     ", found " + to_string(k.shape()));
    if (v.rank() != 3 || v.dim(0) != s.batch || v.dim(1) != s.tokens || v.dim(2) % s.heads != 0)
        context.fail("value: expected [" + std::to_string(s.batch) + "," +
                     std::to_string(s.tokens) + ",heads * size] for " + std::to_string(s.heads) +
                     " heads, found " + to_string(v.shape()));
    s.value_size = v.dim(2) / s.heads;
    return s;
}

/// decay or beta: [B, T, heads * step], or [B, T, 1] where `shared`; null when the rule has none.
struct TokenFactors {
    Tensor values;
    std::int64_t width = 0, per_head = 0;

    TokenFactors(KernelContext& context, std::size_t input, const char* name, bool needed,
                 const LinearSizes& s, std::int64_t other_width) {
        const Tensor* given = context.optional_input(input);
        if (!needed) return;
        if (!given) context.fail(std::string(name) + " is required by this update_rule");
        width = given->rank() == 3 ? given->dim(2) : 0;
        if (given->rank() != 3 || given->dim(0) != s.batch || given->dim(1) != s.tokens ||
            (width != s.heads && width != other_width))
            context.fail(std::string(name) + ": expected " +
                         to_string(Shape{s.batch, s.tokens, s.heads}) + " or a last dimension of " +
                         std::to_string(other_width) + ", found " + to_string(given->shape()));
        per_head = width / s.heads;
        values = converted(context, *given, DType::f32);
    }
    explicit operator bool() const { return static_cast<bool>(values); }
    /// The factors of one head at one token: per_head of them, or one.
    const float* at(std::int64_t row, std::int64_t head) const {
        return values.data<float>().data() + row * width + head * per_head;
    }
};

struct LinearRun {
    LinearSizes s;
    const float *q, *k, *v;
    const TokenFactors &decay, &beta;
    float scale;
    float* state;  // [B, heads, key_size, value_size]
    float* out;    // [B, T, query_heads * value_size]

    void run_head(std::int64_t b, std::int64_t head) const {
        const std::int64_t group = s.query_heads / s.heads;
        float* matrix = state + (b * s.heads + head) * s.key_size * s.value_size;
        std::vector<float> change(static_cast<std::size_t>(s.value_size));
        for (std::int64_t t = 0; t < s.tokens; ++t) {
            const std::int64_t row = b * s.tokens + t;
            const float* key = k + (row * s.heads + head) * s.key_size;
            const float* value = v + (row * s.heads + head) * s.value_size;
            if (decay)
                for (std::int64_t i = 0; i < s.key_size; ++i) {
                    const float factor = std::exp(decay.at(row, head)[decay.per_head > 1 ? i : 0]);
                    for (std::int64_t j = 0; j < s.value_size; ++j)
                        matrix[i * s.value_size + j] *= factor;
                }
            std::copy_n(value, s.value_size, change.begin());
            if (beta) {
                for (std::int64_t i = 0; i < s.key_size; ++i)
                    for (std::int64_t j = 0; j < s.value_size; ++j)
                        change[static_cast<std::size_t>(j)] -=
                            matrix[i * s.value_size + j] * key[i];
                for (float& x : change) x *= *beta.at(row, head);
            }
            for (std::int64_t i = 0; i < s.key_size; ++i)
                for (std::int64_t j = 0; j < s.value_size; ++j)
                    matrix[i * s.value_size + j] += key[i] * change[static_cast<std::size_t>(j)];
            for (std::int64_t h = head * group; h < (head + 1) * group; ++h) {
                const float* query = q + (row * s.query_heads + h) * s.key_size;
                float* to = out + (row * s.query_heads + h) * s.value_size;
                std::fill_n(to, s.value_size, 0.0f);
                for (std::int64_t i = 0; i < s.key_size; ++i)
                    for (std::int64_t j = 0; j < s.value_size; ++j)
                        to[j] += scale * query[i] * matrix[i * s.value_size + j];
            }
        }
    }
};

}  // namespace

void linear_attention(KernelContext& context) {
    const Node& node = context.node();
    const LinearSizes s = checked_sizes(context);
    const std::string rule = node.string_attribute("update_rule", "gated_delta");
    const bool decays = rule == "gated" || rule == "gated_delta",
               corrects = rule == "delta" || rule == "gated_delta";
    if (!decays && !corrects && rule != "linear")
        fail_model("attribute update_rule: expected linear, gated, delta or gated_delta, found " +
                   quote(rule));
    const TokenFactors decay(context, 4, "decay", decays, s, s.heads * s.key_size),
        beta(context, 5, "beta", corrects, s, 1);
    const Tensor* past = context.optional_input(linear_attention_input::past_state);
    const Shape state_shape{s.batch, s.heads, s.key_size, s.value_size};
    if (past && past->shape() != state_shape)
        context.fail("past_state: expected " + to_string(state_shape) + ", found " +
                     to_string(past->shape()));
    Tensor state = context.scratch(DType::f32, state_shape);
    if (past) convert_into(context, *past, state);
    else std::ranges::fill(state.mutable_data<float>(), 0.0f);
    const Tensor q = converted(context, context.input(0), DType::f32),
                 k = converted(context, context.input(1), DType::f32),
                 v = converted(context, context.input(2), DType::f32);
    Tensor out = context.scratch(DType::f32, {s.batch, s.tokens, s.query_heads * s.value_size});
    float scale = node.float_attribute("scale", 0.0f);
    if (scale == 0 && s.key_size > 0)
        scale = static_cast<float>(1 / std::sqrt(static_cast<double>(s.key_size)));
    const LinearRun run{s,
                        q.data<float>().data(),
                        k.data<float>().data(),
                        v.data<float>().data(),
                        decay,
                        beta,
                        scale,
                        state.mutable_data<float>().data(),
                        out.mutable_data<float>().data()};
    context.threads().parallel_for(s.batch * s.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            context.cancel().throw_if_cancelled();
            run.run_head(i / s.heads, i % s.heads);
        }
    });
    const DType dtype = context.input(0).dtype();
    set_result(context, 0, out, dtype);
    if (context.output_count() > 1) set_result(context, 1, state, past ? past->dtype() : dtype);
}

/// CausalConvWithState (27): each channel's own kernel over the past k - 1 values and the new ones.
void causal_conv_with_state(KernelContext& context) {
    const Tensor &x = context.input(0), &w = context.input(1);
    const Tensor *bias = context.optional_input(2),
                 *past = context.optional_input(causal_conv_input::past_state);
    const std::string activation = context.node().string_attribute("activation", "none");
    if (activation != "none" && activation != "silu" && activation != "swish")
        fail_model("attribute activation: expected none, silu or swish, found " +
                   quote(activation));
    if (x.rank() != 3) context.fail("input: expected [B,C,length], found " + to_string(x.shape()));
    const std::int64_t batch = x.dim(0), channels = x.dim(1), length = x.dim(2);
    if (w.rank() != 3 || w.dim(0) != channels || w.dim(1) != 1 || w.dim(2) < 1)
        context.fail("weight: expected [" + std::to_string(channels) + ",1,k], found " +
                     to_string(w.shape()));
    const std::int64_t taps = w.dim(2), kept = taps - 1;
    if (bias && bias->shape() != Shape{channels})
        context.fail("bias: expected [" + std::to_string(channels) + "], found " +
                     to_string(bias->shape()));
    const Shape state_shape{batch, channels, kept};
    if (past && past->shape() != state_shape)
        context.fail("past_state: expected " + to_string(state_shape) + ", found " +
                     to_string(past->shape()));
    const Tensor wide = converted(context, x, DType::f32),
                 weights = converted(context, w, DType::f32);
    const Tensor old = past ? converted(context, *past, DType::f32) : Tensor(),
                 shift = bias ? converted(context, *bias, DType::f32) : Tensor();
    Tensor y = context.scratch(DType::f32, x.shape()),
           state = context.scratch(DType::f32, state_shape);
    float *to = y.mutable_data<float>().data(), *last = state.mutable_data<float>().data();
    context.threads().parallel_for(batch * channels, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> line(static_cast<std::size_t>(kept + length));
        for (std::int64_t i = begin; i < end; ++i) {
            context.cancel().throw_if_cancelled();
            std::fill_n(line.begin(), kept, 0.0f);
            if (old) std::copy_n(old.data<float>().data() + i * kept, kept, line.begin());
            std::copy_n(wide.data<float>().data() + i * length, length, line.begin() + kept);
            const float* tap = weights.data<float>().data() + i % channels * taps;
            for (std::int64_t t = 0; t < length; ++t) {
                float sum =
                    shift ? shift.data<float>()[static_cast<std::size_t>(i % channels)] : 0.0f;
                for (std::int64_t j = 0; j < taps; ++j)
                    sum += tap[j] * line[static_cast<std::size_t>(t + j)];
                to[i * length + t] = activation == "none" ? sum : sum / (1 + std::exp(-sum));
            }
            std::copy_n(line.end() - kept, kept, last + i * kept);
        }
    });
    set_result(context, 0, y, x.dtype());
    if (context.output_count() > 1) set_result(context, 1, state, x.dtype());
}

}  // namespace lapidary::reference
