// SPDX-License-Identifier: Apache-2.0
// Models split, joined and wrapped, and nodes replaced by their parts: results are compared with
// those of the model before.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "edit/changes/graph_parts.h"
#include "edit/changes/node_parts.h"
#include "edit/changes/wrap_changes.h"
#include "graph/verify.h"
#include "support/pass_harness.h"

namespace lapidary {
namespace {

using test::compare_runs;
using test::model_of;

Model rewritten(const Model& model, const std::function<void(GraphEdit&)>& change) {
    Model copy = model;
    GraphEdit edit(copy.graph, "edit");
    change(edit);
    edit.record("changed");
    infer_types(copy);
    verify(copy);
    return copy;
}

/// The message of the Error that `act` throws.
std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::internal) << error.what();
        return error.message();
    }
    return "no error";
}

NodeId node_of(const Model& model, std::string_view op) {
    for (const NodeId id : model.graph.nodes())
        if (model.graph.node(id).op_type == op) return id;
    return {};
}

std::string ops_of(const Model& model) {
    std::string ops;
    for (const NodeId id : model.graph.nodes())
        ops += (ops.empty() ? "" : " ") + model.graph.node(id).op_type;
    return ops;
}

std::vector<double> run_output(const Model& model, const NamedValues& inputs, std::size_t index) {
    auto outputs = Session::compile(std::make_shared<const Model>(model)).run(inputs).outputs;
    return to_doubles(outputs.at(index).second.tensor());
}

const char* const chain = R"((x: f32[2,3]) -> (y)
  a = MatMul(x, w: f32[3,3])
  b = Relu(a)
  c = MatMul(b, w)
  y = Add(c, k: f32[3])
)";

TEST(GraphParts, TwoPartsInSequenceGiveTheSameResult) {
    const Model model = model_of(chain);
    auto [first, second] = split_model_at(model, {"b"});
    verify(first);
    verify(second);
    EXPECT_EQ(ops_of(first), "MatMul Relu");
    EXPECT_EQ(ops_of(second), "MatMul Add");
    join_models(first, second, {});
    verify(first);
    EXPECT_EQ(ops_of(first), "MatMul Relu MatMul Add");
    EXPECT_EQ(compare_runs(model, first, {}), "");
}

TEST(GraphParts, ASplitThatNeedsMoreValuesNamesThem) {
    const Model model = model_of(R"((x: f32[2]) -> (y)
  a = Relu(x)
  b = Neg(a)
  y = Add(a, b)
)");
    EXPECT_NE(message_of([&] { split_model_at(model, {"b"}); }).find("reads \"a\""),
              std::string::npos);
    EXPECT_EQ(ops_of(split_model_at(model, {"b", "a"}).second), "Add");
    EXPECT_NE(message_of([&] { split_model_at(model, {"q"}); }).find("no value \"q\""),
              std::string::npos);
    EXPECT_NE(message_of([&] { split_model_at(model, {"x"}); }).find("an input"),
              std::string::npos);
    EXPECT_NE(message_of([&] { split_model_at(model, {"y"}); }).find("would be empty"),
              std::string::npos);
    EXPECT_NE(message_of([&] { split_model_at(model, {}); }).find("no value is named"),
              std::string::npos);
}

TEST(GraphParts, JoiningConvertsTheLowerOpsetAndKeepsNames) {
    Model first = model_of("(x: f32[2,3]) -> (h, side)\n h = Relu(x)\n side = Neg(x)\n", 11);
    const Model second = model_of(
        "(e: f32[2,3], t: f32[3]) -> (y)\n h = Add(e, t)\n"
        " y = Softmax(h) {axis: 1}\n");
    join_models(first, second, {.pairs = {{"h", "e"}}});
    verify(first);
    EXPECT_EQ(first.opset(), 17);
    EXPECT_EQ(first.graph.inputs().size(), 2U);
    ASSERT_EQ(first.graph.outputs().size(), 2U);
    EXPECT_EQ(first.graph.value(first.graph.outputs()[0]).name, "side");
    EXPECT_EQ(first.graph.value(first.graph.outputs()[1]).name, "y");
}

