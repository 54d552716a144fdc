// SPDX-License-Identifier: Apache-2.0
#include "rewrite/half_floats.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/tensor/float16.h>

#include "kernels/elementwise/kept_finite.h"
#include "kernels/vector/elementwise/elementwise.h"
#include "ops/operator_traits.h"
#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

constexpr float largest_trusted = 6e4F;  // of float16's 65504: what was not seen may be larger
constexpr float least_normal = 6.103515625e-5F;
constexpr float largest_lost = 0x1p-25f;  // halfway to the least of float16, which ties leave at 0

bool has_subgraph(const Node& node) {
    return std::ranges::any_of(node.attributes, [](const Attribute& a) {
        const std::string_view kind = kind_of(a.value);
        return kind == "graph" || kind == "graphs";
    });
}

bool is_float(const Graph& graph, ValueId value) {
    return value && graph.value(value).type.dtype == DType::f32;
}

/// Caches of GroupQueryAttention that begin with this node, without a past that has a type, are of
/// the query's.
bool begins_cache(const Node& node, const SchemaParameter& output) {
    return node.qualified_op() == "com.microsoft::GroupQueryAttention" &&
           output.type == "T_CACHE" && (node.inputs.size() < 4 || !node.inputs[3]);
}

NodeSpec cast_of(ValueId from, ValueId to, DType dtype, std::string name) {
    return {.op_type = "Cast",
            .inputs = {from},
            .outputs = {to},
            .attributes = {{"to", static_cast<std::int64_t>(dtype), {}, {}}},
            .name = std::move(name)};
}

}  // namespace

HalfPorts half_ports(const Graph& graph, const Node& node) {
    HalfPorts ports;
    const auto refused = [&](std::string why) {
        ports.problem = std::move(why);
        return ports;
    };
    if (has_subgraph(node)) return refused("nodes with subgraphs stay as they are");
    if (traits_of(node).family == OperatorFamily::quantization)
        return refused("quantized parts stay as they are");
    const OpSchema* schema = find_schema(node.domain, node.op_type, node.version);
    if (!schema) return refused("the types that " + node.qualified_op() + " takes are not known");
    std::set<std::string> variables;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const SchemaParameter* parameter = schema->input(i);
        if (!is_float(graph, node.inputs[i]) || !parameter) continue;
        const TypeConstraint* constraint = schema->constraint(parameter->type);
        if (!constraint || !constraint->allows(DType::f16)) continue;
        ports.inputs.insert(i);
        variables.insert(parameter->type);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const SchemaParameter* parameter = schema->output(i);
        if (is_float(graph, node.outputs[i]) && parameter &&
            (variables.contains(parameter->type) || begins_cache(node, *parameter)))
            ports.outputs.insert(i);
    }
    if (ports.inputs.empty()) return refused("it reads nothing that could be float16");
    if (ports.outputs.empty()) return refused("its result would not be float16");
    return ports;
}

std::string half_range_problem(const std::string& value, float peak) {
    return peak > largest_trusted
               ? fmt::format("protected: {} reaches {:.3g}, float16 ends at 65504", quote(value),
                             peak)
               : std::string();
}

std::string half_constant_problem(const Value& value) {
    if (!value.is_constant() || !value.constant) return {};
    // compared as integers, which compilers vectorize; bits of NaN, which does not count, are the
    // largest
    constexpr std::uint32_t magnitude = 0x7fffffff, infinity = 0x7f800000;
    std::uint32_t peak = 0;
    for (const float v : value.constant->data<float>()) {
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(v) & magnitude;
        peak = std::max(peak, bits > infinity ? 0 : bits);
    }
    return half_range_problem(value.name, std::bit_cast<float>(peak));
}

std::vector<NodeId> HalfRewriter::drop_islands() {
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
            for (const Use& use : graph().value(node.outputs[i]).uses)
                joined = joined || ports_.contains(use.node);
        if (!joined) alone.push_back(id);
    }
    for (NodeId id : alone) ports_.erase(id);
    return alone;
}

void HalfRewriter::write(NodeId id) {
    const Node node = graph().node(id);
    const HalfPorts& ports = ports_.at(id);
    for (std::size_t i : ports.inputs) edit_.set_input(id, i, half_of(node.inputs[i], id));
    for (std::size_t i : ports.outputs) write_output(id, i, node.outputs[i]);
}

/// If the output is also read in float32, the node writes a new value, and a Cast makes the old
/// one.
void HalfRewriter::write_output(NodeId id, std::size_t index, ValueId old) {
    const std::string name = graph().value(old).name;
    const Value& value = graph().value(old);
    const bool wanted =
        value.output_uses > 0 || !value.captured_by.empty() ||
        std::ranges::any_of(value.uses, [&](const Use& use) {
            const auto reader = ports_.find(use.node);
            return reader == ports_.end() || !reader->second.inputs.contains(use.input);
        });
    Type type = value.type;
    type.dtype = half_;
    if (!wanted) {
        edit_.set_type(old, type);
        halves_[old] = old;
        return;
    }
    const ValueId half =
        edit_.add_value(name + (half_ == DType::f16 ? "_float16" : "_bfloat16"), type);
    halves_[old] = half;
    edit_.set_output(id, index, half);
    casts_.emplace_back(edit_.add_node(cast_of(half, old, DType::f32, name + "_float32")), id);
}

ValueId HalfRewriter::half_of(ValueId value, NodeId reader) {
    if (!value) return value;
    const auto known = halves_.find(value);
    if (known != halves_.end()) return known->second;
    const Value& read = graph().value(value);
    const std::string name = read.name + (half_ == DType::f16 ? "_float16" : "_bfloat16");
    if (read.is_constant() && read.constant) {
        const Tensor constant = *read.constant;
        replaced_.push_back(value);
        return halves_[value] =
                   edit_.add_initializer(edit_.fresh_name(name), half_tensor(constant));
    }
    Type type = read.type;
    type.dtype = half_;
    const ValueId half = edit_.add_value(name, type);
    casts_.emplace_back(edit_.add_node(cast_of(value, half, half_, name)), reader);
    return halves_[value] = half;
}

Tensor HalfRewriter::half_tensor(const Tensor& from) {
    Tensor to(half_, from.shape());
    const auto floats = from.data<float>();
    if (half_ == DType::bf16) {
        std::ranges::transform(floats, to.mutable_data<BFloat16>().begin(),
                               [](float v) { return BFloat16(kept_finite(v, largest_bfloat16)); });
        return to;
    }
    elementwise_kernels().narrow_half(floats.data(), static_cast<std::uint16_t*>(to.mutable_raw()),
                                      static_cast<std::int64_t>(floats.size()));
    constexpr std::size_t at_once = std::size_t{1} << 20;  // that 32 bits count
    for (std::size_t begin = 0; begin < floats.size(); begin += at_once) {
        std::uint32_t below_normal = 0, lost = 0, zeros = 0;
        for (const float v : floats.subspan(begin, std::min(at_once, floats.size() - begin))) {
            const float magnitude = std::abs(v);
            below_normal += magnitude < least_normal ? 1 : 0;
            lost += magnitude <= largest_lost ? 1 : 0;
            zeros += magnitude == 0 ? 1 : 0;
        }
        subnormal_ += below_normal - zeros;
        lost_ += lost - zeros;
    }
    return to;
}

void HalfRewriter::erase_replaced() {
    for (ValueId value : replaced_)
        if (graph().is_alive(value) && graph().value(value).kind == ValueKind::initializer &&
            graph().value(value).is_unused())
            edit_.erase_value(value);
}

}  // namespace lapidary
