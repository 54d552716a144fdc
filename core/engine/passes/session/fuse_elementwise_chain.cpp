// SPDX-License-Identifier: Apache-2.0
//   before:  y = Mul(Add(x, bias), Sigmoid(Mul(x, 1.5)))
//   after:   y = lapidary::ElementwiseChain(x, bias) {steps, parameters}
// Float functions of one element and arithmetic of two, as long as all have the shape of the last
// one's result and what is between is read by the chain alone. One pass over memory instead of one
// per node. For devices, where a launch takes longer than a small tensor, chains begin with what
// makes floats of masks, Cast and Where of two constants, and what is broadcast joins if it is
// easily computed anew for every element:
//   before:  y = Add(Mul(Sub(1, Cast(mask)), -1e38), Where(visible, 0, -1e38))
//   after:   y = lapidary::ElementwiseChain(mask, visible) {steps, parameters}, with mask of int64
//            and visible of bool
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <lapidary/passes/device_passes.h>
#include <lapidary/graph/graph_edit.h>

#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/chain_program.h"
#include "kernels/elementwise/unary.h"
#include "passes/session/become_operator.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// One float for every element, whatever the shape of the other operand.
std::optional<float> scalar_constant(const Graph& graph, ValueId id, ValueId other) {
    const Value& v = graph.value(id);
    if (v.kind != ValueKind::initializer || !v.constant || v.constant->dtype() != DType::f32 ||
        v.constant->size() != 1)
        return std::nullopt;
    const auto& shape = graph.value(other).type.shape;
    if (v.constant->rank() > 0 &&
        (!shape || shape->size() < static_cast<std::size_t>(v.constant->rank())))
        return std::nullopt;
    return v.constant->data<float>()[0];
}

/// A node as a step whose operands are not numbered yet.
struct Part {
    ChainProgram::Step step;
    std::vector<ValueId> operands;  // one or two; an empty one is the constant
};

/// A Cast of a mask, or a Where that chooses one of two constants, as a step that reads what is no
/// float.
std::optional<Part> part_of_mask(const Graph& graph, const Node& node) {
    if (!node.domain.empty() || node.outputs.size() != 1 || !node.outputs[0] ||
        graph.value(node.outputs[0]).type.dtype != DType::f32)
        return std::nullopt;
    const DType from = node.inputs.empty() || !node.inputs[0]
                           ? DType::undefined
                           : graph.value(node.inputs[0]).type.dtype;
    Part part;
    part.operands = {node.inputs.empty() ? ValueId() : node.inputs[0]};
    part.step.kind = static_cast<std::uint8_t>(UnaryKind::identity);
    if (node.op_type == "Cast" &&
        (from == DType::i64 || from == DType::i32 || from == DType::boolean))
        return part;
    if (node.op_type != "Where" || from != DType::boolean || node.inputs.size() != 3)
        return std::nullopt;
    const auto chosen = scalar_constant(graph, node.inputs[1], node.inputs[0]),
               other = scalar_constant(graph, node.inputs[2], node.inputs[0]);
    if (!chosen || !other) return std::nullopt;
    part.step.kind = static_cast<std::uint8_t>(UnaryKind::affine);
    part.step.alpha = *chosen - *other;
    part.step.beta = *other;
    const bool is_exact = std::isfinite(part.step.alpha) && std::isfinite(*other) &&
                          part.step.alpha + *other == *chosen;
    return is_exact ? std::optional(part) : std::nullopt;
}

/// True if computing it takes no longer than reading its result.
bool is_light(const Part& part) {
    if (!part.step.is_binary) {
        const auto kind = static_cast<UnaryKind>(part.step.kind);
        return kind == UnaryKind::identity || kind == UnaryKind::affine;
    }
    const auto kind = static_cast<BinaryKind>(part.step.kind);
    return (!part.operands[0] || !part.operands[1]) &&
           (kind == BinaryKind::add || kind == BinaryKind::sub || kind == BinaryKind::mul);
}