TEST(GraphParts, APrefixKeepsTwoCopiesApart) {
    const Model model = model_of("(x: f32[2], s: f32[2]) -> (y)\n y = Mul(x, s)\n");
    Model twice = model;
    EXPECT_NE(message_of([&] {
                  join_models(twice, model, {.pairs = {{"y", "x"}}});
              }).find("give a prefix"),
              std::string::npos);
    join_models(twice, model, {.pairs = {{"y", "x"}}, .prefix = "second/"});
    verify(twice);
    ASSERT_EQ(twice.graph.inputs().size(), 3U);
    EXPECT_EQ(twice.graph.value(twice.graph.inputs()[2]).name, "second/s");
    EXPECT_EQ(twice.graph.value(twice.graph.outputs()[0]).name, "second/y");
}

TEST(GraphParts, JoinedNodesHaveNamesOfTheirOwn) {
    Model first = model_of("(x: f32[2]) -> (h)\n h = Relu(x) as \"n\"\n");
    const Model second = model_of("(h: f32[2]) -> (y)\n y = Neg(h) as \"n\"\n");
    join_models(first, second, {});
    EXPECT_EQ(first.graph.node(node_of(first, "Relu")).name, "n");
    EXPECT_EQ(first.graph.node(node_of(first, "Neg")).name, "n_1");
}

TEST(GraphParts, JoinsThatDoNotFitAreRefused) {
    Model first = model_of("(x: f32[2,3]) -> (h)\n h = Relu(x)\n");
    const Model numbers = model_of("(h: i64[2,3]) -> (y)\n y = Neg(h)\n");
    const Model wider = model_of("(h: f32[2,4]) -> (y)\n y = Neg(h)\n");
    const Model other = model_of("(q: f32[2,3]) -> (y)\n y = Neg(q)\n");
    EXPECT_NE(message_of([&] { join_models(first, numbers, {}); }).find("cannot be read as"),
              std::string::npos);
    EXPECT_NE(message_of([&] { join_models(first, wider, {}); }).find("cannot be read as"),
              std::string::npos);
    EXPECT_NE(message_of([&] { join_models(first, other, {}); }).find("expected pairs"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  join_models(first, other, {.pairs = {{"x", "q"}}});
              }).find("no output \"x\""),
              std::string::npos);
    EXPECT_EQ(ops_of(first), "Relu");
}

TEST(NodeParts, ABranchTakesThePlaceOfItsIf) {
    const Model model = model_of(R"((x: f32[2], c: bool[]) -> (y)
  a = Relu(x)
  r = If(c) {then_branch: graph { () -> (t)  t = Neg(a) },
             else_branch: graph { () -> (e)  e = Abs(a) }}
  y = Add(r, x)
)");
    const NodeId branch = node_of(model, "If");
    const Model then_model =
        rewritten(model, [&](GraphEdit& edit) { resolve_branch(edit, branch, true, 17); });
    const Model else_model =
        rewritten(model, [&](GraphEdit& edit) { resolve_branch(edit, branch, false, 17); });
    EXPECT_EQ(ops_of(then_model), "Relu Neg Add");
    EXPECT_EQ(ops_of(else_model), "Relu Abs Add");
    EXPECT_NE(message_of([&] {
                  rewritten(model, [&](GraphEdit& edit) {
                      resolve_branch(edit, node_of(model, "Relu"), true, 17);
                  });
              }).find("is no If"),
              std::string::npos);
}

