// SPDX-License-Identifier: Apache-2.0
// Resize, GridSample, AffineGrid, RoiAlign and ImageDecoder against values worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "support/kernel_harness.h"

namespace lapidary {
namespace {

using namespace test;

Tensor floats_of(Shape shape, std::vector<float> values) {
    return Tensor::of<float>(std::move(shape), values);
}

void expect_near(const Tensor& actual, const Shape& shape, const std::vector<float>& expected,
                 double tolerance = 1e-5) {
    ASSERT_EQ(actual.shape(), shape);
    const auto found = to_doubles(actual);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], tolerance) << "element " << i;
}

std::vector<float> resized(std::vector<float> row, std::int64_t size,
                           std::vector<Attribute> attributes, std::int64_t version = 19) {
    const auto input = static_cast<std::int64_t>(row.size());
    return values_of<float>(
        run_kernel_tensor("", "Resize", version,
                          {floats_of({input}, std::move(row)), RuntimeValue(), RuntimeValue(),
                           Tensor::of<std::int64_t>({1}, {size})},
                          std::move(attributes)));
}

TEST(ResizeKernel, MapsCoordinatesOfEveryMode) {
    const auto linear = attribute("mode", "linear");
    const auto coordinates = [](const char* mode) {
        return attribute("coordinate_transformation_mode", mode);
    };
    EXPECT_EQ(resized({0, 8}, 4, {linear}), (std::vector<float>{0, 2, 6, 8}));
    EXPECT_EQ(resized({0, 9}, 4, {linear, coordinates("align_corners")}),
              (std::vector<float>{0, 3, 6, 9}));
    EXPECT_EQ(resized({0, 8}, 4, {linear, coordinates("asymmetric")}),
              (std::vector<float>{0, 4, 8, 8}));
    EXPECT_EQ(resized({2, 8, 4}, 1, {linear, coordinates("pytorch_half_pixel")}),
              (std::vector<float>{2}));
    EXPECT_EQ(resized({2, 8, 4}, 1, {linear}), (std::vector<float>{8}));
    EXPECT_EQ(
        resized({1, 2, 3, 4}, 2,
                {coordinates("tf_half_pixel_for_nn"), attribute("nearest_mode", "floor")}, 11),
        (std::vector<float>{2, 4}));
}

