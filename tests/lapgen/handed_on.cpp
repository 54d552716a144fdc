// SPDX-License-Identifier: Apache-2.0
// Values that reach a later step by reference: through If, Loop, Scan, a sequence or an optional.
// In between or afterwards other steps read the value for the last time, reuse its memory, and
// write graph outputs.
#include "lapgen/model_builder.h"

namespace lapidary::lapgen {
namespace {

Attribute attribute(std::string name, AttributeValue value) {
    return {std::move(name), std::move(value), {}, {}};
}

/// A subgraph under construction.
struct Body {
    explicit Body(std::int64_t opset) : graph(std::make_shared<Graph>()), edit(*graph) {
        edit.set_default_version(opset);
    }
    Attribute as(std::string name) {
        edit.finish();
        return attribute(std::move(name), GraphPtr(graph));
    }
    /// `x` as it is, by Identity, or negated.
    ValueId output(ModelBuilder& b, ValueId x) {
        const ValueId y = edit.node(b.chance(0.6) ? "Identity" : "Neg", {x});
        edit.add_output(y);
        return y;
    }
    std::shared_ptr<Graph> graph;
    GraphEdit edit;
};

/// One node whose output has the type of `like`; inference of the whole model says whether it is
/// right.
ValueId added(ModelBuilder& b, std::string op, std::vector<ValueId> inputs,
              std::vector<Attribute> attributes, const Type& like) {
    const ValueId y = b.edit().node(std::move(op), std::move(inputs), std::move(attributes));
    b.edit().set_type(y, like);
    return y;
}

ValueId through_if(ModelBuilder& b, ValueId x) {
    const Type type = b.type(x);
    const ValueId sum = b.add("ReduceMax", {x}, {attribute("keepdims", std::int64_t{0})});
    if (!sum) return {};
    const ValueId condition = b.add("Greater", {sum, b.scalar(0)});
    if (!condition) return {};
    Body then_branch(b.opset()), else_branch(b.opset());
    for (Body* body : {&then_branch, &else_branch})
        body->output(b, body->edit.add_captured(b.graph().value(x).name, x, type));
    return added(b, "If", {condition},
                 {then_branch.as("then_branch"), else_branch.as("else_branch")}, type);
}

ValueId through_loop(ModelBuilder& b, ValueId x) {
    const Type type = b.type(x);
    Body body(b.opset());
    body.edit.add_input("iteration", Type::tensor(DType::i64, {}));
    const ValueId going = body.edit.add_input("going", Type::tensor(DType::boolean, {}));
    const ValueId state = body.edit.add_input("state", type);
    body.edit.add_output(body.edit.node("Identity", {going}));
    body.output(b, state);
    const ValueId trips =
        b.edit().add_initializer("trips", Tensor::scalar<std::int64_t>(b.number(0, 2)));
    return added(b, "Loop", {trips, {}, x}, {body.as("body")}, type);
}

ValueId through_sequence(ModelBuilder& b, ValueId x) {
    const Type type = b.type(x), list = Type::sequence(Type::tensor(DType::f32));
    ValueId items = added(b, "SequenceConstruct", {x}, {}, list);
    if (b.chance(0.5)) items = added(b, "SequenceInsert", {items, x}, {}, list);
    return added(b, "SequenceAt",
                 {items, b.edit().add_initializer("position", Tensor::scalar<std::int64_t>(0))}, {},
                 type);
}

ValueId through_optional(ModelBuilder& b, ValueId x) {
    if (b.opset() < 15) return {};
    const Type type = b.type(x);
    const ValueId boxed = added(b, "Optional", {x}, {}, Type::optional(type));
    return added(b, "OptionalGetElement", {boxed}, {}, type);
}

}  // namespace

bool hand_on(ModelBuilder& b) {
    if (b.float_type() != DType::f32) return false;
    const ValueId given = b.any();
    const Type type = b.type(given);
    if (!type.shape || b.graph().value(given).kind != ValueKind::node_output) return false;
    const ValueId x = b.add("Add", {given, b.scalar(1)});
    if (!x) return false;
    // may run before or after the value is passed on
    if (b.chance(0.5)) b.add("Mul", {x, given});
    ValueId y;
    switch (b.number(0, 3)) {
    case 0: y = through_if(b, x); break;
    case 1: y = through_loop(b, x); break;
    case 2: y = through_sequence(b, x); break;
    default: y = through_optional(b, x);
    }
    if (!y) return false;
    b.add("Mul", {x, b.scalar(2)});
    b.offer(y);
    if (const ValueId z = b.add("Add", {y, given}); z && b.chance(0.5)) b.edit().add_output(z);
    return true;
}

}  // namespace lapidary::lapgen
