// SPDX-License-Identifier: Apache-2.0
// Mode half: nodes compute in float16 where their operator takes it and their values fit; Casts stand between them and
// the nodes that stay float32, and at inputs and outputs.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <lapidary/float16.h>

#include "ops/operator_traits.h"
#include "ops/schema.h"
#include "quantize/quantize_writer.h"

namespace lapidary {
namespace {

constexpr float largest_trusted = 6e4F;  // of float16's 65504: what was not seen may be larger
constexpr float least_normal = 6.103515625e-5F;

Attribute type_attribute(DType dtype) { return {"to", static_cast<std::int64_t>(dtype), {}, {}}; }

bool has_subgraph(const Node& node) {
    return std::ranges::any_of(node.attributes, [](const Attribute& a) {
        const std::string_view kind = kind_of(a.value);
        return kind == "graph" || kind == "graphs";
    });
}

/// Indices of the inputs and outputs of a node that become float16, or why none does.
struct HalfPorts {
    std::set<std::size_t> inputs, outputs;
    std::string problem;
};

HalfPorts half_ports(const Graph& graph, const Node& node) {
    HalfPorts ports;
    const auto refused = [&](std::string why) {
        ports.problem = std::move(why);
        return ports;
    };
    if (has_subgraph(node)) return refused("nodes with subgraphs stay as they are");
    if (traits_of(node).family == OperatorFamily::quantization) return refused("quantized parts stay as they are");
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    if (!schema) return refused("the types that " + node.qualified_op() + " takes are not known");
    std::set<std::string> variables;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const SchemaParameter* parameter = schema->input(i);
        if (!is_f32(graph, node.inputs[i]) || !parameter) continue;
        const TypeConstraint* constraint = schema->constraint(parameter->type);
        if (!constraint || !constraint->allows(DType::f16)) continue;
        ports.inputs.insert(i);
        variables.insert(parameter->type);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const SchemaParameter* parameter = schema->output(i);
        if (node.outputs[i] && is_f32(graph, node.outputs[i]) && parameter && variables.contains(parameter->type))
            ports.outputs.insert(i);
    }
    if (ports.inputs.empty()) return refused("it reads nothing that could be float16");
    if (ports.outputs.empty()) return refused("its result would not be float16");
    return ports;
}

class HalfWriter final : public QuantizeWriter {
public:
    HalfWriter(Model& model, const QuantizeOptions& options, const Calibration* calibration)
        : QuantizeWriter(model, options), calibration_(calibration) {}

private:
    void write_all(const Progress& progress) override {
        for (NodeId id : graph().nodes()) choose(graph().node(id));
        drop_islands();
        write_nodes(progress);
        edit().record("float16 with Casts where float32 stays");
        for (ValueId value : replaced_) erase_if_unused(value);
        if (subnormal_ > 0)
            note(fmt::format("{} weights are so small that float16 holds fewer of their digits, {} become 0",
                             subnormal_, lost_));
        if (!calibration_) note("no samples were looked at: nodes whose values float16 has no room for are not known");
    }

    void choose(const Node& node) {
        if (const std::string* const pattern = keeping_pattern(graph(), node, options())) {
            reasons_[node.id] = "kept float as asked for (" + *pattern + ")";
            return;
        }
        HalfPorts ports = half_ports(graph(), node);
        if (ports.problem.empty()) ports.problem = range_problem(node, ports);
        if (ports.problem.empty()) ports_[node.id] = std::move(ports);
        else reasons_[node.id] = ports.problem;
    }

    std::string range_problem(const Node& node, const HalfPorts& ports) const {
        const auto problem_of = [&](ValueId id) -> std::string {
            const Value& value = graph().value(id);
            float peak = 0;
            if (value.is_constant() && value.constant) {
                for (float v : value.constant->data<float>()) peak = std::max(peak, std::abs(v));
            } else if (const ObservedTensor* seen = calibration_ ? calibration_->find(value.name) : nullptr) {
                peak = std::max(std::abs(seen->low), std::abs(seen->high));
                if (seen->not_finite > 0) return quote(value.name) + " is not finite in some samples";
            }
            return peak > largest_trusted
                       ? fmt::format("protected: {} reaches {:.3g}, float16 ends at 65504", quote(value.name), peak)
                       : std::string();
        };
        for (std::size_t i : ports.inputs)
            if (std::string problem = problem_of(node.inputs[i]); !problem.empty()) return problem;
        for (std::size_t i : ports.outputs)
            if (std::string problem = problem_of(node.outputs[i]); !problem.empty()) return problem;
        return {};
    }

