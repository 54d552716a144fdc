// SPDX-License-Identifier: Apache-2.0
//   before:  n = Gather(Shape(Concat(past, k)), 2)   inputs: past [B,N,P,H], mask [B,P+S]; k
//            [B,N,S,H]
//   after:   n = Gather(Shape(mask), 1)
// Sizes that hang on what nodes compute keep operators from taking the place of those nodes (a mask
// that is cut to the length of the joined cache keeps Attention from taking the cache's), and each
// layer has arithmetic of its own for the same size. On devices every step of that is a launch.
#include <lapidary/graph/graph.h>

#include "ops/dimensions/dim_algebra.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
using namespace pattern;
namespace {

struct InputAxis {
    ValueId input;
    std::int64_t axis = 0;
};

/// The first axis of a graph's inputs that is surely as long.
std::optional<InputAxis> axis_as_long_as(const Scope& scope, const Dim& size) {
    for (ValueId input : scope.graph.inputs()) {
        const auto& shape = scope.type(input).shape;
        for (std::size_t axis = 0; shape && axis < shape->size(); ++axis)
            if (surely_equal((*shape)[axis], size))
                return InputAxis{input, static_cast<std::int64_t>(axis)};
    }
    return std::nullopt;
}

Outcome read_input(const Match& m, PassContext& context) {
    const Scope& scope = context.scope();
    const ValueId measured = m.value("x");
    if (scope.value(measured).kind == ValueKind::input) return not_concerned();
    const Tensor& index = m.constant("index");
    const auto sizes = context.elements(m.node("y").outputs[0]);
    if (index.size() != 1 || !sizes || sizes->size() != 1 || !sizes->front().is_symbolic())
        return not_concerned();
    const auto from = axis_as_long_as(scope, sizes->front());
    if (!from)
        return declined("no input is known to have an axis of " + to_string(sizes->front()) +
                        " elements");
    const ValueId shape = context.node("Shape", {from->input});
    const ValueId axis = context.constant_scalar("axis_of_input", DType::i64,
                                                 static_cast<double>(from->axis), index.shape());
    context.replace(m.root(), "Gather", {shape, axis}, {attr("axis", 0)}, m.nodes());
    return applied("axis " + std::to_string(from->axis) + " of input \"" +
                   scope.value(from->input).name + "\" is " + to_string(sizes->front()) + " too");
}

}  // namespace

PassBody read_sizes_of_inputs() {
    const auto shape = op("Shape", {any("x")}).named("shape");
    return {.rules = {{.pattern = op("Gather", {shape, constant("index")}).named("y"),
                       .rewrite = read_input}},
            .main_graph_only = true};
}

}  // namespace lapidary::passes
