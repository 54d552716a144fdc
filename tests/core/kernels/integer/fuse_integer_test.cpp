// SPDX-License-Identifier: Apache-2.0
// Steps made of 8-bit products and what surrounds them: which are taken, and that results stay
// those of the reference kernels.
#include <gtest/gtest.h>

#include <algorithm>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "support/byte_values.h"

namespace lapidary::test {
namespace {

using Ops = std::vector<std::string>;

/// Compiles the graph, compares its outputs with those of the reference kernels and returns the
/// steps.
Ops steps(const std::string& text, const NamedValues& inputs, double tolerance) {
    SCOPED_TRACE(text);
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 20;
    model->opset_imports["com.microsoft"] = 1;
    model->graph = parse_graph(text, {.opset = 20});
    SessionOptions plain;
    plain.reference_kernels = true;
    const auto wanted = Session::compile(model, plain).run(inputs).outputs;
    Session session = Session::compile(model);
    const auto got = session.run(inputs).outputs;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto w = to_doubles(wanted[i].second.tensor()),
                   g = to_doubles(got[i].second.tensor());
        EXPECT_EQ(w.size(), g.size());
        for (std::size_t k = 0; k < std::min(w.size(), g.size()); ++k)
            EXPECT_NEAR(w[k], g[k], tolerance) << i << " " << k;
    }
    Ops ops;
    for (const StepInfo& s : session.plan().steps) ops.push_back(s.op);
    return ops;
}

std::mt19937 generator(17);

const std::string scales = [] {
    std::string text = "f32[20]{";
    for (int i = 0; i < 20; ++i) text += (i ? ", 0.0" : "0.0") + std::to_string(10 + i);
    return text + "}";
}();

TEST(FuseInteger, ProductsOfOneTensorQuantizeItOnce) {
    const NamedValues inputs{{"x", random_reals(generator, {2, 5, 40}, -1, 2)}};
    const std::string signature = "(x: f32[2,5,40]) -> (y, z)\n";
    const std::string y = "y = com.microsoft::DynamicQuantizeMatMul(x, w: i8[40,20], s: " + scales +
                          ", o: i8[1]{0}, b: f32[20])\n";
    const std::string z =
        "z = com.microsoft::DynamicQuantizeMatMul(x, v: u8[40,7], t: f32[1]{0.03}, u: "
        "u8[1]{130})\n";
    EXPECT_EQ(steps(signature + y + z, inputs, 1e-5),
              (Ops{"DynamicQuantizeLinear", "com.microsoft::MatMulIntegerToFloat",
                   "com.microsoft::MatMulIntegerToFloat"}));
    EXPECT_EQ(steps(signature + y + "z = Relu(x)\n", inputs, 1e-5).size(), 2u);
}

TEST(FuseInteger, ActivationsGoWithTheProduct) {
    const NamedValues inputs{{"x", random_reals(generator, {2, 5, 40}, -1, 2)}};
    const std::string signature = "(x: f32[2,5,40]) -> (y)\n",
                      alone =
                          "a = com.microsoft::DynamicQuantizeMatMul(x, w: i8[40,20], s: " + scales +
                          ")\n";
    const Ops fused{"lapidary::DynamicQuantizeMatMul"};
    EXPECT_EQ(steps(signature + alone + "y = com.microsoft::BiasGelu(a, b: f32[20])", inputs, 2e-5),
              fused);
    EXPECT_EQ(steps(signature + alone + "y = com.microsoft::FastGelu(a)", inputs, 2e-5), fused);
    EXPECT_EQ(steps(signature + alone + "y = Relu(a)", inputs, 2e-5), fused);
    EXPECT_EQ(
        steps(signature +
                  "a = com.microsoft::DynamicQuantizeMatMul(x, w: i8[40,20], s: f32[1]{0.02}, o: "
                  "i8[1]{3}, b: f32[20])\ny = Gelu(a)",
              inputs, 2e-5),
        fused);
    EXPECT_EQ(steps(signature + alone + "b = Relu(a)\ny = Mul(a, b)", inputs, 2e-5).front(),
              "com.microsoft::DynamicQuantizeMatMul");
    EXPECT_EQ(
        steps("(x: f32[2,5,40], w: i8[40,20]) -> (y)\na = com.microsoft::DynamicQuantizeMatMul(x, "
              "w, s: " +
                  scales + ")\ny = Relu(a)",
              {{"x", inputs[0].second}, {"w", random_bytes(generator, {40, 20}, DType::i8)}}, 2e-5)
            .size(),
        2u);
}

TEST(FuseInteger, SumsGoWithTheConvolution) {
    const NamedValues inputs{{"x", random_bytes(generator, {1, 6, 5, 16}, DType::u8)},
                             {"z", random_bytes(generator, {1, 6, 5, 20}, DType::u8)}};
    const std::string signature = "(x: u8[1,6,5,16], z: u8[1,6,5,20]) -> (y)\n";
    const std::string conv =
        "a = com.microsoft::QLinearConv(x, xs: f32[]{0.02}, xz: u8[]{3}, w: i8[20,16,1,1], ws: "
        "f32[]{0.01}, wz: "
        "i8[]{0}, as: f32[]{0.03}, az: u8[]{100}) {channels_last: 1}\n";
    EXPECT_EQ(steps(signature + conv +
                        "y = com.microsoft::QLinearAdd(a, as, az, z, zs: f32[]{0.04}, zz: u8[]{9}, "
                        "ys: f32[]{0.05}, "
                        "yz: u8[]{80})",
                    inputs, 0),
              (Ops{"lapidary::QLinearConvSum"}));
    EXPECT_EQ(steps(signature + conv +
                        "y = com.microsoft::QLinearAdd(z, zs: f32[]{0.04}, zz: u8[]{9}, a, as, az, "
                        "ys: f32[]{0.05}, "
                        "yz: u8[]{80})",
                    inputs, 0),
              (Ops{"lapidary::QLinearConvSum"}));
    // another scale than the convolution's
    EXPECT_EQ(steps(signature + conv +
                        "y = com.microsoft::QLinearAdd(a, bs: f32[]{0.02}, az, z, zs: f32[]{0.04}, "
                        "zz: u8[]{9}, ys: "
                        "f32[]{0.05}, yz: u8[]{80})",
                    inputs, 0)
                  .size(),
              2u);
    EXPECT_EQ(steps(signature + conv +
                        "y = com.microsoft::QLinearAdd(a, as, az, a, as, az, ys: f32[]{0.05}, yz: "
                        "u8[]{80})",
                    inputs, 0)
                  .size(),
              2u);
}

TEST(FuseInteger, SumsOfChannelsInTheSecondPlaceStayApart) {
    const NamedValues inputs{{"x", random_bytes(generator, {1, 16, 6, 5}, DType::u8)}};
    EXPECT_EQ(steps("(x: u8[1,16,6,5]) -> (y)\n"
                    "a = QLinearConv(x, s: f32[]{0.02}, z: u8[]{3}, w: i8[16,16,1,1], ws: "
                    "f32[]{0.01}, wz: i8[]{0}, s, z)\n"
                    "y = com.microsoft::QLinearAdd(a, s, z, x, s, z, s, z)",
                    inputs, 0),
              (Ops{"QLinearConv", "com.microsoft::QLinearAdd"}));
}

TEST(FuseInteger, ConvolutionsOfDynamicQuantizationEndInFloat) {
    const Ops fused{"DynamicQuantizeLinear", "Mul", "lapidary::ConvIntegerToFloat"};
    for (const std::string filters :
         {"w: i8[20,16,3,3]", "w: u8[20,16,3,3]", "w: i8[20,4,1,1]", "w: i8[20,1,3,3]"}) {
        const bool grouped = filters.find(",4,") != std::string::npos,
                   depthwise = filters.find(",1,3") != std::string::npos;
        const std::string channels = depthwise ? "20" : "16",
                          attributes = grouped     ? " {group: 4}"
                                       : depthwise ? " {group: 20, pads: [1,1,1,1]}"
                                                   : " {pads: [1,1,0,1], strides: [2,1]}";
        const NamedValues inputs{
            {"x", random_reals(generator, {2, depthwise ? 20 : 16, 6, 7}, -1, 2)}};
        const std::string begin =
            "(x: f32[2," + channels +
            ",6,7]) -> (y)\nx8, xs, xz = DynamicQuantizeLinear(x)\nt = Mul(xs, ws: f32[]{0.02})\n";
        const std::string zero =
            filters.find("u8") != std::string::npos ? "wz: u8[]{128}" : "wz: i8[]{0}";
        const std::string conv = "a = ConvInteger(x8, " + filters + ", xz, " + zero + ")" +
                                 attributes + "\nb = Cast(a) {to: 1}\n";
        EXPECT_EQ(steps(begin + conv + "y = Mul(b, t)", inputs, 2e-5), fused);
        EXPECT_EQ(steps(begin + conv + "c = Mul(t, b)\ny = Add(c, v: f32[1,20,1,1])", inputs, 2e-5),
                  fused);
        EXPECT_EQ(steps(begin + conv + "c = Mul(b, t)\nd = Add(v: f32[20,1,1], c)\ny = Relu(d)",
                        inputs, 2e-5),
                  fused);
        EXPECT_EQ(steps(begin + conv +
                            "c = Mul(b, t)\nd = Add(c, v: f32[20,1,1])\ny = Clip(d, l: f32[]{0}, "
                            "h: f32[]{6})",
                        inputs, 2e-5),
                  fused);
        EXPECT_EQ(
            steps(begin + conv + "c = Mul(b, t)\ny = LeakyRelu(c) {alpha: 0.3}", inputs, 2e-5),
            fused);
        EXPECT_EQ(steps(begin + conv + "y = Mul(b, s: f32[20,1,1])", inputs, 2e-5).back(),
                  "lapidary::ConvIntegerToFloat");
    }
}

TEST(FuseInteger, OtherConvolutionsStayIntegers) {
    const NamedValues inputs{{"x", random_bytes(generator, {1, 16, 6, 7}, DType::u8)},
                             {"z", random_reals(generator, {1, 20, 6, 7}, -1, 1)}};
    const std::string
        begin =
            "(x: u8[1,16,6,7], z: f32[1,20,6,7]) -> (y)\na = ConvInteger(x, w: i8[20,16,1,1])\n",
        cast = "b = Cast(a) {to: 1}\n";
    const auto is_integer = [&](const std::string& rest) {
        const Ops ops = steps(begin + rest, inputs, 2e-2);
        return std::ranges::find(ops, "ConvInteger") != ops.end();
    };
    // to double
    EXPECT_TRUE(
        is_integer("b = Cast(a) {to: 11}\nc = Mul(b, s: f64[]{0.02})\ny = Cast(c) {to: 1}"));
    // no factor per channel
    EXPECT_TRUE(is_integer(cast + "y = Mul(b, z)"));
    // per column
    EXPECT_TRUE(is_integer(cast + "y = Mul(b, s: f32[7])"));
    EXPECT_TRUE(is_integer(
        cast +
        "c = Mul(b, s: f32[]{0.02})\nd = Reshape(a, r: i64[1]{-1})\ne = Cast(d) {to: 1}\nf = "
        "ReduceMax(e)\ny = Add(c, f)"));  // read twice
    // a residual is added by a step of its own
    const Ops apart =
        steps(begin + cast + "c = Mul(b, s: f32[]{0.02})\ny = Add(c, z)", inputs, 2e-5);
    EXPECT_EQ(apart.front(), "lapidary::ConvIntegerToFloat");
    EXPECT_EQ(apart.size(), 2u);
}

}  // namespace
}  // namespace lapidary::test
