// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/attention/head_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {
namespace {

/// Softmax over n scores with an optional extra one that has no value. Scores of -infinity and NaN
/// alone give zeros where all of the keys are hidden (`sees_key()` is false), else NaN.
template <typename SeesKey>
void normalize(float* scores, std::int64_t n, std::optional<float> sink, const SeesKey& sees_key) {
    float largest = sink.value_or(-std::numeric_limits<float>::infinity());
    for (std::int64_t i = 0; i < n; ++i) largest = std::max(largest, scores[i]);
    if (largest == -std::numeric_limits<float>::infinity()) {
        std::fill_n(scores, n, sees_key() ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
        return;
    }
    float sum = sink ? std::exp(*sink - largest) : 0.0f;
    for (std::int64_t i = 0; i < n; ++i) {
        scores[i] = std::exp(scores[i] - largest);
        sum += scores[i];
    }
    for (std::int64_t i = 0; i < n; ++i) scores[i] /= sum;
}

}  // namespace

void HeadAttention::hide_later_keys(std::int64_t first_end) {
    const std::int64_t first = std::max<std::int64_t>(first_end, 0);
    const auto is_finite = [&](const float* rows, std::int64_t width) {
        for (std::int64_t head = 0; head < batch * key_heads; ++head)
            for (std::int64_t i = first * width; i < keys * width; ++i)
                if (!std::isfinite(rows[head * key_capacity * width + i])) return false;
        return true;
    };
    if (is_finite(k, size) && is_finite(v, value_size)) {
        visible = [first_end](std::int64_t, std::int64_t s) {
            return std::pair<std::int64_t, std::int64_t>(0, first_end + s);
        };
        return;
    }
    add_bias = [own = std::move(add_bias), first_end, all = keys](std::int64_t b, std::int64_t head,
                                                                  std::int64_t s, float* scores) {
        if (own) own(b, head, s, scores);
        for (std::int64_t j = std::max<std::int64_t>(first_end + s, 0); j < all; ++j)
            scores[j] += -std::numeric_limits<float>::infinity();
    };
}

void HeadAttention::run(KernelContext& context, float* out) const {
    if (heads == 0) return;
    const std::int64_t group = heads / key_heads;
    const float hidden = -std::numeric_limits<float>::infinity();
    const auto body = [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> scores(static_cast<std::size_t>(queries * keys)),
            result(static_cast<std::size_t>(queries * value_size));
        for (std::int64_t index = begin; index < end; ++index) {
            const std::int64_t b = index / heads, head = index % heads,
                               key_head = b * key_heads + head / group;
            const float* keys_of = k + key_head * key_capacity * size;
            std::fill(scores.begin(), scores.end(), 0.0f);
            multiply_add<float>(nullptr, context.cancel(), queries, keys, size,
                                q + index * queries * size, size,
                                DenseMatrix<float>{keys_of, size, true}, scores.data(), keys);
            for (std::int64_t s = 0; s < queries; ++s) {
                float* row = scores.data() + s * keys;
                for (std::int64_t t = 0; t < keys; ++t) {
                    row[t] *= scale;
                    if (softcap > 0) row[t] = softcap * std::tanh(row[t] / softcap);
                }
                if (add_bias) add_bias(b, head, s, row);
                const auto [first, last] =
                    visible ? visible(b, s) : std::pair<std::int64_t, std::int64_t>(0, keys);
                std::fill(row, row + std::clamp<std::int64_t>(first, 0, keys), hidden);
                std::fill(row + std::clamp<std::int64_t>(last, 0, keys), row + keys, hidden);
                if (scores_out && scores_stage == 1)
                    for (std::int64_t t = 0; t < keys; ++t)
                        scores_out[(index * queries + s) * keys + t] =
                            row[t] == hidden ? 0.0f : row[t];
                if (scores_out && scores_stage == 3)
                    for (std::int64_t t = 0; t < keys; ++t)
                        scores_out[(index * queries + s) * keys + t] =
                            row[t] == hidden ? std::numeric_limits<float>::lowest() : row[t];
                const auto sees_key = [&, from = first, to = last] {
                    std::vector<float> terms(static_cast<std::size_t>(keys), 0.0f);
                    if (add_bias) add_bias(b, head, s, terms.data());
                    return std::any_of(
                        terms.begin() + std::clamp<std::int64_t>(from, 0, keys),
                        terms.begin() + std::clamp<std::int64_t>(
                                            to, std::clamp<std::int64_t>(from, 0, keys), keys),
                        [&](float term) { return term != hidden; });
                };
                normalize(row, keys,
                          sinks.empty() ? std::nullopt
                                        : std::optional(sinks[static_cast<std::size_t>(head)]),
                          sees_key);
                if (scores_out && scores_stage == 2)
                    std::copy_n(row, keys, scores_out + (index * queries + s) * keys);
            }
            std::fill(result.begin(), result.end(), 0.0f);
            multiply_add<float>(
                nullptr, context.cancel(), queries, value_size, keys, scores.data(), keys,
                DenseMatrix<float>{v + key_head * key_capacity * value_size, value_size, false},
                result.data(), value_size);
            for (std::int64_t s = 0; s < queries; ++s)
                std::copy_n(result.data() + s * value_size, value_size,
                            out + ((b * queries + s) * heads + head) * value_size);
        }
    };
    context.threads().parallel_for(batch * heads, 1, body);
}

void split_heads(const float* x, std::int64_t width, std::int64_t first_column, const float* bias,
                 std::int64_t batch, std::int64_t sequence, std::int64_t heads, std::int64_t size,
                 float* out) {
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t n = 0; n < heads; ++n)
            for (std::int64_t s = 0; s < sequence; ++s, out += size) {
                const float* from = x + (b * sequence + s) * width + first_column + n * size;
                for (std::int64_t i = 0; i < size; ++i)
                    out[i] = bias ? from[i] + bias[n * size + i] : from[i];
            }
}

