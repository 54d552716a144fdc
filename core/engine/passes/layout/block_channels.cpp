// SPDX-License-Identifier: Apache-2.0
//   before:  y = Conv(x, w, b)
//   after:   y = ReorderOutput(nchwc.Conv(ReorderInput(x), w blocked, b filled up)), reorders only
//            where plain order begins
// One rewrite per operator, each leaving a valid graph: it takes over the ReorderOutput of the
// operator before it, which goes away with its last plain reader. Sound because a reorder only
// moves elements and fill channels never meet real ones: they are dropped at ReorderOutput and
// multiplied by zero weights in convolutions.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kernels/convolution/blocked_weight.h"
#include "ops/channel_block.h"
#include "rewrite/constant_math.h"
#include "passes/layout/blocked_region.h"
#include "passes/layout/reorder_transposes.h"
#include "rewrite/pass.h"
#include "tensor/channel_blocks.h"

namespace lapidary::passes {
namespace {

constexpr std::string_view conv_op = "com.microsoft.nchwc::Conv";

class Blocker {
public:
    Blocker(PassContext& context, std::int64_t block) : context_(context), block_(block) {}

    void block_node(NodeId id) {
        const Node node = context_.graph().node(id);
        const LayoutOperator op = layout_operator(context_.scope(), node, block_);
        stamp();
        added_.clear();
        to_erase_ = {id};
        std::string remark;
        if (op.role == LayoutRole::elementwise && fuses_into_conv(node, op, remark)) {
            finish(node, std::move(remark), node.origins);
            return;
        }
        std::vector<ValueId> images;
        for (ValueId v : op.images) images.push_back(blocked(v));
        std::vector<ValueId> results = results_for(node, op, images);
        release_outputs(node, results);
        finish(node, node.op_type + " works on blocks of " + std::to_string(block_) + " channels",
               node.origins);
    }

private:
    const Value& value(ValueId id) const { return context_.graph().value(id); }
    std::int64_t channels(ValueId plain) const { return context_.scope().dim(plain, 1); }

    void stamp() {
        context_.set_model_metadata(channel_block_key, std::to_string(block_));
        context_.set_model_metadata(
            layout_key,
            context_.options().provider + " " +
                (block_ == cpu_channel_block() ? cpu_vector_instructions() : "generic"));
        context_.import(nchwc_domain);
    }

    Type filled_type(ValueId plain) const {
        Type type = value(plain).type;
        (*type.shape)[1] = Dim(rounded_to_block(channels(plain), block_));
        type.denotation.clear();
        return type;
    }

    NodeId add(std::string_view op_type, std::string_view domain, std::int64_t version,
               std::vector<ValueId> inputs, std::vector<ValueId> outputs,
               std::vector<Attribute> attributes, std::string name) {
        NodeSpec spec;
        spec.op_type = op_type;
        spec.domain = domain;
        spec.version = version;
        spec.inputs = std::move(inputs);
        spec.outputs = std::move(outputs);
        spec.attributes = std::move(attributes);
        spec.name = std::move(name);
        added_.push_back(context_.edit().add_node(std::move(spec)));
        return added_.back();
    }

    ValueId new_value(ValueId plain, std::string_view suffix = "_nchwc") {
        return context_.edit().add_value(value(plain).name + std::string(suffix),
                                         filled_type(plain));
    }

    /// The value in blocked order: the input of its ReorderOutput, an existing reorder of it, or a
    /// new one.
    ValueId blocked(ValueId plain) {
        const Node* writer = context_.scope().producer(plain);
        if (is_reorder(writer, "ReorderOutput")) {
            to_erase_.push_back(writer->id);
            return writer->inputs[0];
        }
        for (const Use& use : value(plain).uses)
            if (const Node& reader = context_.graph().node(use.node);
                is_reorder(&reader, "ReorderInput"))
                return reader.outputs[0];
        const bool channels_last = is_transpose(writer, {0, 3, 1, 2});
        const ValueId source = channels_last ? writer->inputs[0] : plain;
        if (channels_last) {
            to_erase_.push_back(writer->id);
            for (const Use& use : value(source).uses)
                if (const Node& reader = context_.graph().node(use.node);
                    reader.domain == nchwc_domain && reader.op_type == "ReorderInput")
                    return reader.outputs[0];
        }
        const ValueId out = new_value(plain);
        std::vector<Attribute> attributes;
        if (channels_last) attributes.push_back(attr("channels_last", 1));
        add("ReorderInput", nchwc_domain, 1, {source}, {out}, std::move(attributes), {});
        return out;
    }

