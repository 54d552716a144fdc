// SPDX-License-Identifier: Apache-2.0
#include "passes/layout/fill_channels.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "ops/channel_block.h"
#include "ops/operator_traits.h"
#include "tensor/channel_blocks.h"

namespace lapidary {
namespace {

[[noreturn]] void refuse(const Node& node, const std::string& why) {
    fail_unsupported(node.describe() + ": " + why + ", so the blocked layout cannot be undone");
}

bool scales_channels(const Scope& scope, const Node& node) {
    if (node.inputs.size() < 2 || scope.constant(node.inputs[1]) ||
        (node.inputs.size() > 2 && node.inputs[2]))
        return false;
    const auto is = [&](int axis, std::int64_t size) {
        return scope.dim(node.inputs[1], axis) == size;
    };
    const bool has_pads =
        std::ranges::any_of(node.ints_attribute("pads"), [](std::int64_t p) { return p != 0; });
    const bool has_strides =
        std::ranges::any_of(node.ints_attribute("strides"), [](std::int64_t s) { return s != 1; });
    return is(0, node.int_attribute("group", 1)) && is(1, 1) && is(2, 1) && is(3, 1) && !has_pads &&
           !has_strides;
}

/// One past the last filter with a weight or a bias.
std::int64_t used_filters(const Tensor& plain, const Tensor& bias) {
    const float* w = plain.data<float>().data();
    const std::int64_t size = plain.dim(1) * plain.dim(2) * plain.dim(3);
    for (std::int64_t o = plain.dim(0); o > 1; --o) {
        if (bias && o <= bias.size() && bias.data<float>()[static_cast<std::size_t>(o - 1)] != 0)
            return o;
        if (std::any_of(w + (o - 1) * size, w + o * size, [](float v) { return v != 0; })) return o;
    }
    return 1;
}

std::int64_t used_inputs(const Tensor& plain) {
    const float* w = plain.data<float>().data();
    const std::int64_t inputs = plain.dim(1), taps = plain.dim(2) * plain.dim(3);
    std::int64_t used = 1;
    for (std::int64_t o = 0; o < plain.dim(0); ++o)
        for (std::int64_t i = inputs; i > used; --i)
            if (std::any_of(w + (o * inputs + i - 1) * taps, w + (o * inputs + i) * taps,
                            [](float v) { return v != 0; }))
                used = i;
    return used;
}

class Counter {
public:
    Counter(const Scope& scope, const std::vector<bool>& blocked, std::int64_t block)
        : scope_(scope), blocked_(blocked), block_(block) {}

    std::map<std::uint32_t, std::int64_t> count() {
        for (NodeId id : scope_.graph.nodes()) visit(scope_.node(id));
        // the last joined value has its padding at the end of the whole
        for (bool again = true; again;) {
            again = false;
            for (const Join& j : joins_) {
                again |= need(j.whole, j.before + needed(j.last));
                again |= need(j.last, needed(j.whole) - j.before);
            }
        }
        std::map<std::uint32_t, std::int64_t> result;
        for (std::size_t v = 0; v < blocked_.size(); ++v)
            if (blocked_[v])
                result[static_cast<std::uint32_t>(v)] =
                    needed(ValueId(static_cast<std::uint32_t>(v)));
        return result;
    }

private:
    struct Join {
        ValueId whole, last;
        std::int64_t before;
    };
    bool is_blocked(ValueId v) const { return v && blocked_[v.index]; }

    std::uint32_t find(std::uint32_t v) {
        while (parent_.contains(v)) v = parent_[v];
        return v;
    }
    void unite(ValueId a, ValueId b) {
        const std::uint32_t p = find(a.index), q = find(b.index);
        if (p == q) return;
        parent_[p] = q;
        needed_[q] = std::max(needed_[p], needed_[q]);
        filled_[q] = std::max(filled_[p], filled_[q]);
    }
    std::int64_t needed(ValueId v) { return std::max<std::int64_t>(1, needed_[find(v.index)]); }
    bool need(ValueId v, std::int64_t channels) {
        std::int64_t& n = needed_[find(v.index)];
        if (channels <= n) return false;
        n = channels;
        return true;
    }
    /// Number of channels with padding.
    std::int64_t filled(const Node& node, ValueId v) {
        if (const std::int64_t known = filled_[find(v.index)]; known > 0) return known;
        const std::int64_t declared = scope_.rank(v) == 4 ? scope_.dim(v, 1) : -1;
        if (declared < 1)
            refuse(node, "the channels of " + quote(scope_.value(v).name) + " are not known");
        return declared;
    }
    void fill(ValueId v, std::int64_t channels) { filled_[find(v.index)] = channels; }

