// SPDX-License-Identifier: Apache-2.0
// Vector pools and reorders against their reference kernels, on every instruction set. Resize and
// GridSample have kernels_resize_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"
#include "tensor/channel_blocks.h"

namespace lapidary::test {
namespace {

/// Values that look random but are the same each time.
Tensor noise(Shape shape, unsigned seed) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1;
    }
    return Tensor::of(std::move(shape), values);
}

template <typename T>
Tensor integer_noise(Shape shape, unsigned seed) {
    std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
    for (T& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<T>(seed >> 24);
    }
    return Tensor::of(std::move(shape), values);
}

void expect_near(const Tensor& found, const Tensor& expected, float tolerance) {
    ASSERT_EQ(found.shape(), expected.shape());
    const auto x = found.data<float>(), y = expected.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance) << "element " << i;
}

struct Window {
    std::vector<std::int64_t> kernel, strides = {}, pads = {}, dilations = {};
    int ceil_mode = 0, counts_padding = 0;

    std::vector<Attribute> attributes(bool is_average) const {
        std::vector<Attribute> list{attribute("kernel_shape", ints(kernel)),
                                    attribute("ceil_mode", ceil_mode)};
        if (!strides.empty()) list.push_back(attribute("strides", ints(strides)));
        if (!pads.empty()) list.push_back(attribute("pads", ints(pads)));
        if (!dilations.empty()) list.push_back(attribute("dilations", ints(dilations)));
        if (is_average) list.push_back(attribute("count_include_pad", counts_padding));
        return list;
    }
};

const std::vector<Window>& image_windows() {
    static const std::vector<Window> windows{
        {{1, 1}},
        {{2, 2}, {2, 2}},
        {{3, 3}, {2, 2}, {1, 1, 1, 1}},
        {{3, 3}, {2, 2}, {0, 0, 1, 1}, {}, 1},
        {{3, 2}, {1, 1}, {1, 0, 1, 1}},
        {{5, 5}, {1, 1}, {2, 2, 2, 2}, {}, 0, 1},
        {{2, 3}, {3, 4}, {1, 2, 1, 2}, {2, 3}},
        {{3, 3}, {2, 2}, {2, 2, 2, 2}, {2, 2}, 1, 1},
        {{2, 2}, {2, 2}, {1, 3, 1, 3}, {}, 0, 0},  // windows in the padding alone
    };
    return windows;
}

TEST(PoolKernels, PlainImagesOfEveryWidth) {
    for_each_isa([](Isa) {
        for (std::int64_t width = 4; width <= 37; width += width < 20 ? 1 : 5)
            for (const Window& w : image_windows()) {
                const Tensor x = noise({2, 3, 6, width}, static_cast<unsigned>(width));
                for (const bool is_average : {false, true}) {
                    // Averages of earlier versions have no dilations.
                    SCOPED_TRACE("width " + std::to_string(width) + ", kernel " +
                                 std::to_string(w.kernel[0]) + " x " + std::to_string(w.kernel[1]));
                    const char* op = is_average ? "AveragePool" : "MaxPool";
                    expect_near(
                        run_kernel_tensor("", op, 19, {x}, w.attributes(is_average),
                                          {.kernel = is_average ? "pool.average" : "pool.max"}),
                        run_kernel_tensor("", op, 19, {x}, w.attributes(is_average)),
                        is_average ? 1e-6f : 0);
                }
            }
    });
}

TEST(PoolKernels, OneAndThreeAxes) {
    const std::vector<std::pair<Shape, Window>> cases{
        {{2, 3, 41}, {{4}, {3}, {2, 1}}},
        {{1, 2, 17}, {{3}, {2}, {1, 1}, {2}, 1}},
        {{1, 2, 5, 6, 19}, {{2, 3, 3}, {2, 1, 2}, {1, 1, 1, 0, 1, 1}}},
        {{1, 2, 4, 4, 4}, {{2, 2, 2}, {2, 2, 2}, {}, {}, 0, 1}},
        {{0, 2, 8}, {{2}}},
    };
    for_each_isa([&](Isa) {
        for (const auto& [shape, w] : cases)
            for (const bool is_average : {false, true}) {
                SCOPED_TRACE(to_string(shape));
                const Tensor x = noise(shape, 5);
                const char* op = is_average ? "AveragePool" : "MaxPool";
                expect_near(run_kernel_tensor("", op, 19, {x}, w.attributes(is_average),
                                              {.kernel = is_average ? "pool.average" : "pool.max",
                                               .static_shapes = false}),
                            run_kernel_tensor("", op, 19, {x}, w.attributes(is_average)), 1e-6f);
            }
    });
}