    /// One reordered copy of a weight for all its readers.
    ValueId constant(ValueId plain, const char* form,
                     const std::function<Tensor(const Tensor&)>& make) {
        const auto [at, is_new] = constants_.try_emplace({plain, form});
        if (is_new)
            at->second = context_.constant(value(plain).name + "_" + form,
                                           make(*context_.scope().constant(plain)));
        return at->second;
    }

    ValueId filled(ValueId vector) {
        if (!vector || context_.scope().constant(vector)->size() % block_ == 0) return vector;
        return constant(vector, "filled",
                        [&](const Tensor& t) { return filled_to_block(t, block_); });
    }

    std::vector<ValueId> results_for(const Node& node, const LayoutOperator& op,
                                     const std::vector<ValueId>& images) {
        std::vector<ValueId> results;
        for (ValueId y : node.outputs)
            if (y) results.push_back(new_value(y));
        const auto make = [&](std::string_view op_type, std::vector<ValueId> inputs,
                              std::vector<Attribute> attributes) {
            add(op_type, nchwc_domain, 1, std::move(inputs), {results[0]}, std::move(attributes),
                node.name);
        };
        switch (op.role) {
        case LayoutRole::none: break;
        case LayoutRole::conv:
            make("Conv", conv_inputs(node, op, images), conv_attributes(node));
            break;
        case LayoutRole::norm:
            make("Conv", norm_inputs(node, images[0]),
                 {attr("group", rounded_to_block(channels(node.inputs[0]), block_)),
                  attr("kernel_shape", std::vector<std::int64_t>{1, 1})});
            break;
        case LayoutRole::scale:
            make("Conv", {images[0], factor_weight(node, op.factor)},
                 {attr("group", rounded_to_block(channels(node.outputs[0]), block_)),
                  attr("kernel_shape", std::vector<std::int64_t>{1, 1})});
            break;
        case LayoutRole::pool:
            make(node.op_type, images,
                 attributes_of(node, {"auto_pad", "ceil_mode", "count_include_pad", "dilations",
                                      "kernel_shape", "pads", "storage_order", "strides"}));
            break;
        case LayoutRole::global_pool:
            make(node.op_type == "ReduceMean" ? "GlobalAveragePool" : node.op_type, images, {});
            break;
        case LayoutRole::upsample: make("Upsample", images, upsample_attributes(node)); break;
        case LayoutRole::broadcast: broadcast(node, op, images, results[0]); break;
        case LayoutRole::elementwise:
        case LayoutRole::concat:
        case LayoutRole::split: {
            std::vector<ValueId> inputs = node.inputs;
            exchange(inputs, op.images, images);
            add(node.op_type, node.domain, node.version, std::move(inputs), results,
                node.attributes, node.name);
        }
        }
        return results;
    }

    static void exchange(std::vector<ValueId>& inputs, const std::vector<ValueId>& from,
                         const std::vector<ValueId>& to) {
        for (ValueId& v : inputs)
            for (std::size_t i = 0; i < from.size(); ++i)
                if (v == from[i]) {
                    v = to[i];
                    break;
                }
    }

    static std::vector<Attribute> attributes_of(const Node& node,
                                                std::initializer_list<std::string_view> names) {
        std::vector<Attribute> kept;
        for (const Attribute& a : node.attributes)
            if (std::ranges::find(names, a.name) != names.end()) kept.push_back(a);
        return kept;
    }

