// SPDX-License-Identifier: Apache-2.0
//   before:  y = Gather(x, Range(start, limit, step))
//   after:   y = Slice(x, start, limit, axis, step)
// Range counts from zero, Slice counts negative positions from the end: start and limit must not be
// negative, the step positive. Positions beyond the end, where Gather fails, do not matter.
#include "ops/dimensions/dim_algebra.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

/// The scalar as a list of one: constants reshaped, others behind an Unsqueeze.
ValueId as_list(PassContext& context, ValueId value) {
    if (const Tensor* t = context.scope().constant(value))
        return context.constant(context.graph().value(value).name, t->reshaped({1}));
    const Call call = axes_call(context, "Unsqueeze", value, {0});
    return context.node(call.op, call.inputs, call.attributes);
}

}  // namespace

PassBody fuse_gather_range() {
    const auto range = op("Range", {any("start"), any("limit"), scalar("step")})
                           .named("range")
                           .require(read_once(), "the Range is also read elsewhere");
    return {
        .rules = {
            {.pattern = op("Gather", {any("x"), range}).named("y"),
             .rewrite = [](const Match& m, PassContext& context) {
                 if (context.opset() < 10)
                     return declined("Slice takes computed bounds from opset 10 on");
                 if (*scalar_of(m.constant_or_null("step")) <= 0)
                     return declined("the Range counts down");
                 for (const char* name : {"start", "limit"}) {
                     const auto known = context.elements(m.value(name));
                     if (!m.scope().constant(m.value(name)) && m.scope().rank(m.value(name)) != 0)
                         return declined("the " + std::string(name) + " of the Range is no scalar");
                     if (!known || known->size() != 1 || !surely_not_negative((*known)[0]))
                         return declined(
                             "the " + std::string(name) +
                             " of the Range may be negative, which Slice counts from the end");
                 }
                 const auto axis = axis_from_front(m.node("y").int_attribute("axis", 0),
                                                   m.scope().rank(m.value("x")));
                 if (!axis) return declined("the rank of the data is not known");
                 const int computed =
                     !m.scope().constant(m.value("start")) + !m.scope().constant(m.value("limit"));
                 if (computed > 1)
                     return declined(
                         "start and limit are both computed, a Slice would need more nodes");
                 const ValueId start = as_list(context, m.value("start")),
                               limit = as_list(context, m.value("limit")),
                               step = as_list(context, m.value("step"));
                 const bool narrow = m.scope().dtype(start) == DType::i32;
                 const ValueId axes =
                     narrow ? context.constant("axes", Tensor::of<std::int32_t>(
                                                           {1}, {static_cast<std::int32_t>(*axis)}))
                            : context.constant_ints("axes", {*axis});
                 context.replace(m.root(), "Slice", {m.value("x"), start, limit, axes, step}, {},
                                 m.nodes());
                 return applied("a Gather by a Range became a Slice");
             }}}};
}

}  // namespace lapidary::passes