TEST(PoolKernels, LargeImagesAreSplit) {
    const Tensor x = noise({1, 5, 120, 130}, 9);
    const Window w{{3, 3}, {2, 2}, {1, 1, 1, 1}};
    for (const bool is_average : {false, true}) {
        const char* op = is_average ? "AveragePool" : "MaxPool";
        expect_near(run_kernel_tensor("", op, 12, {x}, w.attributes(is_average),
                                      {.kernel = is_average ? "pool.average" : "pool.max"}),
                    run_kernel_tensor("", op, 12, {x}, w.attributes(is_average)), 1e-6f);
    }
}

// As the reductions of ONNX, and as ReduceMax, which a pass may put in its place.
TEST(PoolKernels, GlobalMaximaKeepNaN) {
    for_each_isa([](Isa) {
        for (const std::int64_t size : {1, 5, 16, 64, 65, 200})
            for (const std::int64_t at : {std::int64_t(0), size / 2, size - 1}) {
                std::vector<float> values(static_cast<std::size_t>(2 * size), 1.0f);
                values[static_cast<std::size_t>(at)] = NAN;
                const Tensor x = Tensor::of<float>({1, 2, size}, values);
                for (const char* kernel : {"pool.global_max", "reference.global_max_pool"}) {
                    const Tensor y =
                        run_kernel_tensor("", "GlobalMaxPool", 1, {x}, {}, {.kernel = kernel});
                    EXPECT_TRUE(std::isnan(y.data<float>()[0]))
                        << kernel << " " << size << " " << at;
                    EXPECT_EQ(y.data<float>()[1], 1) << kernel;
                }
            }
    });
}

TEST(PoolKernels, Global) {
    for_each_isa([](Isa) {
        for (std::int64_t size : {1, 3, 15, 16, 63, 64, 65, 200, 1000}) {
            const Tensor x = noise({2, 5, 1, size}, static_cast<unsigned>(size));
            expect_near(run_kernel_tensor("", "GlobalAveragePool", 1, {x}, {},
                                          {.kernel = "pool.global_average"}),
                        run_kernel_tensor("", "GlobalAveragePool", 1, {x}), 2e-6f);
            expect_near(
                run_kernel_tensor("", "GlobalMaxPool", 1, {x}, {}, {.kernel = "pool.global_max"}),
                run_kernel_tensor("", "GlobalMaxPool", 1, {x}), 0);
        }
        // Pieces of long rows are summed apart: the error stays that of one piece.
        const Tensor large(
            Tensor::of<float>({1, 16, 300, 100}, std::vector<float>(480000, 100.1f)));
        for (const float v : values_of<float>(run_kernel_tensor(
                 "", "GlobalAveragePool", 1, {large}, {}, {.kernel = "pool.global_average"})))
            EXPECT_NEAR(v, 100.1f, 1e-3f);
        const Tensor blocked = run_kernel_tensor("com.microsoft.nchwc", "GlobalAveragePool", 1,
                                                 {large}, {attribute("channel_block", 16)},
                                                 {.kernel = "pool.blocked_global_average"});
        for (const float v : values_of<float>(blocked)) EXPECT_NEAR(v, 100.1f, 1e-3f);
        const Tensor empty = noise({2, 3, 0}, 1);
        expect_near(run_kernel_tensor("", "GlobalAveragePool", 1, {empty}, {},
                                      {.kernel = "pool.global_average"}),
                    run_kernel_tensor("", "GlobalAveragePool", 1, {empty}), 0);
    });
}

TEST(PoolKernels, ChannelsLastBytes) {
    for_each_isa([](Isa) {
        for (std::int64_t channels : {1, 3, 8, 13, 16, 24, 31, 32, 48, 58, 64, 65, 130})
            for (const Window& w : image_windows()) {
                SCOPED_TRACE(std::to_string(channels) + " channels");
                const Tensor bytes = integer_noise<std::uint8_t>({2, 6, 7, channels}, 3),
                             chars = integer_noise<std::int8_t>({1, 6, 7, channels}, 4);
                for (const Tensor& x : {bytes, chars})
                    EXPECT_TRUE(
                        same_contents(run_kernel_tensor("com.microsoft", "NhwcMaxPool", 1, {x},
                                                        w.attributes(false),
                                                        {.kernel = "pool.channels_last_max"}),
                                      run_kernel_tensor("com.microsoft", "NhwcMaxPool", 1, {x},
                                                        w.attributes(false))));
            }
    });
}

Tensor run_blocked(const char* op, std::int64_t block, std::vector<RuntimeValue> inputs,
                   std::vector<Attribute> attributes, const char* kernel = "") {
    attributes.push_back(attribute("channel_block", AttributeValue(block)));
    return run_kernel_tensor("com.microsoft.nchwc", op, 1, std::move(inputs), std::move(attributes),
                             {.kernel = kernel});
}