TEST(ResizeKernel, RoundsToTheNearestAsAsked) {
    const auto nearest = [](const char* mode) { return attribute("nearest_mode", mode); };
    const auto asymmetric = attribute("coordinate_transformation_mode", "asymmetric");
    // Positions 0, 0.5, 1, 1.5.
    EXPECT_EQ(resized({1, 2}, 4, {asymmetric}), (std::vector<float>{1, 1, 2, 2}));
    EXPECT_EQ(resized({1, 2}, 4, {asymmetric, nearest("round_prefer_ceil")}),
              (std::vector<float>{1, 2, 2, 2}));
    EXPECT_EQ(resized({1, 2, 3}, 6, {asymmetric, nearest("floor")}),
              (std::vector<float>{1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(resized({1, 2, 3}, 6, {asymmetric, nearest("ceil")}),
              (std::vector<float>{1, 2, 2, 3, 3, 3}));
    // Opset 10 takes the lower pixel when growing and the upper one when shrinking.
    const auto tenth = [](std::vector<float> row, float scale) {
        const auto size = static_cast<std::int64_t>(row.size());
        return values_of<float>(run_kernel_tensor(
            "", "Resize", 10, {floats_of({size}, std::move(row)), floats_of({1}, {scale})}));
    };
    EXPECT_EQ(tenth({1, 2}, 2), (std::vector<float>{1, 1, 2, 2}));
    EXPECT_EQ(tenth({1, 2, 3, 4}, 0.6f), (std::vector<float>{1, 3}));
    // 10 * 0.7f is 7 in single precision
    EXPECT_EQ(tenth({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.7f).size(), 7u);
}

TEST(ResizeKernel, AppliesCubicAntialiasAndOutsideWeights) {
    const auto cubic = attribute("mode", "cubic");
    // Position 0.25 of the second output: Keys weights with a = -0.75 over the clamped row {0, 0,
    // 4, 8}.
    const double a = -0.75, f = 0.25;
    const auto far = [&](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    const auto near = [&](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    const double clamped = 4 * near(1 - f) + 8 * far(2 - f);
    EXPECT_NEAR(resized({0, 4, 8, 12}, 8, {cubic})[1], clamped, 1e-5);
    const double inside = near(f) + near(1 - f) + far(2 - f);
    EXPECT_NEAR(resized({0, 4, 8, 12}, 8, {cubic, attribute("exclude_outside", 1)})[1],
                clamped / inside, 1e-5);
    // Halving with antialias: triangle weights 1/8, 3/8, 3/8, 1/8 of the four nearest pixels.
    const auto halves =
        resized({0, 8, 16, 32}, 2, {attribute("mode", "linear"), attribute("antialias", 1)}, 18);
    EXPECT_NEAR(halves[0], (0 * 1 + 0 * 3 + 8 * 3 + 16 * 1) / 8.0, 1e-5);
    EXPECT_NEAR(halves[1], (8 * 1 + 16 * 3 + 32 * 3 + 32 * 1) / 8.0, 1e-5);
}

TEST(ResizeKernel, CropsAndExtrapolates) {
    const auto crop = attribute("coordinate_transformation_mode", "tf_crop_and_resize");
    const Tensor x = floats_of({5}, {0, 10, 20, 30, 40}), roi = floats_of({2}, {0.25f, 1.25f});
    const Tensor y = run_kernel_tensor(
        "", "Resize", 13, {x, roi, RuntimeValue(), Tensor::of<std::int64_t>({1}, {3})},
        {crop, attribute("mode", "linear"), attribute("extrapolation_value", -1.0f)});
    expect_near(y, {3}, {10, 30, -1});
}

TEST(ResizeKernel, KeepsAspectRatioOverAxes) {
    const Tensor x(DType::f32, {1, 4, 8});
    const auto shape = [&](const char* policy) {
        return run_kernel_tensor("", "Resize", 18,
                                 {x.clone(), RuntimeValue(), RuntimeValue(),
                                  Tensor::of<std::int64_t>({2}, {6, 6})},
                                 {attribute("axes", ints({1, -1})),
                                  attribute("keep_aspect_ratio_policy", policy)})
            .shape();
    };
    EXPECT_EQ(shape("stretch"), (Shape{1, 6, 6}));
    EXPECT_EQ(shape("not_larger"), (Shape{1, 3, 6}));
    EXPECT_EQ(shape("not_smaller"), (Shape{1, 6, 12}));
}

TEST(ResizeKernel, TakesOtherTypes) {
    const Tensor scales = floats_of({1}, {2});
    const Tensor words = Tensor::of<std::string>({2}, {"left", "right"});
    EXPECT_EQ(values_of<std::string>(
                  run_kernel_tensor("", "Resize", 13, {words, RuntimeValue(), scales})),
              (std::vector<std::string>{"left", "left", "right", "right"}));
    const Tensor bytes = Tensor::of<std::uint8_t>({2}, {0, 255});
    EXPECT_EQ(
        values_of<std::uint8_t>(run_kernel_tensor("", "Resize", 13, {bytes, RuntimeValue(), scales},
                                                  {attribute("mode", "linear")})),
        (std::vector<std::uint8_t>{0, 63, 191, 255}));
    EXPECT_EQ(
        values_of<std::uint8_t>(run_kernel_tensor("", "Resize", 13, {bytes, RuntimeValue(), scales},
                                                  {attribute("mode", "cubic")}))[3],
        255);
    expect_near(run_kernel_tensor("", "Upsample", 9,
                                  {Tensor::of<Half>({2}, {Half(1.0f), Half(2.0f)}), scales}),
                {4}, {1, 1, 2, 2});
}

TEST(ResizeKernel, RefusesUnusableSizes) {
    const Tensor x = floats_of({2}, {1, 2});
    const auto by_scale = [&](float scale) {
        return run_kernel("", "Resize", 13, {x, RuntimeValue(), floats_of({1}, {scale})});
    };
    EXPECT_THROW(by_scale(0), Error);
    EXPECT_THROW(by_scale(-1), Error);
    EXPECT_THROW(by_scale(std::nanf("")), Error);
    EXPECT_THROW(by_scale(1e30f), Error);
    EXPECT_THROW(by_scale(1e12f), Error);
    EXPECT_THROW(
        run_kernel("", "Resize", 13,
                   {x, RuntimeValue(), RuntimeValue(), Tensor::of<std::int64_t>({1}, {-3})}),
        Error);
    EXPECT_THROW(run_kernel("", "Resize", 13, {x}), Error);
}

TEST(GridSampleKernel, SamplesAndPads) {
    const Tensor x = floats_of({1, 1, 1, 3}, {1, 2, 4});
    const auto at = [&](std::vector<float> columns, std::vector<Attribute> attributes) {
        std::vector<float> grid;
        for (const float c : columns) grid.insert(grid.end(), {c, 0});
        const auto count = static_cast<std::int64_t>(columns.size());
        return values_of<float>(run_kernel_tensor(
            "", "GridSample", 20, {x, floats_of({1, 1, count, 2}, grid)}, std::move(attributes)));
    };
    const auto corners = attribute("align_corners", 1);
    const auto padding = [](const char* mode) { return attribute("padding_mode", mode); };
    EXPECT_EQ(at({-1, -0.5f, 0, 1, 2, 1.5f}, {corners}), (std::vector<float>{1, 1.5f, 2, 4, 0, 2}));
    EXPECT_EQ(at({-3, 2}, {corners, padding("border")}), (std::vector<float>{1, 4}));
    EXPECT_EQ(at({2, -2, 3}, {corners, padding("reflection")}), (std::vector<float>{2, 2, 1}));
    EXPECT_EQ(at({-0.4f, 0.6f}, {corners, attribute("mode", "nearest")}),
              (std::vector<float>{2, 4}));
    EXPECT_EQ(at({0}, {corners, attribute("mode", "cubic")}), (std::vector<float>{2}));
    EXPECT_EQ(at({std::nanf(""), 1e30f}, {corners}), (std::vector<float>{0, 0}));
    EXPECT_THROW(at({0}, {attribute("mode", "sharp")}), Error);
}

TEST(AffineGridKernel, PlacesPixelCentersOrCorners) {
    const Tensor identity = floats_of({1, 2, 3}, {1, 0, 0, 0, 1, 0.5f}),
                 size = Tensor::of<std::int64_t>({4}, {1, 1, 2, 2});
    expect_near(run_kernel_tensor("", "AffineGrid", 20, {identity, size}), {1, 2, 2, 2},
                {-0.5f, 0, 0.5f, 0, -0.5f, 1, 0.5f, 1});
    expect_near(
        run_kernel_tensor("", "AffineGrid", 20, {identity, size}, {attribute("align_corners", 1)}),
        {1, 2, 2, 2}, {-1, -0.5f, 1, -0.5f, -1, 1.5f, 1, 1.5f});
}

TEST(RoiAlignKernel, AveragesBilinearSamples) {
    const Tensor x = floats_of({1, 1, 2, 2}, {0, 4, 8, 12}), roi = floats_of({1, 4}, {0, 0, 2, 2}),
                 batch = Tensor::of<std::int64_t>({1}, {0});
    expect_near(
        run_kernel_tensor("", "RoiAlign", 16, {x, roi, batch}, {attribute("sampling_ratio", 1)}),
        {1, 1, 1, 1}, {6});
    // Without the half-pixel shift the one sample lies at (1, 1).
    expect_near(
        run_kernel_tensor("", "RoiAlign", 10, {x, roi, batch}, {attribute("sampling_ratio", 1)}),
        {1, 1, 1, 1}, {12});
    EXPECT_THROW(run_kernel("", "RoiAlign", 16, {x, roi, Tensor::of<std::int64_t>({1}, {1})}),
                 Error);
    EXPECT_THROW(run_kernel("", "RoiAlign", 16, {x, floats_of({1, 4}, {0, 0, 1e9f, 1}), batch}),
                 Error);
}

Tensor stream_of(const std::string& bytes) {
    return Tensor::of<std::uint8_t>({static_cast<std::int64_t>(bytes.size())},
                                    {bytes.begin(), bytes.end()});
}

TEST(ImageDecoderKernel, ReadsAnymapsAndBitmaps) {
    const Tensor text = run_kernel_tensor("", "ImageDecoder", 20,
                                          {stream_of("P3\n# two pixels\n2 1 255\n1 2 3  4 5 6\n")});
    EXPECT_EQ(text.shape(), (Shape{1, 2, 3}));
    EXPECT_EQ(values_of<std::uint8_t>(text), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(values_of<std::uint8_t>(run_kernel_tensor("", "ImageDecoder", 20,
                                                        {stream_of("P6 1 1 255\n\x10\x20\x30")},
                                                        {attribute("pixel_format", "BGR")})),
              (std::vector<std::uint8_t>{0x30, 0x20, 0x10}));
    EXPECT_EQ(
        values_of<std::uint8_t>(run_kernel_tensor("", "ImageDecoder", 20, {stream_of("P1 2 1 10")},
                                                  {attribute("pixel_format", "Grayscale")})),
        (std::vector<std::uint8_t>{0, 255}));
    std::string bitmap("BM", 2);
    bitmap +=
        std::string("\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0", 28) +
        std::string(24, '\0') + std::string("\x03\x02\x01\0", 4);
    EXPECT_EQ(
        values_of<std::uint8_t>(run_kernel_tensor("", "ImageDecoder", 20, {stream_of(bitmap)})),
        (std::vector<std::uint8_t>{1, 2, 3}));
}

TEST(ImageDecoderKernel, GivesAnEmptyMatrixForDamageAndNamesUnknownFormats) {
    for (const char* bytes :
         {"", "nonsense", "P6 9 9 255\nabc", "P5 0 4 255\n", "BM", "\x89PNG\r\n\x1a\nbroken",
          "\xff\xd8\xff\xe0"
          "broken"})
        EXPECT_EQ(run_kernel_tensor("", "ImageDecoder", 20, {stream_of(bytes)}).size(), 0) << bytes;
    try {
        run_kernel("", "ImageDecoder", 20, {stream_of("RIFF....WEBPVP8 ")});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported);
        EXPECT_NE(error.message().find("WebP"), std::string::npos);
    }
    EXPECT_THROW(run_kernel("", "ImageDecoder", 20, {stream_of("P6 99999999 99999999 255\n")}),
                 Error);
}

}  // namespace
}  // namespace lapidary