TEST(NodeParts, AGemmIsSplit) {
    const Model model = model_of(R"((x: f32[3,2]) -> (y)
  y = Gemm(x, w: f32[4,3], b: f32[4]) {transA: 1, transB: 1, alpha: 0.5, beta: 2.0}
)");
    const Model parts =
        rewritten(model, [&](GraphEdit& edit) { split_gemm(edit, node_of(model, "Gemm"), 17); });
    EXPECT_EQ(parts.graph.node_count(), 6U);
    EXPECT_FALSE(node_of(parts, "Gemm"));
    EXPECT_EQ(compare_runs(model, parts, {}), "");
    const Model plain = model_of("(x: f32[2,3]) -> (y)\n y = Gemm(x, w: f32[3,4], b: f32[4])\n");
    const Model two =
        rewritten(plain, [&](GraphEdit& edit) { split_gemm(edit, node_of(plain, "Gemm"), 17); });
    EXPECT_EQ(ops_of(two), "MatMul Add");
    EXPECT_EQ(compare_runs(plain, two, {}), "");
}

TEST(WrapChanges, BytesAreNormalizedInside) {
    const Model model = model_of("(x: f32[1,2,1,2], s: f32[1]) -> (y)\n y = Add(x, s)\n");
    const Model wrapped = rewritten(model, [](GraphEdit& edit) {
        wrap_normalization(edit, "x", {10, 20}, {2, 4}, 1, 17);
    });
    EXPECT_EQ(wrapped.graph.value(wrapped.graph.inputs()[0]).name, "x");
    EXPECT_EQ(wrapped.graph.value(wrapped.graph.inputs()[0]).type.dtype, DType::u8);
    const NamedValues inputs{{"x", Tensor::of<std::uint8_t>({1, 2, 1, 2}, {10, 12, 20, 40})},
                             {"s", Tensor::of<float>({1}, {1})}};
    EXPECT_EQ(run_output(wrapped, inputs, 0), (std::vector<double>{1, 2, 1, 6}));
    EXPECT_NE(message_of([&] {
                  rewritten(model, [](GraphEdit& edit) {
                      wrap_normalization(edit, "x", {1, 2, 3}, {1}, 1, 17);
                  });
              }).find("3 numbers"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  rewritten(model, [](GraphEdit& edit) {
                      wrap_normalization(edit, "x", {1}, {0}, 1, 17);
                  });
              }).find("deviation is 0"),
              std::string::npos);
    EXPECT_NE(message_of([&] {
                  rewritten(model, [](GraphEdit& edit) {
                      wrap_normalization(edit, "x", {1}, {1}, 4, 17);
                  });
              }).find("no axis 4"),
              std::string::npos);
}

TEST(WrapChanges, NumbersThatNormalizeNothingAreRefused) {
    const Model model = model_of("(x: f32[1,2,1,2]) -> (y)\n y = Relu(x)\n");
    const double infinite = std::numeric_limits<double>::infinity();
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    const auto said = [&](double mean, double deviation) {
        return message_of([&] {
            rewritten(model, [&](GraphEdit& edit) {
                wrap_normalization(edit, "x", {mean}, {1, deviation}, 1, 17);
            });
        });
    };
    EXPECT_EQ(said(0, 1e-3), "no error");
    for (const double deviation : {0.0, -1.0, 1e300, 1e-300, 1e-40, infinite, no_number})
        EXPECT_NE(said(0, deviation).find("a deviation is"), std::string::npos) << deviation;
    for (const double mean : {1e300, -infinite, no_number})
        EXPECT_NE(said(mean, 1).find("a mean is"), std::string::npos) << mean;
}

