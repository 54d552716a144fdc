// SPDX-License-Identifier: Apache-2.0
// Images as tensors: every PNG colour type, JPEG, layouts, resizing, damage.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <jpeglib.h>
#include <png.h>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

class Image : public ::testing::Test {
protected:
    /// Writes rows of raw samples with libpng's plain interface.
    std::filesystem::path png(const std::string& name, int width, int height, int depth, int colour,
                              std::vector<std::uint8_t> rows,
                              const std::vector<png_color>& palette = {},
                              int interlace = PNG_INTERLACE_NONE) const {
        std::FILE* file = std::fopen((folder_ / name).string().c_str(), "wb");
        png_structp writer =
            png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
        png_infop info = png_create_info_struct(writer);
        png_init_io(writer, file);
        png_set_IHDR(writer, info, static_cast<png_uint_32>(width),
                     static_cast<png_uint_32>(height), depth, colour, interlace, 0, 0);
        if (!palette.empty())
            png_set_PLTE(writer, info, palette.data(), static_cast<int>(palette.size()));
        png_write_info(writer, info);
        std::vector<png_bytep> pointers;
        for (int y = 0; y < height; ++y)
            pointers.push_back(rows.data() + rows.size() / static_cast<std::size_t>(height) *
                                                 static_cast<std::size_t>(y));
        png_write_image(writer, pointers.data());
        png_write_end(writer, info);
        png_destroy_write_struct(&writer, &info);
        std::fclose(file);
        return folder_ / name;
    }

    std::filesystem::path jpeg(const std::string& name, int width, int height, J_COLOR_SPACE space,
                               std::vector<std::uint8_t> pixels, bool progressive = false) const {
        std::FILE* file = std::fopen((folder_ / name).string().c_str(), "wb");
        jpeg_compress_struct encoder;
        jpeg_error_mgr errors;
        encoder.err = jpeg_std_error(&errors);
        jpeg_create_compress(&encoder);
        jpeg_stdio_dest(&encoder, file);
        encoder.image_width = static_cast<JDIMENSION>(width);
        encoder.image_height = static_cast<JDIMENSION>(height);
        encoder.input_components = space == JCS_CMYK ? 4 : space == JCS_GRAYSCALE ? 1 : 3;
        encoder.in_color_space = space;
        jpeg_set_defaults(&encoder);
        jpeg_set_quality(&encoder, 100, TRUE);
        if (progressive) jpeg_simple_progression(&encoder);
        jpeg_start_compress(&encoder, TRUE);
        while (encoder.next_scanline < encoder.image_height) {
            JSAMPROW row = pixels.data() + encoder.next_scanline * encoder.image_width *
                                               static_cast<JDIMENSION>(encoder.input_components);
            jpeg_write_scanlines(&encoder, &row, 1);
        }
        jpeg_finish_compress(&encoder);
        jpeg_destroy_compress(&encoder);
        std::fclose(file);
        return folder_ / name;
    }

    std::filesystem::path write(const std::string& name, const std::string& contents) const {
        std::ofstream(folder_ / name, std::ios::binary) << contents;
        return folder_ / name;
    }
    static std::string read(const std::filesystem::path& path) {
        std::ifstream in(path, std::ios::binary);
        return {(std::istreambuf_iterator<char>(in)), {}};
    }
    TemporaryFolder folder_;
};

std::vector<float> values(const Tensor& t) {
    const auto v = to_doubles(t);
    return {v.begin(), v.end()};
}

const Shape any_colour{1, 3, -1, -1};

Error refused(const std::filesystem::path& path, const Shape& shape = any_colour,
              const Limits& limits = {}) {
    try {
        load_image(path, shape, DType::f32, {}, limits);
    } catch (const Error& error) {
        EXPECT_EQ(error.where().empty() ? "" : error.where()[0], path.string());
        return error;
    }
    ADD_FAILURE() << path << " was accepted";
    return Error(ErrorCode::internal, "accepted");
}

