// SPDX-License-Identifier: Apache-2.0
//   before:  n = Gather(Shape(x), 1)     x of shape [batch, 768]
//   after:   n = 768
// Inference follows shape arithmetic element by element, so a known part of a shape folds while the
// rest is dynamic.
#include <algorithm>

#include "ops/dimensions/dim_algebra.h"
#include "passes/axis_arguments.h"

namespace lapidary::passes {
namespace {

/// The value as a tensor when every element of it is a known number.
std::optional<Tensor> known_tensor(const PassContext& context, ValueId value) {
    const Type& type = context.scope().type(value);
    if (!type.is_static() || (type.dtype != DType::i64 && type.dtype != DType::i32))
        return std::nullopt;
    const auto elements = context.elements(value);
    if (!elements ||
        static_cast<std::int64_t>(elements->size()) != element_count(type.static_shape()))
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Dim& d : *elements) {
        const auto n = constant_of(d);
        if (!n) return std::nullopt;
        numbers.push_back(*n);
    }
    if (type.dtype == DType::i64) return Tensor::of<std::int64_t>(type.static_shape(), numbers);
    return Tensor::of<std::int32_t>(type.static_shape(),
                                    std::vector<std::int32_t>(numbers.begin(), numbers.end()));
}

/// True if some reader's result is not known: otherwise folding would only make constants for nodes
/// that will be removed.
bool is_wanted(const PassContext& context, ValueId value) {
    const Value& v = context.graph().value(value);
    if (v.output_uses > 0 || !v.captured_by.empty()) return true;
    return std::ranges::any_of(v.uses, [&](const Use& use) {
        const auto& outputs = context.graph().node(use.node).outputs;
        return outputs.size() != 1 || !known_tensor(context, outputs[0]);
    });
}

}  // namespace

PassBody fold_known_shapes() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.may_rewrite()) return;
            if (!context.graph().is_alive(id) || context.graph().node(id).outputs.size() != 1)
                continue;
            const Node& node = context.graph().node(id);
            const ValueId out = node.outputs[0];
            if (!out || node.op_type == "Constant" || context.graph().value(out).is_unused() ||
                !is_wanted(context, out))
                continue;
            auto tensor = known_tensor(context, out);
            if (!tensor) continue;
            const std::string text =
                node.op_type + " became the constant " + context.graph().value(out).name;
            const std::vector<NodeId> above = nodes_above(context.scope(), out);
            context.bypass(
                id, context.constant(context.graph().value(out).name, std::move(*tensor)), above);
            context.record(text);
        }
    }};
}

}  // namespace lapidary::passes
