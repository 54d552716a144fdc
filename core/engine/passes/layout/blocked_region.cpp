// SPDX-License-Identifier: Apache-2.0
#include "passes/layout/blocked_region.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ops/channel_block.h"
#include "passes/minimum_cut.h"

namespace lapidary {
namespace {

/// True if the node would be fused into a blocked convolution, perhaps with a sum between. It
/// should then have the same layout.
bool may_join_conv(const Scope& scope, const LayoutOperator& op, const Node& node) {
    if (op.role != LayoutRole::elementwise) return false;
    const bool is_sum = node.op_type == "Add" || node.op_type == "Sum";
    return (is_sum || is_conv_activation(node.op_type)) &&
           std::ranges::any_of(op.images, [&](ValueId v) {
               const Node* writer = scope.producer(v);
               const bool joins =
                   writer && (writer->op_type.ends_with("Conv") ||
                              (!is_sum && (writer->op_type == "Add" || writer->op_type == "Sum")));
               return joins && scope.value(v).read_once();
           });
}

class Chooser {
public:
    Chooser(const Scope& scope, const std::vector<NodeId>& nodes, std::int64_t block)
        : scope_(scope), block_(block), blocked_(blocked_values(scope.graph)) {
        for (NodeId id : nodes) add(id);
        for (const auto& [value, edge] : edges_) connect(value, edge);
    }

    BlockedRegion choose() {
        inside_ = cut_.source_side();
        BlockedRegion region;
        for (const Member& m : members_) {
            if (m.op.problem.empty() && inside_[m.label]) region.nodes.push_back(m.node);
            else if (std::string reason = reason_for(m); !reason.empty())
                region.left.push_back({m.node, std::move(reason)});
        }
        return region;
    }

private:
    struct Member {
        NodeId node;
        LayoutOperator op;
        std::size_t label;
    };
    /// One value and the orders in which it is needed.
    struct Edge {
        std::size_t writer = MinimumCut::sink;
        std::vector<std::size_t> readers;  // labels, source for blocked ones, sink for plain ones
        ValueId plain;                     // for its shape
        bool written_channels_last = false;
    };

    /// The value that `plain` is a reorder of, or the value itself.
    ValueId root_of(ValueId plain) const {
        const Node* writer = scope_.producer(plain);
        return is_reorder(writer, "ReorderOutput") ? writer->inputs[0] : plain;
    }

    Edge& edge_of(ValueId plain) {
        const ValueId root = root_of(plain);
        const auto [at, is_new] = edges_.try_emplace(root.index);
        if (!is_new) return at->second;
        Edge& edge = at->second;
        edge.plain = plain;
        const Node* writer = scope_.producer(root);
        if (root != plain) edge.writer = MinimumCut::source;
        else if (writer && labels_.contains(writer->id)) edge.writer = labels_.at(writer->id);
        edge.written_channels_last = is_transpose(writer, {0, 3, 1, 2});
        return edge;
    }

    void add(NodeId id) {
        const Node& node = scope_.node(id);
        if (std::ranges::any_of(node.inputs, [&](ValueId v) { return v && blocked_[v.index]; }))
            return;
        LayoutOperator op = layout_operator(scope_, node, block_);
        if (op.role == LayoutRole::none) return;
        const bool fits = op.problem.empty();
        const std::size_t label = fits ? cut_.add_vertex() : MinimumCut::sink;
        if (fits) {
            labels_[id] = label;
            cut_.add_edge(MinimumCut::source, label, op.gain);
            cut_.add_edge(label, MinimumCut::sink, -op.gain);
            for (ValueId v : op.images) edge_of(v);
            for (ValueId v : node.outputs)
                if (v) edge_of(v);
            if (may_join_conv(scope_, op, node))
                for (ValueId v : op.images)
                    if (const Node* writer = scope_.producer(v);
                        writer && labels_.contains(writer->id))
                        cut_.add_edge(
                            labels_.at(writer->id), label,
                            1 + blocked_bytes(scope_.type(v), scope_.dim(v, 1), block_) / 16);
        }
        if (fits) places_[id] = members_.size();
        members_.push_back({id, std::move(op), label});
    }