TEST_F(Image, LaysOutChannels) {
    const auto file = png("rgb.png", 2, 1, 8, PNG_COLOR_TYPE_RGB, {1, 2, 3, 4, 5, 6});
    const Tensor t = load_image(file, any_colour, DType::f32);
    EXPECT_EQ(t.shape(), (Shape{1, 3, 1, 2}));
    EXPECT_EQ(values(t), (std::vector<float>{1, 4, 2, 5, 3, 6}));
    ImageOptions options;
    options.layout = ImageOptions::Layout::nhwc;
    const Tensor last = load_image(file, {-1, -1, -1, 3}, DType::u8, options);
    EXPECT_EQ(last.shape(), (Shape{1, 1, 2, 3}));
    EXPECT_EQ(values(last), (std::vector<float>{1, 2, 3, 4, 5, 6}));
    options.bgr = true;
    options.mean = {1, 0, 0};
    options.stddev = {2, 1, 4};
    EXPECT_EQ(values(load_image(file, {1, 1, 2, 3}, DType::f16, options)),
              (std::vector<float>{1, 2, 0.25f, 2.5f, 5, 1}));
}

TEST_F(Image, TakesTheMiddleInTheProportionsOfTheInput) {
    std::vector<std::uint8_t> grey;
    for (std::uint8_t y = 0; y < 4; ++y)
        for (std::uint8_t x = 0; x < 8; ++x) grey.push_back(static_cast<std::uint8_t>(10 * y + x));
    const auto file = png("wide.png", 8, 4, 8, PNG_COLOR_TYPE_GRAY, grey);
    const auto middle = [&](double share, const Shape& shape) {
        ImageOptions options;
        options.crop = share;
        const std::vector<float> all = values(load_image(file, shape, DType::f32, options));
        return std::vector<float>(all.begin(), all.begin() + shape[2] * shape[3]);
    };
    EXPECT_EQ(middle(0.5, {1, 3, 2, 2}), (std::vector<float>{13, 14, 23, 24}));
    EXPECT_EQ(middle(1, {1, 3, 4, 4}),
              (std::vector<float>{2, 3, 4, 5, 12, 13, 14, 15, 22, 23, 24, 25, 32, 33, 34, 35}));
    EXPECT_EQ(middle(1, {1, 3, 4, 8}).size(), 32u) << "all of it";
    EXPECT_THROW(middle(1.5, {1, 3, 2, 2}), Error);
}

