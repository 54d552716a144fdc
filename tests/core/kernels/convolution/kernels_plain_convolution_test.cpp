// SPDX-License-Identifier: Apache-2.0
// Convolutions in plain layout against the reference kernels, on every instruction set.
#include <gtest/gtest.h>

#include <cmath>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

Tensor noise(Shape shape, unsigned seed) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

struct Case {
    const char* name;
    Shape x, w;
    std::vector<Attribute> attributes = {};
    bool has_bias = true;
};

void expect_near(const Tensor& found, const Tensor& expected, std::int64_t inner) {
    ASSERT_EQ(found.shape(), expected.shape());
    const auto a = found.data<float>(), b = expected.data<float>();
    // Sums of `inner` products of magnitude 1 in another order.
    const double tolerance = 3e-6 * std::sqrt(static_cast<double>(inner));
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> list{
        {"pointwise", {2, 20, 7, 9}, {33, 20, 1, 1}},
        {"pointwise, strided",
         {1, 20, 9, 11},
         {17, 20, 1, 1},
         {attribute("strides", ints({2, 2}))}},
        {"pointwise, padded",
         {1, 20, 4, 6},
         {17, 20, 1, 1},
         {attribute("pads", ints({1, 0, 0, 0}))}},
        {"pointwise, strided and padded",
         {1, 20, 4, 4},
         {17, 20, 1, 1},
         {attribute("strides", ints({2, 2})), attribute("pads", ints({0, 0, 3, 3}))}},
        {"pointwise, few filters, strided",
         {1, 9, 40, 9},
         {2, 9, 1, 1},
         {attribute("strides", ints({1, 2}))}},
        {"narrow rows, strided", {1, 9, 40, 9}, {2, 9, 3, 3}, {attribute("strides", ints({1, 2}))}},
        {"narrow rows of three axes, strided",
         {1, 9, 3, 40, 9},
         {2, 9, 1, 1, 1},
         {attribute("strides", ints({1, 2, 1}))}},
        {"3 x 3", {2, 5, 13, 17}, {19, 5, 3, 3}, {attribute("pads", ints({1, 1, 1, 1}))}, false},
        {"no padding", {1, 8, 12, 40}, {16, 8, 3, 5}},
        {"stride 2",
         {1, 6, 23, 70},
         {24, 6, 3, 3},
         {attribute("pads", ints({1, 0, 1, 2})), attribute("strides", ints({2, 2}))}},
        {"stride 3 and 4, dilated",
         {1, 4, 31, 43},
         {9, 4, 3, 2},
         {attribute("strides", ints({3, 4})), attribute("dilations", ints({2, 3})),
          attribute("pads", ints({2, 3, 1, 0}))}},
        {"7 x 7 of an image",
         {1, 3, 40, 37},
         {30, 3, 7, 7},
         {attribute("pads", ints({3, 3, 3, 3})), attribute("strides", ints({2, 2}))}},
        {"many channels", {1, 130, 6, 5}, {40, 130, 3, 3}, {attribute("auto_pad", "SAME_UPPER")}},
        {"depthwise",
         {2, 11, 15, 70},
         {11, 1, 3, 3},
         {attribute("group", 11), attribute("pads", ints({1, 1, 1, 1}))}},
        {"depthwise, strided",
         {1, 5, 15, 34},
         {5, 1, 5, 5},
         {attribute("group", 5), attribute("pads", ints({2, 2, 2, 2})),
          attribute("strides", ints({2, 2}))}},
        {"two filters per channel",
         {1, 6, 9, 20},
         {12, 1, 3, 3},
         {attribute("group", 6), attribute("pads", ints({1, 1, 1, 1}))}},
        {"groups of a few channels", {2, 12, 9, 9}, {12, 3, 3, 3}, {attribute("group", 4)}},
        {"groups of many filters",
         {1, 12, 9, 9},
         {60, 6, 3, 3},
         {attribute("group", 2), attribute("pads", ints({1, 1, 1, 1}))}},
        {"one filter", {1, 9, 16, 33}, {1, 9, 3, 3}, {attribute("pads", ints({1, 1, 1, 1}))}},
        {"one axis", {2, 7, 101}, {15, 7, 5}, {attribute("pads", ints({2, 2}))}},
        {"one axis, long stride", {1, 1, 400}, {20, 1, 64}, {attribute("strides", ints({16}))}},
        {"three axes",
         {1, 3, 6, 7, 8},
         {18, 3, 3, 3, 3},
         {attribute("pads", ints({1, 1, 1, 1, 1, 1}))}},
        {"three axes, strided",
         {2, 2, 7, 8, 9},
         {5, 2, 2, 3, 2},
         {attribute("strides", ints({2, 1, 2})), attribute("dilations", ints({2, 1, 1}))}},
        {"three axes, depthwise",
         {1, 4, 5, 6, 20},
         {4, 1, 3, 3, 3},
         {attribute("group", 4), attribute("pads", ints({1, 1, 1, 1, 1, 1}))}},
        {"pads larger than the image",
         {1, 2, 1, 1},
         {6, 2, 3, 3},
         {attribute("pads", ints({3, 3, 3, 3}))}},
        {"one filter, many narrow rows",
         {1, 4, 67, 33},
         {1, 4, 3, 3},
         {attribute("pads", ints({1, 1, 1, 1}))}},
        {"few pointwise filters", {2, 20, 24, 50}, {3, 20, 1, 1}},
        {"few pointwise filters, a prime number of positions", {1, 9, 1, 1031}, {2, 9, 1, 1}},
        {"few pointwise filters in groups", {2, 12, 36, 36}, {8, 3, 1, 1}, {attribute("group", 4)}},
        {"few pointwise filters of three axes", {1, 5, 4, 16, 24}, {2, 5, 1, 1, 1}},
        {"no images", {0, 3, 5, 5}, {6, 3, 3, 3}},
        {"no positions", {1, 3, 0, 5}, {6, 3, 1, 1}},
        {"no positions, few filters", {1, 3, 4, 0}, {2, 3, 1, 1}},
    };
    return list;
}

