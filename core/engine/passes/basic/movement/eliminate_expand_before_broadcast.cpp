// SPDX-License-Identifier: Apache-2.0
//   before:  y = Add(Expand(x, shape), z)      z of the expanded shape
//   after:   y = Add(x, z)
// The operator broadcasts by itself; the other operand has every size that Expand would have given.
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "ops/operator_traits.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// The other operands alone broadcast to a shape that has the expanded one's sizes in every place
/// where x is smaller.
bool covered(const Scope& scope, const Type& x, const Type& expanded,
             const std::vector<ValueId>& others) {
    if (!x.shape || !expanded.shape) return false;
    const std::size_t rank = expanded.shape->size();
    for (std::size_t i = 0; i < rank; ++i) {
        const Dim& want = (*expanded.shape)[rank - 1 - i];
        if (i < x.shape->size() && surely_equal((*x.shape)[x.shape->size() - 1 - i], want))
            continue;
        const bool found = std::ranges::any_of(others, [&](ValueId v) {
            const Type& other = scope.type(v);
            return other.shape && i < other.shape->size() &&
                   surely_equal((*other.shape)[other.shape->size() - 1 - i], want);
        });
        if (!found) return false;
    }
    return true;
}

/// Each operand to the others.
bool broadcasts(const OperatorTraits& traits) {
    return traits.is_elementwise() && traits.layout != OperatorLayout::unary &&
           !traits.has(OperatorFact::one_way_broadcast);
}

}  // namespace

PassBody eliminate_expand_before_broadcast() {
    return {
        .rules = {{.pattern = op(operators_with(broadcasts), {any()}).more_inputs().named("y"),
                   .rewrite = [](const Match& m, PassContext& context) {
                       const Scope& scope = m.scope();
                       const Node& root = m.node("y");
                       const bool wants_equal =
                           traits_of(root).layout == OperatorLayout::variadic && root.version < 8;
                       for (std::size_t i = 0; i < root.inputs.size(); ++i) {
                           const Node* expand = scope.producer(root.inputs[i]);
                           if (!expand || expand->op_type != "Expand" || !expand->domain.empty())
                               continue;
                           if (wants_equal)
                               return declined(
                                   root.op_type + " of opset " + std::to_string(root.version) +
                                   " wants inputs of equal shapes, expected opset 8 or newer");
                           std::vector<ValueId> others, inputs = root.inputs;
                           for (std::size_t k = 0; k < inputs.size(); ++k)
                               if (k != i && inputs[k] != inputs[i]) others.push_back(inputs[k]);
                           if (!covered(scope, scope.type(expand->inputs[0]), scope.type(inputs[i]),
                                        others))
                               continue;
                           std::vector<NodeId> unneeded{expand->id};
                           std::ranges::copy(nodes_above(scope, expand->inputs[1]),
                                             std::back_inserter(unneeded));
                           const std::string text = root.op_type + " broadcasts without the Expand";
                           inputs[i] = expand->inputs[0];
                           const std::vector<Attribute> attributes = root.attributes;
                           context.replace(m.root(), root.op_type, inputs, attributes, unneeded);
                           return applied(text);
                       }
                       return not_concerned();
                   }}}};
}

}  // namespace lapidary::passes