void join_past(const float* past, std::int64_t past_rows, std::int64_t past_capacity,
               const float* fresh, std::int64_t fresh_rows, std::int64_t batch_heads,
               std::int64_t size, std::int64_t capacity, bool keeps_rest, float* out) {
    for (std::int64_t i = 0; i < batch_heads; ++i, out += capacity * size) {
        if (past_rows > 0) std::copy_n(past + i * past_capacity * size, past_rows * size, out);
        std::copy_n(fresh + i * fresh_rows * size, fresh_rows * size, out + past_rows * size);
        const std::int64_t used = past_rows + fresh_rows;
        for (std::int64_t r = used; r < capacity; ++r)
            if (keeps_rest && r < past_capacity)
                std::copy_n(past + (i * past_capacity + r) * size, size, out + r * size);
            else std::fill_n(out + r * size, size, 0.0f);
    }
}

PaddingMask::PaddingMask(const KernelContext& context, const Tensor* mask, std::int64_t batch,
                         std::int64_t queries, std::int64_t keys, std::int64_t past, float filter)
    : batch_(batch), queries_(queries), keys_(keys), past_(past), filter_(filter) {
    if (!mask) return;
    const Shape& shape = mask->shape();
    if (mask->dtype() == DType::i32) narrow_ = mask->data<std::int32_t>().data();
    else wide_ = to_int64s(*mask);
    if (shape == Shape{batch} || shape == Shape{3 * batch + 2}) form_ = Form::lengths;
    else if (shape == Shape{2 * batch}) form_ = Form::start_and_end;
    else if (shape == Shape{batch, keys}) form_ = Form::keys;
    // ONNX Runtime's dummy: nothing is hidden
    else if (shape == Shape{1, 1} || shape == Shape{batch, 1}) form_ = Form::none;
    else if (shape == Shape{batch, queries, keys}) form_ = Form::queries_and_keys;
    else if (shape.size() == 4 && shape[0] == batch && shape[1] == 1 && shape[2] == shape[3] &&
             shape[3] >= keys && past + queries <= shape[2]) {
        form_ = Form::square;
        side_ = shape[3];
    } else {
        context.fail("the mask " + to_string(shape) + " fits neither " + std::to_string(batch) +
                     " sequences nor " + std::to_string(queries) + " queries of " +
                     std::to_string(keys) + " keys");
    }
}

void PaddingMask::add(std::int64_t b, std::int64_t s, float* scores) const {
    std::int64_t first = 0;
    switch (form_) {
    case Form::none: return;
    case Form::lengths:
    case Form::start_and_end: {
        const std::int64_t end = value(b), start = form_ == Form::lengths ? 0 : value(batch_ + b);
        for (std::int64_t t = 0; t < keys_; ++t)
            if (t >= end || t < start) scores[t] += filter_;
        return;
    }
    case Form::keys: first = b * keys_; break;
    case Form::queries_and_keys: first = (b * queries_ + s) * keys_; break;
    case Form::square: first = (b * side_ + past_ + s) * side_; break;
    }
    for (std::int64_t t = 0; t < keys_; ++t)
        if (value(first + t) <= 0) scores[t] += filter_;
}

ScoreBias::ScoreBias(KernelContext& context, const Tensor* bias, std::int64_t batch,
                     std::int64_t heads, std::int64_t queries, std::int64_t keys)
    : keys_(keys) {
    if (!bias) return;
    const Shape& shape = bias->shape();
    if (shape.size() != 4 || (shape[0] != batch && shape[0] != 1) ||
        (shape[1] != heads && shape[1] != 1) || shape[2] != queries || shape[3] < keys)
        context.fail("attention_bias: expected [" + std::to_string(batch) + " or 1," +
                     std::to_string(heads) + " or 1," + std::to_string(queries) + "," +
                     std::to_string(keys) + "], found " + to_string(shape));
    values_ = converted(context, *bias, DType::f32);
    row_ = shape[3];
    head_stride_ = shape[1] == 1 ? 0 : queries * row_;
    batch_stride_ = shape[0] == 1 ? 0 : shape[1] * queries * row_;
}

void ScoreBias::add(std::int64_t b, std::int64_t head, std::int64_t s, float* scores) const {
    if (!values_) return;
    const float* from =
        values_.data<float>().data() + b * batch_stride_ + head * head_stride_ + s * row_;
    for (std::int64_t t = 0; t < keys_; ++t) scores[t] += from[t];
}

}  // namespace lapidary::reference
