// SPDX-License-Identifier: Apache-2.0
#include "passes/layout/unblock_layout.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/traversal.h"
#include "ops/channel_block.h"
#include "passes/layout/blocked_region.h"
#include "passes/layout/fill_channels.h"
#include "rewrite/pass.h"
#include "tensor/channel_blocks.h"

namespace lapidary {
namespace {

/// The part [0, filters) x [0, inputs) of a plain weight, or [0, filters) of a vector.
Tensor first_channels(const Tensor& t, std::int64_t filters, std::int64_t inputs) {
    Shape shape = t.shape();
    shape[0] = filters;
    if (t.rank() == 4) shape[1] = inputs;
    Tensor out(DType::f32, shape);
    const std::int64_t step = filters > 0 ? out.size() / filters : 0,
                       from_step = t.size() / t.dim(0);
    for (std::int64_t f = 0; f < filters; ++f)
        std::copy_n(t.data<float>().data() + f * from_step, step,
                    out.mutable_data<float>().data() + f * step);
    return out;
}

class Unblocker {
public:
    Unblocker(const Model& model, Graph& graph, const Scope* outer, std::int64_t block)
        : scope_{model, graph, outer}, graph_(graph), edit_(graph, "unblock_layout"), block_(block),
          blocked_(blocked_values(graph)) {
        edit_.set_default_version(model.opset());
    }

    bool run() {
        if (std::ranges::find(blocked_, true) == blocked_.end()) return false;
        for (ValueId v : graph_.values())
            if (const Value& value = graph_.value(v);
                v.index < blocked_.size() && blocked_[v.index] &&
                (value.output_uses > 0 || !value.captured_by.empty()))
                fail_unsupported("value " + quote(value.name) +
                                 " of blocked channels leaves its graph, so the blocked layout "
                                 "cannot be undone");
        channels_ = real_channels(scope_, blocked_, block_);
        const std::vector<NodeId> nodes(graph_.nodes().begin(), graph_.nodes().end());
        for (NodeId id : nodes) {
            const Node& node = graph_.node(id);
            if (node.domain == nchwc_domain ||
                std::ranges::any_of(node.inputs, [&](ValueId v) { return is_blocked(v); }))
                undo(Node(node));
        }
        for (auto at = old_.rbegin(); at != old_.rend(); ++at) {
            for (ValueId v : graph_.node(*at).inputs)
                if (v && graph_.value(v).is_constant()) constants_.push_back(v);
            edit_.erase(*at);
        }
        for (ValueId v : constants_)
            if (graph_.is_alive(v) && graph_.value(v).is_unused()) edit_.erase_value(v);
        edit_.record("blocked channels became plain ones");
        for (const auto& [node, origins] : origins_) edit_.set_origins(node, origins);
        edit_.finish();
        return true;
    }

private:
    bool is_blocked(ValueId v) const { return v && v.index < blocked_.size() && blocked_[v.index]; }
    std::int64_t channels(ValueId blocked) const { return channels_.at(blocked.index); }
    ValueId plain(ValueId v) const { return is_blocked(v) ? plain_.at(v.index) : v; }

    Type plain_type(ValueId blocked) const {
        Type type = graph_.value(blocked).type;
        if (type.shape && type.shape->size() == 5)
            type.shape = SymbolicShape{(*type.shape)[0], Dim(), (*type.shape)[2], (*type.shape)[3]};
        if (type.shape && type.shape->size() == 4) (*type.shape)[1] = Dim(channels(blocked));
        return type;
    }

    /// The value for the plain form of a blocked value: the output of its reorder back, else a new
    /// value.
    ValueId target(ValueId blocked) {
        for (const Use& use : graph_.value(blocked).uses) {
            const Node& reader = graph_.node(use.node);
            if (reader.domain != nchwc_domain || reader.op_type != "ReorderOutput" ||
                reader.outputs.empty() || reader.int_attribute("channels_last", 0) != 0)
                continue;
            if (!reader.outputs[0] ||
                reader.int_attribute("channels", channels(blocked)) != channels(blocked))
                continue;
            return edit_.take_outputs(reader.id)[0];
        }
        return edit_.add_value(graph_.value(blocked).name + "_plain", plain_type(blocked));
    }

