// SPDX-License-Identifier: Apache-2.0
//   before:  y = Reshape(x, Concat(Unsqueeze(Gather(Shape(x), 0)), 12, 64)), or Reshape, Flatten,
//            Squeeze, Unsqueeze and Transposes of dimensions of size 1 one after the other
//   after:   y = Reshape(x, [0, 12, 64]), or one Squeeze, Unsqueeze or Flatten that does the same
// All of them keep the elements in order, so the final shape says everything; it is known from
// inference, in symbols too.
#include <algorithm>

#include "passes/view_shape.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// Views above the root whose result only the next one reads, nearest first.
std::vector<NodeId> views_above(const Scope& scope, const Node& root) {
    std::vector<NodeId> chain;
    for (ValueId v = root.inputs.at(0); const Node* above = scope.producer(v);) {
        if (!is_view(scope, *above) || !scope.value(v).read_once()) break;
        chain.push_back(above->id);
        v = above->inputs[0];
    }
    return chain;
}

bool has_constant_target(const Scope& scope, const Node& reshape) {
    return reshape.inputs.size() > 1 && scope.constant(reshape.inputs[1]);
}

Outcome merge_views(const Match& m, PassContext& context) {
    const Node& root = m.node("y");
    if (!is_view(m.scope(), root)) return not_concerned();
    std::vector<NodeId> chain = views_above(m.scope(), root);
    const bool computed = root.op_type == "Reshape" && !has_constant_target(m.scope(), root);
    if (chain.empty() && !computed) return not_concerned();
    // Where the whole chain does not become one node, a part of it may.
    ViewPlan plan;
    std::string problem;
    for (;; chain.pop_back()) {
        plan = plan_view(
            context, chain.empty() ? root.inputs[0] : m.scope().node(chain.back()).inputs[0], root);
        if (plan.kind != ViewPlan::Kind::none) break;
        if (problem.empty()) problem = plan.problem;
        if (chain.size() <= (computed ? 0 : 1)) return stopped_by(problem);
    }
    const ValueId source = chain.empty() ? root.inputs[0] : m.scope().node(chain.back()).inputs[0];
    std::vector<NodeId> unneeded{m.root()};
    unneeded.insert(unneeded.end(), chain.begin(), chain.end());
    if (root.op_type == "Reshape" && root.inputs.size() > 1)
        std::ranges::copy(nodes_above(m.scope(), root.inputs[1]), std::back_inserter(unneeded));
    const std::string remark = chain.empty() ? "the computed shape became a constant"
                                             : std::to_string(chain.size() + 1) +
                                                   " nodes that only change the shape became one";
    if (plan.kind == ViewPlan::Kind::nothing && context.bypass_problem(m.root(), source).empty()) {
        context.bypass(m.root(), source, unneeded);
        return applied("the shape stays as it is");
    }
    replace(context, m.root(), view_call(context, source, plan), unneeded);
    return applied(remark);
}

}  // namespace

PassBody merge_reshapes() {
    return {.rules = {{.pattern = op("Reshape|Flatten|Squeeze|Unsqueeze|Transpose", {any("x")})
                                      .more_inputs()
                                      .named("y"),
                       .rewrite = merge_views}}};
}

}  // namespace lapidary::passes
