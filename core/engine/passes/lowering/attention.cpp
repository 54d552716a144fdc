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
    DType dtype;    // of the results
    ValueId input;  // [B, S, ...]
};

std::string projected_problem(const Node& node, const PassContext& context,
                              const ProjectedInputs& in, std::int64_t width,
                              std::vector<std::int64_t>& sizes, MaskForm& form) {
    if (node.int_attribute("do_rotary", 0) != 0) return "it rotates positions inside (do_rotary)";
    if (node.int_attribute("past_present_share_buffer", 0) != 0)
        return "its past and present share one buffer";
    const std::int64_t heads = node.int_attribute("num_heads", 0);
    if (heads < 1) return "its attribute num_heads is missing";
    sizes = node.ints_attribute("qkv_hidden_sizes");
    if (sizes.empty()) {
        if (width < 0) return "the width of its weights is not known";
        if (width % 3 != 0)
            return "its weights of width " + std::to_string(width) +
                   " do not divide into Q, K and V";
        sizes.assign(3, width / 3);
    }
    if (sizes.size() != 3 || sizes[0] != sizes[1] || sizes[0] % heads != 0 || sizes[2] % heads != 0)
        return "its hidden sizes do not divide into heads";
    std::string problem;
    form = mask_form(context, in.mask, in.input, static_cast<bool>(in.past), problem);
    return problem.empty()
               ? opset_problem(context, form, node.int_attribute("unidirectional", 0) != 0)
               : problem;
}

Outcome attend_projected(const Node& node, PassContext& context, PlainNodes& plain,
                         ValueId projected, const ProjectedInputs& in,
                         const std::vector<std::int64_t>& sizes, MaskForm form) {
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
        present = plain.cast(
            plain.concat({plain.unsqueeze(core.k, {0}), plain.unsqueeze(core.v, {0})}, 0),
            in.dtype);
    core.mask = in.mask;
    core.bias = in.attention_bias;
    core.scale = scale_of(node, sizes[0] / heads);
    core.filter = static_cast<double>(node.float_attribute("mask_filter_value", -10000.0f));
    core.causal = node.int_attribute("unidirectional", 0) != 0;
    return plain.finish({plain.cast(attend(plain, core, form), in.dtype), present},
                        "wrote out " + node.op_type);
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
    if (std::string problem =
            projected_problem(node, context, in, context.scope().dim(w, 1), sizes, form);
        !problem.empty())
        return declined(std::move(problem));
    const DType wide = wide_type(in.dtype);
    return attend_projected(node, context, plain,
                            plain.matmul(plain.cast(x, wide), plain.cast(w, wide)), in, sizes,
                            form);
}

Outcome q_attention(const Node& node, PassContext& context) {
    PlainNodes plain(node, context);
    const ValueId x = node.inputs.at(0), w = node.inputs.at(1), x_scale = node.inputs.at(3),
                  w_scale = node.inputs.at(4);
    const ProjectedInputs in{
        node.inputs.at(2), input_of(node, 5), input_of(node, 8), {}, plain.dtype(x_scale), x};
    std::vector<std::int64_t> sizes;
    MaskForm form{};
    if (std::string problem =
            projected_problem(node, context, in, context.scope().dim(w, 1), sizes, form);
        !problem.empty())
        return declined(std::move(problem));
    std::vector<ValueId> operands{x, w};
    if (input_of(node, 6) || input_of(node, 7)) operands.push_back(input_of(node, 6));
    if (input_of(node, 7)) operands.push_back(input_of(node, 7));
    const ValueId sums = plain.cast(plain.op("MatMulInteger", std::move(operands)), DType::f32);
    const ValueId projected = plain.mul(
        sums, plain.mul(plain.cast(x_scale, DType::f32), plain.cast(w_scale, DType::f32)));
    return attend_projected(node, context, plain, projected, in, sizes, form);
}

namespace {

/// Query, key and value of a MultiHeadAttention: rows [B, S, N * size], packed [B, S, N, count,
/// size], or a key and value of another sequence split into heads already [B, N, S, size].
class SplitHeads {
public:
    SplitHeads(const Node& node, PassContext& context, PlainNodes& plain)
        : scope_(context.scope()), plain_(plain), query_(node.inputs.at(0)),
          key_(input_of(node, 1)), value_(input_of(node, 2)), bias_(input_of(node, 3)),
          heads_(node.int_attribute("num_heads", 0)), query_rank_(plain.rank(query_)),
          key_rank_(key_ ? plain.rank(key_) : -1) {}