std::optional<Part> part_of(const Graph& graph, const Node& node) {
    if (node.outputs.empty() || !node.outputs[0] || node.inputs.empty() || !node.inputs[0])
        return std::nullopt;
    const auto is_float = [&](ValueId v) { return graph.value(v).type.dtype == DType::f32; };
    if (!is_float(node.outputs[0]) || !is_float(node.inputs[0])) return std::nullopt;
    Part part;
    if (const auto kind = binary_kind(node)) {
        const ValueId a = node.inputs[0], b = node.inputs[1];
        if (!b || !is_float(b) ||
            (node.version < 7 &&
             (node.op_type == "PRelu" || node.int_attribute("broadcast", 0) != 0)))
            return std::nullopt;
        const auto first = scalar_constant(graph, a, b), second = scalar_constant(graph, b, a);
        if (*kind == BinaryKind::pow) {
            const auto power = second ? constant_power(*second) : std::nullopt;
            if (!power) return std::nullopt;
            part.step.kind = static_cast<std::uint8_t>(*power);
            part.operands = {a};
            return part;
        }
        if (first && second) return std::nullopt;
        part.step.is_binary = true;
        part.step.kind = static_cast<std::uint8_t>(*kind);
        part.step.alpha = first.value_or(second.value_or(0));
        part.operands = {first ? ValueId() : a, second ? ValueId() : b};
        return part;
    }
    std::string reason;
    const auto op = unary_operator(graph, node, reason);
    if (!op) return std::nullopt;
    part.step.kind = static_cast<std::uint8_t>(op->kind);
    part.step.alpha = op->alpha;
    part.step.beta = op->beta;
    part.operands = {node.inputs[0]};
    return part;
}

/// True when the node's result surely has the shape of its operand `input`.
bool keeps_shape(const Graph& graph, const Part& part, ValueId output, ValueId input) {
    if (part.operands.size() == 1 || !part.operands[0] || !part.operands[1]) return true;
    const auto& from = graph.value(input).type.shape;
    const auto& to = graph.value(output).type.shape;
    return from && to && *from == *to && std::ranges::none_of(*to, &Dim::is_unknown);
}

class Group {
public:
    /// `position`: of each node in the order of the graph, by NodeId::index.
    Group(const Graph& graph, std::span<const std::uint32_t> position, bool is_for_device,
          NodeId root, Part part)
        : graph_(graph), position_(position), is_for_device_(is_for_device) {
        add(root, std::move(part), false);
    }

    /// Adds producers until no more fits.
    void grow() {
        for (bool grown = true; grown && members_.size() < ChainProgram::max_steps;) {
            grown = false;
            problem_.clear();
            for (std::size_t m = 0; m < members_.size() && !grown; ++m)
                for (ValueId v : parts_.at(members_[m]).operands)
                    if (v && take(members_[m], v)) {
                        grown = true;
                        break;
                    }
        }
    }
    bool is_runnable() const {
        std::vector<ValueId> inputs;
        return program(inputs).places().has_value();
    }
    /// Why the first elementwise operator that writes an input of the group is not in it; empty:
    /// there is none.
    const std::string& problem() const { return problem_; }
    /// Removes the last node added, whose result only other members read.
    void drop_newest() {
        if (problem_.empty())
            problem_ = "the chain would need more registers or inputs than a kernel has";
        parts_.erase(members_.back());
        spread_.erase(members_.back());
        members_.pop_back();
    }
    std::size_t size() const { return members_.size(); }
    const std::vector<NodeId>& members() const { return members_; }  // the root first

    /// The program with its inputs; members in an order in which results come before their readers.
    ChainProgram program(std::vector<ValueId>& inputs) const {
        ChainProgram out;
        std::map<ValueId, std::int32_t> numbers;
        std::vector<NodeId> order = members_;
        std::ranges::sort(order, {}, [&](NodeId id) { return position_[id.index]; });
        for (NodeId id : order) {
            const Part& part = parts_.at(id);
            ChainProgram::Step step = part.step;
            for (std::size_t i = 0; i < part.operands.size(); ++i) {
                const ValueId v = part.operands[i];
                std::int32_t operand = ChainProgram::constant;
                if (v) {
                    if (!numbers.contains(v)) {
                        numbers[v] = static_cast<std::int32_t>(inputs.size());
                        inputs.push_back(v);
                    }
                    operand = numbers[v];
                }
                (i == 0 ? step.a : step.b) = operand;
            }
            numbers[graph_.node(id).outputs[0]] = ChainProgram::result_of(out.steps.size());
            out.steps.push_back(step);
        }
        return out;
    }

private:
    void add(NodeId id, Part part, bool is_spread) {
        members_.push_back(id);
        parts_.emplace(id, std::move(part));
        if (is_spread) spread_.insert(id);
    }

