// SPDX-License-Identifier: Apache-2.0
#include "linear/long_graphs.h"

#include <string>
#include <vector>

#include <lapidary/graph/graph_edit.h>

namespace lapidary::test {
namespace {

constexpr std::int64_t width = 8;

Attribute attr(std::string name, AttributeValue value) {
    return {std::move(name), std::move(value), {}, {}};
}
Attribute ints(std::string name, std::vector<std::int64_t> values) {
    return attr(std::move(name), AttributeValue(std::move(values)));
}
Attribute integer(std::string name, std::int64_t value) {
    return attr(std::move(name), AttributeValue(value));
}

Tensor floats(Shape shape, float first = 1.0f) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = first + 0.001f * static_cast<float>(i % 7);
    return Tensor::of<float>(std::move(shape), values);
}

/// A graph with one input x: f32[1,8] by default.
class Builder {
public:
    explicit Builder(SymbolicShape shape = {1, width}) : edit_(model_.graph) {
        model_.opset_imports[""] = 17;
        edit_.set_default_version(17);
        edit_.set_name("long");
        x = edit_.add_input("x", Type::tensor(DType::f32, std::move(shape)));
    }
    ValueId op(const char* name, std::vector<ValueId> inputs,
               std::vector<Attribute> attributes = {}) {
        ++nodes;
        return edit_.node(name, std::move(inputs), std::move(attributes),
                          "n" + std::to_string(nodes));
    }
    std::vector<ValueId> ops(const char* name, std::vector<ValueId> inputs, std::size_t outputs,
                             std::vector<Attribute> attributes, std::string domain = {}) {
        NodeSpec spec;
        spec.op_type = name;
        spec.version = domain.empty() ? 17 : 1;
        spec.domain = std::move(domain);
        spec.name = "n" + std::to_string(++nodes);
        spec.inputs = std::move(inputs);
        spec.attributes = std::move(attributes);
        for (std::size_t i = 0; i < outputs; ++i)
            spec.outputs.push_back(edit_.add_value(spec.name + "_o" + std::to_string(i)));
        std::vector<ValueId> made = spec.outputs;
        edit_.add_node(std::move(spec));
        return made;
    }
    ValueId weight(Tensor tensor) {
        return edit_.add_initializer("w" + std::to_string(++weights_), std::move(tensor));
    }
    ValueId weight(Shape shape, float first = 1.0f) {
        return weight(floats(std::move(shape), first));
    }
    ValueId numbers(std::vector<std::int64_t> values) {
        return weight(Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values));
    }
    void output(ValueId value) { edit_.add_output(value); }
    Model finish(ValueId result) {
        output(result);
        return finish();
    }
    Model finish() {
        edit_.finish();
        return std::move(model_);
    }
    Model& model() { return model_; }

    ValueId x;
    std::int64_t nodes = 0;

private:
    Model model_;
    GraphEdit edit_;
    std::int64_t weights_ = 0;
};

template <typename Step>
Model chain(Builder& b, std::int64_t size, const Step& step) {
    ValueId v = b.x;
    while (b.nodes < size) v = step(v);
    return b.finish(v);
}
template <typename Step>
Model chain(std::int64_t size, const Step& step) {
    Builder b;
    return chain(b, size, [&](ValueId v) { return step(b, v); });
}