TEST(PlainConvolution, EqualsTheReference) {
    for_each_isa([](Isa isa) {
        for (const Case& c : cases())
            for (const bool constant : {true, false}) {
                SCOPED_TRACE(std::string(name_of(isa)) + ", " + c.name +
                             (constant ? "" : ", weight at run time"));
                std::vector<RuntimeValue> inputs{noise(c.x, 1), noise(c.w, 2)};
                if (c.has_bias) inputs.emplace_back(noise({c.w[0]}, 3));
                KernelRun run{.kernel = "convolution.plain"};
                if (constant) run.constants = {1};
                expect_near(run_kernel_tensor("", "Conv", 11, inputs, c.attributes, run),
                            run_kernel_tensor("", "Conv", 11, inputs, c.attributes),
                            element_count(c.w) / c.w[0]);
            }
    });
}

TEST(PlainConvolution, EveryWidthAndFilterCount) {
    for_each_isa([](Isa isa) {
        for (std::int64_t width = 1; width <= 35; ++width)
            for (const std::int64_t filters : {1, 4, 5, 14, 15, 29}) {
                SCOPED_TRACE(std::string(name_of(isa)) + ", width " + std::to_string(width) + ", " +
                             std::to_string(filters) + " filters");
                const std::vector<RuntimeValue> inputs{noise({1, 3, 4, width}, 1),
                                                       noise({filters, 3, 3, 3}, 2)};
                const std::vector<Attribute> attributes{
                    attribute("pads", ints({1, 1, 1, 1})),
                    attribute("strides", ints({1, width % 3 + 1}))};
                expect_near(
                    run_kernel_tensor(
                        "", "Conv", 11, inputs, attributes,
                        {.kernel = "convolution.plain", .constants = {1}, .static_shapes = false}),
                    run_kernel_tensor("", "Conv", 11, inputs, attributes), 27);
            }
    });
}

TEST(PlainConvolution, SumAndActivation) {
    for_each_isa([](Isa isa) {
        for (const char* activation : {"", "Relu", "Tanh", "Sigmoid"})
            for (const std::int64_t channels : {3, 150}) {
                SCOPED_TRACE(std::string(name_of(isa)) + " " + activation);
                const std::vector<RuntimeValue> inputs{noise({1, channels, 6, 19}, 1),
                                                       noise({18, channels, 3, 3}, 2),
                                                       noise({18}, 3), noise({1, 18, 6, 19}, 4)};
                const std::vector<Attribute> attributes{attribute("pads", ints({1, 1, 1, 1})),
                                                        attribute("activation", activation)};
                expect_near(run_kernel_tensor("com.microsoft", "FusedConv", 1, inputs, attributes,
                                              {.kernel = "convolution.plain", .constants = {1}}),
                            run_kernel_tensor("com.microsoft", "FusedConv", 1, inputs, attributes),
                            channels * 9);
            }
    });
}

