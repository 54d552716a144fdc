// SPDX-License-Identifier: Apache-2.0
#include "quantize/writers/quantized_operators.h"

#include <algorithm>

#include <lapidary/ops/infer.h>
#include <lapidary/passes/optimize.h>

namespace lapidary {

std::size_t idle_pairs(const Model& model) {
    const Graph& graph = model.graph;
    return static_cast<std::size_t>(std::ranges::count_if(graph.nodes(), [&](NodeId id) {
        const Node& node = graph.node(id);
        if (node.op_type != "DequantizeLinear") return false;
        const Value& stored = graph.value(node.inputs.at(0));
        return stored.kind == ValueKind::node_output &&
               graph.node(stored.producer).op_type == "QuantizeLinear";
    }));
}

void use_quantized_operators(Model& model, std::vector<std::string>& notes,
                             const Progress& progress) {
    infer_types(model, {}, progress);
    OptimizeOptions options;
    options.near_misses = false;
    options.only_passes = {"eliminate_clip_before_quantize",
                           "eliminate_relu_before_quantize",
                           "eliminate_dequantize_quantize",
                           "eliminate_qdq_around_movement",
                           "eliminate_qdq_around_split",
                           "eliminate_dequantize_before_argmax",
                           "fuse_quantized_unary",
                           "fuse_quantized_binary",
                           "fuse_quantized_concat",
                           "fuse_quantized_where",
                           "fuse_quantized_conv",
                           "fuse_quantized_matmul",
                           "fuse_quantized_gemm"};
    model = optimize(model, options, progress).model;
    if (const std::size_t left = idle_pairs(model); left > 0)
        notes.push_back(std::to_string(left) +
                        " pairs of QuantizeLinear and DequantizeLinear stay: no quantized "
                        "operator takes them up");
}

}  // namespace lapidary
