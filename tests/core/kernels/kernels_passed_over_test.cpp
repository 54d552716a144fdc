// SPDX-License-Identifier: Apache-2.0
// Fast kernels that take 32-bit floats alone meet those of 16 bits where a session's own rewrites
// are off: each says so and leaves the node to the reference kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

/// "kernel (why the last fast one was passed over)" of the step of operator `op`.
std::string choice_of(const std::string& op, const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports = {{"", 17}, {"com.microsoft", 1}};
    model->graph = parse_graph(text);
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;
    options.resources.threads = 1;
    const Session session = Session::compile(model, options);
    const std::vector<StepInfo>& steps = session.plan().steps;
    const auto step = std::ranges::find(steps, op, &StepInfo::op);
    if (step == steps.end()) return "no step";
    return step->kernel + " (" +
           (step->passed_over.empty() ? "" : step->passed_over.back().second) + ")";
}

TEST(KernelsPassedOver, AttentionOfHalfFloats) {
    EXPECT_EQ(choice_of("com.microsoft::GroupQueryAttention",
                        "(q: f16[1,2,16], k: f16[1,2,8], v: f16[1,2,8]) -> (y, nk, nv)\n"
                        "y, nk, nv = com.microsoft::GroupQueryAttention(q, k, v, _, _, l: "
                        "i32[1]{1}, t: i32[]{2}) "
                        "{num_heads: 2, kv_num_heads: 1}"),
              "reference.group_query_attention (input 0 has elements of type f16, this kernel "
              "takes f32)");
    EXPECT_EQ(
        choice_of("com.microsoft::MultiHeadAttention",
                  "(q: f16[1,2,8], k: f16[1,2,8], v: f16[1,2,8]) -> (y)\n"
                  "y = com.microsoft::MultiHeadAttention(q, k, v) {num_heads: 2}"),
        "reference.multi_head_attention (input 0 has elements of type f16, this kernel takes f32)");
}

TEST(KernelsPassedOver, EmbeddingOfHalfFloats) {
    EXPECT_EQ(choice_of("com.microsoft::EmbedLayerNormalization",
                        "(i: i32[1,3]) -> (y)\ny, _ = com.microsoft::EmbedLayerNormalization(i, _, "
                        "w: f16[9,8], "
                        "p: f16[5,8], _, g: f16[8], b: f16[8])"),
              "reference.embed_layer_normalization (input 2 has elements of type f16, this kernel "
              "takes f32)");
}

TEST(KernelsPassedOver, ProductsOfWideHalfFloats) {
    const std::string reason = " (products of bf16 are served by the reference kernel)";
    EXPECT_EQ(choice_of("MatMul", "(a: bf16[3,4], b: bf16[4,5]) -> (y)\ny = MatMul(a, b)"),
              "reference.matmul" + reason);
    EXPECT_EQ(choice_of("com.microsoft::FusedMatMul",
                        "(a: bf16[3,4], b: bf16[4,5]) -> (y)\ny = com.microsoft::FusedMatMul(a, b) "
                        "{alpha: 0.5}"),
              "reference.fused_matmul" + reason);
    EXPECT_EQ(
        choice_of("com.microsoft::GemmFastGelu",
                  "(a: bf16[3,4], b: bf16[4,5]) -> (y)\ny = com.microsoft::GemmFastGelu(a, b)"),
        "reference.gemm_fast_gelu" + reason);
    EXPECT_EQ(
        choice_of(
            "com.microsoft::MatMulNBits",
            "(x: bf16[2,32]) -> (y)\ny = com.microsoft::MatMulNBits(x, w: u8[8,1,16], s: bf16[8]) "
            "{K: 32, N: 8, bits: 4, block_size: 32}"),
        "reference.matmul_nbits" + reason);
}

}  // namespace
}  // namespace lapidary
