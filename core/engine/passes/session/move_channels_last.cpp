// SPDX-License-Identifier: Apache-2.0
//   before:  y = MaxPool(Relu(Conv(x, w)))
//   after:   y = Transpose(ChannelsLastPool(Relu(ChannelsLastConv(Transpose(x), w laid out anew))))
// For devices that store float16: with channels last a convolution reads its windows in pieces of 8
// halves. Image operators become those with channels last between Transposes, which then go through
// elementwise operators, Concat, Pad and the like where they cancel, so that they stay at the
// borders of a region alone. Sound because every operator is the same on the transposed image. A
// first convolution of few channels reads its image as it is (image_first).
#include <algorithm>
#include <map>
#include <utility>

#include <lapidary/passes/device_passes.h>

#include "passes/carried_call.h"
#include "passes/session/channels_last_regions.h"
#include "passes/transpose_region.h"
#include "rewrite/constant_math.h"
#include "rewrite/session_domain.h"

namespace lapidary::passes {
namespace {

bool is_transpose(const Node* node) {
    return node && node->domain.empty() && node->op_type == "Transpose";
}

std::vector<Attribute> attributes_of(const Node& node,
                                     std::initializer_list<std::string_view> names) {
    std::vector<Attribute> kept;
    for (const Attribute& a : node.attributes)
        if (std::ranges::find(names, a.name) != names.end()) kept.push_back(a);
    return kept;
}

class Mover {
public:
    explicit Mover(PassContext& context) : context_(context) {}

    void move(NodeId id) {
        const Node node = context_.graph().node(id);
        std::string problem;
        const ImageOperator kind = image_operator(context_.scope(), node, problem);
        const int rank = context_.scope().rank(node.inputs[0]);
        const ValueId x = last(node.inputs[0]);
        ValueId y;
        switch (kind) {
        case ImageOperator::conv: y = conv(node, x, rank); break;
        case ImageOperator::transposed_conv: y = transposed_conv(node, x, rank); break;
        case ImageOperator::pool: y = pool(node, x, rank); break;
        case ImageOperator::global_pool: y = global_pool(node, x, rank); break;
        default: y = resize(node, x, rank); break;
        }
        const ValueId old_weight = kind == ImageOperator::conv ? node.inputs[1] : ValueId();
        const std::vector<NodeId> matched{id};
        context_.replace(id, "Transpose", {y}, {attr("perm", to_channels_first(rank))}, matched);
        if (old_weight && context_.graph().value(old_weight).kind == ValueKind::initializer &&
            context_.graph().value(old_weight).is_unused())
            context_.edit().erase_value(old_weight);
        context_.record(node.op_type + " works with channels last");
    }

private:
    const Value& value(ValueId id) const { return context_.graph().value(id); }

    /// Transposed to channels last, once for all who read it.
    ValueId last(ValueId image) {
        ValueId& known = images_[image];
        if (known) return known;
        const int rank = context_.scope().rank(image);
        return known = context_.node("Transpose", {image},
                                     {attr("perm", inverse(to_channels_first(rank)))},
                                     value(image).name + "_channels_last");
    }

    ValueId add(const Node& node, std::string_view op, std::vector<ValueId> inputs,
                std::vector<Attribute> attributes, int rank) {
        const ValueId y = context_.edit().add_value(
            value(node.outputs[0]).name + "_channels_last",
            carried_type(value(node.outputs[0]).type, to_channels_first(rank)));
        NodeSpec spec;
        spec.op_type = op;
        spec.domain = session_domain;
        spec.version = 1;
        spec.inputs = std::move(inputs);
        spec.outputs = {y};
        spec.attributes = std::move(attributes);
        spec.name = node.name;
        context_.edit().add_node(std::move(spec));
        return y;
    }

    /// [M, C/group, kernel...] as [group, kernel..., C/group, M/group], once for all who read it
    /// with those groups.
    ValueId laid_out(ValueId weight, std::int64_t group) {
        ValueId& known = weights_[{weight, group}];
        if (known) return known;
        const Tensor& from = *context_.scope().constant(weight);
        Shape shape = from.shape();
        shape[0] /= group;
        shape.insert(shape.begin(), group);
        Ints permutation{0};
        for (std::int64_t i = 3; i < static_cast<std::int64_t>(shape.size()); ++i)
            permutation.push_back(i);
        permutation.push_back(2);
        permutation.push_back(1);
        return known = context_.constant(value(weight).name + "_channels_last",
                                         transposed(from.reshaped(shape), permutation));
    }