    NodeId add(const Node& old, std::string op_type, std::vector<ValueId> inputs,
               std::vector<ValueId> outputs, std::vector<Attribute> attributes = {},
               bool named = false) {
        NodeSpec spec;
        spec.op_type = std::move(op_type);
        spec.inputs = std::move(inputs);
        spec.outputs = std::move(outputs);
        spec.attributes = std::move(attributes);
        if (named) spec.name = old.name;
        const NodeId id = edit_.add_node(std::move(spec));
        origins_.emplace_back(id, old.origins);
        return id;
    }
    ValueId add_value(const Node& old, std::string op_type, std::vector<ValueId> inputs,
                      std::vector<Attribute> attributes = {}) {
        const ValueId out = edit_.add_value({}, Type::tensor(DType::f32));
        add(old, std::move(op_type), std::move(inputs), {out}, std::move(attributes));
        return out;
    }
    ValueId constant(const std::string& name, Tensor tensor) {
        return edit_.add_initializer(edit_.fresh_name(name), std::move(tensor));
    }
    ValueId ints(const std::string& name, const std::vector<std::int64_t>& values) {
        return constant(
            name, Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
    }

    void undo(const Node& node) {
        old_.push_back(node.id);
        switch (blocked_role(scope_, node, block_)) {
        case BlockedRole::reorder_input: undo_reorder_input(node); break;
        case BlockedRole::reorder_output: undo_reorder_output(node); break;
        case BlockedRole::conv:
            finish_conv(node, "Conv", conv_operands(node), conv_attributes(node));
            break;
        case BlockedRole::scale:
            finish_conv(node, "Mul", {plain(node.inputs[0]), plain_factor(node.inputs[1])}, {});
            break;
        case BlockedRole::view: plain_[node.outputs[0].index] = plain(node.inputs[0]); break;
        case BlockedRole::image: undo_image(node); break;
        default: {
            std::vector<ValueId> inputs, outputs;
            for (ValueId v : node.inputs) inputs.push_back(plain(v));
            for (ValueId v : node.outputs) outputs.push_back(v ? plain_[v.index] = target(v) : v);
            NodeSpec spec{.op_type = node.op_type,
                          .inputs = inputs,
                          .outputs = outputs,
                          .attributes = node.attributes,
                          .name = node.name,
                          .domain = node.domain,
                          .version = node.version};
            origins_.emplace_back(edit_.add_node(std::move(spec)), node.origins);
        }
        }
    }

    void undo_reorder_input(const Node& node) {
        const bool is_last = node.int_attribute("channels_last", 0) != 0;
        const ValueId y = node.outputs[0];
        ValueId x = node.inputs[0];
        const std::int64_t given = scope_.dim(x, is_last ? 3 : 1);
        if (is_last)
            x = add_value(node, "Transpose", {x},
                          {attr("perm", std::vector<std::int64_t>{0, 3, 1, 2})});
        if (channels(y) > given) {  // an operator uses the padding channels
            const std::vector<std::int64_t> pads{0, 0, 0, 0, 0, channels(y) - given, 0, 0};
            x = scope_.opset() < 11 ? add_value(node, "Pad", {x}, {attr("pads", pads)})
                                    : add_value(node, "Pad", {x, ints("fill", pads)});
        }
        plain_[y.index] = x;
    }

    void undo_reorder_output(const Node& node) {
        ValueId x = plain(node.inputs[0]);
        const std::vector<ValueId> outputs = graph_.node(node.id).outputs;
        if (!outputs.at(0)) return;  // the plain operator writes it already
        const std::int64_t wanted = node.int_attribute("channels", channels(node.inputs[0]));
        const bool is_last = node.int_attribute("channels_last", 0) != 0;
        if (wanted < channels(node.inputs[0])) {
            if (scope_.opset() < 10)
                x = add_value(node, "Slice", {x},
                              {attr("axes", std::vector<std::int64_t>{1}),
                               attr("starts", std::vector<std::int64_t>{0}),
                               attr("ends", std::vector<std::int64_t>{wanted})});
            else
                x = add_value(node, "Slice",
                              {x, ints("first", {0}), ints("end", {wanted}), ints("axis", {1})});
        }
        if (!is_last && graph_.value(outputs[0]).output_uses == 0)
            return edit_.replace_uses(outputs[0], x);
        edit_.take_outputs(node.id);
        if (is_last)
            add(node, "Transpose", {x}, outputs,
                {attr("perm", std::vector<std::int64_t>{0, 2, 3, 1})}, true);
        else add(node, "Identity", {x}, outputs);
    }

    /// One number per channel as [1, C, 1, 1].
    ValueId plain_factor(ValueId weight) {
        if (is_blocked(weight)) return plain(weight);
        const std::int64_t count = scope_.dim(weight, 0);
        const Node* writer = scope_.producer(weight);
        const Type wanted = Type::tensor(DType::f32, {Dim(1), Dim(count), Dim(1), Dim(1)});
        if (writer && writer->domain.empty() && writer->op_type == "Reshape" &&
            graph_.value(writer->inputs[0]).type == wanted) {
            // after its reader, the node at hand
            if (graph_.value(weight).read_once()) old_.insert(old_.end() - 1, writer->id);
            return writer->inputs[0];
        }
        const ValueId out = edit_.add_value({}, wanted);
        const Node& reader = graph_.node(old_.back());
        add(Node(reader), "Reshape", {weight, ints("shape", {1, count, 1, 1})}, {out});
        return out;
    }

    std::vector<ValueId> conv_operands(const Node& node) {
        const BlockedConv conv = blocked_conv(scope_, node, block_, is_blocked(node.inputs[0]));
        const ValueId y = node.outputs[0];
        const std::int64_t filters = channels(y);
        const Tensor whole = unblocked_weight(conv.weight, block_, conv.blocks_inputs());
        const std::int64_t inputs =
            conv.blocks_inputs() && conv.group == 1 ? channels(node.inputs[0]) : whole.dim(1);
        auto& weight = weights_[{node.inputs[1], {filters, inputs}}];
        if (!weight)
            weight = constant(graph_.value(node.inputs[1]).name + "_plain",
                              first_channels(whole, filters, inputs));
        std::vector<ValueId> operands{plain(node.inputs[0]), weight};
        if (conv.bias) {
            auto& bias = weights_[{node.inputs[2], {filters, 0}}];
            if (!bias)
                bias = filters == conv.bias.size()
                           ? node.inputs[2]
                           : constant(graph_.value(node.inputs[2]).name + "_plain",
                                      first_channels(conv.bias, filters, 0));
            operands.push_back(bias);
        } else if (conv.computes_bias) {
            operands.push_back(node.inputs[2]);
        }
        return operands;
    }

    std::vector<Attribute> conv_attributes(const Node& node) const {
        const BlockedConv conv = blocked_conv(scope_, node, block_, is_blocked(node.inputs[0]));
        std::vector<Attribute> attributes =
            kept(node, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"});
        for (Attribute& a : attributes)
            if (a.name == "group" && conv.is_depthwise) a.value = channels(node.outputs[0]);
        return attributes;
    }

    /// The operator, then what a blocked convolution does besides.
    void finish_conv(const Node& node, std::string op_type, std::vector<ValueId> operands,
                     std::vector<Attribute> attributes) {
        const ValueId y = node.outputs[0];
        const bool has_sum = node.inputs.size() > 3 && node.inputs[3];
        const std::string activation = node.string_attribute("activation", "");
        const ValueId result = target(y);
        const auto step = [&](bool is_last) {
            return is_last ? result : edit_.add_value({}, graph_.value(result).type);
        };
        ValueId at = step(!has_sum && activation.empty());
        add(node, std::move(op_type), std::move(operands), {at}, std::move(attributes), true);
        if (has_sum) {
            const ValueId sum = step(activation.empty());
            add(node, "Add", {at, plain(node.inputs[3])}, {sum});
            at = sum;
        }
        if (!activation.empty()) activate(node, activation, at, result);
        plain_[y.index] = result;
    }

    void activate(const Node& node, const std::string& activation, ValueId x, ValueId y) {
        const auto parameters = node.floats_attribute("activation_params");
        const auto parameter = [&](std::size_t i, float fallback) {
            return i < parameters.size() ? parameters[i] : fallback;
        };
        if (activation == "Relu" || activation == "Sigmoid" || activation == "Tanh")
            add(node, activation, {x}, {y});
        else if (activation == "LeakyRelu")
            add(node, activation, {x}, {y}, {attr("alpha", parameter(0, 0.01f))});
        else if (activation == "HardSigmoid")
            add(node, activation, {x}, {y},
                {attr("alpha", parameter(0, 0.2f)), attr("beta", parameter(1, 0.5f))});
        else if (activation == "HardSwish" && scope_.opset() >= 14) add(node, activation, {x}, {y});
        else if (activation == "HardSwish")
            add(node, "Mul",
                {x, add_value(node, "HardSigmoid", {x},
                              {attr("alpha", 1.0f / 6), attr("beta", 0.5f)})},
                {y});
        else if (activation == "Clip") {
            const float least = parameter(0, std::numeric_limits<float>::lowest()),
                        most = parameter(1, std::numeric_limits<float>::max());
            if (scope_.opset() < 11)
                add(node, activation, {x}, {y}, {attr("min", least), attr("max", most)});
            else
                add(node, activation,
                    {x, constant("least", Tensor::scalar(least)),
                     constant("most", Tensor::scalar(most))},
                    {y});
        } else
            fail_unsupported(node.describe() + ": the activation " + quote(activation) +
                             " has no plain form");
    }

    void undo_image(const Node& node) {
        const ValueId y = node.outputs[0], x = plain(node.inputs[0]), result = target(y);
        plain_[y.index] = result;
        if (node.op_type != "Upsample") {
            std::vector<Attribute> attributes =
                kept(node, {"auto_pad", "ceil_mode", "count_include_pad", "dilations",
                            "kernel_shape", "pads", "storage_order", "strides"});
            // Opsets without an attribute take none, not even its default.
            std::erase_if(attributes, [](const Attribute& a) {
                const auto* number = std::get_if<std::int64_t>(&a.value);
                const auto* numbers = std::get_if<std::vector<std::int64_t>>(&a.value);
                return (number && *number == 0) ||
                       (a.name == "dilations" && numbers &&
                        std::ranges::all_of(*numbers, [](std::int64_t d) { return d == 1; }));
            });
            add(node, node.op_type, {x}, {result}, std::move(attributes), true);
            return;
        }
        const std::string mode = node.string_attribute("mode", "nearest"),
                          coordinates =
                              node.string_attribute("coordinate_transformation_mode", "asymmetric");
        std::vector<float> factors;
        for (std::int64_t s : node.ints_attribute("scales", {1, 1, 1, 1}))
            factors.push_back(static_cast<float>(s));
        const std::int64_t opset = scope_.opset();
        if (opset < 11 && coordinates != "asymmetric")
            fail_unsupported(node.describe() + ": opset " + std::to_string(opset) +
                             " has no resizing with " + coordinates + " coordinates");
        if (opset < 9)
            return (void)add(node, "Upsample", {x}, {result},
                             {attr("scales", factors), attr("mode", mode.c_str())}, true);
        const ValueId scales = constant("scales", Tensor::of<float>({4}, factors));
        if (opset < 11)
            return (void)add(node, opset < 10 ? "Upsample" : "Resize", {x, scales}, {result},
                             {attr("mode", mode.c_str())}, true);
        const ValueId region = opset < 13 ? constant("roi", Tensor(DType::f32, {0})) : ValueId();
        std::vector<Attribute> attributes{
            attr("mode", mode.c_str()),
            attr("coordinate_transformation_mode", coordinates.c_str())};
        if (mode == "nearest") attributes.push_back(attr("nearest_mode", "floor"));
        add(node, "Resize", {x, region, scales}, {result}, std::move(attributes), true);
    }

    static std::vector<Attribute> kept(const Node& node,
                                       std::initializer_list<std::string_view> names) {
        std::vector<Attribute> result;
        for (const Attribute& a : node.attributes)
            if (std::ranges::find(names, a.name) != names.end()) result.push_back(a);
        return result;
    }

    Scope scope_;
    Graph& graph_;
    GraphEdit edit_;
    std::int64_t block_;
    std::vector<bool> blocked_;
    std::map<std::uint32_t, std::int64_t> channels_;
    std::map<std::uint32_t, ValueId> plain_;  // by blocked value
    std::map<std::pair<ValueId, std::pair<std::int64_t, std::int64_t>>, ValueId> weights_;
    std::vector<NodeId> old_;
    std::vector<ValueId> constants_;
    std::vector<std::pair<NodeId, std::vector<NodeId>>> origins_;
};

std::size_t count_blocked(const Model& model) {
    std::size_t count = 0;
    for_each_graph(model, [&](const Graph& graph, const std::string&) {
        count += static_cast<std::size_t>(std::ranges::count_if(
            graph.nodes(), [&](NodeId id) { return graph.node(id).domain == nchwc_domain; }));
    });
    return count;
}

/// Inner graphs first: they share no blocked values with outer ones.
bool unblock(const Model& model, Graph& graph, const Scope* outer, std::int64_t block) {
    bool changed = false;
    for (NodeId id : std::vector<NodeId>(graph.nodes().begin(), graph.nodes().end()))
        for (const Attribute& a : std::vector<Attribute>(graph.node(id).attributes)) {
            const auto* inner = std::get_if<GraphPtr>(&a.value);
            if (!inner || !*inner) continue;
            auto copy = std::make_shared<Graph>(**inner);
            const Scope scope{model, graph, outer};
            if (!unblock(model, *copy, &scope, block)) continue;
            Attribute replaced = a;
            replaced.value = GraphPtr(std::move(copy));
            GraphEdit(graph).set_attribute(id, std::move(replaced));
            changed = true;
        }
    return Unblocker(model, graph, outer, block).run() || changed;
}

}  // namespace

std::string unblock_layout(Model& model) {
    const std::size_t before = count_blocked(model);
    if (before == 0) return {};
    Model result = model;
    infer_types(result);
    unblock(result, result.graph, nullptr, channel_block_of(result));
    if (count_blocked(result) != 0)
        fail_unsupported(
            "blocked operators in functions cannot be turned back; expand functions first");
    result.opset_imports.erase(std::string(nchwc_domain));
    std::erase_if(result.metadata, [](const auto& entry) {
        return entry.first == channel_block_key || entry.first == layout_key;
    });
    infer_types(result);
    model = std::move(result);
    return std::to_string(before) + (before == 1 ? " operator" : " operators") +
           " on blocked channels became plain";
}

}  // namespace lapidary
