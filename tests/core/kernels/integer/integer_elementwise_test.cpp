// SPDX-License-Identifier: Apache-2.0
// Quantization, QLinear elementwise operators and pools of bytes against the reference kernels on
// every instruction set: every bit but for softmax, whose exponential is within 2 ULP.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(13);
const std::int64_t sizes[] = {0,  1,  3,  4,  7,  8,   15,  16,  17,
                              31, 33, 63, 64, 65, 127, 130, 200, 70000};

void compare(std::string_view domain, std::string_view op, std::int64_t version,
             const std::vector<RuntimeValue>& inputs, const std::vector<Attribute>& attributes,
             const std::string& kernel, std::size_t outputs = 1, int tolerance = 0) {
    KernelRun plain, fast;
    plain.outputs = fast.outputs = outputs;
    const auto expected = run_kernel(domain, op, version, inputs, attributes, plain);
    fast.kernel = kernel;
    for_each_isa([&](Isa isa) {
        const auto found = run_kernel(domain, op, version, inputs, attributes, fast);
        for (std::size_t i = 0; i < outputs; ++i) {
            const Tensor &e = expected[i].tensor(), &f = found[i].tensor();
            if (tolerance == 0) {
                EXPECT_EQ(difference(e, f), "") << name_of(isa) << " " << kernel << " output " << i
                                                << " " << to_string(e.shape());
                continue;
            }
            ASSERT_EQ(e.shape(), f.shape());
            const auto ev = to_doubles(e), fv = to_doubles(f);
            for (std::size_t k = 0; k < ev.size(); ++k)
                ASSERT_LE(std::fabs(ev[k] - fv[k]), tolerance)
                    << name_of(isa) << " " << kernel << " element " << k;
        }
    });
}

/// Values around the steps of a scale, their midpoints, beyond the range, and what is no number.
Tensor awkward(Shape shape, float scale) {
    Tensor t = random_reals(generator, std::move(shape), -300, 300);
    const float inf = std::numeric_limits<float>::infinity();
    for (float& v : t.mutable_data<float>()) {
        const auto r = generator() % 16;
        if (r < 8) v = std::nearbyint(v * 2) / 2;  // whole and half steps
        v *= scale;
        if (r == 15) v = generator() % 2 ? NAN : generator() % 2 ? inf : -inf;
        if (r == 14) v *= 1e30f;
    }
    return t;
}

TEST(IntegerElementwise, Quantize) {
    for (const std::int64_t n : sizes)
        for (const DType type : {DType::u8, DType::i8})
            for (const float scale : {0.1f, 1.0f, 1.0f / 3, 7e-30f, 1e-44f, 3e30f})
                compare("", "QuantizeLinear", 21,
                        {awkward({n}, scale), Tensor::scalar(scale),
                         byte_scalar(type, type == DType::u8 ? 255 : -128)},
                        {}, "integer.quantize_linear");
    compare("", "QuantizeLinear", 21,
            {awkward({2, 5, 33}, 0.2f), random_reals(generator, {5}, 0.1f, 0.3f),
             random_bytes(generator, {5}, DType::i8)},
            {}, "integer.quantize_linear");
    compare("", "QuantizeLinear", 21, {awkward({40}, 0.2f), Tensor::scalar(0.3f)},
            {attribute("output_dtype", static_cast<int>(DType::i8))}, "integer.quantize_linear");
}

TEST(IntegerElementwise, Dequantize) {
    for (const std::int64_t n : sizes)
        for (const DType type : {DType::u8, DType::i8})
            compare(
                "", "DequantizeLinear", 21,
                {random_bytes(generator, {n}, type), Tensor::scalar(0.37f), byte_scalar(type, 101)},
                {}, "integer.dequantize_linear");
    compare(
        "", "DequantizeLinear", 21,
        {random_bytes(generator, {4, 3, 50}, DType::i8), random_reals(generator, {4}, 0.1f, 0.3f)},
        {attribute("axis", 0)}, "integer.dequantize_linear");
}

TEST(IntegerElementwise, DynamicQuantize) {
    for (const std::int64_t n : sizes) {
        compare("", "DynamicQuantizeLinear", 11, {random_reals(generator, {n}, -1, 2)}, {},
                "integer.dynamic_quantize_linear", 3);
        compare("", "DynamicQuantizeLinear", 11, {random_reals(generator, {n}, 1, 2)}, {},
                "integer.dynamic_quantize_linear", 3);
    }
    compare("", "DynamicQuantizeLinear", 11, {Tensor::of<float>({5}, {0, 0, 0, 0, 0})}, {},
            "integer.dynamic_quantize_linear", 3);
}

