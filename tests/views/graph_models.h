// SPDX-License-Identifier: Apache-2.0
// Models built in memory for tests of the graph views.
#pragma once

#include <memory>
#include <string>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/model.h>

namespace lapidary::views {

inline ModelPtr finished(std::unique_ptr<Model> model) { return ModelPtr(std::move(model)); }

inline Type float_type(std::vector<std::int64_t> shape) {
    return Type::tensor(DType::f32, SymbolicShape(shape.begin(), shape.end()));
}

/// x -> Relu, Relu ... -> y, all in one line.
inline ModelPtr chain_model(int nodes) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_name("chain");
    edit.set_default_version(17);
    ValueId v = edit.add_input("x", float_type({1, 8}));
    for (int i = 0; i < nodes; ++i) {
        v = edit.node("Relu", {v}, {}, "relu" + std::to_string(i));
        edit.set_type(v, float_type({1, 8}));
    }
    edit.rename(v, "y");
    edit.add_output(v);
    edit.finish();
    return finished(std::move(model));
}

/// Residual blocks named like an exporter names them: /layerK/blockB/conv ... Weights are shared.
inline ModelPtr scoped_model(int blocks, int blocks_per_layer = 8) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_name("scoped");
    edit.set_default_version(17);
    ValueId v = edit.add_input("image", float_type({1, 4, 8, 8}));
    const ValueId weight = edit.add_initializer(
        "weight", Tensor::of<float>({4, 4, 1, 1}, std::vector<float>(16, 0.5f)));
    for (int b = 0; b < blocks; ++b) {
        const std::string scope =
            "/layer" + std::to_string(b / blocks_per_layer) + "/block" + std::to_string(b) + "/";
        const ValueId skip = v;
        for (int i = 0; i < 3; ++i) {
            v = edit.node("Conv", {v, weight}, {}, scope + "conv" + std::to_string(i) + "/Conv");
            edit.set_type(v, float_type({1, 4, 8, 8}));
            v = edit.node("Relu", {v}, {}, scope + "relu" + std::to_string(i) + "/Relu");
            edit.set_type(v, float_type({1, 4, 8, 8}));
        }
        v = edit.node("Add", {v, skip}, {}, scope + "Add");
        edit.set_type(v, float_type({1, 4, 8, 8}));
    }
    edit.rename(v, "result");
    edit.add_output(v);
    edit.finish();
    return finished(std::move(model));
}

/// A CNN as ONNX Runtime writes it after optimizing: fused nodes have no names, outputs keep the
/// names of their modules, and the node between features and classifier is in no scope although its
/// output is named after the features.
inline ModelPtr ort_cnn_model(int blocks) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 13;
    model->opset_imports["com.microsoft.nchwc"] = 1;
    GraphEdit edit(model->graph);
    edit.set_name("cnn");
    edit.set_default_version(13);
    ValueId v = edit.add_input("input", float_type({1, 16, 8, 8}));
    const ValueId weight = edit.add_initializer(
        "weight", Tensor::of<float>({16, 16, 1, 1}, std::vector<float>(256, 0.1f)));
    const ValueId classes =
        edit.add_initializer("classes", Tensor::of<float>({16, 4}, std::vector<float>(64, 0.5f)));
    const auto node = [&](const char* op, std::vector<ValueId> inputs, const std::string& output,
                          const char* domain) {
        const ValueId made = edit.add_value(output, float_type({1, 16, 8, 8}));
        NodeSpec spec;
        spec.op_type = op;
        spec.domain = domain;
        spec.version = *domain ? 1 : 13;
        spec.inputs = std::move(inputs);
        spec.outputs = {made};
        edit.add_node(std::move(spec));
        return made;
    };
    for (int b = 0; b < blocks; ++b) {
        const std::string scope = "/features/features." + std::to_string(b) + "/";
        const ValueId skip = v;
        for (const char* part :
             {"Clip_output_0_nchwc", "conv/Clip_output_0_nchwc", "conv/Conv_output_0_nchwc"})
            v = node("Conv", {v, weight}, scope + part, "com.microsoft.nchwc");
        if (b > 0) v = node("Add", {v, skip}, scope + "Add_output_0", "");
    }
    v = node("ReorderOutput", {v}, "reorder", "com.microsoft.nchwc");
    v = node("Flatten", {v}, "/features/Flatten_output_0", "");
    v = node("MatMul", {v, classes}, "/features/logits", "");
    edit.add_output(v);
    edit.finish();
    return finished(std::move(model));
}

/// cond, x -> If(then: Relu(x), else: Neg(Neg(x))) -> y; with a Constant that is added to y.
inline ModelPtr branching_model() {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    const ValueId condition =
        edit.add_input("condition", Type::tensor(DType::boolean, SymbolicShape{}));
    const ValueId x = edit.add_input("x", float_type({2}));
    auto body = [&](const char* name, std::vector<const char*> ops) {
        auto graph = std::make_shared<Graph>();
        GraphEdit inner(*graph);
        inner.set_name(name);
        inner.set_default_version(17);
        ValueId v = inner.add_captured("x", x, float_type({2}));
        int i = 0;
        for (const char* op : ops)
            v = inner.node(op, {v}, {}, std::string(name) + std::to_string(i++));
        inner.add_output(v);
        inner.finish();
        return GraphPtr(graph);
    };
    const ValueId chosen = edit.node(
        "If", {condition},
        {{"then_branch", body("then", {"Relu"})}, {"else_branch", body("else", {"Neg", "Neg"})}},
        "decide");
    const ValueId one =
        edit.node("Constant", {}, {{"value", Tensor::of<float>({2}, {1, 2})}}, "one");
    const ValueId sum = edit.node("Add", {chosen, one}, {}, "sum", "y");
    edit.add_output(sum);
    edit.finish();
    return finished(std::move(model));
}

}  // namespace lapidary::views