    void visit(const Node& node) {
        const bool touches =
            node.domain == nchwc_domain ||
            std::ranges::any_of(node.inputs, [&](ValueId v) { return is_blocked(v); });
        if (!touches) return;
        const ValueId y = node.outputs.at(0);
        switch (blocked_role(scope_, node, block_)) {
        case BlockedRole::reorder_input: {
            const std::int64_t channels =
                scope_.dim(node.inputs[0], node.int_attribute("channels_last", 0) != 0 ? 3 : 1);
            if (scope_.rank(node.inputs[0]) != 4 || channels < 1)
                refuse(node, "the channels of " + quote(scope_.value(node.inputs[0]).name) +
                                 " are not known");
            fill(y, rounded_to_block(channels, block_));
            need(y, channels);
            break;
        }
        case BlockedRole::reorder_output:
            need(node.inputs[0], node.has_attribute("channels") ? node.int_attribute("channels", 1)
                                                                : filled(node, node.inputs[0]));
            break;
        case BlockedRole::conv: visit_conv(node, y); break;
        case BlockedRole::scale:
            for (std::size_t i : {0u, 1u, 3u})
                if (i < node.inputs.size() && is_blocked(node.inputs[i])) unite(node.inputs[i], y);
            fill(y, scope_.dim(node.inputs[1], 0));
            // else it has padding itself
            if (!is_blocked(node.inputs[1])) need(y, scope_.dim(node.inputs[1], 0));
            break;
        case BlockedRole::concat: {
            std::int64_t before = 0;
            for (std::size_t i = 0; i + 1 < node.inputs.size(); ++i) {
                before += filled(node, node.inputs[i]);
                need(node.inputs[i], filled(node, node.inputs[i]));
            }
            fill(y, before + filled(node, node.inputs.back()));
            joins_.push_back({y, node.inputs.back(), before});
            break;
        }
        case BlockedRole::split:
            need(node.inputs[0], filled(node, node.inputs[0]));
            for (ValueId part : node.outputs)
                if (part) need(part, filled(node, part));
            break;
        default:
            for (ValueId v : node.inputs)
                if (is_blocked(v)) unite(v, y);
        }
    }

    void visit_conv(const Node& node, ValueId y) {
        const BlockedConv conv = blocked_conv(scope_, node, block_, is_blocked(node.inputs[0]));
        const Tensor plain = unblocked_weight(conv.weight, block_, conv.blocks_inputs());
        fill(y, plain.dim(0));
        if (node.inputs.size() > 3 && is_blocked(node.inputs[3])) unite(node.inputs[3], y);
        if (conv.is_depthwise) {
            unite(node.inputs[0], y);
        } else if (conv.group > 1) {
            need(node.inputs[0], plain.dim(1) * conv.group);
            need(y, plain.dim(0));
        } else if (!conv.reads_plain) {
            need(node.inputs[0], used_inputs(plain));
        }
        need(y, conv.computes_bias ? plain.dim(0) : used_filters(plain, conv.bias));
    }

    const Scope& scope_;
    const std::vector<bool>& blocked_;
    std::int64_t block_;
    std::map<std::uint32_t, std::uint32_t> parent_;
    std::map<std::uint32_t, std::int64_t> needed_, filled_;  // of classes of equal channels
    std::vector<Join> joins_;
};

}  // namespace

BlockedRole blocked_role(const Scope& scope, const Node& node, std::int64_t block) {
    if (node.domain == nchwc_domain) {
        if (node.op_type == "ReorderInput") return BlockedRole::reorder_input;
        if (node.op_type == "ReorderOutput") return BlockedRole::reorder_output;
        if (node.op_type == "Conv")
            return scales_channels(scope, node) ? BlockedRole::scale : BlockedRole::conv;
        if (node.op_type.ends_with("Pool") || node.op_type == "Upsample") return BlockedRole::image;
        refuse(node, "the operator is not known");
    }
    const bool in_onnx = node.domain.empty();
    if (in_onnx && (node.op_type == "Concat" || node.op_type == "Split") &&
        node.int_attribute("axis", node.op_type == "Concat" ? 1 : 0) == 1)
        return node.op_type == "Concat" ? BlockedRole::concat : BlockedRole::split;
    if (in_onnx && node.op_type == "Reshape" && node.inputs.size() == 2) {
        const Tensor* shape = scope.constant(node.inputs[1]);
        if (shape && shape->dtype() == DType::i64 &&
            (shape->size() == 4 || (shape->size() == 5 && to_int64s(*shape)[4] == block)))
            return BlockedRole::view;
        refuse(node, "it reads blocked channels");
    }
    if (traits_of(node).is_elementwise()) return BlockedRole::elementwise;
    refuse(node, "it reads blocked channels");
}

BlockedConv blocked_conv(const Scope& scope, const Node& node, std::int64_t block,
                         bool input_is_blocked) {
    BlockedConv conv;
    const auto constant = [&](std::size_t input) {
        return input < node.inputs.size() ? scope.constant(node.inputs[input]) : nullptr;
    };
    const bool has_bias = node.inputs.size() > 2 && node.inputs[2];
    if (!constant(1)) refuse(node, "its weight is no constant");
    conv.weight = *constant(1);
    conv.computes_bias = has_bias && !constant(2);
    if (has_bias && !conv.computes_bias) conv.bias = *constant(2);
    if (conv.weight.dtype() != DType::f32 || conv.weight.rank() != 4 ||
        conv.weight.dim(0) % block != 0)
        fail_model(node.describe() + ": the weight " + to_string(conv.weight.shape()) +
                   " is not made of blocks of " + std::to_string(block));
    if (conv.bias && (conv.bias.dtype() != DType::f32 || conv.bias.rank() != 1 ||
                      conv.bias.size() != conv.weight.dim(0)))
        fail_model(node.describe() + ": the bias is no f32[" + std::to_string(conv.weight.dim(0)) +
                   "]");
    conv.group = node.int_attribute("group", 1);
    conv.is_depthwise =
        conv.group > 1 && conv.weight.dim(1) == 1 && conv.weight.dim(0) == conv.group;
    conv.reads_plain = !input_is_blocked;
    return conv;
}

std::map<std::uint32_t, std::int64_t> real_channels(const Scope& scope,
                                                    const std::vector<bool>& blocked,
                                                    std::int64_t block) {
    return Counter(scope, blocked, block).count();
}

}  // namespace lapidary