Model mul_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op("Mul", {v, b.weight({1, width})});
    });
}
Model shared_constant(std::int64_t size) {
    Builder b;
    const ValueId c = b.weight({1, width});
    return chain(b, size, [&](ValueId v) { return b.op("Mul", {v, c}); });
}
Model relu_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) { return b.op("Relu", {v}); });
}
Model sigmoid_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) { return b.op("Sigmoid", {v}); });
}
Model identity_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) { return b.op("Identity", {v}); });
}
Model add_input_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) { return b.op("Add", {v, b.x}); });
}
Model reshape_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op("Reshape", {v, b.numbers(b.nodes % 2 == 0 ? std::vector<std::int64_t>{2, 4}
                                                              : std::vector<std::int64_t>{1, 8})});
    });
}
Model transpose_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op("Relu", {b.op("Transpose", {v}, {ints("perm", {1, 0})})});
    });
}
Model cast_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op("Relu",
                    {b.op("Cast", {b.op("Cast", {v}, {integer("to", 11)})}, {integer("to", 1)})});
    });
}
Model dense_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op("Relu", {b.op("Add", {b.op("MatMul", {v, b.weight({width, width}, 0.1f)}),
                                          b.weight({width})})});
    });
}
Model convolution_chain(std::int64_t size) {
    Builder b({1, 4, 4, 4});
    return chain(b, size, [&](ValueId v) {
        v = b.op("Conv", {v, b.weight({4, 4, 1, 1}, 0.1f)});
        v = b.op("BatchNormalization",
                 {v, b.weight({4}), b.weight({4}), b.weight({4}), b.weight({4})});
        return b.op("Relu", {v});
    });
}
Model residual_convolutions(std::int64_t size) {
    Builder b({1, 4, 4, 4});
    return chain(b, size, [&](ValueId v) {
        const ValueId y =
            b.op("Relu", {b.op("Conv", {v, b.weight({4, 4, 3, 3}, 0.1f), b.weight({4})},
                               {ints("pads", {1, 1, 1, 1})})});
        return b.op("Relu", {b.op("Add", {b.op("Conv", {y, b.weight({4, 4, 1, 1}, 0.1f)}), v})});
    });
}
Model layer_normalization_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        const std::vector<Attribute> last{ints("axes", {-1})};
        const ValueId centred = b.op("Sub", {v, b.op("ReduceMean", {v}, last)});
        const ValueId two = b.weight(Tensor::scalar(2.0f)),
                      epsilon = b.weight(Tensor::scalar(1e-5f));
        const ValueId variance = b.op("ReduceMean", {b.op("Pow", {centred, two})}, last);
        const ValueId normal =
            b.op("Div", {centred, b.op("Sqrt", {b.op("Add", {variance, epsilon})})});
        return b.op("Add", {b.op("Mul", {normal, b.weight({width})}), b.weight({width})});
    });
}
Model residual_chain(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op("Add", {v, b.op("Softmax", {b.op("Mul", {v, b.weight({1, width})})})});
    });
}
Model dense_connections(std::int64_t size) {  // every node is read again by a late one
    Builder b;
    std::vector<ValueId> all{b.x};
    while (b.nodes < size / 2) all.push_back(b.op("Tanh", {all.back()}));
    ValueId v = all.back();
    for (std::size_t i = all.size(); i-- > 1;) v = b.op("Add", {v, all[i]});
    return b.finish(v);
}
Model wide_concat(std::int64_t size) {
    Builder b;
    std::vector<ValueId> parts;
    while (b.nodes < size)
        parts.push_back(b.op("Mul", {b.x, b.weight({1, width}, static_cast<float>(b.nodes))}));
    return b.finish(b.op("Concat", parts, {integer("axis", 0)}));
}
Model wide_sum(std::int64_t size) {
    Builder b;
    std::vector<ValueId> parts;
    while (b.nodes < size)
        parts.push_back(b.op(
            "Softmax", {b.op("Add", {b.x, b.weight({1, width}, static_cast<float>(b.nodes))})}));
    return b.finish(b.op("Sum", parts));
}
Model wide_split(std::int64_t size) {
    Builder b({size / 2, width});
    std::vector<ValueId> parts = b.ops(
        "Split", {b.x, b.numbers(std::vector<std::int64_t>(static_cast<std::size_t>(size / 2), 1))},
        static_cast<std::size_t>(size / 2), {integer("axis", 0)});
    for (ValueId& v : parts) v = b.op("Relu", {v});
    return b.finish(b.op("Concat", parts, {integer("axis", 0)}));
}
Model equal_branches(std::int64_t size) {
    Builder b;
    std::vector<ValueId> parts;
    while (b.nodes < size) parts.push_back(b.op("Sigmoid", {b.x}));
    return b.finish(b.op("Concat", parts, {integer("axis", 0)}));
}
Model many_outputs(std::int64_t size) {
    Builder b;
    while (b.nodes < size)
        b.output(b.op("Mul", {b.x, b.weight({1, width}, static_cast<float>(b.nodes))}));
    return b.finish();
}
Model many_weights(std::int64_t size) {
    Builder b;
    std::vector<ValueId> parts{b.x};
    for (std::int64_t i = 0; i < size; ++i)
        parts.push_back(b.weight({1, width}, static_cast<float>(i)));
    return b.finish(b.op("Concat", parts, {integer("axis", 0)}));
}
Model dead_nodes(std::int64_t size) {
    Builder b;
    ValueId v = b.x;
    while (b.nodes < size) v = b.op("Tanh", {v});
    return b.finish(b.op("Relu", {b.x}));
}
Model constant_nodes(std::int64_t size) {
    return chain(size, [](Builder& b, ValueId v) {
        return b.op(
            "Add", {v, b.op("Constant", {},
                            {attr("value", AttributeValue(floats({1, width},
                                                                 static_cast<float>(b.nodes))))})});
    });
}
Model constant_chain(std::int64_t size) {
    Builder b;
    ValueId v = b.weight({1, width});
    while (b.nodes < size) v = b.op("Sin", {v});
    return b.finish(b.op("Add", {b.x, v}));
}
Model shape_arithmetic(std::int64_t size) {
    Builder b({Dim::symbolic("batch"), width});
    return chain(b, size, [&](ValueId v) {
        const ValueId shape = b.op("Shape", {v});
        const ValueId first = b.op("Gather", {shape, b.numbers({0})}, {integer("axis", 0)});
        const ValueId sizes =
            b.op("Concat", {first, b.numbers({2}), b.numbers({-1})}, {integer("axis", 0)});
        return b.op("Reshape", {b.op("Relu", {b.op("Reshape", {v, sizes})}), shape});
    });
}
Model quantized_chain(std::int64_t size) {
    Builder b;
    const ValueId scale = b.weight(Tensor::scalar(0.1f)),
                  zero = b.weight(Tensor::scalar<std::uint8_t>(0));
    return chain(b, size, [&](ValueId v) {
        return b.op("Relu", {b.op("DequantizeLinear",
                                  {b.op("QuantizeLinear", {v, scale, zero}), scale, zero})});
    });
}
// Of rows without elements: what each Slice copies would grow with the length of the chain.
Model slice_chain(std::int64_t size) {
    Builder b({size + 2, 0});
    const ValueId one = b.numbers({1}), end = b.numbers({INT64_MAX}), axis = b.numbers({0});
    return chain(b, size, [&](ValueId v) { return b.op("Slice", {v, one, end, axis}); });
}
Model concat_chain(std::int64_t size) {
    return chain(std::min<std::int64_t>(size, 2000), [](Builder& b, ValueId v) {
        return b.op("Concat", {v, b.x}, {integer("axis", 1)});
    });
}

