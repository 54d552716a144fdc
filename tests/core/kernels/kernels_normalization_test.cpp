// SPDX-License-Identifier: Apache-2.0
// Vector normalizations and softmax against the reference kernels, on every instruction set, for
// widths around the vectors'.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_compare.h"

namespace lapidary {
namespace {

using namespace test;

constexpr float infinity = std::numeric_limits<float>::infinity();
const std::vector<std::int64_t> widths{1,  2,  3,  4,  7,  8,  9,  12,  13,  15, 16,
                                       17, 31, 33, 48, 63, 64, 65, 100, 129, 768};

TEST(VectorNormalization, LayerNormalizationWithStatistics) {
    for (const std::int64_t width : widths) {
        KernelRun run;
        run.outputs = 3;
        const std::vector<RuntimeValue> inputs{noise({3, 5, width}, 1, 2, 0.5f), noise({width}, 2),
                                               noise({width}, 3)};
        expect_as_reference("", "LayerNormalization", 17, "normalization.layer", inputs, {},
                            width == 1 ? 1e-2 : 2e-4, run);
        expect_as_reference("", "LayerNormalization", 17, "normalization.layer",
                            {inputs[0], inputs[1]}, {attribute("epsilon", 1e-3f)});
        expect_as_reference("", "RMSNormalization", 23, "normalization.rms",
                            {inputs[0], inputs[1]});
        expect_as_reference("", "SimplifiedLayerNormalization", 1, "normalization.rms",
                            {inputs[0], inputs[1]});
    }
    // Several axes; a scale per row goes another way.
    expect_as_reference("", "LayerNormalization", 17, "normalization.layer",
                        {noise({2, 3, 4, 5}, 1), noise({4, 5}, 2), noise({1, 4, 5}, 3)},
                        {attribute("axis", 2)});
    expect_as_reference("", "LayerNormalization", 17, "normalization.layer",
                        {noise({2, 3, 4}, 1), noise({2, 3, 4}, 2)}, {attribute("axis", 2)});
    expect_as_reference("", "LayerNormalization", 17, "normalization.layer",
                        {noise({4, 3}, 1), noise({4, 3}, 2)}, {attribute("axis", 0)});
    // The type of the statistics matters where they are wanted.
    for (const char* op : {"LayerNormalization", "RMSNormalization"})
        expect_as_reference("", op, 23, op[0] == 'L' ? "normalization.layer" : "normalization.rms",
                            {noise({3, 20}, 1), noise({20}, 2)}, {attribute("stash_type", 0)});
    KernelRun with_statistics;
    with_statistics.outputs = 3;
    EXPECT_THROW(run_kernel("", "LayerNormalization", 17, {noise({3, 20}, 1), noise({20}, 2)},
                            {attribute("stash_type", 0)}, with_statistics),
                 Error);
    Tensor bad = noise({2, 20}, 1);
    bad.mutable_data<float>()[19] = std::numeric_limits<float>::quiet_NaN();
    expect_as_reference("", "LayerNormalization", 17, "normalization.layer", {bad, noise({20}, 2)});
}

TEST(VectorNormalization, SkipLayerNormalization) {
    for (const std::int64_t width : widths) {
        KernelRun run;
        run.outputs = 4;
        run.unwanted_outputs = {1, 2};
        const Tensor x = noise({2, 3, width}, 1), skip = noise({2, 3, width}, 2),
                     row_skip = noise({1, 3, width}, 3), gamma = noise({width}, 4),
                     beta = noise({width}, 5), bias = noise({width}, 6);
        const double tolerance = width <= 2 ? 1e-2 : 2e-4;
        const std::vector<Attribute> epsilon{attribute("epsilon", 1e-5f)};
        expect_as_reference("com.microsoft", "SkipLayerNormalization", 1,
                            "normalization.skip_layer", {x, skip, gamma, beta, bias}, epsilon,
                            tolerance, run);
        expect_as_reference("com.microsoft", "SkipLayerNormalization", 1,
                            "normalization.skip_layer", {x, row_skip, gamma, beta}, epsilon,
                            tolerance, run);
        expect_as_reference("com.microsoft", "SkipLayerNormalization", 1,
                            "normalization.skip_layer", {x, row_skip.reshaped({3, width}), gamma},
                            epsilon, tolerance);
        expect_as_reference("com.microsoft", "SkipSimplifiedLayerNormalization", 1,
                            "normalization.skip_rms", {x, skip, gamma, bias}, epsilon, 1e-5, run);
        // Files of onnxruntime-genai name mean and deviation, which nothing reads.
        KernelRun all;
        all.outputs = 4;
        expect_as_reference("com.microsoft", "SkipLayerNormalization", 1,
                            "normalization.skip_layer", {x, skip, gamma, beta, bias}, epsilon,
                            tolerance, all);
        expect_as_reference("com.microsoft", "SkipSimplifiedLayerNormalization", 1,
                            "normalization.skip_rms", {x, skip, gamma, bias}, epsilon, 1e-5, all);
        expect_as_reference("com.microsoft", "SkipSimplifiedLayerNormalization", 1,
                            "normalization.skip_rms", {x, skip, gamma}, epsilon, 1e-5);
    }
}

TEST(VectorNormalization, EmbedLayerNormalization) {
    const Tensor ids = Tensor::of<std::int32_t>({2, 3}, {0, 4, -3, 1, -5, 3}),
                 segments = Tensor::of<std::int32_t>({2, 3}, {0, 1, 0, 1, 1, 0}),
                 mask = Tensor::of<std::int32_t>({2, 3}, {1, 1, 0, 1, 0, 0});
    const Tensor positions = Tensor::of<std::int64_t>({1, 3}, {3, 1, 0});
    for (const std::int64_t width : {3, 16, 50}) {
        KernelRun run;
        run.outputs = 3;
        const std::vector<RuntimeValue> inputs{ids,
                                               segments,
                                               noise({5, width}, 1),
                                               noise({4, width}, 2),
                                               noise({2, width}, 3),
                                               noise({width}, 4),
                                               noise({width}, 5),
                                               mask};
        expect_as_reference("com.microsoft", "EmbedLayerNormalization", 1,
                            "normalization.embed_layer", inputs, {}, 1e-4, run);
        const std::vector<RuntimeValue> plain{ids,       RuntimeValue(), inputs[2],
                                              inputs[3], RuntimeValue(), inputs[5],
                                              inputs[6], RuntimeValue(), positions};
        expect_as_reference("com.microsoft", "EmbedLayerNormalization", 1,
                            "normalization.embed_layer", plain, {}, 1e-4, run);
        std::vector<RuntimeValue> outside = inputs;
        outside[0] = Tensor::of<std::int32_t>({2, 3}, {0, 4, 2, 1, 5, 3});
        run.kernel = "normalization.embed_layer";
        EXPECT_THROW(run_kernel("com.microsoft", "EmbedLayerNormalization", 1, outside, {}, run),
                     Error);
    }
}

TEST(VectorNormalization, GroupsAndBatches) {
    for (const std::int64_t size : {1, 5, 16, 17, 49, 100}) {
        const Tensor x = noise({2, 6, size, 3}, 1, 3, 1), scale = noise({6}, 2),
                     shift = noise({6}, 3);
        expect_as_reference("", "InstanceNormalization", 6, "normalization.instance",
                            {x, scale, shift}, {}, 1e-4);
        expect_as_reference("", "GroupNormalization", 21, "normalization.group", {x, scale, shift},
                            {attribute("num_groups", 2)}, 1e-4);
        expect_as_reference("", "GroupNormalization", 18, "normalization.group",
                            {x, noise({3}, 2), noise({3}, 3)}, {attribute("num_groups", 3)}, 1e-4);
        for (const int silu : {0, 1}) {
            expect_as_reference("com.microsoft", "GroupNorm", 1, "normalization.group",
                                {x, scale, shift},
                                {attribute("groups", 2), attribute("channels_last", 0),
                                 attribute("activation", silu)},
                                1e-4);
            const Tensor last = noise({2, size, 3, 40}, 1, 3, 1), wide = noise({40}, 2),
                         wide_shift = noise({40}, 3);
            for (const int groups : {1, 2, 8, 20})
                expect_as_reference("com.microsoft", "GroupNorm", 1, "normalization.group",
                                    {last, wide, wide_shift},
                                    {attribute("groups", groups), attribute("activation", silu)},
                                    1e-4);
        }
        expect_as_reference("", "BatchNormalization", 15, "normalization.batch",
                            {x, scale, shift, noise({6}, 4), noise({6}, 5, 0.5f, 1)}, {}, 1e-5);
    }
    // Larger than the pieces in which moments are taken, far from zero.
    expect_as_reference("", "InstanceNormalization", 6, "normalization.instance",
                        {noise({1, 2, 100, 170}, 1, 0.5f, 30), noise({2}, 2), noise({2}, 3)}, {},
                        1e-3);
    EXPECT_THROW(
        run_kernel("", "BatchNormalization", 15,
                   {noise({2, 3}, 1), noise({3}, 1), noise({3}, 1), noise({3}, 1), noise({3}, 1)},
                   {attribute("training_mode", 1)}, {.kernel = "normalization.batch"}),
        Error);
}

// Their squares pass what float holds; one row of three is of usual size.
TEST(VectorNormalization, LargeElementsAreNormalizedToo) {
    for (const std::int64_t width : {1, 5, 16, 33, 2100}) {
        for (const float size : {1e20f, 1e30f, 3e37f}) {
            Tensor x = noise({3, width}, 1, size);
            for (std::int64_t i = 0; i < width; ++i)
                x.mutable_data<float>()[std::size_t(width + i)] /= size;
            const Tensor scale = noise({width}, 2), shift = noise({width}, 3),
                         skip = noise({3, width}, 4, size);
            const double tolerance = width == 1 ? 1e-2 : 2e-4;
            expect_as_reference("", "RMSNormalization", 23, "normalization.rms", {x, scale});
            if (width > 1)
                expect_as_reference("", "LayerNormalization", 17, "normalization.layer",
                                    {x, scale, shift}, {}, tolerance);
            expect_as_reference("com.microsoft", "SkipSimplifiedLayerNormalization", 1,
                                "normalization.skip_rms", {x, skip, scale}, {}, 1e-4);
            const Tensor image = x.reshaped({1, 3, width});
            if (width > 1)
                expect_as_reference("", "InstanceNormalization", 6, "normalization.instance",
                                    {image, noise({3}, 5), noise({3}, 6)}, {}, tolerance);
        }
    }
}

TEST(VectorNormalization, MeanAndVarianceOverAnyAxes) {
    const auto expect_normalized = [](const Tensor& x, const std::vector<std::int64_t>& axes,
                                      double tolerance = 1e-4) {
        expect_as_reference("", "MeanVarianceNormalization", 13, "normalization.mean_variance", {x},
                            {attribute("axes", ints(axes))}, tolerance);
    };
    for (const std::int64_t width : {1, 2, 3, 5, 8, 15, 16, 17, 33, 100}) {
        const Tensor x = noise({2, 3, 4, width}, 1, 3, 1);
        expect_as_reference("", "MeanVarianceNormalization", 9, "normalization.mean_variance", {x},
                            {}, 1e-4);
        for (const auto& axes : std::vector<std::vector<std::int64_t>>{
                 {2, 3}, {1, 2, 3}, {0, 1, 2, 3}, {-1}, {1, -1}, {0, 3}, {0, 1}, {2}, {0, 2}}) {
            expect_normalized(x, axes);
            expect_normalized(noise({1, 3, 1, width}, 2, 3, 1), axes);
        }
        expect_normalized(noise({2, 2, 2, 2, width}, 3), {0, 2, 4});
    }
    expect_normalized(noise({2, 1, 70, 100}, 4, 0.5f, 30), {0, 2, 3}, 1e-3);
    // Equal elements have no deviation: 0, whatever their number.
    Tensor flat(DType::f32, {2, 2, 50, 63});
    for (float& v : flat.mutable_data<float>()) v = 0.1f;
    expect_normalized(flat, {2, 3}, 1e-6);
    KernelRun run;
    run.kernel = "normalization.mean_variance";
    EXPECT_THROW(run_kernel("", "MeanVarianceNormalization", 13, {noise({2, 3}, 1)},
                            {attribute("axes", ints({2}))}, run),
                 Error);
}

TEST(VectorNormalization, Softmax) {
    for (const std::int64_t width : widths) {
        for (const std::int64_t rows : {1, 3, 16, 37}) {
            const Tensor x = noise({rows, width}, 1, 8);
            expect_as_reference("", "Softmax", 13, "normalization.softmax", {x}, {}, 1e-6);
            expect_as_reference("", "LogSoftmax", 13, "normalization.log_softmax", {x}, {}, 1e-5);
        }
        expect_as_reference("", "Softmax", 13, "normalization.softmax",
                            {noise({2, 5, width}, 1, 8)}, {attribute("axis", 1)}, 1e-6);
        expect_as_reference("", "LogSoftmax", 13, "normalization.log_softmax",
                            {noise({2, 5, width}, 1, 8)}, {attribute("axis", 0)}, 1e-5);
        expect_as_reference("", "Softmax", 11, "normalization.softmax",
                            {noise({3, width, 5}, 1, 8)}, {}, 1e-6);
    }
}

TEST(VectorNormalization, SoftmaxOfSpecialValues) {
    for (const std::int64_t width : {2, 4, 5, 16, 20, 33}) {
        Tensor x = noise({20, width}, 1, 30);
        auto values = x.mutable_data<float>();
        const auto at = [&](std::int64_t row, std::int64_t i) -> float& {
            return values[static_cast<std::size_t>(row * width + i)];
        };
        at(1, 0) = -infinity;
        at(2, width - 1) = std::numeric_limits<float>::quiet_NaN();
        at(3, 1) = infinity;
        for (std::int64_t i = 0; i < width; ++i) at(4, i) = -infinity;
        for (std::int64_t i = 0; i < width; ++i) at(5, i) = 1e30f;
        at(6, 0) = -3e38f;
        expect_as_reference("", "Softmax", 13, "normalization.softmax", {x}, {}, 1e-6);
        expect_as_reference("", "LogSoftmax", 13, "normalization.log_softmax", {x}, {}, 1e-5);
        expect_as_reference("", "Softmax", 13, "normalization.softmax",
                            {x.reshaped({2, 10, width})}, {attribute("axis", 1)}, 1e-6);
    }
}

TEST(VectorNormalization, LeavesOtherTypesToTheReference) {
    const Tensor halves = Tensor::of<Half>({2, 3}, std::vector<Half>(6));
    EXPECT_THROW(run_kernel("", "Softmax", 13, {halves}, {}, {.kernel = "normalization.softmax"}),
                 Error);
}

}  // namespace
}  // namespace lapidary