TEST(IntegerElementwise, AddAndMultiplyBroadcast) {
    const std::vector<std::pair<Shape, Shape>> shapes{
        {{130}, {130}},       {{2, 3, 65}, {65}},           {{4, 5, 1}, {4, 5, 33}},
        {{}, {70}},           {{2, 1, 3, 1}, {1, 4, 3, 7}}, {{3, 1}, {1, 80}},
        {{0, 4}, {4}},        {{300, 300}, {300, 300}},     {{1, 9, 7, 16}, {1, 1, 1, 16}},
        {{24}, {90, 70, 24}}, {{1, 300, 3}, {1, 1, 3}},     {{2, 90, 5}, {2, 1, 5}},
        {{40, 256}, {256}}};
    for (const char* op : {"Add", "Mul"})
        for (const DType type : {DType::u8, DType::i8})
            for (const auto& [a, b] : shapes)
                compare(
                    "com.microsoft", std::string("QLinear") + op, 1,
                    {random_bytes(generator, a, type), Tensor::scalar(0.04f), byte_scalar(type, 90),
                     random_bytes(generator, b, type), Tensor::scalar(0.03f), byte_scalar(type, 3),
                     Tensor::scalar(op[0] == 'A' ? 0.05f : 0.11f), byte_scalar(type, 77)},
                    {}, op[0] == 'A' ? "integer.qlinear_add" : "integer.qlinear_mul");
}

TEST(IntegerElementwise, Tables) {
    for (const std::int64_t n : sizes)
        for (const DType type : {DType::u8, DType::i8}) {
            const std::vector<RuntimeValue> inputs{
                random_bytes(generator, {n}, type), Tensor::scalar(0.05f), byte_scalar(type, 100),
                Tensor::scalar(1.0f / 256), byte_scalar(type, type == DType::u8 ? 0 : -128)};
            compare("com.microsoft", "QLinearSigmoid", 1, inputs, {}, "integer.qlinear_sigmoid");
            compare("com.microsoft", "QLinearLeakyRelu", 1, inputs, {attribute("alpha", 0.2f)},
                    "integer.qlinear_leaky_relu");
        }
}

TEST(IntegerElementwise, Softmax) {
    for (const std::int64_t n : {1, 3, 16, 17, 33, 64, 70, 300})
        for (const DType type : {DType::u8, DType::i8}) {
            const std::vector<RuntimeValue> inputs{random_bytes(generator, {3, 2, n}, type),
                                                   Tensor::scalar(0.05f), byte_scalar(type, 100),
                                                   Tensor::scalar(1.0f / 256),
                                                   byte_scalar(type, type == DType::u8 ? 0 : -128)};
            compare("com.microsoft", "QLinearSoftmax", 1, inputs,
                    {attribute("axis", -1), attribute("opset", 13)}, "integer.qlinear_softmax", 1,
                    1);
            compare("com.microsoft", "QLinearSoftmax", 1, inputs,
                    {attribute("axis", 1), attribute("opset", 12)}, "integer.qlinear_softmax", 1,
                    1);
        }
}

TEST(IntegerElementwise, SoftmaxAlongEveryAxis) {
    for (const Shape& shape :
         {Shape{3, 4, 5, 7}, Shape{2, 16, 70}, Shape{2, 3, 130}, Shape{1, 9, 1, 64}}) {
        const auto rank = static_cast<std::int64_t>(shape.size());
        for (std::int64_t axis = -rank; axis < rank; ++axis)
            for (const DType type : {DType::u8, DType::i8}) {
                const std::vector<RuntimeValue> inputs{
                    random_bytes(generator, shape, type), Tensor::scalar(0.05f),
                    byte_scalar(type, 100), Tensor::scalar(1.0f / 256),
                    byte_scalar(type, type == DType::u8 ? 0 : -128)};
                compare("com.microsoft", "QLinearSoftmax", 1, inputs,
                        {attribute("axis", static_cast<int>(axis)), attribute("opset", 13)},
                        "integer.qlinear_softmax", 1, 1);
            }
    }
    const std::vector<RuntimeValue> large{random_bytes(generator, {2, 17, 90, 101}, DType::u8),
                                          Tensor::scalar(0.05f), byte_scalar(DType::u8, 100),
                                          Tensor::scalar(1.0f / 256), byte_scalar(DType::u8, 0)};
    compare("com.microsoft", "QLinearSoftmax", 1, large,
            {attribute("axis", 1), attribute("opset", 13)}, "integer.qlinear_softmax", 1, 1);
}