GraphPtr branch(float factor, const Graph& outer, ValueId read) {
    auto graph = std::make_shared<Graph>();
    GraphEdit edit(*graph);
    edit.set_name("branch");
    edit.set_default_version(17);
    const ValueId v = edit.add_captured(outer.value(read).name, read, outer.value(read).type);
    const ValueId c = edit.add_initializer("c", Tensor::of<float>({1}, {factor}));
    edit.add_output(edit.node("Mul", {v, c}, {}, "inner"));
    edit.finish();
    return graph;
}
Model many_ifs(std::int64_t size) {
    Builder b;
    const ValueId condition =
        b.op("Cast", {b.op("ReduceMax", {b.x}, {integer("keepdims", 0)})}, {integer("to", 9)});
    return chain(b, size, [&](ValueId v) {
        return b.op("If", {condition},
                    {attr("then_branch", AttributeValue(branch(2, b.model().graph, v))),
                     attr("else_branch", AttributeValue(branch(3, b.model().graph, v)))});
    });
}

void add_function(Model& model, const std::string& name, const std::string& callee, int calls) {
    auto graph = std::make_shared<Graph>();
    GraphEdit edit(*graph);
    edit.set_name(name);
    ValueId v = edit.add_input("a", {});
    for (int i = 0; i < calls; ++i) {
        NodeSpec spec;
        spec.op_type = callee.empty() ? "Relu" : callee;
        spec.domain = callee.empty() ? "" : "local";
        spec.version = callee.empty() ? 17 : 1;
        spec.name = "c" + std::to_string(i);
        spec.inputs = {v};
        v = edit.add_value("v" + std::to_string(i));
        spec.outputs = {v};
        edit.add_node(std::move(spec));
    }
    edit.add_output(v);
    edit.finish();
    Function f;
    f.domain = "local";
    f.name = name;
    f.opset_imports = {{"", 17}, {"local", 1}};
    f.body = std::move(graph);
    model.functions.push_back(std::move(f));
    model.opset_imports["local"] = 1;
}
Model many_functions(std::int64_t size) {
    Builder b;
    for (std::int64_t i = 0; i < size / 2; ++i)
        add_function(b.model(), "F" + std::to_string(i), "", 2);
    ValueId v = b.x;
    for (std::int64_t i = 0; i < size / 2; ++i)
        v = b.ops(("F" + std::to_string(i)).c_str(), {v}, 1, {}, "local")[0];
    return b.finish(v);
}
Model many_calls(std::int64_t size) {
    Builder b;
    add_function(b.model(), "F", "", 2);
    ValueId v = b.x;
    for (std::int64_t i = 0; i < size / 2; ++i) v = b.ops("F", {v}, 1, {}, "local")[0];
    return b.finish(v);
}
// 10 levels of functions below one that is called again and again
Model nested_calls(std::int64_t size) {
    Builder b;
    add_function(b.model(), "F0", "", 1);
    for (int i = 1; i <= 10; ++i)
        add_function(b.model(), "F" + std::to_string(i), "F" + std::to_string(i - 1),
                     i % 2 == 0 ? 2 : 1);
    ValueId v = b.x;
    for (std::int64_t i = 0; i < size / 32; ++i) v = b.ops("F10", {v}, 1, {}, "local")[0];
    return b.finish(v);
}

}  // namespace

