// SPDX-License-Identifier: Apache-2.0
// Sessions that hold weights of products in 16 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/proof/lowered_precision.h>

#include "exec/plan/half_weights.h"
#include "exec/plan/large_weights.h"
#include "graph/verify.h"
#include "support/kernel_compare.h"

namespace lapidary {
namespace {

std::shared_ptr<Model> model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text, {.opset = 20});
    return model;
}

const std::string text =
    "(x: f32[3,300]) -> (y, z)\na = MatMul(x, w: f32[300,400])\nb = Add(a, c: f32[400])\n"
    "y = Relu(b)\nz = Gemm(y, v: f32[200,400]) {transB: 1}\n";

SessionOptions options_with(const std::string& compute) {
    SessionOptions options;
    options.resources.config[std::string(compute_key)] = compute;
    return options;
}

/// The model with these weights rounded beforehand.
ModelPtr rounded_model(DType half, const std::string& of = text,
                       const std::vector<const char*>& weights = {"w", "v"}) {
    const std::shared_ptr<Model> model = model_of(of);
    GraphEdit edit(model->graph);
    for (const char* name : weights) {
        const ValueId id = model->graph.find_value(name);
        Tensor rounded = model->graph.value(id).constant->clone();
        for (float& v : rounded.mutable_data<float>())
            v = half == DType::f16 ? static_cast<float>(Half(v)) : static_cast<float>(BFloat16(v));
        edit.set_constant(id, rounded);
    }
    return model;
}

TEST(Compute, IsRoundingOfWeightsAlone) {
    const NamedValues inputs{{"x", test::noise({3, 300}, 1)}};
    for (const auto& [compute, half] :
         {std::pair{"fp16", DType::f16}, std::pair{"bf16", DType::bf16}}) {
        Session session = Session::compile(model_of(text), options_with(compute));
        const RunResult found = session.run(inputs);
        const RunResult expected = Session::compile(rounded_model(half)).run(inputs);
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_TRUE(same_contents(found.outputs[i].second.tensor(),
                                      expected.outputs[i].second.tensor()))
                << compute << " output " << i;
    }
}

TEST(Compute, OfAttentionOnEveryInstructionSet) {
    const std::string attention =
        "(x: f32[2,5,256]) -> (y)\n"
        "y = com.microsoft::Attention(x, w: f32[256,768], b: f32[768]) {num_heads: 8}\n";
    const NamedValues inputs{{"x", test::noise({2, 5, 256}, 1)}};
    SessionOptions plain;
    plain.reference_kernels = true;
    const auto run = [&](const ModelPtr& model, const SessionOptions& options) {
        return Session::compile(model, options).run(inputs).outputs.at(0).second;
    };
    for (const auto& [compute, half] :
         {std::pair{"fp16", DType::f16}, std::pair{"bf16", DType::bf16}}) {
        const ModelPtr rounded = rounded_model(half, attention, {"w"});
        const RuntimeValue expected = run(rounded, plain);
        test::for_each_isa([&](Isa isa) {
            SCOPED_TRACE(std::string(compute) + " " + std::string(name_of(isa)));
            const RuntimeValue found = run(model_of(attention), options_with(compute));
            EXPECT_TRUE(same_contents(found.tensor(), run(rounded, {}).tensor()));
            const Comparison difference = compare(found, expected, same_result);
            EXPECT_TRUE(difference.matches) << difference.reason;
        });
        const std::shared_ptr<Model> model = model_of(attention);
        EXPECT_EQ(round_weights_to_halves(*model, half, {}), 1u);
    }
}

