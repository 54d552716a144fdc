// SPDX-License-Identifier: Apache-2.0
#include "rewrite/half_guards.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/tensor/float16.h>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

constexpr int most_between = 6;  // nodes from a guard to what it guards

struct Guard {
    NodeId node;
    std::string constant;  // "1e-12 of \"eps\""
};

template <std::size_t N>
bool is_one_of(const Node& node, const std::array<std::string_view, N>& names) {
    return node.domain.empty() &&
           std::ranges::find(names, std::string_view(node.op_type)) != names.end();
}

bool is_lost(float v) { return v > 0 && static_cast<float>(Half(v)) == 0; }

/// The least positive element that float16 rounds to 0.
std::optional<float> lost_element(const Graph& graph, ValueId id) {
    if (!id) return std::nullopt;
    const Value& value = graph.value(id);
    if (!value.is_constant() || !value.constant || value.constant->dtype() != DType::f32)
        return std::nullopt;
    std::optional<float> least;
    for (const float v : value.constant->data<float>())
        if (is_lost(v) && (!least || v < *least)) least = v;
    return least;
}

/// The guard of a node that adds a constant to a value, or bounds a value by a constant.
std::optional<Guard> guard_of(const Graph& graph, const Node& node) {
    static constexpr std::array<std::string_view, 5> guarding{"Add", "Sum", "Max", "Clip", "Where"};
    if (!is_one_of(node, guarding)) return std::nullopt;
    std::size_t first = 0, last = node.inputs.size();
    if (node.op_type == "Where") first = 1;
    if (node.op_type == "Clip") {
        first = 1, last = std::min<std::size_t>(last, 2);
        const float least = node.float_attribute("min", 0);  // of opset 6
        if (node.version < 11 && is_lost(least))
            return Guard{node.id, fmt::format("{:g} of its bound", least)};
    }
    for (std::size_t i = first; i < last; ++i)
        if (const auto lost = lost_element(graph, node.inputs[i]))
            return Guard{node.id,
                         fmt::format("{:g} of {}", *lost, quote(graph.value(node.inputs[i]).name))};
    return std::nullopt;
}

/// The exponent where it is one known number.
std::optional<float> exponent_of(const Graph& graph, const Node& pow) {
    const Value& value = graph.value(pow.inputs.at(1));
    if (!value.is_constant() || !value.constant || value.constant->size() != 1) return std::nullopt;
    return static_cast<float>(to_doubles(*value.constant)[0]);
}

/// True if the node's result for an input of 0 differs much from that for an input close to 0.
bool is_guarded(const Graph& graph, const Node& node, std::size_t input) {
    static constexpr std::array<std::string_view, 3> of_one{"Log", "Reciprocal", "Sqrt"};
    if (is_one_of(node, of_one)) return true;
    if (!node.domain.empty()) return false;
    if (node.op_type == "Div") return input == 1;
    if (node.op_type != "Pow" || input != 0) return false;
    const auto exponent = exponent_of(graph, node);
    return !exponent || *exponent < 1;
}

/// True if the result is 0 for an input of 0 and, because of the guard, only for that.
bool hands_on(const Node& node, std::size_t input) {
    static constexpr std::array<std::string_view, 9> elementwise{
        "Abs", "Clip", "Concat", "Max", "Min", "Mul", "Pow", "Sqrt", "Where"};
    if (traits_of(node).is_moved()) return input == 0;
    if (!is_one_of(node, elementwise)) return false;
    if (node.op_type == "Where") return input > 0;
    return (node.op_type != "Clip" && node.op_type != "Pow") || input == 0;
}

class GuardTrace {
public:
    GuardTrace(const Graph& graph, std::map<NodeId, std::string>& found)
        : graph_(graph), found_(found) {}

    void follow(const Guard& guard) {
        guard_ = &guard;
        path_ = {guard.node};
        step(guard.node);
    }

private:
    void step(NodeId id) {
        for (const ValueId output : graph_.node(id).outputs) {
            if (!output) continue;
            for (const Use& use : graph_.value(output).uses) {
                const Node& reader = graph_.node(use.node);
                path_.push_back(reader.id);
                if (is_guarded(graph_, reader, use.input)) keep(reader);
                if (path_.size() <= most_between + 1 && hands_on(reader, use.input))
                    step(reader.id);
                path_.pop_back();
            }
        }
    }

    void keep(const Node& guarded) {
        for (const NodeId id : path_)
            found_.emplace(
                id,
                fmt::format("protected: {}, which float16 rounds to 0, keeps what {} reads off 0",
                            guard_->constant, guarded.describe()));
    }

    const Graph& graph_;
    std::map<NodeId, std::string>& found_;
    const Guard* guard_ = nullptr;
    std::vector<NodeId> path_;
};

}  // namespace

std::map<NodeId, std::string> half_guards(const Graph& graph) {
    std::map<NodeId, std::string> found;
    GuardTrace trace(graph, found);
    for (const NodeId id : graph.nodes())
        if (const auto guard = guard_of(graph, graph.node(id))) trace.follow(*guard);
    return found;
}

}  // namespace lapidary