    /// Readers of a value in plain order.
    void add_readers(ValueId plain, std::vector<std::size_t>& readers) const {
        const Value& v = scope_.value(plain);
        if (v.output_uses > 0 || !v.captured_by.empty()) readers.push_back(MinimumCut::sink);
        for (const Use& use : v.uses) {
            const Node& reader = scope_.node(use.node);
            // it becomes the reorder at no further cost
            if (is_transpose(&reader, {0, 2, 3, 1})) continue;
            if (const Member* m = member(use.node); m && m->op.factor == plain) continue;
            if (is_reorder(&reader, "ReorderInput")) readers.push_back(MinimumCut::source);
            else if (const Member* m = member(use.node);
                     m && std::ranges::find(m->op.images, plain) != m->op.images.end())
                readers.push_back(m->label);
            else readers.push_back(MinimumCut::sink);
        }
    }

    const Member* member(NodeId id) const {
        const auto at = places_.find(id);
        return at == places_.end() ? nullptr : &members_[at->second];
    }

    void connect(std::uint32_t root, const Edge& edge) {
        std::vector<std::size_t> readers;
        if (edge.plain.index == root) {
            add_readers(edge.plain, readers);
        } else {
            for (const Use& use : scope_.value(ValueId(root)).uses)
                if (const Node& reader = scope_.node(use.node);
                    is_reorder(&reader, "ReorderOutput"))
                    add_readers(reader.outputs[0], readers);
        }
        // One byte for the node itself: of equal cuts, the one with fewer reorders is chosen.
        const std::int64_t channels = scope_.dim(edge.plain, 1),
                           cost = 1 + reorder_bytes(scope_.type(edge.plain), channels, block_);
        const std::size_t to_plain = cut_.add_vertex(), to_blocked = cut_.add_vertex();
        cut_.add_edge(edge.writer, to_plain, cost);
        cut_.add_edge(to_blocked, edge.writer,
                      channels % 4 != 0            ? MinimumCut::unbounded
                      : edge.written_channels_last ? 0
                                                   : cost);
        for (std::size_t reader : readers) {
            cut_.add_edge(to_plain, reader, MinimumCut::unbounded);
            cut_.add_edge(reader, to_blocked, MinimumCut::unbounded);
        }
    }

    bool is_blocked(ValueId v) const {
        if (root_of(v) != v) return true;
        const Node* writer = scope_.producer(v);
        return writer && labels_.contains(writer->id) && inside_[labels_.at(writer->id)];
    }

    std::string reason_for(const Member& m) const {
        const Node& node = scope_.node(m.node);
        if (!m.op.problem.empty()) {
            const bool beside =
                std::ranges::any_of(node.inputs, [&](ValueId v) { return is_blocked(v); });
            return m.op.role == LayoutRole::conv || beside ? m.op.problem : "";
        }
        if (m.op.role != LayoutRole::conv) return {};
        if (m.op.gain <= 0)
            return fmt::format("its {} channels fill blocks of {} too badly",
                               scope_.dim(node.outputs[0], 1), block_);
        for (ValueId v : m.op.images)
            if (scope_.dim(v, 1) % 4 != 0 && !is_blocked(v))
                return fmt::format("its input has {} channels, a reorder takes multiples of 4",
                                   scope_.dim(v, 1));
        return fmt::format(
            "blocked channels would save it the worth of {} bytes, less than the reorders around "
            "it would move",
            m.op.gain);
    }

    const Scope& scope_;
    std::int64_t block_;
    std::vector<bool> blocked_;
    MinimumCut cut_;
    std::vector<Member> members_;
    std::map<NodeId, std::size_t> labels_, places_;  // of members that fit; places in members_
    std::map<std::uint32_t, Edge> edges_;
    std::vector<bool> inside_;
};

}  // namespace

bool is_reorder(const Node* node, std::string_view op) {
    return node && node->domain == nchwc_domain && node->op_type == op &&
           node->int_attribute("channels_last", 0) == 0;
}

std::vector<bool> blocked_values(const Graph& graph) {
    std::vector<bool> blocked(graph.value_slots(), false);
    for (NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        const bool reads =
            std::ranges::any_of(node.inputs, [&](ValueId v) { return v && blocked[v.index]; });
        if (node.domain == nchwc_domain ? node.op_type == "ReorderOutput" : !reads) continue;
        for (ValueId v : node.outputs)
            if (v) blocked[v.index] = true;
    }
    return blocked;
}

BlockedRegion choose_blocked_region(const Scope& scope, const std::vector<NodeId>& nodes,
                                    std::int64_t block) {
    return Chooser(scope, nodes, block).choose();
}

}  // namespace lapidary
