// SPDX-License-Identifier: Apache-2.0
// Attention, QAttention and MultiHeadAttention of com.microsoft.
#include <cmath>

#include "passes/lowering/attention_core.h"
#include "passes/lowering/lowering.h"

namespace lapidary::lowering {
namespace {

double scale_of(const Node& node, std::int64_t size) {
    const float scale = node.float_attribute("scale", 0.0f);
    return scale != 0 ? static_cast<double>(scale) : 1 / std::sqrt(static_cast<double>(size));
}

DType wide_type(DType type) { return type == DType::f64 ? DType::f64 : DType::f32; }

struct ProjectedInputs {
    ValueId bias, mask, past, attention_bias;
    DType dtype;       // of the results
    ValueId input;     // [B, S, ...]
};

std::string projected_problem(const Node& node, const PassContext& context, const ProjectedInputs& in,
                              std::int64_t width, std::vector<std::int64_t>& sizes, MaskForm& form) {
    if (node.int_attribute("do_rotary", 0) != 0) return "it rotates positions inside (do_rotary)";
    if (node.int_attribute("past_present_share_buffer", 0) != 0) return "its past and present share one buffer";
    const std::int64_t heads = node.int_attribute("num_heads", 0);
    if (heads < 1) return "its attribute num_heads is missing";
    sizes = node.ints_attribute("qkv_hidden_sizes");
    if (sizes.empty()) {
        if (width < 0) return "the width of its weights is not known";
        if (width % 3 != 0) return "its weights of width " + std::to_string(width) + " do not divide into Q, K and V";
        sizes.assign(3, width / 3);
    }
    if (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] % heads != 0 || sizes[2] % heads != 0)
        return "its hidden sizes do not divide into heads";
    std::string problem;
    form = mask_form(context, in.mask, in.input, static_cast<bool>(in.past), problem);
    return problem.empty() ? opset_problem(context, form, node.int_attribute("unidirectional", 0) != 0) : problem;
}

Outcome attend_projected(const Node& node, PassContext& context, PlainNodes& plain, ValueId projected,
                         const ProjectedInputs& in, const std::vector<std::int64_t>& sizes, MaskForm form) {
    const std::int64_t heads = node.int_attribute("num_heads", 0);
    const DType wide = wide_type(in.dtype);
    if (in.bias) projected = plain.add(projected, plain.cast(in.bias, wide));
    const auto parts = plain.split(projected, 2, sizes);
    AttentionCore core;
    core.q = split_heads(plain, parts[0], heads);
    core.k = split_heads(plain, parts[1], heads);
    core.v = split_heads(plain, parts[2], heads);
    if (in.past) {
        const ValueId past = plain.cast(in.past, wide);
        core.k = plain.concat({plain.squeeze(plain.slice(past, 0, 0, 1), {0}), core.k}, 2);
        core.v = plain.concat({plain.squeeze(plain.slice(past, 0, 1, 2), {0}), core.v}, 2);
    }
    ValueId present;
    if (is_wanted(context, node, 1))
        present = plain.cast(plain.concat({plain.unsqueeze(core.k, {0}), plain.unsqueeze(core.v, {0})}, 0), in.dtype);
    core.mask = in.mask;
    core.bias = in.attention_bias;
    core.scale = scale_of(node, sizes[0] / heads);
    core.filter = static_cast<double>(node.float_attribute("mask_filter_value", -10000.0f));
    core.causal = node.int_attribute("unidirectional", 0) != 0;
    return plain.finish({plain.cast(attend(plain, core, form), in.dtype), present}, "wrote out " + node.op_type);
}

}  // namespace

Outcome attention(const Node& node, PassContext& context) {
    if (input_of(node, 6)) return declined("it has an input past_sequence_length");
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0), w = node.inputs.at(1);
    const ProjectedInputs in{input_of(node, 2), input_of(node, 3), input_of(node, 4),
                             input_of(node, 5), plain.dtype(x),    x};
    std::vector<std::int64_t> sizes;
    MaskForm form{};
    if (std::string problem = projected_problem(node, context, in, context.scope().dim(w, 1), sizes, form);
        !problem.empty())
        return declined(std::move(problem));
    const DType wide = wide_type(in.dtype);
    return attend_projected(node, context, plain, plain.matmul(plain.cast(x, wide), plain.cast(w, wide)), in, sizes,
                            form);
}

Outcome q_attention(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0), w = node.inputs.at(1), x_scale = node.inputs.at(3),
                  w_scale = node.inputs.at(4);
    const ProjectedInputs in{node.inputs.at(2), input_of(node, 5), input_of(node, 8), {}, plain.dtype(x_scale), x};
    std::vector<std::int64_t> sizes;
    MaskForm form{};
    if (std::string problem = projected_problem(node, context, in, context.scope().dim(w, 1), sizes, form);
        !problem.empty())
        return declined(std::move(problem));
    std::vector<ValueId> operands{x, w};
    if (input_of(node, 6) || input_of(node, 7)) operands.push_back(input_of(node, 6));
    if (input_of(node, 7)) operands.push_back(input_of(node, 7));
    const ValueId sums = plain.cast(plain.op("MatMulInteger", std::move(operands)), DType::f32);
    const ValueId projected =
        plain.mul(sums, plain.mul(plain.cast(x_scale, DType::f32), plain.cast(w_scale, DType::f32)));
    return attend_projected(node, context, plain, projected, in, sizes, form);
}

