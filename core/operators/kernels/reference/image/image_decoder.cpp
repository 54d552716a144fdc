// SPDX-License-Identifier: Apache-2.0
// ImageDecoder (20): PNG, JPEG, BMP and portable anymaps to [height, width, channels] bytes.
#include <algorithm>
#include <optional>
#include <string_view>

#include "kernels/kernel.h"
#include "kernels/reference/image/portable_bitmap.h"
#include "tensor_io/decoded_image.h"

namespace lapidary::reference {
namespace {

enum class ImageFormat { unknown, png, jpeg, bitmap, anymap };

/// From the first bytes; throws not_supported for formats that are known but cannot be read here.
ImageFormat format_of(std::span<const std::byte> file) {
    const std::string_view head(reinterpret_cast<const char*>(file.data()),
                                std::min<std::size_t>(file.size(), 12));
    const auto starts = [&](std::string_view magic, std::size_t at = 0) {
        return head.size() >= at + magic.size() && head.substr(at, magic.size()) == magic;
    };
    if (starts("\x89PNG\r\n\x1a\n")) return ImageFormat::png;
    if (starts("\xff\xd8\xff")) return ImageFormat::jpeg;
    if (starts("BM")) return ImageFormat::bitmap;
    if (head.size() >= 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '6')
        return ImageFormat::anymap;
    if (starts("RIFF") && starts("WEBP", 8))
        fail_unsupported("ImageDecoder: WebP images are not supported");
    if (starts(std::string_view("II*\0", 4)) || starts(std::string_view("MM\0*", 4)))
        fail_unsupported("ImageDecoder: TIFF images are not supported");
    if (starts(std::string_view("\0\0\0\x0cjP  ", 8)) || starts("\xff\x4f\xff\x51"))
        fail_unsupported("ImageDecoder: JPEG 2000 images are not supported");
    return ImageFormat::unknown;
}

/// Nothing when the stream is damaged or no image: the operator then gives an empty matrix.
std::optional<DecodedImage> decode(std::span<const std::byte> file, const Limits& limits,
                                   const CancelToken& cancel) {
    try {
        switch (format_of(file)) {
        case ImageFormat::png: return decode_png(file, limits, cancel);
        case ImageFormat::jpeg: return decode_jpeg(file, limits, cancel);
        case ImageFormat::bitmap: return decode_bitmap(file, limits);
        case ImageFormat::anymap: return decode_anymap(file, limits);
        case ImageFormat::unknown: return std::nullopt;
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_input) throw;
    }
    return std::nullopt;
}

/// Luma of ITU-R BT.601 in 16-bit fixed point, rounded.
std::uint8_t grey(const std::uint8_t* rgb) {
    return static_cast<std::uint8_t>(
        (rgb[0] * 19595u + rgb[1] * 38470u + rgb[2] * 7471u + 0x8000u) >> 16);
}

}  // namespace

void image_decoder(KernelContext& context) {
    const Tensor& stream = context.input(0);
    if (stream.dtype() != DType::u8 || stream.rank() != 1)
        fail_input("ImageDecoder: expected a stream u8[length], found " +
                   std::string(name_of(stream.dtype())) + to_string(stream.shape()));
    const std::string format = context.node().string_attribute("pixel_format", "RGB");
    if (format != "RGB" && format != "BGR" && format != "Grayscale")
        fail_model("attribute pixel_format: expected RGB, BGR or Grayscale, found " +
                   quote(format));
    const std::int64_t channels = format == "Grayscale" ? 1 : 3;
    const auto image = decode(stream.bytes(), context.limits(), context.cancel());
    if (!image) {
        context.output(0, DType::u8, {0, 0, channels});
        return;
    }
    auto to = context.output(0, DType::u8, {image->height, image->width, channels})
                  .mutable_data<std::uint8_t>();
    const std::uint8_t* from = image->pixels.data();
    for (std::size_t i = 0; i < image->pixels.size() / 3; ++i, from += 3) {
        if (channels == 1) to[i] = grey(from);
        else
            for (std::size_t c = 0; c < 3; ++c) to[3 * i + c] = from[format == "BGR" ? 2 - c : c];
    }
}

}  // namespace lapidary::reference