    /// Adds the node that writes `v`. If that is an elementwise operator and does not fit, keeps
    /// the reason.
    bool take(NodeId reader, ValueId v) {
        const Value& value = graph_.value(v);
        if (value.kind != ValueKind::node_output || parts_.contains(value.producer)) return false;
        auto part = part_of(graph_, graph_.node(value.producer));
        if (!part && is_for_device_) part = part_of_mask(graph_, graph_.node(value.producer));
        if (!part) return false;
        const bool is_spread =
            spread_.contains(reader) ||
            !keeps_shape(graph_, parts_.at(reader), graph_.node(reader).outputs[0], v);
        if (std::string why = problem_of(v, *part, is_spread); !why.empty()) {
            if (problem_.empty())
                problem_ = graph_.node(value.producer).describe() + " stays outside: " + why;
            return false;
        }
        add(value.producer, std::move(*part), is_spread);
        return true;
    }

    std::string problem_of(ValueId v, const Part& part, bool is_spread) const {
        const Value& value = graph_.value(v);
        if (!value.captured_by.empty() || value.output_uses != 0 ||
            !std::ranges::all_of(value.uses, [&](const Use& u) { return parts_.contains(u.node); }))
            return "what it gives is read elsewhere too";
        if (is_spread && !(is_for_device_ && is_light(part)))
            return "what it gives is broadcast, or its shape is not known";
        std::set<ValueId> inputs;
        const auto collect = [&](const Part& p) {
            for (ValueId o : p.operands)
                if (o && o != v && !is_inner(o)) inputs.insert(o);
        };
        for (const auto& [id, p] : parts_) collect(p);
        collect(part);
        if (inputs.size() > ChainProgram::max_inputs)
            return "the chain would read more than " + std::to_string(ChainProgram::max_inputs) +
                   " values";
        return {};
    }

    bool is_inner(ValueId v) const { return parts_.contains(graph_.value(v).producer); }

    const Graph& graph_;
    std::span<const std::uint32_t> position_;
    const bool is_for_device_;
    std::vector<NodeId> members_;
    std::map<NodeId, Part> parts_;
    // members of which an element may be computed several times
    std::set<NodeId> spread_;
    std::string problem_;
};

/// "Add + Sigmoid + Mul in one kernel", in the order of the graph.
std::string remark_of(const Graph& graph, const Group& group,
                      std::span<const std::uint32_t> position) {
    std::vector<NodeId> order = group.members();
    std::ranges::sort(order, {}, [&](NodeId id) { return position[id.index]; });
    std::string text;
    for (NodeId id : order) text += (text.empty() ? "" : " + ") + graph.node(id).op_type;
    return text + " in one kernel";
}

void fuse_chains(PassContext& context) {
    const Graph& graph = context.graph();
    const std::vector<NodeId> order = context.nodes();
    const bool is_for_device = is_for_devices(context.options().provider);
    std::vector<std::uint32_t> position(graph.node_slots(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i].index] = i;
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if (!context.may_rewrite()) return;
        const NodeId root = *it;
        if (!graph.is_alive(root)) continue;
        auto part = part_of(graph, graph.node(root));
        if (!part) continue;
        Group group(graph, position, is_for_device, root, std::move(*part));
        group.grow();
        while (group.size() >= 2 && !group.is_runnable()) group.drop_newest();
        if (group.size() >= 2) {
            std::vector<ValueId> inputs;
            const ChainProgram program = group.program(inputs);
            std::string remark = remark_of(graph, group, position);
            become_operator(context.edit(), root, "ElementwiseChain", inputs, program.attributes(),
                            group.members());
            // readers before what they read
            for (std::size_t i = 1; i < group.members().size(); ++i)
                context.edit().erase(group.members()[i]);
            context.record(std::move(remark));
        }
        if (!group.problem().empty()) context.miss(root, group.problem());
    }
}

}  // namespace

PassBody fuse_elementwise_chain() { return {.run = fuse_chains}; }

}  // namespace lapidary::passes
