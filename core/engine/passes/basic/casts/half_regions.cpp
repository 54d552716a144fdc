// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/casts/half_regions.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <lapidary/base/error.h>

#include "ops/operator_traits.h"

namespace lapidary {
namespace {

/// True for continuous operators: the rounding error of an operand causes an error of the result in
/// proportion. Selections and step functions (ArgMax, TopK, Round, Less, QuantizeLinear, Cast to an
/// integer) are not: there one bit may change the whole result.
bool computes_steadily(const Node& node) {
    return node.domain.empty() && traits_of(node).has(OperatorFact::continuous);
}
bool moves_elements(const Node& node) {
    const OperatorTraits& traits = traits_of(node);
    return node.domain.empty() && (traits.is_moved() || traits.layout == OperatorLayout::concat);
}

bool is_half(DType dtype) { return dtype == DType::f16 || dtype == DType::bf16; }
bool is_cast(const Node& node) { return node.domain.empty() && node.op_type == "Cast"; }

class Finder {
public:
    Finder(const Scope& scope, std::span<const NodeId> nodes, const CancelToken& cancel)
        : scope_(scope), nodes_(nodes), cancel_(cancel) {}

    HalfRegions find() {
        for (NodeId id : nodes_) {
            cancel_.throw_if_cancelled();
            if (const std::string why = refusal(scope_.node(id)); why.empty()) join(id);
            else if (why != unrelated) refused_.emplace(id, why);
        }
        std::map<std::size_t, std::size_t> at;  // by representative, in order of first members
        HalfRegions found;
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const auto [place, fresh] = at.emplace(representative(i), found.regions.size());
            if (fresh) found.regions.emplace_back();
            found.regions[place->second].members.push_back(members_[i]);
        }
        for (HalfRegion& region : found.regions) complete(region);
        for (NodeId id : nodes_) {
            cancel_.throw_if_cancelled();
            if (before_rounding(scope_, first_output(id))) explain(id, found.kept);
        }
        return found;
    }

private:
    static constexpr std::string_view unrelated = "-";

    ValueId first_output(NodeId id) const {
        return scope_.node(id).outputs.empty() ? ValueId() : scope_.node(id).outputs[0];
    }
    bool is_member(NodeId id) const { return index_.contains(id); }

    /// Why the node cannot compute in float32; `unrelated` when it reads no half value.
    std::string refusal(const Node& node) const {
        DType half = DType::undefined;
        for (ValueId in : node.inputs)
            if (is_half(scope_.dtype(in))) half = scope_.dtype(in);
        if (half == DType::undefined) return std::string(unrelated);
        const std::string type(name_of(half));
        if (is_cast(node))
            return "the value rounded to " + type + " is cast on as it is: the rounding is wanted";
        if (!computes_steadily(node) && !moves_elements(node))
            return node.qualified_op() +
                   " is not known to follow its operands steadily, so that the rounding to " +
                   type + " may decide";
        if (node.outputs.empty() || scope_.dtype(node.outputs[0]) != half)
            return "the result of " + node.op_type + " is not " + type;
        for (std::size_t i = 1; i < node.outputs.size(); ++i)
            if (node.outputs[i] && !scope_.value(node.outputs[i]).is_unused())
                return "a further result of " + node.op_type + " is wanted";
        for (ValueId in : node.inputs) {
            if (!is_half(scope_.dtype(in)) || before_rounding(scope_, in)) continue;
            const Value& v = scope_.value(in);
            if (const Tensor* t = scope_.constant(in)) {
                if (t->size() == 1) continue;
                return "the constant " + quote(v.name) + " is " + type +
                       " and would take twice the memory";
            }
            if (v.kind == ValueKind::node_output && is_member(v.producer)) continue;
            return "the operand " + quote(v.name) + " is " + type +
                   " of its own, not rounded from f32 by a Cast";
        }
        return {};
    }

