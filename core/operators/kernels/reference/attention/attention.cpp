// SPDX-License-Identifier: Apache-2.0
// Attention (23 to 25): softmax(Q * K^T * scale, soft-capped, + masks) * V per head, with an
// optional cache of past keys and values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/reference/attention/attention_geometry.h"
#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {
namespace {

constexpr std::int64_t block_queries = 64;

/// Which stage the qk_matmul_output output shows.
enum class ScoreStage : std::int64_t { product = 0, capped = 1, biased = 2, softmax = 3 };

bool wants(const KernelContext& context, std::size_t index) {
    return index < context.output_count() && context.wants_output(index);
}

/// Keys or values as [batch, heads, keys, size]: past rows, then new ones. Also the present output,
/// when asked for.
template <typename T>
Tensor gather_cache(KernelContext& context, const AttentionGeometry& g, std::size_t input,
                    std::size_t past_input, std::size_t output, std::int64_t size) {
    const Tensor& fresh = context.input(input);
    const Widened<T> rows(context, fresh), past(context, context.optional_input(past_input));
    Tensor all = context.scratch(dtype_of<T>, {g.batch, g.key_heads, g.keys, size});
    T* to = all.mutable_data<T>().data();
    for (std::int64_t b = 0; b < g.batch && all.size() > 0; ++b)
        for (std::int64_t head = 0; head < g.key_heads; ++head) {
            T* block = to + (b * g.key_heads + head) * g.keys * size;
            if (past)
                std::copy_n(past.data() + (b * g.key_heads + head) * g.past_keys * size,
                            g.past_keys * size, block);
            const T* from = rows.data() + g.head_offset(b, head, g.key_heads, g.new_keys, size);
            for (std::int64_t j = 0; j < g.new_keys; ++j)
                std::copy_n(from + j * g.row_stride(g.key_heads, size), size,
                            block + (g.past_keys + j) * size);
        }
    if (wants(context, output)) {
        Narrowed<T> present(context, context.output(output, fresh.dtype(), all.shape()));
        std::copy_n(to, all.size(), present.data());
        present.store();
    }
    return all;
}

/// Softmax in place; a row of only -infinity and NaN becomes NaN.
template <typename T>
void softmax_row(T* scores, std::int64_t count) {
    T most = -std::numeric_limits<T>::infinity();
    for (std::int64_t j = 0; j < count; ++j) most = std::max(most, scores[j]);
    if (most == -std::numeric_limits<T>::infinity()) {
        std::fill_n(scores, count, std::numeric_limits<T>::quiet_NaN());
        return;
    }
    T sum = 0;
    for (std::int64_t j = 0; j < count; ++j) {
        scores[j] = std::exp(scores[j] - most);
        sum += scores[j];
    }
    for (std::int64_t j = 0; j < count; ++j) scores[j] /= sum;
}

template <typename T>
class AttentionRun {
public:
    AttentionRun(KernelContext& context, const AttentionGeometry& g)
        : context_(context), g_(g), bias_(context, g), query_(context, context.input(0)),
          keys_(gather_cache<T>(context, g, 1, 4, 1, g.head_size)),
          values_(gather_cache<T>(context, g, 2, 5, 2, g.value_size)),
          stage_(static_cast<ScoreStage>(context.node().int_attribute("qk_matmul_output_mode", 0))),
          softcap_(context.node().float_attribute("softcap", 0)) {
        if (stage_ < ScoreStage::product || stage_ > ScoreStage::softmax)
            fail_model("attribute qk_matmul_output_mode: expected 0 to 3, found " +
                       std::to_string(static_cast<std::int64_t>(stage_)));
        const DType dtype = context.input(0).dtype();
        Shape shape{g.batch, g.query_heads, g.queries, g.value_size};
        if (g.heads_last) shape = {g.batch, g.queries, g.query_heads * g.value_size};
        output_.emplace(context, context.output(0, dtype, shape));
        if (wants(context, 3))
            scores_.emplace(context,
                            context.output(3, dtype, {g.batch, g.query_heads, g.queries, g.keys}));
    }