    std::vector<ValueId> conv_inputs(const Node& node, const LayoutOperator& op,
                                     const std::vector<ValueId>& images) {
        const Tensor& w = *context_.scope().constant(node.inputs[1]);
        const bool is_depthwise = node.int_attribute("group", 1) > 1 && w.dim(1) == 1 &&
                                  w.dim(0) == node.int_attribute("group", 1);
        const bool blocks_inputs = !op.reads_plain && !is_depthwise;
        std::vector<ValueId> inputs{
            op.reads_plain ? node.inputs[0] : images[0],
            constant(node.inputs[1], blocks_inputs ? "OIHWBiBo" : "OIHWBo",
                     [&](const Tensor& t) { return blocked_weight(t, block_, blocks_inputs); })};
        const bool has_sum = node.inputs.size() > 3 && node.inputs[3];
        if (node.inputs.size() > 2) inputs.push_back(filled(node.inputs[2]));
        if (has_sum) inputs.push_back(images.back());
        while (!inputs.back()) inputs.pop_back();
        return inputs;
    }

    std::vector<Attribute> conv_attributes(const Node& node) const {
        std::vector<Attribute> kept =
            attributes_of(node, {"activation", "activation_params", "auto_pad", "dilations",
                                 "group", "kernel_shape", "pads", "strides"});
        for (Attribute& a : kept)
            if (a.name == "group" && std::get<std::int64_t>(a.value) > 1)
                a.value = rounded_group(node);
        return kept;
    }
    std::int64_t rounded_group(const Node& node) const {
        const Tensor& w = *context_.scope().constant(node.inputs[1]);
        const std::int64_t group = node.int_attribute("group", 1);
        return w.dim(1) == 1 && w.dim(0) == group ? rounded_to_block(group, block_) : group;
    }

    /// x * scale / sqrt(variance + epsilon) + shift as a depthwise convolution of one tap.
    std::vector<ValueId> norm_inputs(const Node& node, ValueId image) {
        std::vector<double> parameters[4];
        for (std::size_t i = 0; i < 4; ++i)
            parameters[i] = to_doubles(*context_.scope().constant(node.inputs[i + 1]));
        const auto& [scale, shift, mean, variance] = parameters;
        const auto count = static_cast<std::size_t>(
            rounded_to_block(static_cast<std::int64_t>(scale.size()), block_));
        std::vector<double> factor(count, 0), offset(count, 0);
        for (std::size_t c = 0; c < scale.size(); ++c) {
            factor[c] = scale[c] / std::sqrt(variance[c] + static_cast<double>(node.float_attribute(
                                                               "epsilon", 1e-5f)));
            offset[c] = shift[c] - mean[c] * factor[c];
        }
        // one tap and one input: OIHWBo is the plain order
        const auto filled_count = static_cast<std::int64_t>(count);
        return {image,
                context_.constant(value(node.inputs[1]).name + "_OIHWBo",
                                  tensor_of_doubles(DType::f32, {filled_count, 1, 1, 1}, factor)),
                context_.constant(value(node.inputs[2]).name + "_filled",
                                  tensor_of_doubles(DType::f32, {filled_count}, offset))};
    }

    std::vector<Attribute> upsample_attributes(const Node& node) const {
        const bool is_new = node.op_type == "Resize" && node.version > 10;
        const std::string mode = node.string_attribute("mode", "nearest");
        const std::string coordinates =
            is_new && mode == "linear"
                ? node.string_attribute("coordinate_transformation_mode", "half_pixel")
                : "asymmetric";
        return {attr("scales", upsampling_factors(context_.scope(), node)),
                attr("mode", mode.c_str()),
                attr("coordinate_transformation_mode", coordinates.c_str())};
    }

    ValueId shape_constant(const std::vector<std::int64_t>& shape) {
        std::string name = "blocked_shape";
        for (std::int64_t d : shape) name += "_" + std::to_string(d);
        const auto [at, is_new] = shapes_.try_emplace(name);
        if (is_new) at->second = context_.constant_ints(name, shape);
        return at->second;
    }

