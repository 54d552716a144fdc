// SPDX-License-Identifier: Apache-2.0
// Small constants that keep divisors, roots, powers and logarithms away from 0, and that float16
// rounds to 0.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

ModelPtr shared(const Model& model) { return std::make_shared<const Model>(Model(model)); }

QuantizeResult half_of(const Model& model) {
    return quantize_model(model, {.mode = QuantizeMode::half});
}

/// Operators that stay float32 for a guard.
std::vector<std::string> guarded(const QuantizeResult& result) {
    std::vector<std::string> operators;
    for (const NodeDecision& node : result.nodes) {
        if (node.quantized || node.reason.find("float16 rounds to 0") == std::string::npos)
            continue;
        const std::size_t begin = node.node.find('(') + 1;
        operators.push_back(node.node.substr(begin, node.node.find(')') - begin));
    }
    std::ranges::sort(operators);
    return operators;
}

/// A product, which is computed in float16, and behind it `rest`, which makes y from h.
std::string behind_product(const std::string& rest) {
    return "(x: f32[3,8]) -> (y)\nh = MatMul(x, w: f32[8,8])\n" + rest;
}

struct GuardCase {
    const char* rest;
    std::vector<std::string> stay;
};

const GuardCase cases[] = {
    {"n = ReduceL2(h) {axes: [-1]}\nc = Clip(n, eps: f32[]{1.0e-12})\ny = Div(h, c)",
     {"Clip", "Div"}},
    {"r = Relu(h)\ns = ReduceSum(r, a: i64[1]{-1})\nd = Add(s, eps: f32[]{1.0e-8})\ny = Div(r, d)",
     {"Add", "Div"}},
    {"r = Relu(h)\nd = Add(r, eps: f32[]{1.0e-9})\ny = Log(d)", {"Add", "Log"}},
    {"r = Abs(h)\nd = Max(r, eps: f32[1]{1.0e-10})\ny = Reciprocal(d)", {"Max", "Reciprocal"}},
    {"r = Abs(h)\nd = Add(eps: f32[]{1.0e-10}, r)\ny = Pow(d, p: f32[]{-0.5})", {"Add", "Pow"}},
    {"q = Mul(h, h)\nv = ReduceMean(q) {axes: [-1], keepdims: 0}\nd = Add(v, eps: "
     "f32[]{1.0e-12})\ns = Sqrt(d)\n"
     "e = Unsqueeze(s, u: i64[1]{1})\ny = Div(h, e)",
     {"Add", "Div", "Sqrt", "Unsqueeze"}},
    // float16 holds it; nothing is guarded; the constant is a divisor's numerator
    {"r = Abs(h)\nd = Add(r, eps: f32[]{1.0e-5})\ny = Div(h, d)", {}},
    {"r = Abs(h)\nd = Add(r, eps: f32[]{1.0e-9})\ny = Tanh(d)", {}},
    {"r = Abs(h)\nd = Add(r, eps: f32[]{1.0e-9})\ny = Div(d, t: f32[]{3.0})", {}},
    {"r = Abs(h)\nd = Add(r, eps: f32[]{1.0e-9})\ny = Pow(d, p: f32[]{2.0})", {}},
};

TEST(HalfGuards, StayFloatWithWhatTheyGuardAndWhatIsBetween) {
    for (const GuardCase& c : cases) {
        const QuantizeResult result = half_of(model_of(behind_product(c.rest)));
        EXPECT_EQ(guarded(result), c.stay) << c.rest;
        const bool is_reported = std::ranges::any_of(result.notes, [](const std::string& note) {
            return note.find("around constants that float16 rounds to 0") != std::string::npos;
        });
        EXPECT_EQ(is_reported, !c.stay.empty()) << c.rest;
    }
}

TEST(HalfGuards, KeepRowsOfZerosFinite) {
    for (const GuardCase& c : cases) {
        if (c.stay.empty()) continue;
        const Model model = model_of(behind_product(c.rest));
        Tensor x(DType::f32, {3, 8});
        const auto values = x.mutable_data<float>();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = i < 8 ? static_cast<float>(i) - 3.5f : 0;
        const auto run = [&](const Model& m) {
            return to_doubles(
                Session::compile(shared(m), {}).run({{"x", x}}).outputs[0].second.tensor());
        };
        const std::vector<double> expected = run(model), found = run(half_of(model).model);
        for (std::size_t i = 8; i < expected.size(); ++i)  // the rows of zeros
            EXPECT_NEAR(found[i], expected[i], 1e-3 * std::max(1.0, std::abs(expected[i])))
                << c.rest;
    }
}

TEST(GeneratedSamples, HoldRowsOfZerosInSomeSamples) {
    const Model model = model_of("(x: f32[3,8], v: f32[8]) -> (y)\ny = Add(x, v)");
    const auto zero_rows = [&](std::size_t count, std::size_t index) {
        const NamedValues inputs = generated_samples(shared(model), count, 1)->at(index, {});
        const auto x = inputs[0].second.tensor().data<float>(),
                   v = inputs[1].second.tensor().data<float>();
        EXPECT_TRUE(std::ranges::any_of(v, [](float f) { return f != 0; }));
        int zeros = 0;
        for (std::size_t row = 0; row < 3; ++row)
            zeros += std::ranges::all_of(x.subspan(row * 8, 8), [](float f) { return f == 0; });
        return zeros;
    };
    EXPECT_EQ(zero_rows(8, 0), 0);
    EXPECT_EQ(zero_rows(8, 1), 1);
    EXPECT_EQ(zero_rows(8, 5), 1);
    EXPECT_EQ(zero_rows(1, 0), 1);
}

}  // namespace
}  // namespace lapidary
