// SPDX-License-Identifier: Apache-2.0
// Integer convolutions against the reference kernels: every bit, on every instruction set.
#include <gtest/gtest.h>

#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(11);

struct Case {
    std::vector<std::int64_t> x;  // [N, C, spatial...]
    std::int64_t filters;
    std::vector<std::int64_t> kernel, strides, dilations, pads;
    std::int64_t groups = 1;
};

const Case cases[] = {
    {{1, 3, 9, 11}, 16, {3, 3}, {2, 2}, {1, 1}, {1, 1, 1, 1}},  // first layer
    {{2, 3, 15, 15}, 70, {7, 7}, {2, 2}, {1, 1}, {3, 3, 3, 3}},
    {{1, 64, 7, 7}, 48, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}},  // a plain product
    {{1, 64, 9, 9}, 33, {1, 1}, {2, 2}, {1, 1}, {0, 0, 0, 0}},
    {{1, 12, 4, 4}, 9, {1, 1}, {1, 1}, {1, 1}, {1, 0, 0, 0}},  // nearly a plain product
    {{1, 12, 4, 4}, 9, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 2}},
    {{1, 12, 4, 4}, 9, {1, 1}, {2, 2}, {1, 1}, {0, 0, 3, 3}},
    {{1, 30, 5, 6}, 17, {1, 1}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
    // few channels, lines of taps
    {{1, 5, 12, 9}, 20, {3, 3}, {1, 2}, {2, 1}, {2, 3, 0, 1}},
    {{2, 1, 20, 31}, 16, {5, 5}, {1, 1}, {1, 1}, {0, 0, 0, 0}},
    {{1, 3, 4, 5, 6}, 9, {2, 3, 3}, {1, 2, 1}, {1, 1, 1}, {1, 1, 1, 0, 1, 1}},
    {{1, 3, 10, 40}, 33, {3, 4}, {7, 9}, {1, 1}, {1, 3, 1, 0}},
    // more padding than is copied
    {{1, 3, 5, 5}, 4, {3, 3}, {50, 50}, {1, 1}, {70, 0, 70, 100}},
    {{1, 20, 8, 7}, 65, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}},  // places of taps
    {{1, 16, 9, 9}, 40, {3, 3}, {1, 1}, {2, 2}, {2, 2, 2, 2}},
    // whole steps of 64 channels, in long rows and over their ends
    {{1, 64, 7, 40}, 70, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}},
    {{1, 128, 5, 37}, 72, {1, 1}, {1, 2}, {1, 1}, {0, 0, 0, 0}},
    {{1, 18, 6, 6}, 12, {3, 2}, {1, 2}, {1, 1}, {0, 1, 2, 0}},       // channels no multiple of 4
    {{1, 24, 10, 9}, 24, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 24},  // one filter per channel
    {{2, 130, 6, 6}, 130, {5, 5}, {2, 2}, {1, 1}, {2, 2, 2, 2}, 130},
    {{1, 64, 12, 5}, 64, {3, 3}, {2, 1}, {1, 2}, {1, 0, 1, 3}, 64},
    {{2, 16, 17, 20}, 16, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 16},  // long rows
    {{1, 2, 18, 40}, 2, {3, 3}, {1, 1}, {1, 1}, {0, 0, 0, 0}, 2},
    {{1, 24, 12, 33}, 24, {5, 5}, {1, 1}, {1, 1}, {2, 1, 0, 2}, 24},
    {{1, 72, 16, 18}, 72, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 72},
    {{1, 128, 16, 17}, 128, {3, 3}, {1, 1}, {2, 2}, {2, 2, 2, 2}, 128},
    {{1, 17, 18, 19}, 17, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 17},
    {{1, 40, 300}, 40, {5}, {1}, {1}, {2, 2}, 40},
    {{2, 16, 33, 41}, 16, {3, 3}, {2, 2}, {1, 1}, {1, 1, 1, 1}, 16},  // pixels apart
    {{1, 32, 31, 40}, 32, {3, 3}, {1, 3}, {1, 2}, {0, 2, 1, 1}, 32},
    {{1, 80, 36, 35}, 80, {5, 5}, {2, 2}, {1, 1}, {2, 2, 2, 2}, 80},
    {{1, 144, 700}, 144, {3}, {2}, {1}, {1, 1}, 144},
    {{1, 32, 6, 6}, 48, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 2},  // groups
    {{1, 12, 6, 6}, 24, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 4},
    {{1, 8, 6, 6}, 16, {3, 3}, {1, 1}, {1, 1}, {1, 1, 1, 1}, 8},
    {{2, 5, 19}, 9, {4}, {3}, {1}, {2, 1}},  // other ranks
    {{1, 16, 4, 5, 6}, 20, {2, 3, 3}, {1, 2, 1}, {1, 1, 1}, {1, 1, 1, 0, 1, 1}},
};