TEST(PoolKernels, Blocked) {
    for_each_isa([](Isa) {
        for (const std::int64_t block : {std::int64_t{8}, std::int64_t{16}}) {
            const Tensor x = noise({2, 3 * block, 6, 9}, 6);
            for (const Window& w : image_windows()) {
                SCOPED_TRACE("blocks of " + std::to_string(block));
                for (const bool is_average : {false, true}) {
                    const char* op = is_average ? "AveragePool" : "MaxPool";
                    expect_near(
                        run_blocked(op, block, {x}, w.attributes(is_average),
                                    is_average ? "pool.blocked_average" : "pool.blocked_max"),
                        run_blocked(op, block, {x}, w.attributes(is_average)),
                        is_average ? 1e-6f : 0);
                }
            }
            for (const std::int64_t size : {1, 2, 3, 4, 5, 49}) {
                const Tensor one = noise({2, 2 * block, size, 1}, 8);
                expect_near(run_blocked("GlobalAveragePool", block, {one}, {},
                                        "pool.blocked_global_average"),
                            run_blocked("GlobalAveragePool", block, {one}, {}), 1e-6f);
                expect_near(
                    run_blocked("GlobalMaxPool", block, {one}, {}, "pool.blocked_global_max"),
                    run_blocked("GlobalMaxPool", block, {one}, {}), 0);
            }
        }
    });
}

TEST(ReorderKernels, EveryTailOfChannelsAndPositions) {
    for_each_isa([](Isa) {
        for (const std::int64_t block : {std::int64_t{8}, std::int64_t{16}})
            for (std::int64_t channels = 1; channels <= 37; channels += channels < 18 ? 1 : 6)
                for (const std::int64_t width : {1, 3, 4, 7, 300})
                    for (const int last : {0, 1}) {
                        SCOPED_TRACE(std::to_string(channels) + " channels of " +
                                     std::to_string(width) + " in blocks of " +
                                     std::to_string(block) + (last ? ", last" : ""));
                        const Tensor x = noise(
                            last ? Shape{2, 1, width, channels} : Shape{2, channels, 1, width}, 3);
                        const std::vector<Attribute> in{attribute("channels_last", last)};
                        const Tensor blocked =
                            run_blocked("ReorderInput", block, {x}, in, "pool.reorder_input");
                        EXPECT_TRUE(
                            same_contents(blocked, run_blocked("ReorderInput", block, {x}, in)));
                        std::vector<Attribute> out = in;
                        out.push_back(attribute("channels", AttributeValue(channels)));
                        EXPECT_TRUE(same_contents(run_blocked("ReorderOutput", block, {blocked},
                                                              out, "pool.reorder_output"),
                                                  x));
                        const Tensor part =
                            noise({2, rounded_to_block(channels, block) + block, 1, width}, 4);
                        EXPECT_TRUE(same_contents(
                            run_blocked("ReorderOutput", block, {part}, out, "pool.reorder_output"),
                            run_blocked("ReorderOutput", block, {part}, out)));
                    }
    });
}

TEST(ReorderKernels, RefuseWhatDoesNotFit) {
    EXPECT_THROW(run_blocked("ReorderOutput", 8, {noise({1, 8, 4, 4}, 1)},
                             {attribute("channels", 9)}, "pool.reorder_output"),
                 Error);
    EXPECT_THROW(
        run_blocked("ReorderOutput", 8, {noise({1, 12, 4, 4}, 1)}, {}, "pool.reorder_output"),
        Error);
    EXPECT_THROW(run_blocked("ReorderInput", 8, {noise({8, 4, 4}, 1)}, {}, "pool.reorder_input"),
                 Error);
    EXPECT_THROW(run_blocked("MaxPool", 8, {noise({1, 12, 4, 4}, 1)},
                             {attribute("kernel_shape", ints({2, 2}))}, "pool.blocked_max"),
                 Error);
}

TEST(ResizeKernels, Blocked) {
    for_each_isa([](Isa) {
        for (const std::int64_t block : {std::int64_t{8}, std::int64_t{16}})
            for (const char* mode : {"nearest", "linear"})
                for (const char* coordinate : {"asymmetric", "align_corners", "half_pixel"}) {
                    if (std::string_view(mode) == "nearest" &&
                        std::string_view(coordinate) != "asymmetric")
                        continue;
                    SCOPED_TRACE(std::string(mode) + " " + coordinate + " in blocks of " +
                                 std::to_string(block));
                    const Tensor x = noise({2, 2 * block, 3, 5}, 2);
                    const std::vector<Attribute> attributes{
                        attribute("scales", ints({1, 1, 2, 3})), attribute("mode", mode),
                        attribute("coordinate_transformation_mode", coordinate)};
                    expect_near(
                        run_blocked("Upsample", block, {x}, attributes, "pool.blocked_upsample"),
                        run_blocked("Upsample", block, {x}, attributes), 2e-6f);
                }
    });
}