TEST(WrapChanges, LayoutAndSizeOfPictures) {
    const Model model = model_of("(x: f32[1,3,4,5]) -> (y)\n y = Relu(x)\n");
    const Model last = rewritten(model, [](GraphEdit& edit) { wrap_layout(edit, "x", true, 17); });
    EXPECT_EQ(to_string(last.graph.value(last.graph.inputs()[0]).type), "f32[1,4,5,3]");
    EXPECT_EQ(to_string(last.graph.value(last.graph.outputs()[0]).type), "f32[1,3,4,5]");
    const Model sized = rewritten(model, [](GraphEdit& edit) { wrap_resize(edit, "x", 17); });
    EXPECT_EQ(to_string(sized.graph.value(sized.graph.inputs()[0]).type), "f32[1,3,height,width]");
    EXPECT_EQ(to_string(sized.graph.value(sized.graph.outputs()[0]).type), "f32[1,3,4,5]");
    EXPECT_EQ(compare_runs(model, sized, {}), "");
    const Model flat = model_of("(x: f32[3]) -> (y)\n y = Relu(x)\n");
    EXPECT_NE(message_of([&] {
                  rewritten(flat, [](GraphEdit& edit) { wrap_layout(edit, "x", true, 17); });
              }).find("expected rank 4"),
              std::string::npos);
}

TEST(WrapChanges, ScoresBecomeProbabilitiesAndTheHighest) {
    const Model model = model_of("(x: f32[1,4]) -> (y, z)\n y = Neg(x)\n z = Relu(y)\n");
    const Model soft = rewritten(model, [](GraphEdit& edit) { wrap_softmax(edit, "y", 17); });
    EXPECT_EQ(soft.graph.value(soft.graph.outputs()[0]).name, "y");
    EXPECT_EQ(soft.graph.value(soft.graph.outputs()[1]).name, "z");
    const NamedValues inputs{{"x", Tensor::of<float>({1, 4}, {3, -1, 2, 0})}};
    double sum = 0;
    for (const double value : run_output(soft, inputs, 0)) sum += value;
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_EQ(run_output(soft, inputs, 1), (std::vector<double>{0, 1, 0, 0}));
    const Model top = rewritten(model, [](GraphEdit& edit) { wrap_top_k(edit, "y", 2, 17); });
    EXPECT_EQ(run_output(top, inputs, 0), (std::vector<double>{1, 0}));
    EXPECT_EQ(run_output(top, inputs, 1), (std::vector<double>{1, 3}));
    EXPECT_EQ(top.graph.value(top.graph.outputs()[1]).name, "y_indices");
    for (const std::int64_t count : {0, 5})
        EXPECT_NE(message_of([&] {
                      rewritten(model, [&](GraphEdit& edit) { wrap_top_k(edit, "y", count, 17); });
                  }).find("are not there"),
                  std::string::npos);
}

TEST(WrapChanges, BoxesAreSelected) {
    const Model model = model_of(R"((b: f32[1,3,4], s: f32[1,1,3]) -> (boxes, scores)
  boxes = Identity(b)
  scores = Identity(s)
)");
    const Model kept = rewritten(model, [](GraphEdit& edit) {
        wrap_box_selection(edit, "boxes", "scores", {.count = 5, .overlap = 0.5, .score = 0.1}, 17);
    });
    const NamedValues inputs{
        {"b", Tensor::of<float>({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9F, 2, 2, 3, 3})},
        {"s", Tensor::of<float>({1, 1, 3}, {0.5F, 0.9F, 0.3F})}};
    EXPECT_EQ(run_output(kept, inputs, 2), (std::vector<double>{0, 0, 1, 0, 0, 2}));
    EXPECT_NE(message_of([&] {
                  rewritten(model, [](GraphEdit& edit) {
                      wrap_box_selection(edit, "scores", "boxes", {}, 17);
                  });
              }).find("expected 4 corners"),
              std::string::npos);
    for (const double overlap : {-0.1, 5.0, std::nan("")})
        EXPECT_NE(message_of([&] {
                      rewritten(model, [&](GraphEdit& edit) {
                          wrap_box_selection(edit, "boxes", "scores", {.overlap = overlap}, 17);
                      });
                  }).find("expected 0 to 1"),
                  std::string::npos);
}

}  // namespace
}  // namespace lapidary
