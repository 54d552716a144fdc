// SPDX-License-Identifier: Apache-2.0
#include "inspect/node_sequence.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "inspect/memory_copies.h"

namespace lapidary {
namespace {

/// Operator, number of outputs, and which inputs are constants: what two nodes have in common
/// although names, attributes and weights differ.
std::size_t key_of(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    std::string text = node.qualified_op() + "|" + std::to_string(node.outputs.size()) + "|";
    for (ValueId v : node.inputs) text += !v ? '_' : holds_constant(graph, v) ? 'c' : '.';
    return std::hash<std::string>()(text);
}

std::vector<std::size_t> keys_of(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::size_t> keys;
    for (NodeId id : nodes) keys.push_back(key_of(graph, id));
    return keys;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;  // indices of equal elements

// Myers' algorithm (An O(ND) Difference Algorithm, 1986) with the furthest points of each number of
// differences kept. Beyond `most` differences the rest stays unmatched.
Pairs common_subsequence(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    constexpr std::int64_t most = 1000;
    const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
    const std::int64_t limit = std::min(n + m, most);
    const auto at = [&](std::int64_t k) { return static_cast<std::size_t>(k + limit + 1); };
    std::vector<std::int64_t> furthest(static_cast<std::size_t>(2 * limit + 3), 0);
    std::vector<std::vector<std::int64_t>> history;
    std::int64_t found = -1;
    for (std::int64_t d = 0; d <= limit && found < 0; ++d) {
        history.push_back(furthest);
        for (std::int64_t k = -d; k <= d; k += 2) {
            const bool down = k == -d || (k != d && furthest[at(k - 1)] < furthest[at(k + 1)]);
            std::int64_t x = down ? furthest[at(k + 1)] : furthest[at(k - 1)] + 1;
            while (x < n && x - k < m &&
                   a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)])
                ++x;
            furthest[at(k)] = x;
            if (x >= n && x - k >= m) found = d;
        }
    }
    Pairs pairs;
    if (found < 0) return pairs;
    std::int64_t x = n, y = m;
    for (std::int64_t d = found; d >= 0; --d) {
        const std::vector<std::int64_t>& before = history[static_cast<std::size_t>(d)];
        const std::int64_t k = x - y;
        const bool down = k == -d || (k != d && before[at(k - 1)] < before[at(k + 1)]);
        const std::int64_t from_k = down ? k + 1 : k - 1;
        const std::int64_t from_x = d == 0 ? 0 : before[at(from_k)],
                           from_y = d == 0 ? 0 : from_x - from_k;
        const std::int64_t begin_x = d == 0 ? 0 : down ? from_x : from_x + 1;
        while (x > begin_x && y > begin_x - k) {
            --x;
            --y;
            pairs.emplace_back(static_cast<std::size_t>(x), static_cast<std::size_t>(y));
        }
        x = from_x;
        y = from_y;
    }
    std::ranges::reverse(pairs);
    return pairs;
}

}  // namespace

const Node* writer_of(const Graph& graph, ValueId id) {
    if (!id) return nullptr;
    const Value& value = graph.value(value_before_copies(graph, id));
    return value.kind == ValueKind::node_output ? &graph.node(value.producer) : nullptr;
}

bool holds_constant(const Graph& graph, ValueId id) {
    if (!id) return false;
    const Node* const node = writer_of(graph, id);
    return graph.value(id).is_constant() || (node != nullptr && node->op_type == "Constant");
}

std::vector<NodeId> structural_order(const Graph& graph) {
    enum : std::uint8_t { unseen, open, done };
    std::vector<std::uint8_t> state(graph.node_slots(), unseen);
    std::vector<NodeId> order;
    std::vector<std::pair<NodeId, std::size_t>> stack;  // and the input to go on with
    const auto visit = [&](ValueId v) {
        if (!v || graph.value(v).kind != ValueKind::node_output) return;
        const NodeId id = graph.value(v).producer;
        if (state[id.index] != unseen) return;
        state[id.index] = open;
        stack.emplace_back(id, 0);
    };
    for (ValueId output : graph.outputs()) {
        visit(output);
        while (!stack.empty()) {
            const NodeId id = stack.back().first;
            const Node& node = graph.node(id);
            const std::size_t next = stack.back().second++;
            if (next < node.inputs.size()) visit(node.inputs[next]);
            else if (next < node.inputs.size() + node.captures.size())
                visit(node.captures[next - node.inputs.size()]);
            else {
                state[id.index] = done;
                order.push_back(id);
                stack.pop_back();
            }
        }
    }
    return order;
}

std::vector<std::pair<NodeId, NodeId>> align_nodes(const Graph& a, const std::vector<NodeId>& of_a,
                                                   const Graph& b,
                                                   const std::vector<NodeId>& of_b) {
    std::vector<std::pair<NodeId, NodeId>> aligned;
    for (const auto& [i, j] : common_subsequence(keys_of(a, of_a), keys_of(b, of_b)))
        aligned.emplace_back(of_a[i], of_b[j]);
    return aligned;
}

}  // namespace lapidary
