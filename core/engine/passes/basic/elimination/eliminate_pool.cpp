// SPDX-License-Identifier: Apache-2.0
//   before:  y = AveragePool(x) or MaxPool(x)   windows of one element, stride 1, no pads
//   after:   x;  also GlobalAveragePool and GlobalMaxPool of one element per channel, and
//            ReduceMean, ReduceSum, ReduceMax, ReduceMin, ReduceProd, ReduceLogSumExp over axes of
//            size 1 that are kept
// A float MaxPool stays, since a maximum ignores NaN.
#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

bool all_are(const std::vector<std::int64_t>& values, std::int64_t expected) {
    return std::ranges::all_of(values, [=](std::int64_t v) { return v == expected; });
}

bool pools_nothing(const Node& node) {
    const auto kernel = node.ints_attribute("kernel_shape");
    if (node.outputs.size() > 1 && node.outputs[1]) return false;
    return !kernel.empty() && all_are(kernel, 1) && all_are(node.ints_attribute("strides"), 1) &&
           all_are(node.ints_attribute("pads"), 0);
}

bool has_one_position(const Type& type) {
    if (!type.shape || type.shape->size() < 3) return false;
    return std::all_of(type.shape->begin() + 2, type.shape->end(),
                       [](const Dim& d) { return d == Dim(1); });
}

bool reduces_nothing(const PassContext& context, const Node& node) {
    const Type& type = context.scope().type(node.inputs[0]);
    if (!type.shape || node.int_attribute("keepdims", 1) == 0) return false;
    std::vector<std::int64_t> axes = node.ints_attribute("axes");
    if (node.inputs.size() > 1 && node.inputs[1]) {
        const Tensor* t = context.scope().constant(node.inputs[1]);
        if (!t) return false;
        axes = to_int64s(*t);
    }
    if (axes.empty() && node.int_attribute("noop_with_empty_axes", 0) != 0) return true;
    const auto rank = static_cast<std::int64_t>(type.shape->size());
    if (axes.empty())
        for (std::int64_t i = 0; i < rank; ++i) axes.push_back(i);
    return std::ranges::all_of(axes, [&](std::int64_t a) {
        if (a < 0) a += rank;
        return a >= 0 && a < rank && at(*type.shape, a) == Dim(1);
    });
}

}  // namespace

PassBody eliminate_pool() {
    return {.rules = {
                {.pattern =
                     op("AveragePool|MaxPool|GlobalAveragePool|GlobalMaxPool|ReduceMean|ReduceSum|"
                        "ReduceMax|ReduceMin|ReduceProd|ReduceLogSumExp",
                        {any("x")})
                         .more_inputs()
                         .named("y"),
                 .rewrite = [](const Match& m, PassContext& context) {
                     const Node& y = m.node("y");
                     const bool nothing =
                         y.op_type.starts_with("Global")   ? has_one_position(m.type("x"))
                         : y.op_type.starts_with("Reduce") ? reduces_nothing(context, y)
                                                           : pools_nothing(y);
                     if (!nothing) return not_concerned();
                     if (y.op_type.ends_with("MaxPool") &&
                         is_float(context.scope().dtype(m.value("x"))))
                         return declined("the maximum of a window of NaN is no NaN");
                     const std::string text = y.op_type + " of one element each";
                     std::string problem = context.bypass(m.root(), m.value("x"));
                     return problem.empty() ? applied(text) : declined(std::move(problem));
                 }}}};
}

}  // namespace lapidary::passes