std::vector<Attribute> attributes_of(const Case& c) {
    return {attribute("kernel_shape", ints(c.kernel)), attribute("strides", ints(c.strides)),
            attribute("dilations", ints(c.dilations)), attribute("pads", ints(c.pads)),
            attribute("group", static_cast<int>(c.groups))};
}

Shape weight_shape(const Case& c) {
    Shape shape{c.filters, c.x[1] / c.groups};
    for (const std::int64_t k : c.kernel) shape.push_back(k);
    return shape;
}

Shape input_shape(const Case& c, bool channels_last) {
    Shape shape(c.x.begin(), c.x.end());
    if (channels_last) {
        shape.erase(shape.begin() + 1);
        shape.push_back(c.x[1]);
    }
    return shape;
}

void compare(std::string_view domain, std::string_view op, std::int64_t version,
             const std::vector<RuntimeValue>& inputs, const std::vector<Attribute>& attributes,
             const std::string& kernel, std::set<std::size_t> constants) {
    const Tensor expected = run_kernel_tensor(domain, op, version, inputs, attributes);
    KernelRun fast;
    fast.kernel = kernel;
    fast.constants = std::move(constants);
    for_each_isa([&](Isa isa) {
        EXPECT_EQ(
            difference(expected, run_kernel_tensor(domain, op, version, inputs, attributes, fast)),
            "")
            << name_of(isa) << " " << kernel << " x " << to_string(inputs[0].tensor().shape())
            << " w "
            << to_string(inputs[kernel == "integer.conv_integer" ? 1 : 3].tensor().shape());
    });
}

TEST(IntegerConv, QuantizedResults) {
    for (const Case& c : cases)
        for (const bool channels_last : {false, true})
            for (const DType type : {DType::u8, DType::i8})
                for (const DType w_type : {DType::u8, DType::i8})
                    for (const bool per_channel : {false, true}) {
                        const Shape w = weight_shape(c);
                        const float depth = static_cast<float>(element_count(w) / w[0]);
                        std::vector<Attribute> attributes = attributes_of(c);
                        if (channels_last) attributes.push_back(attribute("channels_last", 1));
                        const Tensor scale =
                            per_channel ? random_reals(generator, {c.filters}, 0.001f, 0.02f)
                                        : Tensor::scalar(0.01f);
                        const Tensor zero =
                            per_channel ? random_bytes(generator, {c.filters}, w_type)
                                        : byte_scalar(w_type, w_type == DType::u8 ? 128 : 0);
                        std::vector<RuntimeValue> inputs{
                            random_bytes(generator, input_shape(c, channels_last), type),
                            Tensor::scalar(0.03f),
                            byte_scalar(type, 100),
                            random_bytes(generator, w, w_type),
                            scale,
                            zero,
                            Tensor::scalar(0.01f * depth),
                            byte_scalar(type, 60)};
                        if (per_channel)
                            inputs.push_back(random_words(generator, {c.filters}, 30000));
                        compare(channels_last ? "com.microsoft" : "", "QLinearConv",
                                channels_last ? 1 : 10, inputs, attributes, "integer.qlinear_conv",
                                {1, 2, 3, 4, 5, 6, 7, 8});
                    }
}

