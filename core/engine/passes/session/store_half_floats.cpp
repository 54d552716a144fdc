// SPDX-License-Identifier: Apache-2.0
//   before:  y = MatMul(Relu(MatMul(x, v)), w) in float32
//   after:   y = Cast(MatMul(Relu(MatMul(Cast(x), v as float16)), w as float16)), with Casts at the
//            borders alone
// For devices that store floats in 16 bits (DeviceProvider::stored_floats()): half the memory and
// half the traffic. Kernels there sum in float32, and so do norms, Softmax and what was fused
// before this pass within themselves; what would still outgrow float16 between nodes stays float32,
// with the reason, and so does what computes with whole numbers.
#include <algorithm>
#include <array>
#include <string_view>

#include <lapidary/passes/device_passes.h>

#include "ops/operator_traits.h"
#include "passes/session/bounded_chain.h"
#include "passes/session/half_protection.h"
#include "passes/session/join_casts.h"
#include "passes/session/joined_origins.h"
#include "rewrite/half_floats.h"
#include "rewrite/pass.h"

namespace lapidary::passes {
namespace {

/// Operators that devices compute on 16-bit floats, beside elementwise ones.
constexpr std::array<std::string_view, 52> takes_halves{
    "Attention",
    "AveragePool",
    "BatchNormalization",
    "Concat",
    "Conv",
    "ConvTranspose",
    "DepthToSpace",
    "Expand",
    "Flatten",
    "Gather",
    "Gemm",
    "GlobalAveragePool",
    "GlobalMaxPool",
    "GroupNormalization",
    "InstanceNormalization",
    "LayerNormalization",
    "LogSoftmax",
    "MatMul",
    "MaxPool",
    "Pad",
    "RMSNormalization",
    "ReduceL1",
    "ReduceL2",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Reshape",
    "Resize",
    "SimplifiedLayerNormalization",
    "Slice",
    "Softmax",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Tile",
    "Transpose",
    "Trilu",
    "Unsqueeze",
    "Upsample",
    "com.microsoft::Attention",
    "com.microsoft::BiasGelu",
    "com.microsoft::EmbedLayerNormalization",
    "com.microsoft::FusedConv",
    "com.microsoft::FusedGemm",
    "com.microsoft::FusedMatMul",
    "com.microsoft::GroupQueryAttention",
    "com.microsoft::MultiHeadAttention",
    "com.microsoft::SkipLayerNormalization",
    "com.microsoft::SkipSimplifiedLayerNormalization"};

/// Of the session's own operators, all floats of which are of one type; the mask of attention stays
/// as it is, and so does a model's input that a convolution packs: it makes float16 of it by
/// itself.
HalfPorts session_ports(const Graph& graph, const Node& node, DType half) {
    HalfPorts ports;
    const bool is_attention = node.op_type == "DotProductAttention";
    const bool packs = half == DType::f16 && node.int_attribute("image_first", 0) != 0;
    for (std::size_t i = 0; i < node.inputs.size() && !(is_attention && i == 3); ++i) {
        if (!node.inputs[i] || graph.value(node.inputs[i]).type.dtype != DType::f32) continue;
        if (i == 0 && packs && graph.value(node.inputs[0]).kind == ValueKind::input) continue;
        ports.inputs.insert(i);
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        if (node.outputs[i] && graph.value(node.outputs[i]).type.dtype == DType::f32)
            ports.outputs.insert(i);
    if (ports.inputs.empty() || ports.outputs.empty()) ports.problem = "it is not of float32";
    return ports;
}

HalfPorts ports_of(const Graph& graph, const Node& node, DType half) {
    static constexpr std::string_view own[] = {
        "lapidary::ChannelsLastConv", "lapidary::ChannelsLastConvTranspose",
        "lapidary::ChannelsLastPool", "lapidary::DotProductAttention",
        "lapidary::ElementwiseChain", "lapidary::NormalizedProduct",
        "lapidary::Product"};
    const std::string op = node.qualified_op();
    if (std::ranges::find(own, op) != std::end(own)) return session_ports(graph, node, half);
    HalfPorts ports = half_ports(graph, node);
    const bool is_taken = traits_of(node).is_elementwise() ||
                          std::ranges::find(takes_halves, op) != takes_halves.end();
    if (ports.problem.empty() && !is_taken)
        ports.problem = "devices are not known to compute it in 16 bits";
    if (ports.problem.empty() && half == DType::bf16 &&
        op == "com.microsoft::EmbedLayerNormalization")
        ports.problem = "it is not defined for bfloat16";
    return ports;
}

void store_halves(PassContext& context) {
    if (!context.may_rewrite()) return;
    const DType half = context.options().provider == device_passes_bf16 ? DType::bf16 : DType::f16;
    const Graph& graph = context.graph();
    HalfRewriter rewriter(context.edit(), half);
    HalfProtection protection(context.scope(), half);
    const std::vector<NodeId> nodes = context.nodes();
    for (NodeId id : nodes) {
        HalfPorts ports = ports_of(graph, graph.node(id), half);
        if (ports.problem.empty()) protection.add(id, ports);
        else protection.add_refused(id, ports.problem);
        if (ports.problem.empty()) rewriter.take(id, std::move(ports));
    }
    for (const auto& [id, reason] : protection.settle()) {
        rewriter.release(id);
        context.miss(id, reason);
    }
    for (NodeId id : rewriter.drop_islands())
        context.miss(id, "stands between nodes that stay float32");
    if (rewriter.taken() == 0) return;
    for (NodeId id : nodes) {
        if (!rewriter.is_taken(id)) continue;
        if (is_chain(graph.node(id)) && has_large_constants(ChainProgram::of(graph.node(id)), half))
            bound_chain(context.edit(), id, half);
        rewriter.write(id);
    }
    rewriter.erase_replaced();
    const std::size_t taken = rewriter.taken();
    const auto added = fold_casts_into_chains(context.edit(), rewriter.casts());
    const std::vector<JoinedCasts> casts = join_casts(context.edit(), added);
    context.record(std::to_string(taken) + (taken == 1 ? " node stores " : " nodes store ") +
                   (half == DType::f16 ? "float16" : "bfloat16") + ", with " +
                   std::to_string(added.size()) + " Casts where float32 stays");
    for (const JoinedCasts& cast : casts)
        context.edit().set_origins(cast.node, joined_origins(graph, cast.added_for));
}

}  // namespace

PassBody store_half_floats() { return {.run = store_halves, .main_graph_only = true}; }

}  // namespace lapidary::passes