TEST_F(Image, ReadsEveryPngColourType) {
    EXPECT_EQ(
        values(load_image(png("g.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY, {7}), any_colour, DType::f32)),
        (std::vector<float>{7, 7, 7}));
    EXPECT_EQ(values(load_image(png("g1.png", 2, 1, 1, PNG_COLOR_TYPE_GRAY, {0x40}), any_colour,
                                DType::u8)),
              (std::vector<float>{0, 255, 0, 255, 0, 255}));
    EXPECT_EQ(values(load_image(png("g16.png", 1, 1, 16, PNG_COLOR_TYPE_GRAY, {200, 9}), any_colour,
                                DType::u8)),
              (std::vector<float>{200, 200, 200}));
    EXPECT_EQ(values(load_image(png("ga.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {9, 0}),
                                any_colour, DType::u8)),
              (std::vector<float>{9, 9, 9}));
    EXPECT_EQ(values(load_image(png("rgba.png", 1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, {1, 2, 3, 0}),
                                any_colour, DType::u8)),
              (std::vector<float>{1, 2, 3}));
    EXPECT_EQ(values(load_image(
                  png("p.png", 1, 1, 8, PNG_COLOR_TYPE_PALETTE, {1}, {{1, 1, 1}, {10, 20, 30}}),
                  any_colour, DType::u8)),
              (std::vector<float>{10, 20, 30}));
    const std::vector<std::uint8_t> gradient = {0, 10, 20, 30, 40, 50, 60, 70, 80};
    EXPECT_EQ(values(load_image(
                  png("i.png", 3, 3, 8, PNG_COLOR_TYPE_GRAY, gradient, {}, PNG_INTERLACE_ADAM7),
                  {1, 1, 3, 3}, DType::u8)),
              (std::vector<float>{0, 10, 20, 30, 40, 50, 60, 70, 80}));
}

TEST_F(Image, MakesGreyOfColour) {
    const auto file = png("red.png", 1, 1, 8, PNG_COLOR_TYPE_RGB, {255, 0, 0});
    EXPECT_NEAR(values(load_image(file, {1, 1, 1, 1}, DType::f32))[0], 0.299 * 255, 1e-3);
}

TEST_F(Image, ResizesBilinearly) {
    const auto file = png("two.png", 2, 1, 8, PNG_COLOR_TYPE_GRAY, {0, 100});
    EXPECT_EQ(values(load_image(file, {1, 1, 1, 4}, DType::f32)),
              (std::vector<float>{0, 25, 75, 100}));
    EXPECT_EQ(values(load_image(file, {1, 1, 3, 2}, DType::f32)),
              (std::vector<float>{0, 100, 0, 100, 0, 100}));
    // shrinking averages all pixels: a single black one among white is not lost
    std::vector<std::uint8_t> row(64, 255);
    row[33] = 0;
    const float shrunk = values(load_image(png("wide.png", 64, 1, 8, PNG_COLOR_TYPE_GRAY, row),
                                           {1, 1, 1, 1}, DType::f32))[0];
    EXPECT_LT(shrunk, 254.0f);
    EXPECT_GT(shrunk, 240.0f);
}

TEST_F(Image, ReadsJpeg) {
    const std::vector<std::uint8_t> grey(64, 130), colour(3 * 64, 90);
    EXPECT_NEAR(
        values(load_image(jpeg("g.jpg", 8, 8, JCS_GRAYSCALE, grey), any_colour, DType::f32))[100],
        130, 2);
    EXPECT_NEAR(values(load_image(jpeg("c.jpg", 8, 8, JCS_RGB, colour), any_colour, DType::f32))[5],
                90, 2);
    EXPECT_NEAR(
        values(load_image(jpeg("p.jpg", 8, 8, JCS_RGB, colour, true), any_colour, DType::f32))[5],
        90, 2);
    EXPECT_EQ(refused(jpeg("k.jpg", 8, 8, JCS_CMYK, std::vector<std::uint8_t>(256, 1))).code(),
              ErrorCode::not_supported);
}

TEST_F(Image, RefusesDamage) {
    std::vector<std::uint8_t> noise(3 * 32 * 32);
    for (std::size_t i = 0; i < noise.size(); ++i)
        noise[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
    const std::string png_file = read(png("n.png", 32, 32, 8, PNG_COLOR_TYPE_RGB, noise));
    const std::string jpeg_file = read(jpeg("n.jpg", 32, 32, JCS_RGB, noise));
    for (std::size_t length = 0; length + 12 < png_file.size(); length += 37)
        refused(write("cut.png", png_file.substr(0, length)));
    for (std::size_t length = 0; length + 12 < jpeg_file.size(); length += 37)
        refused(write("cut.jpg", jpeg_file.substr(0, length)));
    std::string flipped = png_file;
    flipped[200] = static_cast<char>(flipped[200] ^ 1);
    refused(write("flip.png", flipped));
    EXPECT_EQ(refused(write("a.png", "<svg xmlns='http://www.w3.org/2000/svg'/>")).code(),
              ErrorCode::not_supported);
    EXPECT_EQ(refused(write("e.png", "")).code(), ErrorCode::invalid_input);
}

TEST_F(Image, RefusesLargeOnesBeforeDecoding) {
    const auto file =
        png("w.png", 40, 10, 8, PNG_COLOR_TYPE_GRAY, std::vector<std::uint8_t>(400, 5));
    Limits limits;
    limits.image_bytes = 3 * 400;
    EXPECT_EQ(load_image(file, any_colour, DType::u8, {}, limits).size(), 1200);
    limits.image_bytes = 3 * 400 - 1;
    EXPECT_EQ(refused(file, any_colour, limits).code(), ErrorCode::limit_exceeded);
    // so is a large target
    EXPECT_EQ(refused(file, {1, 3, 1 << 20, 1 << 20}).code(), ErrorCode::limit_exceeded);
    EXPECT_EQ(refused(file, {1, 3, 0, 4}).code(), ErrorCode::invalid_input);
}

TEST_F(Image, RefusesInputsThatAreNoImages) {
    const auto file = png("x.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY, {1});
    EXPECT_EQ(refused(file, {1, 3, 4}).code(), ErrorCode::invalid_input);
    EXPECT_EQ(refused(file, {2, 3, 4, 4}).code(), ErrorCode::invalid_input);
    EXPECT_NE(std::string(refused(file, {1, 4, 4, 3}).what()).find("4 channels"),
              std::string::npos);
    EXPECT_THROW(load_image(file, any_colour, DType::i64), Error);
}

}  // namespace
}  // namespace lapidary
