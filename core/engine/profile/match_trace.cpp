// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile/trace_match.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "profile/milliseconds.h"

namespace lapidary {
namespace {

class NodeNames {
public:
    explicit NodeNames(const Graph& graph) : graph_(graph) {
        for (NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (!node.name.empty())
                ++by_name_.try_emplace(node.name, Named{id}).first->second.count;
        }
    }

    /// How profiles of this program call it.
    bool is_called(NodeId id, std::string_view name) const {
        const Node& node = graph_.node(id);
        return node.name.empty() ? name == node.op_type + "_" + std::to_string(id.index)
                                 : name == node.name;
    }

    /// The node behind the name of a kernel of this operator; without one `reason` says why.
    NodeId find(std::string_view name, std::string_view op, std::string& reason) const {
        if (name.empty()) {
            reason = "The trace gives this kernel no name.";
            return {};
        }
        if (const NodeId id = named(name, reason)) return id;
        if (!reason.empty()) return {};
        constexpr std::string_view fused = "fused ";
        if (name.starts_with(fused)) return find(name.substr(fused.size()), op, reason);
        if (const std::size_t last = name.substr(0, name.size() - name.ends_with('/')).rfind('/');
            last != std::string_view::npos) {
            const std::string_view word = name.substr(last + 1);
            if (word.find("Fusion") != std::string_view::npos)
                if (const NodeId id = named(name.substr(0, last), reason)) return id;
        }
        // Marks that ONNX Runtime appends to the names of nodes and of the values they write.
        for (const std::string_view mark :
             {"_nchwc", "_nhwc", "_quant", "_fused", "_cast", "_token"}) {
            const std::size_t at = name.rfind(mark);
            if (at == std::string_view::npos || at == 0 ||
                name.find_first_not_of("_0123456789", at + mark.size()) != std::string_view::npos)
                continue;
            if (const NodeId id = named(name.substr(0, at), reason)) return id;
            if (const ValueId value = graph_.find_value(name.substr(0, at));
                value && graph_.value(value).producer)
                return behind(graph_.value(value).producer, op);
        }
        if (reason.empty())
            reason =
                name.find('/') == std::string_view::npos && name.find('.') == std::string_view::npos
                    ? "No node of the open model has this name; ONNX Runtime names nodes that it "
                      "adds or fuses "
                      "after their operator."
                    : "No node of the open model has this name; the trace may be of another model "
                      "or another "
                      "variant of it.";
        return {};
    }

private:
    struct Named {
        NodeId id;
        std::size_t count = 0;
    };
    /// The node of this operator that the kernel took the steps up to `last` into: a Conv before
    /// the Add and the Relu that it ends with. `last` where none or more than one is as near.
    NodeId behind(NodeId last, std::string_view op) const {
        constexpr int most_steps = 3;
        std::vector<NodeId> level{last};
        for (int step = 0; step < most_steps && !level.empty(); ++step) {
            std::vector<NodeId> before, same;
            for (const NodeId id : level) {
                const Node& node = graph_.node(id);
                if (node.op_type == op) same.push_back(id);
                for (const ValueId input : node.inputs)
                    if (input && graph_.value(input).producer)
                        before.push_back(graph_.value(input).producer);
            }
            if (!same.empty()) return same.size() == 1 ? same.front() : last;
            level = std::move(before);
        }
        return last;
    }
    NodeId named(std::string_view name, std::string& reason) const {
        const auto found = by_name_.find(std::string(name));
        if (found == by_name_.end()) return {};
        if (found->second.count == 1) return found->second.id;
        reason = std::to_string(found->second.count) + " nodes of the open model have this name.";
        return {};
    }
    const Graph& graph_;
    std::unordered_map<std::string, Named> by_name_;
};

}  // namespace

TraceMatch match_trace(Profile& profile, const Graph& graph) {
    const NodeNames names(graph);
    const KernelGroups groups = group_kernels(profile);
    const TypicalRun typical = typical_run(profile);
    TraceMatch match;
    std::vector<NodeId> nodes(groups.first.size());
    std::vector<std::size_t> unmatched(groups.first.size(), ~std::size_t{0});
    std::unordered_map<std::string_view, NodeId> by_name;
    for (std::size_t g = 0; g < groups.first.size(); ++g) {
        const Span& span = profile.kernels[groups.first[g]];
        if (span.depth > 0) continue;  // of a subgraph: within the node that holds it
        const std::string &name = profile.name(span), &op = profile.op(span);
        std::string reason;
        nodes[g] = span.node && graph.is_alive(span.node) && names.is_called(span.node, name)
                       ? span.node
                       : names.find(name, op, reason);
        if (nodes[g]) {
            ++match.matched;
        } else {
            unmatched[g] = match.unmatched.size();
            match.unmatched.push_back({name, op, 0, reason});
        }
        by_name.emplace(name, nodes[g]);
    }
    for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
        const Span& span = profile.kernels[i];
        const std::uint32_t group = groups.of_kernel[i];
        if (unmatched[group] != ~std::size_t{0} && typical.holds(span))
            match.unmatched[unmatched[group]].ms += milliseconds(span.duration_ns());
    }
    for (Span& range : profile.ranges) {
        const auto found = by_name.find(profile.name(range));
        range.node = found == by_name.end() ? NodeId() : found->second;
    }
    for (std::size_t i = 0; i < profile.kernels.size(); ++i)
        profile.kernels[i].node =
            profile.kernels[i].depth > 0 ? NodeId() : nodes[groups.of_kernel[i]];
    std::ranges::stable_sort(match.unmatched, std::greater{}, &UnmatchedKernel::ms);
    return match;
}

bool may_be_of_model(const TraceMatch& match) {
    return match.matched > 0 || match.unmatched.empty();
}

}  // namespace lapidary