    /// [1, C, 1, 1] as the weight of a depthwise convolution. The order of its elements is the same
    /// in both layouts; a reorder fills up the last block.
    ValueId factor_weight(const Node& node, ValueId factor) {
        const std::int64_t real = channels(node.outputs[0]), count = rounded_to_block(real, block_);
        if (count != real || is_reorder(context_.scope().producer(factor), "ReorderOutput"))
            factor = blocked(factor);
        const ValueId weight = context_.edit().add_value(
            value(factor).name + "_OIHWBo",
            Type::tensor(DType::f32, {Dim(count), Dim(1), Dim(1), Dim(1)}));
        add("Reshape", "", context_.opset(), {factor, shape_constant({count, 1, 1, 1})}, {weight},
            {}, {});
        return weight;
    }

    ValueId reshaped(ValueId v, const std::vector<std::int64_t>& shape, ValueId out) {
        const ValueId constant = shape_constant(shape);
        if (!out) {
            Type type = value(v).type;
            const SymbolicShape& from = *type.shape;
            type.shape = SymbolicShape{from[0], Dim(shape[1]), from[2], from[3], Dim(block_)};
            out = context_.edit().add_value(value(v).name + "_5d", std::move(type));
        }
        add("Reshape", "", context_.opset(), {v, constant}, {out}, {}, {});
        return out;
    }

    /// Operands [N, C, 1, 1] meet [N, C, H, W] on views [N, C/b, H, W, b].
    void broadcast(const Node& node, const LayoutOperator& op, const std::vector<ValueId>& images,
                   ValueId result) {
        const std::int64_t filled_count = rounded_to_block(channels(node.outputs[0]), block_);
        std::vector<ValueId> views;
        for (ValueId v : images)
            views.push_back(reshaped(v, {0, filled_count / block_, 0, 0, block_}, {}));
        std::vector<ValueId> inputs = node.inputs;
        exchange(inputs, op.images, views);
        Type type = value(result).type;
        type.shape = SymbolicShape{(*type.shape)[0], Dim(filled_count / block_), (*type.shape)[2],
                                   (*type.shape)[3], Dim(block_)};
        const ValueId joined =
            context_.edit().add_value(value(result).name + "_5d", std::move(type));
        add(node.op_type, node.domain, node.version, std::move(inputs), {joined}, node.attributes,
            node.name);
        reshaped(joined, {0, filled_count, 0, 0}, result);
    }

    /// A ReorderOutput writes the old value, for readers that need plain order.
    void release_outputs(const Node& node, const std::vector<ValueId>& results) {
        std::vector<std::int64_t> counts;
        for (ValueId y : node.outputs) counts.push_back(y ? channels(y) : 0);
        const std::vector<ValueId> outputs = context_.edit().take_outputs(node.id);
        std::size_t next = 0;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            if (outputs[i])
                add("ReorderOutput", nchwc_domain, 1, {results[next++]}, {outputs[i]},
                    {attr("channels", counts[i])}, {});
    }

    /// The blocked Conv that writes `image` in blocked order when only `reader` wants it; it can
    /// then do more itself.
    const Node* own_conv(ValueId image, NodeId reader) const {
        const Node* reorder = context_.scope().producer(image);
        if (!is_reorder(reorder, "ReorderOutput") || !value(image).read_once() ||
            value(image).uses[0].node != reader)
            return nullptr;
        const Node* conv = context_.scope().producer(reorder->inputs[0]);
        if (!conv || conv->qualified_op() != conv_op || !value(reorder->inputs[0]).read_once())
            return nullptr;
        return conv->string_attribute("activation", "").empty() ? conv : nullptr;
    }

