// SPDX-License-Identifier: Apache-2.0
// A session replaces operators that map each byte to a byte by a table. Results are those of the
// reference kernels in every bit, on every instruction set, with tails and threads.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(31);

/// Sizes below, at and above what is looked up by vectors, and large enough for threads.
const std::vector<Shape> shapes{
    {1, 1, 1, 1}, {1, 3, 5, 7}, {1, 8, 8, 8}, {2, 3, 9, 67}, {1, 5, 101, 131}};

void expect_table(const std::string& body, DType from, const std::string& type) {
    for (const Shape& shape : shapes) {
        const std::string signature = "(x: " + type + to_string(shape) + ") -> (y)\n";
        SCOPED_TRACE(signature + body);
        auto model = std::make_shared<Model>();
        model->opset_imports[""] = 20;
        model->opset_imports["com.microsoft"] = 1;
        model->graph = parse_graph(signature + body, {.opset = 20});
        const NamedValues inputs{{"x", random_bytes(generator, shape, from)}};
        SessionOptions plain;
        plain.reference_kernels = true;
        const Tensor expected =
            Session::compile(model, plain).run(inputs).outputs[0].second.tensor();
        for_each_isa([&](Isa isa) {
            SessionOptions options;
            options.resources.threads = 2;
            Session session = Session::compile(model, options);
            ASSERT_EQ(session.plan().steps.size(), 1u);
            EXPECT_EQ(session.plan().steps[0].kernel, "integer.byte_table");
            EXPECT_EQ(difference(expected, session.run(inputs).outputs[0].second.tensor()), "")
                << name_of(isa);
        });
    }
}

TEST(ByteFunction, FloatOperatorsBetweenRoundings) {
    const std::string before = "a = DequantizeLinear(x, s: f32[]{0.05}, z: u8[]{120})\n",
                      after = "y = QuantizeLinear(b, t: f32[]{0.03}, o: i8[]{-100})";
    for (const char* function :
         {"HardSwish(a)", "HardSigmoid(a)", "Gelu(a)", "Tanh(a)", "Erf(a)", "Mish(a)",
          "Softplus(a)", "Clip(a, l: f32[]{-1}, h: f32[]{2})", "Pow(a, two: f32[]{2})"})
        expect_table(before + "b = " + function + "\n" + after, DType::u8, "u8");
    expect_table(
        before +
            "p = Add(a, three: f32[]{3})\nq = Clip(p, l: f32[]{0}, h: f32[]{6})\nr = Mul(a, q)\n"
            "b = Div(r, h)\n" +
            after,
        DType::u8, "u8");
}

TEST(ByteFunction, OperatorsOfIntegers) {
    expect_table(
        "a = com.microsoft::QLinearSigmoid(x, s: f32[]{0.05}, z: i8[]{20}, t: f32[]{0.0039}, o: "
        "i8[]{-128})\n"
        "y = com.microsoft::QLinearMul(x, s, z, a, t, o, u: f32[]{0.03}, p: i8[]{9})",
        DType::i8, "i8");
    expect_table(
        "y = com.microsoft::QLinearLeakyRelu(x, s: f32[]{0.05}, z: u8[]{120}, t: f32[]{0.04}, o: "
        "u8[]{30}) "
        "{alpha: 0.2}",
        DType::u8, "u8");
    expect_table(
        "y = com.microsoft::QLinearAdd(x, s: f32[]{0.05}, z: u8[]{120}, c: u8[1]{7}, s, z, t: "
        "f32[]{0.04}, "
        "o: u8[]{30})",
        DType::u8, "u8");
}

TEST(ByteFunction, RoundedAnew) {
    expect_table(
        "a = DequantizeLinear(x, s: f32[]{0.05}, z: u8[]{120})\ny = QuantizeLinear(a, t: "
        "f32[]{0.03}, o: "
        "i8[]{-100})",
        DType::u8, "u8");
}

}  // namespace
}  // namespace lapidary::test