    /// A node without weights between nodes that stay float32 would cost two Casts and save nothing.
    void drop_islands() {
        std::vector<NodeId> alone;
        for (const auto& [id, ports] : ports_) {
            const Node& node = graph().node(id);
            bool joined = false;
            for (std::size_t i : ports.inputs) {
                const Value& value = graph().value(node.inputs[i]);
                joined = joined || value.is_constant() ||
                         (value.kind == ValueKind::node_output && ports_.contains(value.producer));
            }
            for (std::size_t i : ports.outputs)
                for (const Use& use : graph().value(node.outputs[i]).uses) joined = joined || ports_.contains(use.node);
            if (!joined) alone.push_back(id);
        }
        for (NodeId id : alone) {
            ports_.erase(id);
            reasons_[id] = "stands between nodes that stay float32";
        }
    }

    void write_node(NodeId id) override {
        const Node node = graph().node(id);
        const auto at = ports_.find(id);
        if (at == ports_.end()) return decide(node, false, reasons_[id]);
        for (std::size_t i : at->second.inputs) edit().set_input(id, i, half_of(node.inputs[i]));
        for (std::size_t i : at->second.outputs) write_output(id, i, node.outputs[i]);
        decide(node, true, "computes in float16");
    }

    /// Where somebody reads it in float32, the node writes a new value, from which a Cast makes the old one.
    void write_output(NodeId id, std::size_t index, ValueId old) {
        const std::string name = graph().value(old).name;
        const Value& value = graph().value(old);
        const bool wanted =
            value.output_uses > 0 || !value.captured_by.empty() || std::ranges::any_of(value.uses, [&](const Use& use) {
                const auto reader = ports_.find(use.node);
                return reader == ports_.end() || !reader->second.inputs.contains(use.input);
            });
        Type type = value.type;
        type.dtype = DType::f16;
        if (!wanted) {
            edit().set_type(old, type);
            halves_[old] = old;
            return;
        }
        const ValueId half = edit().add_value(name + "_float16", type);
        halves_[old] = half;
        edit().set_output(id, index, half);
        edit().add_node({.op_type = "Cast",
                         .inputs = {half},
                         .outputs = {old},
                         .attributes = {type_attribute(DType::f32)},
                         .name = name + "_float32"});
    }

    ValueId half_of(ValueId value) {
        if (!value) return value;
        const auto known = halves_.find(value);
        if (known != halves_.end()) return known->second;
        const Value& read = graph().value(value);
        const std::string name = read.name;
        if (read.is_constant() && read.constant) {
            const Tensor constant = *read.constant;
            replaced_.push_back(value);
            return halves_[value] = edit().add_initializer(edit().fresh_name(name + "_float16"), half_tensor(constant));
        }
        return halves_[value] =
                   edit().node("Cast", {value}, {type_attribute(DType::f16)}, name + "_float16", name + "_float16");
    }

    Tensor half_tensor(const Tensor& from) {
        Tensor to(DType::f16, from.shape());
        const auto halves = to.mutable_data<Half>();
        const auto floats = from.data<float>();
        for (std::size_t i = 0; i < floats.size(); ++i) {
            halves[i] = Half(floats[i]);
            subnormal_ += floats[i] != 0 && std::abs(floats[i]) < least_normal;
            lost_ += floats[i] != 0 && static_cast<float>(halves[i]) == 0;
        }
        return to;
    }

    const Calibration* calibration_;
    std::map<NodeId, HalfPorts> ports_;
    std::map<NodeId, std::string> reasons_;
    std::map<ValueId, ValueId> halves_;
    std::vector<ValueId> replaced_;
    std::size_t subnormal_ = 0, lost_ = 0;
};

}  // namespace

std::vector<WatchedValue> half_candidates(const Graph& graph) {
    std::set<ValueId> values;
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const HalfPorts ports = half_ports(graph, node);
        if (!ports.problem.empty()) continue;
        for (std::size_t i : ports.inputs)
            if (!graph.value(node.inputs[i]).is_constant()) values.insert(node.inputs[i]);
        for (std::size_t i : ports.outputs) values.insert(node.outputs[i]);
    }
    std::vector<WatchedValue> watched;
    for (ValueId id : values) watched.push_back({graph.value(id).name, -1});
    return watched;
}

void write_half(Model& model, const QuantizeOptions& options, const Calibration* calibration, QuantizeResult& result,
                const Progress& progress) {
    HalfWriter writer(model, options, calibration);
    writer.write(result, progress);
}

}  // namespace lapidary