    ValueId conv(const Node& node, ValueId x, int rank) {
        std::vector<ValueId> inputs{x, laid_out(node.inputs[1], node.int_attribute("group", 1))};
        if (node.inputs.size() > 2) inputs.push_back(node.inputs[2]);
        if (node.inputs.size() > 3 && node.inputs[3]) inputs.push_back(last(node.inputs[3]));
        return add(node, "ChannelsLastConv", std::move(inputs),
                   attributes_of(node, {"activation", "activation_params", "auto_pad", "dilations",
                                        "group", "kernel_shape", "pads", "strides"}),
                   rank);
    }
    ValueId transposed_conv(const Node& node, ValueId x, int rank) {
        std::vector<ValueId> inputs = node.inputs;
        inputs[0] = x;
        return add(node, "ChannelsLastConvTranspose", std::move(inputs),
                   attributes_of(node, {"auto_pad", "dilations", "group", "kernel_shape",
                                        "output_padding", "output_shape", "pads", "strides"}),
                   rank);
    }
    ValueId pool(const Node& node, ValueId x, int rank) {
        std::vector<Attribute> attributes =
            attributes_of(node, {"auto_pad", "ceil_mode", "count_include_pad", "dilations",
                                 "kernel_shape", "pads", "strides"});
        attributes.push_back(attr("pool", node.op_type.c_str()));
        return add(node, "ChannelsLastPool", {x}, std::move(attributes), rank);
    }
    ValueId global_pool(const Node& node, ValueId x, int rank) {
        Ints axes;
        for (int i = 1; i + 1 < rank; ++i) axes.push_back(i);
        const Call call =
            axes_call(context_, node.op_type == "GlobalMaxPool" ? "ReduceMax" : "ReduceMean", x,
                      axes, {attr("keepdims", 1)});
        return context_.node(call.op, call.inputs, call.attributes, node.name);
    }
    ValueId resize(const Node& node, ValueId x, int rank) {
        Carried carried;
        carried.supported = true;
        carried.inputs.resize(node.inputs.size());
        carried.inputs[0] = to_channels_first(rank);
        carried.outputs = {to_channels_first(rank)};
        std::vector<ValueId> inputs = node.inputs;
        inputs[0] = x;
        const Call call = carried_call(context_, node, carried, std::move(inputs));
        return context_.node(call.op, call.inputs, call.attributes, node.name);
    }

    PassContext& context_;
    std::map<ValueId, ValueId> images_;
    std::map<std::pair<ValueId, std::int64_t>, ValueId> weights_;
};

/// Transposes that undo the one before them go.
void cancel_pairs(PassContext& context) {
    for (NodeId id :
         std::vector<NodeId>(context.graph().nodes().begin(), context.graph().nodes().end())) {
        if (!context.may_rewrite()) return;
        if (!context.graph().is_alive(id) || !is_transpose(&context.graph().node(id))) continue;
        const Node node = context.graph().node(id);
        const Node* const before = context.scope().producer(node.inputs.at(0));
        if (!is_transpose(before)) continue;
        const auto first = permutation_of(context.scope(), *before),
                   second = permutation_of(context.scope(), node);
        if (!first || !second || first->size() != second->size() ||
            !is_identity(compose(*first, *second)))
            continue;
        const std::vector<NodeId> matched{before->id};
        if (context.bypass(id, before->inputs[0], matched).empty())
            context.record("a Transpose and the one that undoes it went");
    }
    context.edit().finish();
}

/// Devices pack the image of a convolution whose channels are no multiple of 8 before they read it,
/// from either order: it needs no Transpose in front.
void keep_images_first(PassContext& context) {
    for (NodeId id :
         std::vector<NodeId>(context.graph().nodes().begin(), context.graph().nodes().end())) {
        if (!context.may_rewrite()) return;
        if (!context.graph().is_alive(id) || context.graph().node(id).op_type != "ChannelsLastConv")
            continue;
        const Node node = context.graph().node(id);
        const Node* const before = context.scope().producer(node.inputs.at(0));
        const Tensor* const weight = context.scope().constant(node.inputs.at(1));
        if (!is_transpose(before) || !weight) continue;
        const Shape& shape = weight->shape();
        if (!packs_image(shape[0], shape[shape.size() - 2], shape.back())) continue;
        const auto permutation = permutation_of(context.scope(), *before);
        if (!permutation ||
            *permutation != inverse(to_channels_first(static_cast<int>(permutation->size()))))
            continue;
        const NodeId transpose = before->id;
        context.edit().set_input(id, 0, before->inputs[0]);
        context.edit().set_attribute(id, attr("image_first", 1));
        const std::vector<NodeId> unused{transpose};
        context.erase_unused(unused);
        context.record("the image of few channels stays with channels first");
    }
    context.edit().finish();
}

void run(PassContext& context) {
    const bool stores_halves = context.options().provider == device_passes_f16;
    const ChannelsLastRegions regions =
        choose_channels_last(context.scope(), context.nodes(), stores_halves);
    for (const auto& [node, reason] : regions.left) context.miss(node, reason);
    if (regions.chosen.empty()) return;
    Mover mover(context);
    for (NodeId id : regions.chosen) {
        if (!context.may_rewrite()) return;
        mover.move(id);
    }
    context.edit().finish();
    cancel_pairs(context);
    settle_transposes(context);
    cancel_pairs(context);
    keep_images_first(context);
}

}  // namespace

PassBody move_channels_last() { return {.run = run, .main_graph_only = true}; }

}  // namespace lapidary::passes