TEST(IntegerElementwise, AveragePools) {
    for (const std::int64_t channels : {1, 5, 16, 31, 64, 77, 300})
        for (const DType type : {DType::u8, DType::i8}) {
            const std::vector<RuntimeValue> inputs{
                random_bytes(generator, {2, 7, 6, channels}, type), Tensor::scalar(0.05f),
                byte_scalar(type, 100), Tensor::scalar(0.03f), byte_scalar(type, 30)};
            const auto last = attribute("channels_last", 1);
            compare("com.microsoft", "QLinearGlobalAveragePool", 1, inputs, {last},
                    "integer.qlinear_global_average_pool");
            const std::vector<Attribute> window{last, attribute("kernel_shape", ints({3, 2})),
                                                attribute("strides", ints({2, 1})),
                                                attribute("pads", ints({1, 0, 2, 1}))};
            compare("com.microsoft", "QLinearAveragePool", 1, inputs, window,
                    "integer.qlinear_average_pool");
            auto counted = window;
            counted.push_back(attribute("count_include_pad", 1));
            counted.push_back(attribute("ceil_mode", 1));
            compare("com.microsoft", "QLinearAveragePool", 1, inputs, counted,
                    "integer.qlinear_average_pool");
        }
}

TEST(IntegerElementwise, AveragePoolsRoundHalvesToTheEvenByte) {
    // steps 0.5, 1.5 and 2.5 from the zero point 3, as ONNX Runtime 1.32 rounds them
    const Tensor x = Tensor::of<std::uint8_t>({1, 1, 1, 6}, {3, 4, 4, 5, 5, 6});
    const std::vector<RuntimeValue> inputs{x, Tensor::scalar(0.1f), byte_scalar(DType::u8, 3),
                                           Tensor::scalar(0.1f), byte_scalar(DType::u8, 3)};
    const std::vector<Attribute> window{attribute("kernel_shape", ints({1, 2})),
                                        attribute("strides", ints({1, 2}))};
    const Tensor y = run_kernel_tensor("com.microsoft", "QLinearAveragePool", 1, inputs, window);
    EXPECT_EQ(to_int64s(y), (std::vector<std::int64_t>{4, 4, 6}));
    for (const DType type : {DType::u8, DType::i8})
        for (const bool last : {false, true}) {
            const Tensor many = random_bytes(generator, {2, 6, 10, 70}, type);
            const std::vector<RuntimeValue> halves{many, Tensor::scalar(0.05f),
                                                   byte_scalar(type, 99), Tensor::scalar(0.05f),
                                                   byte_scalar(type, 99)};
            const std::vector<Attribute> attributes{attribute("kernel_shape", ints({2, 2})),
                                                    attribute("strides", ints({2, 2})),
                                                    attribute("channels_last", last ? 1 : 0)};
            compare("com.microsoft", "QLinearAveragePool", 1, halves, attributes,
                    "integer.qlinear_average_pool");
        }
}

TEST(IntegerElementwise, PoolsOfPlanes) {
    struct Window {
        Shape input;
        std::vector<std::int64_t> kernel, strides, pads, dilations;
    };
    const Window windows[] = {
        {{2, 3, 9, 11}, {3, 2}, {2, 1}, {1, 0, 2, 1}, {1, 1}},
        {{1, 2, 20, 70}, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}},
        {{2, 2, 7, 33}, {2, 5}, {1, 3}, {0, 2, 0, 2}, {1, 2}},
        {{1, 2, 64, 65}, {2, 2}, {2, 2}, {0, 0, 0, 0}, {1, 1}},
        {{1, 2, 4, 5, 18}, {2, 2, 3}, {2, 1, 2}, {1, 0, 1, 0, 1, 1}, {1, 1, 1}},
        {{2, 3, 37}, {4}, {2}, {1, 3}, {1}},
        {{1, 2, 5}, {2}, {1}, {3, 2}, {1}},
        {{1, 2, 4, 6}, {2, 2}, {1, 1}, {3, 0, 0, 2}, {1, 1}}};
    for (const Window& w : windows)
        for (const DType type : {DType::u8, DType::i8}) {
            const Tensor x = random_bytes(generator, w.input, type);
            const std::vector<RuntimeValue> inputs{x, Tensor::scalar(0.05f), byte_scalar(type, 100),
                                                   Tensor::scalar(0.03f), byte_scalar(type, 30)};
            for (const bool ceil : {false, true}) {
                std::vector<Attribute> attributes{
                    attribute("kernel_shape", w.kernel), attribute("strides", w.strides),
                    attribute("pads", w.pads), attribute("ceil_mode", ceil ? 1 : 0)};
                compare("com.microsoft", "QLinearAveragePool", 1, inputs, attributes,
                        "integer.qlinear_average_pool");
                attributes.push_back(attribute("dilations", w.dilations));
                compare("", "MaxPool", 12, {x}, attributes, "integer.max_pool");
                attributes.back() = attribute("count_include_pad", 1);
                compare("com.microsoft", "QLinearAveragePool", 1, inputs, attributes,
                        "integer.qlinear_average_pool");
            }
            compare("com.microsoft", "QLinearGlobalAveragePool", 1, inputs, {},
                    "integer.qlinear_global_average_pool");
        }
}

}  // namespace
}  // namespace lapidary::test
