// SPDX-License-Identifier: Apache-2.0
// Vector kernels of Resize, Upsample and GridSample against their reference kernels, on every
// instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "support/kernel_harness.h"

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

void expect_near(const Tensor& found, const Tensor& expected, float tolerance) {
    ASSERT_EQ(found.shape(), expected.shape());
    const auto x = found.data<float>(), y = expected.data<float>();
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], tolerance) << "element " << i;
}

TEST(ResizeKernels, NearestAndLinear) {
    const char* coordinates[] = {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"};
    const std::vector<std::vector<float>> scales{
        {1, 1, 2, 2}, {1, 1, 3, 2}, {1, 1, 2, 3},       {1, 1, 1, 4},
        {1, 1, 2, 5}, {1, 1, 2, 1}, {1, 1, 1.5f, 0.7f}, {1, 1, 0.5f, 0.5f}};
    for_each_isa([&](Isa) {
        for (const char* mode : {"nearest", "linear"})
            for (const char* coordinate : coordinates)
                for (const auto& scale : scales)
                    for (const std::int64_t width : {2, 7, 16, 33}) {
                        SCOPED_TRACE(std::string(mode) + " " + coordinate + " width " +
                                     std::to_string(width));
                        const Tensor x = noise({2, 3, 5, width}, 2),
                                     factors = Tensor::of<float>({4}, scale);
                        const std::vector<Attribute> attributes{
                            attribute("mode", mode),
                            attribute("coordinate_transformation_mode", coordinate)};
                        expect_near(run_kernel_tensor("", "Resize", 13,
                                                      {x, RuntimeValue(), factors}, attributes,
                                                      {.kernel = "pool.resize", .constants = {2}}),
                                    run_kernel_tensor("", "Resize", 13,
                                                      {x, RuntimeValue(), factors}, attributes),
                                    2e-6f);
                    }
        const Tensor x = noise({1, 2, 4, 5}, 2),
                     sizes = Tensor::of<std::int64_t>({4}, {1, 2, 9, 11}),
                     factors = Tensor::of<float>({4}, {1, 1, 2, 2});
        expect_near(run_kernel_tensor("", "Resize", 13, {x, RuntimeValue(), RuntimeValue(), sizes},
                                      {attribute("mode", "linear")},
                                      {.kernel = "pool.resize", .constants = {3}}),
                    run_kernel_tensor("", "Resize", 13, {x, RuntimeValue(), RuntimeValue(), sizes},
                                      {attribute("mode", "linear")}),
                    2e-6f);
        expect_near(run_kernel_tensor("", "Upsample", 9, {x, factors}, {},
                                      {.kernel = "pool.upsample", .constants = {1}}),
                    run_kernel_tensor("", "Upsample", 9, {x, factors}), 0);
    });
}

TEST(ResizeKernels, LinearWithChannelsLast) {
    const std::vector<std::vector<float>> scales{
        {1, 2, 3, 1}, {1, 1.5f, 0.7f, 1}, {1, 2, 1, 1}, {1, 0.5f, 0.4f, 1}};
    const KernelRun fast{.kernel = "pool.resize", .constants = {2}};
    for_each_isa([&](Isa) {
        for (const char* coordinate : {"half_pixel", "align_corners", "asymmetric"})
            for (const auto& scale : scales)
                for (const std::int64_t channels : {1, 3, 8, 16, 24, 33}) {
                    SCOPED_TRACE(std::string(coordinate) + " " + std::to_string(channels));
                    const std::vector<RuntimeValue> inputs{noise({2, 5, 7, channels}, 2),
                                                           RuntimeValue(),
                                                           Tensor::of<float>({4}, scale)};
                    const std::vector<Attribute> attributes{
                        attribute("mode", "linear"),
                        attribute("coordinate_transformation_mode", coordinate)};
                    expect_near(run_kernel_tensor("", "Resize", 13, inputs, attributes, fast),
                                run_kernel_tensor("", "Resize", 13, inputs, attributes), 2e-6f);
                }
    });
}

TEST(ResizeKernels, Filters) {
    const char* coordinates[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                                 "align_corners", "asymmetric"};
    const std::vector<std::vector<float>> scales{{1, 1, 2, 2},       {1, 1, 3, 1},
                                                 {1, 1, 1, 2.5f},    {1, 1, 1.5f, 0.7f},
                                                 {1, 1, 0.3f, 1.9f}, {1, 1, 0.5f, 0.4f}};
    const KernelRun fast{.kernel = "pool.resize_filter", .constants = {1, 2}};
    for_each_isa([&](Isa isa) {
        for (const char* mode : {"linear", "cubic"})
            for (const char* coordinate : coordinates)
                for (const auto& scale : scales)
                    for (const int options : {0, 1, 2, 3})
                        for (const std::int64_t width : {4, 19, 40}) {
                            SCOPED_TRACE(std::string(name_of(isa)) + " " + mode + " " + coordinate +
                                         " width " + std::to_string(width) + " options " +
                                         std::to_string(options));
                            const std::vector<RuntimeValue> inputs{noise({2, 3, 7, width}, 2),
                                                                   RuntimeValue(),
                                                                   Tensor::of<float>({4}, scale)};
                            const std::vector<Attribute> attributes{
                                attribute("mode", mode),
                                attribute("coordinate_transformation_mode", coordinate),
                                attribute("cubic_coeff_a", -0.5f),
                                attribute("exclude_outside", options % 2),
                                attribute("antialias", options / 2)};
                            expect_near(
                                run_kernel_tensor("", "Resize", 19, inputs, attributes, fast),
                                run_kernel_tensor("", "Resize", 19, inputs, attributes), 5e-6f);
                        }
    });
}

TEST(ResizeKernels, FiltersOfCropsAndOfWhatIsNotFinite) {
    const KernelRun fast{.kernel = "pool.resize_filter", .constants = {1, 3}};
    for_each_isa([&](Isa) {
        for (const char* mode : {"linear", "cubic"})
            for (const std::int64_t size : {3, 9, 21}) {
                const std::vector<RuntimeValue> inputs{
                    noise({1, 2, 8, 9}, 2),
                    Tensor::of<float>({8}, {0, 0, 0.2f, -0.3f, 1, 1, 1.4f, 0.8f}), RuntimeValue(),
                    Tensor::of<std::int64_t>({4}, {1, 2, size, 2 * size})};
                const std::vector<Attribute> attributes{
                    attribute("mode", mode),
                    attribute("coordinate_transformation_mode", "tf_crop_and_resize"),
                    attribute("extrapolation_value", 7.5f)};
                expect_near(run_kernel_tensor("", "Resize", 19, inputs, attributes, fast),
                            run_kernel_tensor("", "Resize", 19, inputs, attributes), 5e-6f);
            }
        // What has no weight does not count.
        Tensor x = noise({1, 1, 6, 40}, 2);
        x.mutable_data<float>()[50] = std::numeric_limits<float>::infinity();
        for (const std::int64_t height : {12, 3}) {
            const std::vector<RuntimeValue> inputs{
                x, RuntimeValue(), RuntimeValue(),
                Tensor::of<std::int64_t>({4}, {1, 1, height, 80})};
            const std::vector<Attribute> attributes{
                attribute("mode", "cubic"),
                attribute("coordinate_transformation_mode", "asymmetric")};
            const auto found = to_doubles(
                           run_kernel_tensor("", "Resize", 19, inputs, attributes, fast)),
                       wanted = to_doubles(run_kernel_tensor("", "Resize", 19, inputs, attributes));
            for (std::size_t i = 0; i < wanted.size(); ++i)
                ASSERT_EQ(std::isfinite(found[i]), std::isfinite(wanted[i])) << i;
        }
    });
}

TEST(GridSampleKernels, EqualTheReference) {
    const KernelRun fast{.kernel = "pool.grid_sample"};
    for_each_isa([&](Isa isa) {
        for (const char* mode : {"nearest", "linear", "cubic"})
            for (const char* padding : {"zeros", "border", "reflection"})
                for (const int align : {0, 1})
                    for (const std::int64_t width : {1, 15, 70}) {
                        SCOPED_TRACE(std::string(name_of(isa)) + " " + mode + " " + padding + " " +
                                     std::to_string(align) + " width " + std::to_string(width));
                        Tensor grid = noise({2, 9, width, 2}, 3);
                        const auto at = grid.mutable_data<float>();
                        // beyond the image as well
                        for (std::size_t i = 0; i < at.size(); ++i) at[i] *= 2;
                        at[0] = std::numeric_limits<float>::quiet_NaN();
                        at[5] = std::numeric_limits<float>::infinity();
                        const std::vector<RuntimeValue> inputs{noise({2, 3, 7, 11}, 2), grid};
                        const std::vector<Attribute> attributes{attribute("mode", mode),
                                                                attribute("padding_mode", padding),
                                                                attribute("align_corners", align)};
                        expect_near(
                            run_kernel_tensor("", "GridSample", 20, inputs, attributes, fast),
                            run_kernel_tensor("", "GridSample", 20, inputs, attributes), 2e-6f);
                    }
    });
    EXPECT_THROW(run_kernel("", "GridSample", 20, {noise({2, 3, 7, 11}, 2), noise({1, 4, 4, 2}, 3)},
                            {}, fast),
                 Error);
    EXPECT_THROW(run_kernel("", "GridSample", 20,
                            {noise({2, 3, 7, 11, 2}, 2), noise({2, 4, 4, 4, 3}, 3)}, {}, fast),
                 Error);
}

}  // namespace
}  // namespace lapidary::test
