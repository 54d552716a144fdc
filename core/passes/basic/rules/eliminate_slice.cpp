// SPDX-License-Identifier: Apache-2.0
//   before:  y = Slice(x)                  from the first element to the last on every axis, with step 1
//   after:   x
// The end may be any number at or beyond the size of the axis, or the size itself where it is computed.
#include <algorithm>

#include "ops/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

using Ends = std::vector<Dim>;

/// An input's elements, or the attribute of old opsets, or `fallback` times 0, 1, 2 ... when absent.
std::optional<Ends> list_of(const PassContext& context, const Node& node, std::size_t index, const char* attribute) {
    if (node.version >= 10) return context.elements(index < node.inputs.size() ? node.inputs[index] : ValueId{});
    Ends out;
    for (std::int64_t n : node.ints_attribute(attribute)) out.push_back(dim_of(n));
    return out;
}

bool has_list(const Node& node, std::size_t index, const char* attribute) {
    return node.version >= 10 ? index < node.inputs.size() && node.inputs[index] : node.has_attribute(attribute);
}

bool reaches(const Dim& end, const Dim& size) {
    // exporters' "to the end"
    if (const auto n = constant_of(end); n && *n >= (std::int64_t{1} << 31) - 1) return true;
    return surely_equal(end, size) || (end.is_known() && size.is_known() && end.value() >= size.value()) ||
           (!size.is_unknown() && surely_not_negative(subtract(end, size)));
}

}  // namespace

PassBody eliminate_slice() {
    return {.rules = {{.pattern = op("Slice", {any("x")}).more_inputs().named("y"),
                       .rewrite = [](const Match& m, PassContext& context) {
                           const Node& slice = m.node("y");
                           const Type& type = m.type("x");
                           const auto starts = list_of(context, slice, 1, "starts"),
                                      ends = list_of(context, slice, 2, "ends");
                           if (!starts || !ends || starts->size() != ends->size()) return not_concerned();
                           std::optional<Ends> axes, steps;
                           if (has_list(slice, 3, "axes") && !(axes = list_of(context, slice, 3, "axes")))
                               return not_concerned();
                           if (slice.version >= 10 && has_list(slice, 4, "steps") &&
                               !(steps = list_of(context, slice, 4, "steps")))
                               return not_concerned();
                           if ((axes && axes->size() != starts->size()) || (steps && steps->size() != starts->size()))
                               return not_concerned();
                           if (!type.shape) {
                               const auto from_start = [](const Dim& start) { return constant_of(start) == 0; };
                               if (!std::ranges::all_of(*starts, from_start)) return not_concerned();
                               return declined(
                                   "it takes all from the first element on, but the shape of its input is "
                                   "not known");
                           }
                           const auto rank = static_cast<std::int64_t>(type.shape->size());
                           for (std::size_t i = 0; i < starts->size(); ++i) {
                               std::int64_t axis = static_cast<std::int64_t>(i);
                               if (axes) {
                                   const auto a = constant_of((*axes)[i]);
                                   if (!a) return not_concerned();
                                   axis = *a < 0 ? *a + rank : *a;
                               }
                               if (axis < 0 || axis >= rank || constant_of((*starts)[i]) != 0 ||
                                   !reaches((*ends)[i], (*type.shape)[static_cast<std::size_t>(axis)]))
                                   return not_concerned();
                           }
                           for (std::size_t i = 0; steps && i < steps->size(); ++i)
                               if (constant_of((*steps)[i]) != 1)
                                   return declined("the Slice spans its whole input, but with step " +
                                                   to_string((*steps)[i]) + ", needs 1");
                           std::string problem = context.bypass(m.root(), m.value("x"));
                           return problem.empty() ? applied("Slice keeps everything") : declined(std::move(problem));
                       }}}};
}

}  // namespace lapidary::passes