TEST(Compute, OfBodiesWhereverTheirWeightsAre) {
    const std::string bodies =
        "(c: bool[], x: f32[3,300]) -> (y, z)\nz = MatMul(x, w: f32[300,400])\n"
        "y = If(c) {then_branch: graph { () -> (a)  a = MatMul(x, w) }, "
        "else_branch: graph { () -> (b)\nt = MatMul(x, v: f32[300,400])\nb = Neg(t) }}\n";
    const std::shared_ptr<Model> rounded = model_of(bodies);
    EXPECT_EQ(round_weights_to_halves(*rounded, DType::bf16, {}), 3u);
    verify(*rounded);
    EXPECT_EQ(rounded->graph.find_value("w"), ValueId()) << "nothing reads it any more";
    const ModelPtr model = model_of(bodies);
    EXPECT_EQ(large_weights(model->graph, model->graph.node(model->graph.nodes()[1])).size(), 2u);
    Session exact = Session::compile(model),
            session = Session::compile(model, options_with("bf16"));
    for (const bool first : {true, false}) {
        Tensor condition(DType::boolean, {});
        condition.mutable_data<bool>()[0] = first;
        const NamedValues inputs{{"c", condition}, {"x", test::noise({3, 300}, 1)}};
        const Comparison difference = compare(session.run(inputs).outputs[0].second,
                                              exact.run(inputs).outputs[0].second, same_result);
        EXPECT_GT(difference.sqnr_db, 40);
        EXPECT_LT(difference.sqnr_db, 70) << "the weight of the body is rounded";
    }
}

TEST(Compute, ItsPriceIsMeasured) {
    const NamedValues inputs{{"x", test::noise({3, 300}, 1)}};
    const ModelPtr model = model_of(text);
    double before = std::numeric_limits<double>::infinity();
    for (const auto& [compute, least] :
         {std::pair{"fp16", 55.0}, std::pair{"bf16", 40.0}, std::pair{"int8", 25.0}}) {
        const SessionOptions options = options_with(compute);
        const RunResult result = Session::compile(model, options).run(inputs);
        const auto lowered = measure_lowered_precision(model, options, inputs, result.outputs);
        ASSERT_TRUE(lowered);
        ASSERT_TRUE(lowered->worst());
        const double sqnr = lowered->worst()->comparison.sqnr_db;
        EXPECT_GT(sqnr, least);
        EXPECT_LT(sqnr, before);
        before = sqnr;
        EXPECT_NE(text_of(*lowered).find(std::string(compute) + " weights on cpu"),
                  std::string::npos)
            << text_of(*lowered);
    }
    EXPECT_TRUE(lowered_by(options_with("exact")).empty());
}

TEST(Compute, WeightsThatFloat16CannotHoldStay) {
    const std::shared_ptr<Model> model = model_of(text);
    GraphEdit edit(model->graph);
    const ValueId id = model->graph.find_value("w");
    Tensor large = model->graph.value(id).constant->clone();
    large.mutable_data<float>()[5] = 1e6f;
    edit.set_constant(id, large);
    EXPECT_EQ(round_weights_to_halves(*model, DType::f16, {}), 1u);
    EXPECT_EQ(model->graph.node(model->graph.nodes()[0]).inputs[1], id);
    EXPECT_EQ(round_weights_to_halves(*model, DType::bf16, {}), 1u) << "the other is in 16 bits";
}

TEST(Compute, SmallMatricesAndOtherReadersStay) {
    const std::shared_ptr<Model> model = model_of(
        "(x: f32[3,300], i: i64[2]) -> (y, z, g)\ny = MatMul(x, w: f32[300,400])\n"
        "z = MatMul(x, s: f32[300,40])\ng = Gather(w, i)\n");
    const Tensor exact = *model->graph.value(model->graph.find_value("w")).constant;
    EXPECT_EQ(round_weights_to_halves(*model, DType::bf16, {}), 1u);
    const Value& table = model->graph.value(model->graph.find_value("w"));
    EXPECT_EQ(table.constant->identity(), exact.identity());
    EXPECT_EQ(table.uses.size(), 1u) << "the Gather";
    const Node& product = model->graph.node(model->graph.nodes()[0]);
    EXPECT_EQ(model->graph.value(product.inputs[1]).constant->widened_from().dtype(), DType::bf16);
}

TEST(Compute, RefusesOtherNames) {
    for (const Compute compute : all_computes)
        EXPECT_EQ(compute_from_name(name_of(compute)), compute);
    EXPECT_FALSE(compute_from_name("fp8"));
    try {
        Session::compile(model_of(text), options_with("fp8"));
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::invalid_input);
        EXPECT_NE(e.message().find("expected exact, fp16, bf16 or int8, found \"fp8\""),
                  std::string::npos)
            << e.message();
    }
}

}  // namespace
}  // namespace lapidary
