// SPDX-License-Identifier: Apache-2.0
//   before:  y = Unsqueeze(c)              c a constant; axes an attribute or a constant
//   after:   y, a constant of the new shape that shares the data
#include <algorithm>

#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;

PassBody fold_unsqueeze() {
    return {
        .rules = {{.pattern = op("Unsqueeze", {constant("c"), maybe(constant("axes"))}).named("y"),
                   .rewrite = [](const Match& m, PassContext& context) {
                       const Tensor& c = m.constant("c");
                       std::vector<std::int64_t> axes = m.has("axes")
                                                            ? to_int64s(m.constant("axes"))
                                                            : m.node("y").ints_attribute("axes");
                       const std::int64_t rank = c.rank() + static_cast<std::int64_t>(axes.size());
                       for (std::int64_t& a : axes)
                           if (a < 0) a += rank;
                       std::ranges::sort(axes);
                       if (std::ranges::adjacent_find(axes) != axes.end() ||
                           (!axes.empty() && (axes.front() < 0 || axes.back() >= rank)))
                           return declined("the axes are out of range");
                       Shape shape = c.shape();
                       for (std::int64_t a : axes) shape.insert(shape.begin() + a, 1);
                       if (std::string problem = context.bypass_problem(m.root(), m.value("c"));
                           !problem.empty())
                           return declined(std::move(problem));
                       const ValueId folded = context.constant(
                           context.graph().value(m.value("y")).name, c.reshaped(shape));
                       context.bypass(m.root(), folded);
                       return applied("Unsqueeze of a constant is computed");
                   }}}};
}

}  // namespace lapidary::passes
