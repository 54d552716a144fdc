// SPDX-License-Identifier: Apache-2.0
// com.microsoft: SkipLayerNormalization, SkipSimplifiedLayerNormalization, EmbedLayerNormalization.
#include <algorithm>
#include <span>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"

namespace lapidary::reference {

void add(KernelContext&);
void layer_normalization(KernelContext&);
void rms_normalization(KernelContext&);

namespace {

/// Normalizes `x` over its last dimension into outputs 0 (y), 1 (mean) and 2 (inverse deviation),
/// as far as they are wanted. The simplified form subtracts no mean: output 1 is then zero, as in
/// ONNX Runtime.
void write_normalized(KernelContext& context, const Tensor& x, const Tensor& gamma,
                      const Tensor* beta, float epsilon, bool simplified, bool statistics) {
    NestedNode node{simplified ? "RMSNormalization" : "LayerNormalization", 23};
    node.set("axis", std::int64_t{-1}).set("epsilon", epsilon);
    if (simplified) {
        const auto results =
            run_nested(context, rms_normalization, node, {x, gamma}, statistics ? 2 : 1);
        set_result(context, 0, results[0], gamma.dtype());
        if (!statistics) return;
        Shape shape = x.shape();
        shape.back() = 1;
        if (context.wants_output(1))
            std::ranges::fill(context.output(1, DType::f32, shape).mutable_data<float>(), 0.0f);
        if (context.output_count() > 2 && context.wants_output(2))
            set_result(context, 2, results[1]);
        return;
    }
    const auto results = run_nested(context, layer_normalization, node,
                                    {x, gamma, beta ? *beta : Tensor()}, statistics ? 3 : 1);
    for (std::size_t i = 0; i < results.size(); ++i) set_result(context, i, results[i]);
}

void skip_normalization(KernelContext& context, bool simplified) {
    const Tensor& x = context.input(0);
    const Tensor& skip = context.input(1);
    const Tensor& gamma = context.input(2);
    const Tensor* beta =
        simplified ? nullptr : context.optional_input(skip_normalization_input::beta);
    const Tensor* bias = context.optional_input(
        simplified ? simplified_skip_normalization_input::bias : skip_normalization_input::bias);
    if (x.rank() < 2)
        context.fail("input 0: expected [B, S, H] or [S, H], found " + to_string(x.shape()));
    if (broadcast_shapes(x.shape(), skip.shape()) != x.shape())
        context.fail("input 1: skip " + to_string(skip.shape()) + " does not broadcast to " +
                     to_string(x.shape()));
    if (gamma.shape() != Shape{x.shape().back()})
        context.fail("input 2: expected gamma [" + std::to_string(x.shape().back()) + "], found " +
                     to_string(gamma.shape()));
    Tensor sum = run_nested_one(context, add, {"Add"}, {x, skip});
    if (bias) sum = run_nested_one(context, add, {"Add"}, {sum, *bias});
    const bool statistics =
        context.output_count() > 1 && (context.wants_output(1) || context.wants_output(2));
    write_normalized(context, sum, gamma, beta, context.node().float_attribute("epsilon", 1e-12f),
                     simplified, statistics);
    if (context.output_count() > 3) set_result(context, 3, sum);
}

}  // namespace

void skip_layer_normalization(KernelContext& context) { skip_normalization(context, false); }
void skip_simplified_layer_normalization(KernelContext& context) {
    skip_normalization(context, true);
}

namespace {

/// The position of a row: without ids its place in the sequence. There may be one list of ids for
/// all sequences.
std::int64_t position_of_row(const std::vector<std::int64_t>& ids, std::size_t row,
                             std::size_t rows, std::int64_t sequence) {
    const std::size_t place = row % static_cast<std::size_t>(sequence);
    if (ids.empty()) return static_cast<std::int64_t>(place);
    return ids[ids.size() == rows ? row : place];
}

void check_rows(const KernelContext& context, const Tensor& table, std::int64_t hidden,
                const char* name) {
    if (table.dim(1) != hidden)
        context.fail(std::string(name) + ": expected rows of " + std::to_string(hidden) +
                     ", found " + to_string(table.shape()));
}

/// An index below zero counts from the end.
std::span<const float> row_of(const KernelContext& context, const Tensor& table, std::int64_t index,
                              const char* name) {
    if (index < -table.dim(0) || index >= table.dim(0))
        context.fail(std::string(name) + " " + std::to_string(index) +
                     " is outside of its table of " + std::to_string(table.dim(0)) + " rows");
    const std::int64_t hidden = table.dim(1);
    const std::int64_t row = index < 0 ? index + table.dim(0) : index;
    return table.data<float>().subspan(static_cast<std::size_t>(row * hidden),
                                       static_cast<std::size_t>(hidden));
}

void add_row(std::span<const float> row, float* out) {
    for (std::size_t h = 0; h < row.size(); ++h) out[h] += row[h];
}

/// Output 1: how many tokens of each sequence [B, S] the mask keeps.
void count_kept(KernelContext& context, const Tensor* mask, const Shape& ids) {
    Tensor& counts = context.output(1, DType::i32, {ids[0]});
    const auto kept = mask ? to_int64s(*mask) : std::vector<std::int64_t>();
    if (mask && mask->shape() != ids)
        context.fail("input 7: expected " + to_string(ids) + ", found " + to_string(mask->shape()));
    for (std::int64_t b = 0; b < ids[0]; ++b) {
        std::int32_t count = 0;
        for (std::int64_t s = 0; !kept.empty() && s < ids[1]; ++s)
            count += kept[static_cast<std::size_t>(b * ids[1] + s)] == 1;
        counts.mutable_data<std::int32_t>()[static_cast<std::size_t>(b)] = count;
    }
}

}  // namespace

/// Negative ids count from the end of their table, as Gather's indices do, because the operator is
/// defined by Gather. ONNX Runtime refuses them.
void embed_layer_normalization(KernelContext& context) {
    namespace in = embed_normalization_input;
    const Tensor& ids = context.input(0);
    const Tensor* segments = context.optional_input(1);
    const Tensor &words = context.input(2), &positions = context.input(in::position_embedding),
                 &gamma = context.input(in::gamma), &beta = context.input(in::beta);
    const Tensor* segment_table = context.optional_input(in::segment_embedding);
    const Tensor* mask = context.optional_input(in::mask);
    const Tensor* position_ids = context.optional_input(in::position_ids);
    if (ids.rank() != 2)
        context.fail("input 0: expected ids [B, S], found " + to_string(ids.shape()));
    if (words.rank() != 2 || positions.rank() != 2 || (segment_table && segment_table->rank() != 2))
        context.fail("an embedding table is no matrix");
    const std::int64_t batch = ids.dim(0), sequence = ids.dim(1), hidden = words.dim(1);
    check_rows(context, positions, hidden, "the position embedding");
    if (segment_table) check_rows(context, *segment_table, hidden, "the segment embedding");
    if (segments && segments->shape() != ids.shape())
        context.fail("input 1: expected " + to_string(ids.shape()) + ", found " +
                     to_string(segments->shape()));
    if (position_ids && position_ids->shape() != ids.shape() &&
        position_ids->shape() != Shape{1, sequence})
        context.fail("input 8: expected " + to_string(ids.shape()) + ", found " +
                     to_string(position_ids->shape()));

    const auto word_of = to_int64s(ids);
    const auto segment_of = segments ? to_int64s(*segments) : std::vector<std::int64_t>();
    const auto position_of = position_ids ? to_int64s(*position_ids) : std::vector<std::int64_t>();
    const Tensor word_rows = converted(context, words, DType::f32),
                 position_rows = converted(context, positions, DType::f32);
    const Tensor segment_rows =
        segment_table ? converted(context, *segment_table, DType::f32) : Tensor();
    Tensor sum = context.scratch(DType::f32, {batch, sequence, hidden});
    for (std::int64_t i = 0; i < batch * sequence; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t position = position_of_row(position_of, at, word_of.size(), sequence);
        float* out = sum.mutable_data<float>().data() + i * hidden;
        std::ranges::copy(row_of(context, word_rows, word_of[at], "word id"), out);
        add_row(row_of(context, position_rows, position, "position id"), out);
        if (segment_table)
            add_row(row_of(context, segment_rows, segment_of.empty() ? 0 : segment_of[at],
                           "segment id"),
                    out);
    }
    const NestedNode node = NestedNode{"LayerNormalization", 17}
                                .set("axis", std::int64_t{-1})
                                .set("epsilon", context.node().float_attribute("epsilon", 1e-12f));
    const Tensor y = run_nested_one(
        context, layer_normalization, node,
        {sum, converted(context, gamma, DType::f32), converted(context, beta, DType::f32)});
    set_result(context, 0, y, words.dtype());

    if (context.output_count() > 1 && context.wants_output(1))
        count_kept(context, mask, ids.shape());
    if (context.output_count() > 2) set_result(context, 2, sum, words.dtype());
}

}  // namespace lapidary::reference
