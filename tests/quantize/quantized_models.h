// SPDX-License-Identifier: Apache-2.0
// Small float models for tests of quantize_model(), and what is asked of the models that it writes.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "support/test_data.h"

namespace lapidary {

/// A model with the types of all its values, from the text of its graph.
inline Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

inline ModelPtr shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

inline const std::string convolutions =
    "(x: f32[n,3,8,8]) -> (y)\na = Conv(x, w1: f32[8,3,3,3], b1: f32[8]) {pads: [1,1,1,1]}\nr = "
    "Relu(a)\nm = "
    "MaxPool(r) {kernel_shape: [2,2], strides: [2,2]}\n"
    "c = Conv(m, w2: f32[8,1,3,3]) {group: 8}\nf = Flatten(c)\ny = Gemm(f, w3: f32[5,32], b3: "
    "f32[5]) {transB: 1}";
inline const std::string products =
    "(x: f32[n,64]) -> (y)\na = MatMul(x, w1: f32[64,48])\nb = Add(a, b1: f32[48])\ng = Tanh(b)\nd "
    "= MatMul(g, w2: "
    "f32[48,10])\ny = Softmax(d)";

inline SampleSourcePtr samples_for(const Model& model, std::size_t count, std::uint64_t seed = 1) {
    return generated_samples(shared(Model(model)), count, seed);
}

/// Operators of the nodes, with their domains.
inline std::multiset<std::string> operators(const Model& model) {
    std::multiset<std::string> found;
    for (NodeId id : model.graph.nodes()) found.insert(model.graph.node(id).qualified_op());
    return found;
}

/// Signal to quantization noise of the outputs in decibels, over four generated samples.
inline double sqnr(const Model& original, const Model& quantized) {
    return evaluate_quantized(shared(Model(original)), shared(Model(quantized)),
                              *samples_for(original, 4, 100))
        .sqnr_db();
}

/// Saved, loaded and checked as any other file.
inline Model reloaded(const Model& model) {
    const TemporaryFolder folder;
    save_model(model, folder / "q.onnx");
    return load_model(folder / "q.onnx");
}

/// The decision on the first node of the operator.
inline const NodeDecision& decision_of(const QuantizeResult& result, const std::string& op) {
    for (const NodeDecision& decision : result.nodes)
        if (decision.node.find("(" + op + ")") != std::string::npos) return decision;
    throw std::runtime_error("no decision on " + op);
}

}  // namespace lapidary