std::span<const LongGraph> long_graphs() {
#define LAPIDARY_LONG_GRAPH(name) \
    { #name, &name }
    static constexpr LongGraph graphs[] = {
        LAPIDARY_LONG_GRAPH(mul_chain),
        LAPIDARY_LONG_GRAPH(shared_constant),
        LAPIDARY_LONG_GRAPH(relu_chain),
        LAPIDARY_LONG_GRAPH(sigmoid_chain),
        LAPIDARY_LONG_GRAPH(identity_chain),
        LAPIDARY_LONG_GRAPH(add_input_chain),
        LAPIDARY_LONG_GRAPH(reshape_chain),
        LAPIDARY_LONG_GRAPH(transpose_chain),
        LAPIDARY_LONG_GRAPH(cast_chain),
        LAPIDARY_LONG_GRAPH(dense_chain),
        LAPIDARY_LONG_GRAPH(convolution_chain),
        LAPIDARY_LONG_GRAPH(residual_convolutions),
        LAPIDARY_LONG_GRAPH(layer_normalization_chain),
        LAPIDARY_LONG_GRAPH(residual_chain),
        LAPIDARY_LONG_GRAPH(dense_connections),
        LAPIDARY_LONG_GRAPH(wide_concat),
        LAPIDARY_LONG_GRAPH(wide_sum),
        LAPIDARY_LONG_GRAPH(wide_split),
        LAPIDARY_LONG_GRAPH(equal_branches),
        LAPIDARY_LONG_GRAPH(many_outputs),
        LAPIDARY_LONG_GRAPH(many_weights),
        LAPIDARY_LONG_GRAPH(dead_nodes),
        LAPIDARY_LONG_GRAPH(constant_nodes),
        LAPIDARY_LONG_GRAPH(constant_chain),
        LAPIDARY_LONG_GRAPH(shape_arithmetic),
        LAPIDARY_LONG_GRAPH(quantized_chain),
        LAPIDARY_LONG_GRAPH(slice_chain),
        LAPIDARY_LONG_GRAPH(concat_chain),
        LAPIDARY_LONG_GRAPH(many_ifs),
        LAPIDARY_LONG_GRAPH(many_functions),
        LAPIDARY_LONG_GRAPH(many_calls),
        LAPIDARY_LONG_GRAPH(nested_calls),
    };
#undef LAPIDARY_LONG_GRAPH
    return graphs;
}

}  // namespace lapidary::test