    /// Why ranks and sizes are not known; empty: size() is valid.
    std::string read_sizes() {
        if (heads_ < 1) return "its attribute num_heads is missing";
        if (query_rank_ != 3 && query_rank_ != 5) return "the rank of its query is not known";
        if (query_rank_ == 3 && (key_rank_ < 3 || key_rank_ > 5))
            return "the rank of its key is not known";
        const std::int64_t width = scope_.dim(query_, query_rank_ == 5 ? 4 : 2);
        size_ = query_rank_ == 5 || width < 0 ? width : width / heads_;
        if (size_ < 1) return "the size of its heads is not known";
        const bool values_apart = query_rank_ == 3 && key_rank_ == 3;
        value_hidden_ = values_apart ? scope_.dim(value_, 2) : heads_ * size_;
        if (bias_ && value_hidden_ < 0) return "the width of its values is not known";
        return {};
    }

    std::int64_t size() const { return size_; }
    /// A value with as many rows as keys. Only self-attention has as many queries as keys.
    ValueId counted_keys() const { return key_ && key_rank_ != 4 ? key_ : query_; }

    /// Each [B, N, S, size], with the bias added.
    void write(AttentionCore& core) {
        const std::int64_t hidden = heads_ * size_;
        core.q = query_rank_ == 5 ? from_packed(query_, 0, 0) : from_rows(query_, 0, hidden);
        if (query_rank_ == 5 || key_rank_ == 5) {
            const ValueId packed = query_rank_ == 5 ? query_ : key_;
            const std::int64_t first = query_rank_ == 5 ? 1 : 0;
            core.k = from_packed(packed, first, hidden);
            core.v = from_packed(packed, first + 1, 2 * hidden);
        } else if (key_rank_ == 4) {
            core.k = plain_.cast(key_, wide());
            core.v = plain_.cast(value_, wide());
        } else {
            core.k = from_rows(key_, hidden, hidden);
            core.v = from_rows(value_, 2 * hidden, value_hidden_);
        }
    }

private:
    DType wide() const { return wide_type(plain_.dtype(query_)); }
    ValueId bias_part(std::int64_t begin, std::int64_t length) {
        return plain_.slice(plain_.cast(bias_, wide()), 0, begin, begin + length);
    }
    ValueId from_rows(ValueId x, std::int64_t begin, std::int64_t length) {
        ValueId rows = plain_.cast(x, wide());
        if (bias_) rows = plain_.add(rows, bias_part(begin, length));
        return split_heads(plain_, rows, heads_);
    }
    /// One of those packed as [B, S, N, count, size].
    ValueId from_packed(ValueId x, std::int64_t which, std::int64_t begin) {
        ValueId rows =
            plain_.squeeze(plain_.slice(plain_.cast(x, wide()), 3, which, which + 1), {3});
        if (bias_)
            rows =
                plain_.add(rows, plain_.reshape(bias_part(begin, heads_ * size_), {heads_, size_}));
        return plain_.transpose(rows, {0, 2, 1, 3});
    }

    const Scope& scope_;
    PlainNodes& plain_;
    ValueId query_, key_, value_, bias_;
    std::int64_t heads_;
    int query_rank_, key_rank_;  // -1: absent or not known
    std::int64_t size_ = 0, value_hidden_ = 0;
};

}  // namespace

Outcome multi_head_attention(const Node& node, PassContext& context) {
    if (input_of(node, 8) || input_of(node, 9))
        return declined("its past and present share one buffer");
    if (is_wanted(context, node, 3)) return declined("its attention scores are read");
    PlainNodes plain(node, context);
    SplitHeads heads(node, context, plain);
    if (std::string problem = heads.read_sizes(); !problem.empty())
        return declined(std::move(problem));
    const ValueId past_key = input_of(node, 6), past_value = input_of(node, 7);
    const bool causal = node.int_attribute("unidirectional", 0) != 0;
    std::string problem;
    const MaskForm form = mask_form(context, input_of(node, 4), heads.counted_keys(),
                                    static_cast<bool>(past_key), problem);
    if (problem.empty()) problem = opset_problem(context, form, causal);
    if (!problem.empty()) return declined(std::move(problem));

    AttentionCore core;
    heads.write(core);
    const DType type = plain.dtype(node.inputs[0]), wide = wide_type(type);
    if (past_key) {
        core.k = plain.concat({plain.cast(past_key, wide), core.k}, 2);
        core.v = plain.concat({plain.cast(past_value, wide), core.v}, 2);
    }
    const ValueId present_key = is_wanted(context, node, 1) ? plain.cast(core.k, type) : ValueId{};
    const ValueId present_value =
        is_wanted(context, node, 2) ? plain.cast(core.v, type) : ValueId{};
    core.mask = input_of(node, 4);
    core.bias = input_of(node, 5);
    core.scale = scale_of(node, heads.size());
    core.filter = static_cast<double>(node.float_attribute("mask_filter_value", -10000.0f));
    core.causal = causal;
    return plain.finish({plain.cast(attend(plain, core, form), type), present_key, present_value},
                        "wrote out MultiHeadAttention");
}

}  // namespace lapidary::lowering