    void run() {
        if (output_->size() == 0 && (!scores_ || scores_->size() == 0)) return;
        const std::int64_t blocks = (g_.queries + block_queries - 1) / block_queries;
        context_.threads().parallel_for(
            g_.batch * g_.query_heads * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
                std::vector<T> scores, bias(static_cast<std::size_t>(g_.keys));
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t head = i / blocks, first = i % blocks * block_queries;
                    attend(head / g_.query_heads, head % g_.query_heads, first,
                           std::min(g_.queries - first, block_queries), scores, bias);
                }
            });
        output_->store();
        if (scores_) scores_->store();
    }

private:
    /// Queries [first, first + count) of one head.
    void attend(std::int64_t b, std::int64_t head, std::int64_t first, std::int64_t count,
                std::vector<T>& scores, std::vector<T>& bias) {
        const std::int64_t key_head = b * g_.key_heads + head / (g_.query_heads / g_.key_heads);
        const T* keys = keys_.template data<T>().data() + key_head * g_.keys * g_.head_size;
        const T* values = values_.template data<T>().data() + key_head * g_.keys * g_.value_size;
        const std::int64_t query_stride = g_.row_stride(g_.query_heads, g_.head_size),
                           output_stride = g_.row_stride(g_.query_heads, g_.value_size);
        const T* queries = query_.data() +
                           g_.head_offset(b, head, g_.query_heads, g_.queries, g_.head_size) +
                           first * query_stride;
        T* output = output_->data() +
                    g_.head_offset(b, head, g_.query_heads, g_.queries, g_.value_size) +
                    first * output_stride;

        scores.assign(static_cast<std::size_t>(count * g_.keys), T(0));
        multiply_add<T>(nullptr, context_.cancel(), count, g_.keys, g_.head_size, queries,
                        query_stride, DenseMatrix<T>{keys, g_.head_size, true}, scores.data(),
                        g_.keys);
        for (std::int64_t i = 0; i < count; ++i) {
            T* row = scores.data() + i * g_.keys;
            T* shown = scores_
                           ? scores_->data() +
                                 ((b * g_.query_heads + head) * g_.queries + first + i) * g_.keys
                           : nullptr;
            const auto show = [&](ScoreStage stage) {
                if (shown && stage == stage_) std::copy_n(row, g_.keys, shown);
            };
            for (std::int64_t j = 0; j < g_.keys; ++j) row[j] *= static_cast<T>(g_.scale);
            show(ScoreStage::product);
            if (softcap_ > 0)
                for (std::int64_t j = 0; j < g_.keys; ++j)
                    row[j] = std::tanh(row[j] / softcap_) * softcap_;
            show(ScoreStage::capped);
            const auto [begin, end, attends] = bias_.row(b, head, first + i, bias.data());
            for (std::int64_t j = begin; j < end; ++j) row[j] += bias[static_cast<std::size_t>(j)];
            std::fill(row, row + begin, -std::numeric_limits<T>::infinity());
            std::fill(row + end, row + g_.keys, -std::numeric_limits<T>::infinity());
            show(ScoreStage::biased);
            if (attends) softmax_row(row, g_.keys);
            else std::fill_n(row, g_.keys, T(0));
            show(ScoreStage::softmax);
            std::fill_n(output + i * output_stride, g_.value_size, T(0));
        }
        multiply_add<T>(nullptr, context_.cancel(), count, g_.value_size, g_.keys, scores.data(),
                        g_.keys, DenseMatrix<T>{values, g_.value_size, false}, output,
                        output_stride);
    }

    KernelContext& context_;
    const AttentionGeometry& g_;
    const AttentionBias<T> bias_;
    const Widened<T> query_;
    const Tensor keys_, values_;
    const ScoreStage stage_;
    const T softcap_;
    std::optional<Narrowed<T>> output_, scores_;
};

}  // namespace

void attention(KernelContext& context) {
    const AttentionGeometry geometry(context);
    dispatch_compute(context.input(0).dtype(),
                     [&]<typename T>() { AttentionRun<T>(context, geometry).run(); });
}

}  // namespace lapidary::reference