    bool fuses_into_conv(const Node& node, const LayoutOperator& op, std::string& remark) {
        const bool is_sum = (node.op_type == "Add" || node.op_type == "Sum") &&
                            node.domain.empty() && op.images.size() == 2 &&
                            node.inputs.size() == 2 && op.images[0] != op.images[1];
        const bool is_activation = node.domain.empty() && is_conv_activation(node.op_type);
        if (!is_sum && !is_activation) return false;
        for (std::size_t i = 0; i < op.images.size(); ++i) {
            const Node* conv = own_conv(op.images[i], node.id);
            if (!conv || (is_sum && conv->inputs.size() > 3)) continue;
            const Node old = *conv;
            std::vector<ValueId> inputs = old.inputs;
            std::vector<Attribute> attributes = old.attributes;
            if (is_activation) {
                std::vector<float> parameters;
                if (!activation_parameters(node, parameters)) return false;
                attributes.push_back(attr("activation", node.op_type.c_str()));
                if (!parameters.empty())
                    attributes.push_back(attr("activation_params", parameters));
                remark = node.op_type + " became the activation of the blocked convolution";
            } else {
                inputs.resize(4);
                inputs[3] = blocked(op.images[1 - i]);
                remark = node.op_type + " became the sum of the blocked convolution";
            }
            to_erase_.push_back(context_.scope().producer(op.images[i])->id);
            to_erase_.push_back(old.id);
            const ValueId result = new_value(node.outputs[0]);
            add("Conv", nchwc_domain, 1, std::move(inputs), {result}, std::move(attributes),
                old.name.empty() ? node.name : old.name);
            release_outputs(node, {result});
            return true;
        }
        return false;
    }

    bool activation_parameters(const Node& node, std::vector<float>& parameters) const {
        if (node.op_type == "LeakyRelu") parameters = {node.float_attribute("alpha", 0.01f)};
        if (node.op_type == "HardSigmoid")
            parameters = {node.float_attribute("alpha", 0.2f), node.float_attribute("beta", 0.5f)};
        if (node.op_type != "Clip") return true;
        const auto bound = [&](std::size_t input, std::string_view attribute,
                               float fallback) -> std::optional<float> {
            if (node.version < 11) return node.float_attribute(attribute, fallback);
            if (input >= node.inputs.size() || !node.inputs[input]) return fallback;
            const auto v = scalar_of(context_.scope().constant(node.inputs[input]));
            return v ? std::optional(static_cast<float>(*v)) : std::nullopt;
        };
        const auto least = bound(1, "min", std::numeric_limits<float>::lowest()),
                   most = bound(2, "max", std::numeric_limits<float>::max());
        if (!least || !most) return false;
        parameters = {*least, *most};
        return true;
    }

    void finish(const Node& node, std::string remark, std::vector<NodeId> origins) {
        std::vector<ValueId> constants;
        for (NodeId id : to_erase_)
            for (ValueId v : context_.graph().node(id).inputs)
                if (v && value(v).is_constant()) constants.push_back(v);
        if (context_.graph().is_alive(node.id)) context_.edit().erase(node.id);
        bool took_conv = false;
        for (std::size_t i = 1; i < to_erase_.size(); ++i)
            took_conv = took_conv || context_.graph().node(to_erase_[i]).qualified_op() == conv_op;
        context_.erase_unused(to_erase_);
        for (ValueId v : constants)
            if (context_.graph().is_alive(v) && value(v).is_unused())
                context_.edit().erase_value(v);
        context_.record(std::move(remark));
        // A reorder that became unnecessary is not among the origins; a convolution that was fused
        // is.
        if (!took_conv)
            for (NodeId id : added_) context_.edit().set_origins(id, origins);
    }

    PassContext& context_;
    std::int64_t block_;
    std::map<std::pair<ValueId, std::string>, ValueId> constants_;
    std::map<std::string, ValueId> shapes_;
    std::vector<NodeId> added_, to_erase_;
};

void run(PassContext& context) {
    std::int64_t block = channel_block_of(context.model());
    if (block == 0)
        block = context.options().channel_block > 0 ? context.options().channel_block
                                                    : cpu_channel_block();
    const std::vector<NodeId> nodes = context.nodes();
    const BlockedRegion region = choose_blocked_region(context.scope(), nodes, block);
    Blocker blocker(context, block);
    const std::set<NodeId> chosen(region.nodes.begin(), region.nodes.end());
    for (NodeId id : nodes) {
        if (!context.may_rewrite()) return;
        if (!context.graph().is_alive(id)) continue;
        if (chosen.contains(id)) blocker.block_node(id);
    }
    merge_transposes_with_reorders(context);
    for (const auto& [node, reason] : region.left)
        if (context.graph().is_alive(node)) context.miss(node, reason);
}

}  // namespace

PassBody block_channels() { return {.run = run}; }

}  // namespace lapidary::passes
