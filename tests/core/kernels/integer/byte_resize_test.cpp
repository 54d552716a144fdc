// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample of bytes against the reference kernel on every instruction set: every bit.
#include <gtest/gtest.h>

#include <cstring>

#include <lapidary/graph/graph_text.h>
#include <lapidary/exec/session.h>

#include "support/byte_values.h"
#include "support/kernel_harness.h"

namespace lapidary::test {
namespace {

std::mt19937 generator(41);

void compare(const Shape& shape, const std::vector<float>& scales,
             const std::vector<Attribute>& attributes, std::int64_t version = 19) {
    for (const DType type : {DType::u8, DType::i8}) {
        const auto rank = static_cast<std::int64_t>(scales.size());
        const std::vector<RuntimeValue> inputs{random_bytes(generator, shape, type), RuntimeValue(),
                                               Tensor::of<float>({rank}, scales)};
        KernelRun run;
        run.constants = {2};
        const Tensor expected = run_kernel_tensor("", "Resize", version, inputs, attributes, run);
        run.kernel = "pool.resize_bytes";
        for_each_isa([&](Isa isa) {
            EXPECT_EQ(difference(expected,
                                 run_kernel_tensor("", "Resize", version, inputs, attributes, run)),
                      "")
                << name_of(isa) << " " << to_string(shape) << " to " << to_string(expected.shape());
        });
    }
}

std::vector<Attribute> options(const char* mode, const char* coordinates,
                               const char* nearest = "round_prefer_floor") {
    return {attribute("mode", mode), attribute("coordinate_transformation_mode", coordinates),
            attribute("nearest_mode", nearest)};
}

/// Some of the bytes as elements of that type.
Tensor converted_bytes(const Tensor& bytes, DType type) {
    const auto width = static_cast<std::int64_t>(bit_width(type) / 8);
    Shape shape = bytes.shape();
    shape.back() /= width;
    Tensor t(type, shape);
    std::memcpy(t.mutable_raw(), bytes.raw(), t.byte_size());
    return t;
}

const char* const coordinates[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                                   "align_corners", "asymmetric"};

TEST(ByteResize, Nearest) {
    for (const char* coordinate : coordinates)
        for (const char* nearest : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
            compare({2, 3, 5, 7}, {1, 1, 2.3f, 1.7f}, options("nearest", coordinate, nearest));
            compare({1, 2, 9, 70}, {1, 1, 0.6f, 0.45f}, options("nearest", coordinate, nearest));
        }
}

TEST(ByteResize, NearestRepeatsWithTails) {
    for (const std::int64_t width : {1, 3, 15, 16, 17, 31, 32, 33, 64, 65, 130})
        for (const float times : {2.0f, 3.0f, 4.0f})
            compare({1, 2, 3, width}, {1, 1, 2, times}, options("nearest", "asymmetric", "floor"));
}

TEST(ByteResize, NearestWithChannelsLast) {
    for (const std::int64_t channels : {1, 2, 24, 65}) {
        compare({2, 4, 5, channels}, {1, 2, 2, 1}, options("nearest", "asymmetric", "floor"));
        compare({1, 4, 5, channels}, {1, 1.5f, 0.5f, 1}, options("nearest", "half_pixel"));
    }
}

TEST(ByteResize, Linear) {
    for (const char* coordinate : coordinates) {
        compare({2, 3, 5, 7}, {1, 1, 2, 2}, options("linear", coordinate));
        compare({1, 2, 6, 33}, {1, 1, 2.3f, 1.7f}, options("linear", coordinate));
        compare({1, 2, 11, 40}, {1, 1, 0.6f, 0.45f}, options("linear", coordinate));
    }
}

TEST(ByteResize, LinearWithTails) {
    for (const std::int64_t width : {1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 31, 33})
        compare({1, 1, 3, width}, {1, 1, 2, 1.4f}, options("linear", "half_pixel"));
    for (const std::int64_t channels : {1, 3, 8, 17, 64})
        compare({2, 4, 5, channels}, {1, 2, 1.5f, 1}, options("linear", "half_pixel"));
}

TEST(ByteResize, OneAxisAndManyAxes) {
    for (const char* mode : {"nearest", "linear"}) {
        compare({3, 40}, {1, 1.7f}, options(mode, "half_pixel"));
        compare({6, 40}, {2.5f, 1}, options(mode, "half_pixel"));
        compare({37}, {1.3f}, options(mode, "asymmetric"));
        compare({2, 3, 4, 5, 6}, {1, 1, 2, 2, 1}, options(mode, "half_pixel"));
        compare({2, 3, 5, 4}, {1, 1, 1, 1}, options(mode, "half_pixel"));
    }
}

TEST(ByteResize, LargeEnoughForThreads) {
    compare({1, 16, 80, 80}, {1, 1, 2, 2}, options("nearest", "asymmetric", "floor"));
    compare({1, 8, 80, 80}, {1, 1, 2, 2}, options("linear", "half_pixel"));
}

TEST(ByteResize, NearestOfOtherTypes) {
    const Tensor bytes = random_bytes(generator, {2, 3, 5, 48}, DType::u8),
                 scales = Tensor::of<float>({4}, {1, 2, 1.5f, 1});
    for (const DType type : {DType::f32, DType::f16, DType::i64, DType::boolean}) {
        const Tensor x = converted_bytes(bytes, type);
        KernelRun run;
        run.constants = {2};
        const auto attributes = options("nearest", "asymmetric", "floor");
        const Tensor expected =
            run_kernel_tensor("", "Resize", 19, {x, RuntimeValue(), scales}, attributes, run);
        run.kernel = "pool.resize_bytes";
        for_each_isa([&](Isa isa) {
            const Tensor found =
                run_kernel_tensor("", "Resize", 19, {x, RuntimeValue(), scales}, attributes, run);
            EXPECT_TRUE(same_contents(expected, found)) << name_of(isa) << " " << name_of(type);
        });
    }
}

TEST(ByteResize, OfSizesThatOnlyARunShows) {
    for (const std::string mode : {"nearest", "linear"}) {
        auto model = std::make_shared<Model>();
        model->opset_imports[""] = 19;
        model->graph = parse_graph(
            "(x: u8[n,3,h,w]) -> (y)\ny = Resize(x, _, s: f32[4]{1, 1, 1.5, 2}) {mode: \"" + mode +
            "\"}");
        Session fast = Session::compile(model);
        EXPECT_EQ(fast.plan().steps.at(0).kernel, "pool.resize_bytes");
        SessionOptions options;
        options.reference_kernels = true;
        Session plain = Session::compile(model, options);
        for (const Shape& shape : {Shape{2, 3, 5, 7}, Shape{1, 3, 8, 33}, Shape{1, 3, 0, 4}}) {
            const NamedValues inputs{{"x", random_bytes(generator, shape, DType::u8)}};
            const RunResult expected = plain.run(inputs), found = fast.run(inputs);
            EXPECT_EQ(
                difference(expected.outputs[0].second.tensor(), found.outputs[0].second.tensor()),
                "")
                << mode << " " << to_string(shape);
        }
    }
}

TEST(ByteResize, UpsampleOfOldModels) {
    const std::vector<RuntimeValue> inputs{random_bytes(generator, {1, 3, 6, 9}, DType::u8),
                                           Tensor::of<float>({4}, {1, 1, 2, 3})};
    for (const char* mode : {"nearest", "linear"}) {
        KernelRun run;
        run.constants = {1};
        const Tensor expected =
            run_kernel_tensor("", "Upsample", 9, inputs, {attribute("mode", mode)}, run);
        run.kernel = "pool.upsample_bytes";
        for_each_isa([&](Isa isa) {
            const Tensor found =
                run_kernel_tensor("", "Upsample", 9, inputs, {attribute("mode", mode)}, run);
            EXPECT_EQ(difference(expected, found), "") << name_of(isa) << " " << mode;
        });
    }
}

}  // namespace
}  // namespace lapidary::test