Outcome multi_head_attention(const Node& node, PassContext& context) {
    if (input_of(node, 8) || input_of(node, 9)) return declined("its past and present share one buffer");
    if (is_wanted(context, node, 3)) return declined("its attention scores are read");
    PlainNodes plain(node, context);
    const ValueId query = node.inputs.at(0), key = input_of(node, 1), value = input_of(node, 2),
                  bias = input_of(node, 3);
    const std::int64_t heads = node.int_attribute("num_heads", 0);
    const int query_rank = plain.rank(query), key_rank = key ? plain.rank(key) : -1;
    if (heads < 1) return declined("its attribute num_heads is missing");
    if (query_rank != 3 && query_rank != 5) return declined("the rank of its query is not known");
    if (query_rank == 3 && key_rank != 3 && key_rank != 4 && key_rank != 5)
        return declined("the rank of its key is not known");
    const std::int64_t size = query_rank == 5                     ? context.scope().dim(query, 4)
                              : context.scope().dim(query, 2) < 0 ? -1
                                                                  : context.scope().dim(query, 2) / heads;
    if (size < 1) return declined("the size of its heads is not known");
    const bool values_apart = query_rank == 3 && key_rank == 3;
    const std::int64_t value_hidden = values_apart ? context.scope().dim(value, 2) : heads * size;
    if (bias && value_hidden < 0) return declined("the width of its values is not known");
    const ValueId past_key = input_of(node, 6), past_value = input_of(node, 7);
    std::string problem;
    // the mask is over keys: their length is that of the query only in self-attention
    const ValueId counted = key && key_rank != 4 ? key : query;
    const MaskForm form = mask_form(context, input_of(node, 4), counted, static_cast<bool>(past_key), problem);
    if (problem.empty()) problem = opset_problem(context, form, node.int_attribute("unidirectional", 0) != 0);
    if (!problem.empty()) return declined(std::move(problem));

    const DType type = plain.dtype(query), wide = wide_type(type);
    const auto bias_part = [&](std::int64_t begin, std::int64_t length) {
        return plain.slice(plain.cast(bias, wide), 0, begin, begin + length);
    };
    const std::int64_t hidden = heads * size;
    const auto from_rows = [&](ValueId x, std::int64_t begin, std::int64_t length) {
        ValueId rows = plain.cast(x, wide);
        if (bias) rows = plain.add(rows, bias_part(begin, length));
        return split_heads(plain, rows, heads);
    };
    // one of those packed as [B, S, N, count, size]
    const auto from_packed = [&](ValueId x, std::int64_t which, std::int64_t begin) {
        ValueId rows = plain.squeeze(plain.slice(plain.cast(x, wide), 3, which, which + 1), {3});
        if (bias) rows = plain.add(rows, plain.reshape(bias_part(begin, hidden), {heads, size}));
        return plain.transpose(rows, {0, 2, 1, 3});
    };
    AttentionCore core;
    core.q = query_rank == 5 ? from_packed(query, 0, 0) : from_rows(query, 0, hidden);
    if (query_rank == 5 || key_rank == 5) {
        const ValueId packed = query_rank == 5 ? query : key;
        const std::int64_t first = query_rank == 5 ? 1 : 0;
        core.k = from_packed(packed, first, hidden);
        core.v = from_packed(packed, first + 1, 2 * hidden);
    } else if (key_rank == 4) {
        core.k = plain.cast(key, wide);
        core.v = plain.cast(value, wide);
    } else {
        core.k = from_rows(key, hidden, hidden);
        core.v = from_rows(value, 2 * hidden, value_hidden);
    }
    if (past_key) {
        core.k = plain.concat({plain.cast(past_key, wide), core.k}, 2);
        core.v = plain.concat({plain.cast(past_value, wide), core.v}, 2);
    }
    const ValueId present_key = is_wanted(context, node, 1) ? plain.cast(core.k, type) : ValueId{};
    const ValueId present_value = is_wanted(context, node, 2) ? plain.cast(core.v, type) : ValueId{};
    core.mask = input_of(node, 4);
    core.bias = input_of(node, 5);
    core.scale = scale_of(node, size);
    core.filter = static_cast<double>(node.float_attribute("mask_filter_value", -10000.0f));
    core.causal = node.int_attribute("unidirectional", 0) != 0;
    return plain.finish({plain.cast(attend(plain, core, form), type), present_key, present_value},
                        "wrote out MultiHeadAttention");
}

}  // namespace lapidary::lowering