    void join(NodeId id) {
        const std::size_t own = parents_.size();
        parents_.push_back(own);
        index_.emplace(id, own);
        members_.push_back(id);
        for (ValueId in : scope_.node(id).inputs) {
            if (!is_half(scope_.dtype(in))) continue;
            const auto [first, fresh] = first_reader_.emplace(in.index, own);
            if (!fresh) unite(own, first->second);
            const Value& v = scope_.value(in);
            if (v.kind == ValueKind::node_output && is_member(v.producer))
                unite(own, index_.at(v.producer));
        }
    }
    std::size_t representative(std::size_t i) {
        while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
        return i;
    }
    void unite(std::size_t a, std::size_t b) {
        a = representative(a), b = representative(b);
        parents_[std::max(a, b)] = std::min(a, b);
    }

    bool read_by_members_only(const Value& v) const {
        return v.captured_by.empty() && v.output_uses == 0 &&
               std::ranges::all_of(v.uses, [&](const Use& use) { return is_member(use.node); });
    }

    /// A Cast back to float32. Of several that are graph outputs only the first can be dropped,
    /// since they would share a value.
    bool falls_behind(const Use& use, bool& names_output) const {
        const Node& reader = scope_.node(use.node);
        if (!is_cast(reader) || scope_.dtype(reader.outputs[0]) != DType::f32) return false;
        const std::uint32_t outputs = scope_.value(reader.outputs[0]).output_uses;
        if (outputs == 0) return true;
        if (outputs > 1 || names_output) return false;
        return names_output = true;
    }

    void complete(HalfRegion& region) const {
        std::unordered_set<NodeId> seen;
        const auto drop = [&](NodeId cast) {
            if (seen.insert(cast).second) region.dropped.push_back(cast);
        };
        for (NodeId id : region.members) {
            const Node& node = scope_.node(id);
            region.computes = region.computes || computes_steadily(node);
            for (ValueId in : node.inputs)
                if (in && before_rounding(scope_, in) && read_by_members_only(scope_.value(in)))
                    drop(scope_.value(in).producer);
            const Value& result = scope_.value(node.outputs[0]);
            bool names_output = false, keep = result.output_uses > 0 || !result.captured_by.empty();
            for (const Use& use : result.uses) {
                if (is_member(use.node)) continue;
                if (falls_behind(use, names_output)) drop(use.node);
                else keep = true;
            }
            if (keep) region.kept.push_back(result.id);
        }
    }

    void explain(NodeId cast, std::vector<HalfRegions::Kept>& kept) const {
        const Value& result = scope_.value(first_output(cast));
        for (const Use& use : result.uses)
            if (const auto why = refused_.find(use.node); why != refused_.end())
                return kept.push_back({cast, use.node, why->second});
        if (result.output_uses > 0)
            return kept.push_back({cast, {}, "the rounded value is a graph output"});
        if (!result.captured_by.empty())
            kept.push_back({cast, {}, "a subgraph reads the rounded value"});
    }

    const Scope& scope_;
    std::span<const NodeId> nodes_;
    const CancelToken& cancel_;
    std::vector<NodeId> members_;
    std::vector<std::size_t> parents_;                           // of members, a forest of sets
    std::unordered_map<NodeId, std::size_t> index_;              // of members
    std::unordered_map<std::size_t, std::size_t> first_reader_;  // of a half value, among members
    std::unordered_map<NodeId, std::string> refused_;
};

}  // namespace

ValueId before_rounding(const Scope& scope, ValueId value) {
    if (!value || !is_half(scope.dtype(value))) return {};
    const Node* cast = scope.producer(value);
    if (!cast || !is_cast(*cast) || cast->inputs.empty()) return {};
    return scope.dtype(cast->inputs[0]) == DType::f32 ? cast->inputs[0] : ValueId();
}

HalfRegions half_regions(const Scope& scope, std::span<const NodeId> nodes,
                         const CancelToken& cancel) {
    return Finder(scope, nodes, cancel).find();
}

}  // namespace lapidary