// Filters with zero points of 0, as quantizers write them; with steps so small that results leave
// the range by far.
TEST(IntegerConv, ScalesPerFilter) {
    for (const Case& c : cases)
        for (const DType type : {DType::u8, DType::i8})
            for (const float y_scale : {0.2f, 1e-6f}) {
                std::vector<Attribute> attributes = attributes_of(c);
                attributes.push_back(attribute("channels_last", 1));
                compare(
                    "com.microsoft", "QLinearConv", 1,
                    {random_bytes(generator, input_shape(c, true), type), Tensor::scalar(0.03f),
                     byte_scalar(type, 100), random_bytes(generator, weight_shape(c), DType::i8),
                     random_reals(generator, {c.filters}, 0.001f, 0.02f), byte_scalar(DType::i8, 0),
                     Tensor::scalar(y_scale), byte_scalar(type, 60),
                     random_words(generator, {c.filters}, 30000)},
                    attributes, "integer.qlinear_conv", {1, 2, 3, 4, 5, 6, 7, 8});
            }
}

TEST(IntegerConv, SumWithAnotherTensor) {
    for (const Case& c : cases)
        for (const DType type : {DType::u8, DType::i8})
            for (const float total_scale : {0.09f, 1e-32f}) {
                const Shape w = weight_shape(c);
                std::vector<Attribute> attributes = attributes_of(c);
                attributes.push_back(attribute("channels_last", 1));
                std::vector<RuntimeValue> inputs{
                    random_bytes(generator, input_shape(c, true), type),
                    Tensor::scalar(0.03f),
                    byte_scalar(type, 100),
                    random_bytes(generator, w, DType::i8),
                    random_reals(generator, {c.filters}, 0.001f, 0.02f),
                    byte_scalar(DType::i8, 0),
                    Tensor::scalar(0.01f * static_cast<float>(element_count(w) / w[0])),
                    byte_scalar(type, 60)};
                const Tensor product =
                    run_kernel_tensor("com.microsoft", "QLinearConv", 1, inputs, attributes);
                const Tensor other = random_bytes(generator, product.shape(), type),
                             scale = Tensor::scalar(0.05f), zero = byte_scalar(type, 7);
                const Tensor total = Tensor::scalar(total_scale),
                             total_zero = byte_scalar(type, 90);
                const Tensor expected = run_kernel_tensor(
                    "com.microsoft", "QLinearAdd", 1,
                    {product, inputs[6], inputs[7], other, scale, zero, total, total_zero});
                inputs.push_back({});
                inputs.insert(inputs.end(), {other, scale, zero, total, total_zero});
                KernelRun fast;
                fast.kernel = "integer.qlinear_conv_sum";
                fast.constants = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13};
                for_each_isa([&](Isa isa) {
                    EXPECT_EQ(difference(expected, run_kernel_tensor("lapidary", "QLinearConvSum",
                                                                     1, inputs, attributes, fast)),
                              "")
                        << name_of(isa) << " x " << to_string(inputs[0].tensor().shape()) << " w "
                        << to_string(w);
                });
            }
}

TEST(IntegerConv, Sums) {
    for (const Case& c : cases)
        for (const DType type : {DType::u8, DType::i8}) {
            const Tensor x = random_bytes(generator, input_shape(c, false), type),
                         w = random_bytes(generator, weight_shape(c), DType::i8);
            compare("", "ConvInteger", 10, {x, w}, attributes_of(c), "integer.conv_integer", {1});
            compare("", "ConvInteger", 10,
                    {x, w, byte_scalar(type, type == DType::u8 ? 255 : -128),
                     byte_scalar(DType::i8, -128)},
                    attributes_of(c), "integer.conv_integer", {1, 3});
        }
}

}  // namespace
}  // namespace lapidary::test
