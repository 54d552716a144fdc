// SPDX-License-Identifier: Apache-2.0
#include "rewrite/graph_context.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
namespace {

/// True if no value can have both types. Unknown parts fit any type.
bool contradict(const Type& a, const Type& b) {
    if (!a.is_tensor() || !b.is_tensor()) return false;
    if (a.dtype != b.dtype && a.dtype != DType::undefined && b.dtype != DType::undefined)
        return true;
    if (!a.shape || !b.shape) return false;
    return a.shape->size() != b.shape->size() ||
           !std::ranges::equal(*a.shape, *b.shape,
                               [](const Dim& x, const Dim& y) { return !surely_different(x, y); });
}

}  // namespace

GraphContext::GraphContext(Pipeline& pipeline, const Model& model, Graph& graph, const Scope* outer,
                           GraphPath place, const PassInfo& pass)
    : pipeline_(pipeline),
      mutable_graph_(graph), scope_{model, graph, outer, pipeline.options().provider},
      edit_(graph, std::string(pass.name)), place_(std::move(place)), pass_(pass.name),
      is_for_files_(pass.level != Level::session), is_of_user_(pass.level == Level::user),
      start_(graph.nodes().begin(), graph.nodes().end()) {
    edit_.set_default_version(model.opset());
}

std::optional<std::vector<Dim>> GraphContext::elements(ValueId value) const {
    if (!value) return std::nullopt;
    if (const Tensor* t = scope_.constant(value)) {
        if ((t->dtype() != DType::i64 && t->dtype() != DType::i32) || t->size() > 1024)
            return std::nullopt;
        std::vector<Dim> dims;
        for (std::int64_t n : to_int64s(*t)) dims.push_back(dim_of(n));
        return dims;
    }
    if (scope_.is_subgraph()) return std::nullopt;
    const auto known = pipeline_.elements().find(value.index);
    if (known == pipeline_.elements().end()) return std::nullopt;
    return known->second;
}

std::vector<NodeId> GraphContext::nodes_at_start_alive() const {
    std::vector<NodeId> out;
    std::ranges::copy_if(start_, std::back_inserter(out),
                         [&](NodeId id) { return mutable_graph_.is_alive(id); });
    return out;
}

bool GraphContext::may_rewrite() const {
    cancel().throw_if_cancelled();
    return pipeline_.may_rewrite();
}

void GraphContext::record(std::string remark) {
    cancel().throw_if_cancelled();
    const Rewrite& rewrite = edit_.record(std::move(remark), false);
    // A pass that undoes its own work would be a bug; the bound keeps it from hanging the program.
    // A rule of the user that does so is a mistake of the rule.
    ++recorded_;
    if (is_of_user_ && recorded_ > 8 * (start_.size() + 64))
        fail_input("the rule does not come to an end: after " + std::to_string(recorded_) +
                   " rewrites in one graph it still matches what it made; its replacement must "
                   "not match its own pattern");
    if (recorded_ > 64 * (start_.size() + 16))
        fail(ErrorCode::internal, "it does not come to an end");
    for (NodeId id : rewrite.added) infer_node(id);
    pipeline_.add_rewrite(rewrite, place_);
}

void GraphContext::check_reported(std::string_view whose) const {
    if (edit_.has_unrecorded() && !touched_)
        fail(ErrorCode::internal, std::string(whose) + " edited the graph and recorded no rewrite");
}

void GraphContext::infer_node(NodeId id) {
    const Node& node = mutable_graph_.node(id);
    const auto unknown = [&](ValueId v) {
        const Type& t = mutable_graph_.value(v).type;
        return t.kind == Type::Kind::unknown || (t.is_tensor() && !t.shape);
    };
    if (!is_for_files_ && !options().verify &&
        std::ranges::none_of(node.outputs, [&](ValueId v) { return v && unknown(v); }))
        return;
    std::vector<Type> inputs;
    std::vector<const Tensor*> constants;
    for (ValueId v : node.inputs) {
        inputs.push_back(v ? mutable_graph_.value(v).type : Type());
        constants.push_back(scope_.constant(v));
    }
    const std::vector<Type> types = infer_node_types(node, inputs, constants);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const ValueId output = node.outputs[i];
        if (output && unknown(output)) edit_.set_type(output, types[i]);
        else if (output && options().verify && contradict(types[i], scope_.type(output)))
            fail(ErrorCode::internal, node.describe() + " gives " + to_string(types[i]) + " as " +
                                          quote(scope_.value(output).name) + ", which was " +
                                          to_string(scope_.type(output)));
    }
}

void GraphContext::miss(NodeId node, std::string reason, int shortfall, std::vector<NodeId> nodes) {
    if (!options().near_misses) return;
    if (nodes.empty()) nodes.push_back(node);
    pipeline_.add_miss({pass_, place_, node, mutable_graph_.node(node).describe(),
                        std::move(reason), shortfall, std::move(nodes)});
}

bool GraphContext::try_rules(const std::vector<Rule>& rules, NodeId node) {
    std::optional<pattern::Failure> nearest;
    const auto keep = [&](pattern::Failure failure) {
        if (!nearest || failure.shortfall < nearest->shortfall) nearest = std::move(failure);
    };
    for (const Rule& rule : rules) {
        if (!pattern::can_root(rule.pattern, mutable_graph_.node(node))) continue;
        std::optional<pattern::Failure> failure;
        auto match = pattern::match_at(rule.pattern, scope_, node,
                                       options().near_misses ? &failure : nullptr);
        if (match) {
            const std::vector<NodeId> nodes(match->nodes().begin(), match->nodes().end());
            Outcome outcome = rule.rewrite(*match, *this);
            if (outcome.done) {
                record(std::move(outcome.text));
                return true;
            }
            if (edit_.has_unrecorded())
                fail(ErrorCode::internal, "it edited the graph and then declined at " +
                                              mutable_graph_.node(node).describe() + ": " +
                                              outcome.text);
            if (!outcome.text.empty()) keep({std::move(outcome.text), 1, nodes, true});
        } else if (failure) {
            const auto total = static_cast<std::size_t>(pattern::operator_count(rule.pattern));
            const std::size_t least = rule.near_miss_from > 0
                                          ? static_cast<std::size_t>(rule.near_miss_from)
                                          : std::max<std::size_t>(2, (total + 1) / 2);
            if (failure->conditions_only || failure->nodes.size() >= least)
                keep(std::move(*failure));
        }
    }
    if (nearest)
        miss(node, std::move(nearest->reason), nearest->shortfall, std::move(nearest->nodes));
    return false;
}

void GraphContext::apply(const std::vector<Rule>& rules) {
    std::vector<NodeId> work = start_;
    for (std::size_t i = 0; i < work.size(); ++i) {
        if ((i & 255u) == 0) cancel().throw_if_cancelled();
        while (may_rewrite() && mutable_graph_.is_alive(work[i]) && try_rules(rules, work[i])) {
            for (NodeId id : mutable_graph_.history().back().added) work.push_back(id);
        }
    }
}

}  // namespace lapidary
