// SPDX-License-Identifier: Apache-2.0
#include "inspect/node_region.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/proof/compare.h>

#include "graph/lift_constants.h"
#include "graph/node_text.h"
#include "inspect/memory_copies.h"
#include "inspect/node_sequence.h"
#include "inspect/value_summary.h"

namespace lapidary {
namespace {

constexpr std::size_t most_nodes = 64;

/// What an initializer or a Constant node holds; nothing where the value is neither.
std::optional<Tensor> constant_at(const NodeRegion& region, ValueId id) {
    if (!id) return std::nullopt;
    const Value& value = region.graph->value(id);
    if (const Node* node = writer_of(*region.graph, id)) return constant_of(*node);
    if (!value.is_constant() || !value.constant) return std::nullopt;
    if (value.constant->size() == 0 || value.constant->raw() != nullptr) return value.constant;
    const RuntimeValue loaded = constant_value(*region.loaded, value.name);
    return loaded.is_tensor() ? std::optional(loaded.tensor()) : std::nullopt;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// Attributes by name with their values as text.
std::map<std::string, std::string> attributes_of(const Node& node) {
    std::map<std::string, std::string> attributes;
    for (const std::string& line : lines_of(attributes_text(node))) {
        const std::size_t at = line.find(" = ");
        if (at != std::string::npos) attributes[line.substr(0, at)] = line.substr(at + 3);
    }
    return attributes;
}

bool is_transpose_of(const Tensor& a, const Tensor& b) {
    if (a.rank() != 2 || b.rank() != 2 || a.dim(0) != b.dim(1) || a.dim(1) != b.dim(0) ||
        a.dtype() != b.dtype() || a.dtype() == DType::string)
        return false;
    const std::vector<double> of_a = to_doubles(a), of_b = to_doubles(b);
    const auto rows = static_cast<std::size_t>(a.dim(0)),
               columns = static_cast<std::size_t>(a.dim(1));
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            if (of_a[r * columns + c] != of_b[c * rows + r]) return false;
    return true;
}

std::string type_text(const Tensor& tensor) {
    return std::string(name_of(tensor.dtype())) + to_string(tensor.shape());
}

/// How two constants differ; empty: they do not.
std::string constant_difference(const Tensor& a, const Tensor& b) {
    const bool has_same_type = a.dtype() == b.dtype() && a.shape() == b.shape();
    if (has_same_type && same_contents(a, b)) return {};
    if (is_transpose_of(a, b)) return "is transposed in B";
    if (!has_same_type) return fmt::format("is {} in A, {} in B", type_text(a), type_text(b));
    const Comparison c = compare(b, a, {0, 0});
    if (c.mismatches == 0) return {};  // NaN of other bits
    return fmt::format("differs in {} of {} elements, by at most {:.3g}", c.mismatches, c.elements,
                       c.max_abs);
}

void compare_operators(const Node& a, const Node& b, std::vector<std::string>& out) {
    if (a.qualified_op() != b.qualified_op())
        out.push_back(
            fmt::format("the operator is {} in A, {} in B", a.qualified_op(), b.qualified_op()));
    else if (a.version != b.version)
        out.push_back(fmt::format("{} is that of opset {} in A, of {} in B", a.qualified_op(),
                                  a.version, b.version));
    const auto in_a = attributes_of(a), in_b = attributes_of(b);
    for (const auto& [name, value] : in_a) {
        const auto other = in_b.find(name);
        if (other == in_b.end())
            out.push_back(fmt::format("{} is {} in A, not given in B", name, value));
        else if (other->second != value)
            out.push_back(fmt::format("{} is {} in A, {} in B", name, value, other->second));
    }
    for (const auto& [name, value] : in_b)
        if (!in_a.contains(name))
            out.push_back(fmt::format("{} is not given in A, {} in B", name, value));
}

void compare_inputs(const NodeRegion& region_a, const Node& a, const NodeRegion& region_b,
                    const Node& b, std::vector<std::string>& out) {
    const Graph &graph_a = *region_a.graph, &graph_b = *region_b.graph;
    const auto given = [](const Node& node, std::size_t i) {
        return i < node.inputs.size() && node.inputs[i];
    };
    for (std::size_t i = 0; i < std::max(a.inputs.size(), b.inputs.size()); ++i) {
        if (given(a, i) != given(b, i)) {
            out.push_back(fmt::format("input {} is {}", i,
                                      given(a, i) ? "given in A alone" : "given in B alone"));
            continue;
        }
        if (!given(a, i)) continue;
        const auto of_a = constant_at(region_a, a.inputs[i]),
                   of_b = constant_at(region_b, b.inputs[i]);
        if (of_a && of_b) {
            const std::string difference = constant_difference(*of_a, *of_b);
            if (!difference.empty())
                out.push_back(fmt::format("constant {} (input {}) {}",
                                          quote(graph_a.value(a.inputs[i]).name, 60), i,
                                          difference));
        } else if (holds_constant(graph_a, a.inputs[i]) != holds_constant(graph_b, b.inputs[i])) {
            out.push_back(fmt::format("input {} is {}", i,
                                      holds_constant(graph_a, a.inputs[i])
                                          ? "a constant in A, computed in B"
                                          : "computed in A, a constant in B"));
        }
    }
}

/// "MatMul, Add, Relu": in the order in which they run.
std::string operators_of(const NodeRegion& region) {
    std::string text;
    for (auto id = region.nodes.rbegin(); id != region.nodes.rend(); ++id)
        text += (text.empty() ? "" : ", ") + region.graph->node(*id).qualified_op();
    return text.empty() ? "nothing" : text;
}

}  // namespace

NodeRegion region_of(const Graph& graph, const Graph& loaded, ValueId value,
                     const MatchedValues& values, bool is_a) {
    NodeRegion region{&graph, &loaded, {}, {}};
    std::vector<NodeId> open;
    std::set<NodeId> seen;
    std::set<ValueId> read;
    const auto add_node = [&](ValueId of) {
        if (const Node* node = writer_of(graph, of); node && seen.insert(node->id).second)
            open.push_back(node->id);
    };
    add_node(value);
    for (std::size_t next = 0; next < open.size() && next < most_nodes; ++next) {
        const Node& node = graph.node(open[next]);
        region.nodes.push_back(node.id);
        std::vector<ValueId> inputs = node.inputs;
        inputs.insert(inputs.end(), node.captures.begin(), node.captures.end());
        for (ValueId input : inputs) {
            input = value_of_model(graph, input);
            if (!input || holds_constant(graph, input)) continue;
            const std::size_t pair = is_a ? values.of_a(graph, input) : values.of_b(graph, input);
            if (pair == MatchedValues::none && writer_of(graph, input)) add_node(input);
            else if (read.insert(input).second) region.inputs.push_back(input);
        }
    }
    return region;
}

std::vector<NodeId> suspects(const NodeRegion& region, const MatchedValues& values, bool is_a) {
    std::vector<NodeId> nodes = region.nodes;
    const auto has_counterpart = [&](NodeId id) {
        return std::ranges::any_of(region.graph->node(id).outputs, [&](ValueId v) {
            return (is_a ? values.of_a(*region.graph, v) : values.of_b(*region.graph, v)) !=
                   MatchedValues::none;
        });
    };
    std::ranges::stable_partition(nodes, [&](NodeId id) { return !has_counterpart(id); });
    return nodes;
}

std::vector<std::string> differences_between(const NodeRegion& a, const NodeRegion& b) {
    std::vector<std::string> out;
    if (a.nodes.empty() || b.nodes.empty()) return out;
    if (a.nodes.size() != b.nodes.size())
        out.push_back(fmt::format("between the same values A has {}; B has {}", operators_of(a),
                                  operators_of(b)));
    // The nodes of one operator in order: the k-th of A against the k-th of B.
    std::map<std::string, std::vector<NodeId>> of_b;
    for (NodeId id : b.nodes) of_b[b.graph->node(id).op_type].push_back(id);
    std::map<std::string, std::size_t> used;
    for (NodeId id : a.nodes) {
        const Node& node = a.graph->node(id);
        const auto same = of_b.find(node.op_type);
        const bool is_pair = a.nodes.size() == 1 && b.nodes.size() == 1;
        const std::size_t at = used[node.op_type]++;
        if (!is_pair && (same == of_b.end() || at >= same->second.size())) continue;
        const Node& other = b.graph->node(is_pair ? b.nodes[0] : same->second[at]);
        compare_operators(node, other, out);
        compare_inputs(a, node, b, other, out);
    }
    return out;
}

}  // namespace lapidary