TEST(FewPositions, EqualTheReference) {
    const std::vector<Case> list{
        {"one position", {1, 64, 1}, {128, 64, 3}, {attribute("pads", ints({1, 1}))}},
        {"three positions", {2, 129, 3}, {130, 129, 3}, {attribute("pads", ints({1, 1}))}},
        {"long windows", {1, 1, 576}, {258, 1, 256}, {attribute("strides", ints({128}))}, false},
        {"an image",
         {1, 7, 4, 5},
         {33, 7, 3, 3},
         {attribute("strides", ints({2, 2})), attribute("dilations", ints({1, 2})),
          attribute("pads", ints({1, 0, 0, 1}))}},
        {"no images", {0, 3, 2, 2}, {33, 3, 1, 1}},
    };
    for_each_isa([&](Isa isa) {
        for (const Case& c : list)
            for (const char* activation : {"", "Relu", "Sigmoid"}) {
                SCOPED_TRACE(std::string(name_of(isa)) + ", " + c.name + " " + activation);
                std::vector<RuntimeValue> inputs{noise(c.x, 1), noise(c.w, 2)};
                if (c.has_bias) inputs.emplace_back(noise({c.w[0]}, 3));
                std::vector<Attribute> attributes = c.attributes;
                attributes.push_back(attribute("activation", activation));
                expect_near(
                    run_kernel_tensor("com.microsoft", "FusedConv", 1, inputs, attributes,
                                      {.kernel = "convolution.few_positions", .constants = {1}}),
                    run_kernel_tensor("com.microsoft", "FusedConv", 1, inputs, attributes),
                    element_count(c.w) / c.w[0]);
            }
    });
}

/// Sizes that are not known before the run: more positions go to the other kernel.
TEST(FewPositions, OfAnySize) {
    for (std::int64_t size = 1; size <= 12; ++size) {
        SCOPED_TRACE(size);
        const std::vector<RuntimeValue> inputs{noise({2, 9, size}, 1), noise({40, 9, 3}, 2),
                                               noise({40}, 3)};
        const std::vector<Attribute> attributes{attribute("pads", ints({1, 1}))};
        expect_near(
            run_kernel_tensor(
                "", "Conv", 11, inputs, attributes,
                {.kernel = "convolution.few_positions", .constants = {1}, .static_shapes = false}),
            run_kernel_tensor("", "Conv", 11, inputs, attributes), 27);
    }
}