/// What the kernels leave to others says why.
TEST(PoolKernels, DeclineWithAReason) {
    const auto reason = [](const char* op, std::vector<RuntimeValue> inputs,
                           std::vector<Attribute> attributes, const KernelRun& run) -> std::string {
        try {
            run_kernel("", op, 19, std::move(inputs), std::move(attributes), run);
        } catch (const Error& e) { return e.what(); }
        return {};
    };
    const Tensor x = noise({1, 1, 4, 4}, 1), scales = Tensor::of<float>({4}, {1, 1, 2, 2});
    EXPECT_NE(reason("MaxPool", {x}, {attribute("kernel_shape", ints({2, 2}))},
                     {.outputs = 2, .kernel = "pool.max"})
                  .find("indices"),
              std::string::npos);
    EXPECT_NE(reason("MaxPool", {integer_noise<std::uint8_t>({1, 1, 4, 4}, 1)},
                     {attribute("kernel_shape", ints({2, 2}))}, {.kernel = "pool.max"})
                  .find("takes f32"),
              std::string::npos);
    EXPECT_NE(reason("Resize", {x, RuntimeValue(), scales}, {}, {.kernel = "pool.resize"})
                  .find("run time"),
              std::string::npos);
    EXPECT_NE(reason("Resize", {x, RuntimeValue(), scales}, {attribute("mode", "cubic")},
                     {.kernel = "pool.resize", .constants = {2}})
                  .find("cubic"),
              std::string::npos);
    EXPECT_NE(reason("Resize", {x, RuntimeValue(), scales}, {},
                     {.kernel = "pool.resize", .constants = {2}, .static_shapes = false})
                  .find("input is"),
              std::string::npos);
    EXPECT_NE(reason("Resize", {x, Tensor::of<float>({8}, {0, 0, 0, 0, 1, 1, 1, 1}), scales},
                     {attribute("coordinate_transformation_mode", "tf_crop_and_resize")},
                     {.kernel = "pool.resize", .constants = {1, 2}})
                  .find("crops"),
              std::string::npos);
    EXPECT_NE(reason("Resize", {x, RuntimeValue(), scales}, {},
                     {.kernel = "pool.resize_filter", .constants = {2}})
                  .find("nearest"),
              std::string::npos);
    EXPECT_NE(
        reason("Resize", {x, RuntimeValue(), Tensor::of<float>({4}, {1, 2, 2, 2})},
               {attribute("mode", "cubic")}, {.kernel = "pool.resize_filter", .constants = {2}})
            .find("resizes axis 1"),
        std::string::npos);
}

TEST(PoolKernels, MaxUnpoolPutsEachValueInItsPlace) {
    const std::vector<Attribute> window{attribute("kernel_shape", ints({2, 3})),
                                        attribute("strides", ints({2, 2})),
                                        attribute("pads", ints({0, 1, 0, 0}))};
    const auto unpool = [&](const Tensor& x, const Tensor& indices, const char* kernel,
                            RuntimeValue shape = {}) {
        KernelRun run;
        run.kernel = kernel;
        return run_kernel_tensor("", "MaxUnpool", 11, {x, indices, std::move(shape)}, window, run);
    };
    const Tensor x = noise({2, 3, 5, 7}, 1);  // of [2, 3, 10, 14]
    std::vector<std::int64_t> places(static_cast<std::size_t>(x.size()));
    // some twice
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = static_cast<std::int64_t>(i * 3559 % 840 / 3 * 3);
    const Tensor indices = Tensor::of<std::int64_t>(x.shape(), places),
                 same = Tensor::of<std::int64_t>({4}, {2, 3, 10, 14}),
                 larger = Tensor::of<std::int64_t>({4}, {2, 3, 11, 20});
    std::vector<double> doubles;
    std::vector<Half> halves;
    for (const float v : x.data<float>()) {
        doubles.push_back(v);
        halves.push_back(Half(v));
    }
    for (const Tensor& typed :
         {x, Tensor::of<double>(x.shape(), doubles), Tensor::of<Half>(x.shape(), halves)})
        for (const RuntimeValue& shape : {RuntimeValue(), RuntimeValue(same), RuntimeValue(larger)})
            EXPECT_TRUE(same_contents(unpool(typed, indices, "pool.max_unpool", shape),
                                      unpool(typed, indices, "", shape)))
                << name_of(typed.dtype());
    for (const std::int64_t outside : {std::int64_t{-1}, std::int64_t{840}}) {
        places.back() = outside;
        EXPECT_THROW(unpool(x, Tensor::of<std::int64_t>(x.shape(), places), "pool.max_unpool"),
                     Error);
    }
}

}  // namespace
}  // namespace lapidary::test