TEST(TransposedConvolution, EqualsTheReference) {
    const std::vector<Case> list{
        {"2 x 2 stride 2", {1, 20, 7, 9}, {20, 18, 2, 2}, {attribute("strides", ints({2, 2}))}},
        {"3 x 3 stride 2",
         {2, 16, 9, 35},
         {16, 30, 3, 3},
         {attribute("strides", ints({2, 2})), attribute("pads", ints({1, 1, 1, 1})),
          attribute("output_padding", ints({1, 1}))}},
        {"4 x 4 stride 2",
         {1, 5, 8, 20},
         {5, 7, 4, 4},
         {attribute("strides", ints({2, 2})), attribute("pads", ints({1, 1, 1, 1}))},
         false},
        {"stride 1", {1, 4, 6, 7}, {4, 3, 3, 3}},
        {"stride 3, dilated",
         {1, 4, 5, 6},
         {4, 6, 3, 2},
         {attribute("strides", ints({3, 3})), attribute("dilations", ints({2, 5}))}},
        {"windows smaller than the stride",
         {1, 3, 4, 5},
         {3, 2, 1, 2},
         {attribute("strides", ints({3, 4})), attribute("output_padding", ints({2, 1}))}},
        {"large pads",
         {1, 3, 9, 9},
         {3, 2, 3, 3},
         {attribute("strides", ints({2, 1})), attribute("pads", ints({4, 3, 2, 3}))}},
        {"groups",
         {2, 12, 6, 10},
         {12, 5, 3, 3},
         {attribute("group", 3), attribute("strides", ints({2, 2}))}},
        {"depthwise",
         {1, 6, 5, 8},
         {6, 1, 4, 4},
         {attribute("group", 6), attribute("strides", ints({2, 2})),
          attribute("pads", ints({1, 1, 1, 1}))}},
        {"many channels", {1, 400, 5, 6}, {400, 33, 2, 2}, {attribute("strides", ints({2, 2}))}},
        {"wide", {1, 3, 3, 450}, {3, 4, 3, 3}, {attribute("strides", ints({1, 2}))}},
        {"one axis",
         {2, 6, 50},
         {6, 5, 8},
         {attribute("strides", ints({4})), attribute("pads", ints({2, 2}))}},
        {"given size",
         {1, 3, 5, 5},
         {3, 2, 3, 3},
         {attribute("strides", ints({2, 2})), attribute("output_shape", ints({10, 9})),
          attribute("auto_pad", "SAME_LOWER")}},
        {"5 x 5 stride 3",
         {1, 4, 6, 7},
         {4, 9, 5, 5},
         {attribute("strides", ints({3, 3})), attribute("pads", ints({2, 1, 1, 2}))}},
        {"many filters, 4 x 4 stride 2",
         {1, 9, 5, 11},
         {9, 37, 4, 4},
         {attribute("strides", ints({2, 2})), attribute("pads", ints({1, 1, 1, 1}))}},
        {"one axis, stride 8",
         {1, 5, 40},
         {5, 9, 16},
         {attribute("strides", ints({8})), attribute("pads", ints({4, 4}))}},
        {"one axis, stride 8, long",
         {1, 3, 200},
         {3, 5, 16},
         {attribute("strides", ints({8})), attribute("pads", ints({3, 5}))}},
        {"one axis, stride 4",
         {1, 3, 150},
         {3, 5, 4},
         {attribute("strides", ints({4})), attribute("pads", ints({1, 0}))}},
        {"one axis, stride 3",
         {1, 3, 150},
         {3, 5, 7},
         {attribute("strides", ints({3})), attribute("pads", ints({2, 0}))}},
        {"wide with a halo inside",
         {1, 3, 20, 500},
         {3, 4, 3, 3},
         {attribute("strides", ints({2, 2})), attribute("pads", ints({1, 1, 1, 1}))}},
        {"three axes, 2 x 2 x 2 stride 2",
         {2, 20, 3, 7, 9},
         {20, 18, 2, 2, 2},
         {attribute("strides", ints({2, 2, 2}))}},
        {"three axes, 3 x 3 x 3 stride 2",
         {1, 7, 5, 6, 7},
         {7, 15, 3, 3, 3},
         {attribute("strides", ints({2, 2, 2})), attribute("pads", ints({1, 1, 1, 1, 1, 1})),
          attribute("output_padding", ints({1, 1, 1}))}},
        {"three axes, stride 1",
         {1, 4, 4, 6, 7},
         {4, 3, 3, 3, 3},
         {attribute("pads", ints({1, 1, 1, 1, 1, 1}))},
         false},
        {"three axes, small planes",
         {1, 6, 9, 2, 3},
         {6, 5, 4, 4, 4},
         {attribute("strides", ints({2, 2, 2})), attribute("pads", ints({1, 1, 1, 1, 1, 1}))}},
        {"three axes, large planes",
         {1, 2, 2, 20, 21},
         {2, 3, 2, 3, 2},
         {attribute("strides", ints({1, 2, 3}))}},
        {"three axes, groups, dilated",
         {2, 6, 3, 4, 5},
         {6, 2, 2, 2, 3},
         {attribute("group", 3), attribute("strides", ints({3, 2, 1})),
          attribute("dilations", ints({2, 3, 2}))}},
        {"three axes, uneven",
         {1, 3, 3, 4, 4},
         {3, 2, 3, 1, 2},
         {attribute("strides", ints({2, 3, 4})), attribute("pads", ints({3, 0, 1, 1, 0, 2})),
          attribute("output_padding", ints({0, 2, 1}))}},
        {"no images", {0, 3, 5, 5}, {3, 2, 3, 3}},
        {"no voxels",
         {1, 3, 2, 0, 5},
         {3, 2, 3, 3, 3},
         {attribute("output_shape", ints({4, 4, 7}))}},
        {"no pixels", {1, 3, 0, 5}, {3, 2, 3, 3}, {attribute("output_shape", ints({4, 7}))}},
    };
    for_each_isa([&](Isa isa) {
        for (const Case& c : list) {
            SCOPED_TRACE(std::string(name_of(isa)) + ", " + c.name);
            std::vector<Attribute> attributes = c.attributes;
            std::int64_t groups = 1;
            for (const Attribute& a : attributes)
                if (a.name == "group") groups = std::get<std::int64_t>(a.value);
            std::vector<RuntimeValue> inputs{noise(c.x, 1), noise(c.w, 2)};
            if (c.has_bias) inputs.emplace_back(noise({c.w[1] * groups}, 3));
            expect_near(run_kernel_tensor("", "ConvTranspose", 11, inputs, attributes,
                                          {.kernel = "convolution.transposed", .constants = {1}}),
                        run_kernel_tensor("", "ConvTranspose", 11, inputs, attributes),
                        element_count(c.w) / c.w[1]);
        }
    });
}

TEST(PlainConvolution, RefuseWhatDoesNotFit) {
    const KernelRun run{.kernel = "convolution.plain", .constants = {1}};
    EXPECT_THROW(
        run_kernel("", "Conv", 11, {noise({1, 4, 5, 5}, 1), noise({4, 3, 3, 3}, 2)}, {}, run),
        Error);
    EXPECT_THROW(
        run_kernel("", "Conv", 11, {noise({1, 3, 2, 2}, 1), noise({4, 3, 3, 3}, 2)}, {}, run),
        Error);
    EXPECT_THROW(
        run_kernel("", "Conv", 11, {noise({1, 3, 5, 5}, 1), noise({4, 3, 3, 3}, 2), noise({5}, 3)},
                   {}, run),
        Error);
    EXPECT_THROW(run_kernel("", "Conv", 11, {noise({1, 3, 5, 5}, 1), noise({4, 3, 3, 3}, 2)},
                            {attribute("kernel_shape", ints({2, 2}))}, run),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
