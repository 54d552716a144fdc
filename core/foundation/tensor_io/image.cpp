// SPDX-License-Identifier: Apache-2.0
// Images as input tensors: decode, resize, normalise, lay out.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>

#include "base/files/mapped_file.h"
#include "tensor_io/decoded_image.h"

namespace lapidary {

void check_image_size(std::uint64_t width, std::uint64_t height, const Limits& limits) {
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    if (width == 0 || height == 0) fail_input("the image has no pixels, its size is " + size);
    if (width > limits.image_bytes || height > limits.image_bytes ||
        width * height > limits.image_bytes / 3)
        fail_limit("the image of " + size + " pixels is above the limit of " +
                   std::to_string(limits.image_bytes) + " bytes decoded");
}

namespace {

/// The pixels that one output position averages, with weights that sum to 1.
struct Taps {
    std::int64_t first = 0;
    std::vector<float> weights;
};

/// Bilinear resampling of one axis, pixel centres at half positions. When shrinking, the triangle
/// is widened by the scale so that every source pixel counts (no aliasing), as Pillow does.
std::vector<Taps> bilinear_taps(std::int64_t from, std::int64_t to) {
    const double scale = static_cast<double>(from) / static_cast<double>(to);
    const double support = std::max(scale, 1.0);
    std::vector<Taps> taps(static_cast<std::size_t>(to));
    for (std::int64_t i = 0; i < to; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * scale;
        Taps& t = taps[static_cast<std::size_t>(i)];
        t.first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - support + 0.5));
        const std::int64_t last =
            std::min<std::int64_t>(from, static_cast<std::int64_t>(centre + support + 0.5));
        double sum = 0;
        for (std::int64_t k = t.first; k < last; ++k) {
            const double weight =
                std::max(0.0, 1.0 - std::abs((static_cast<double>(k) + 0.5 - centre) / support));
            t.weights.push_back(static_cast<float>(weight));
            sum += weight;
        }
        for (float& weight : t.weights) weight = static_cast<float>(weight / sum);
    }
    return taps;
}

/// [height, width, 3] floats 0..255.
std::vector<float> resize(const DecodedImage& image, std::int64_t height, std::int64_t width,
                          const CancelToken& cancel) {
    const auto columns = bilinear_taps(image.width, width),
               rows = bilinear_taps(image.height, height);
    std::vector<float> narrow(static_cast<std::size_t>(image.height * width * 3));
    for (std::int64_t y = 0; y < image.height; ++y) {
        cancel.throw_if_cancelled();
        for (std::int64_t x = 0; x < width; ++x) {
            const Taps& taps = columns[static_cast<std::size_t>(x)];
            const std::uint8_t* source = image.pixels.data() + 3 * (y * image.width + taps.first);
            for (std::int64_t c = 0; c < 3; ++c) {
                float sum = 0;
                for (std::size_t k = 0; k < taps.weights.size(); ++k)
                    sum += taps.weights[k] * source[3 * k + static_cast<std::size_t>(c)];
                narrow[static_cast<std::size_t>(3 * (y * width + x) + c)] = sum;
            }
        }
    }
    std::vector<float> out(static_cast<std::size_t>(height * width * 3), 0.0f);
    for (std::int64_t y = 0; y < height; ++y) {
        cancel.throw_if_cancelled();
        const Taps& taps = rows[static_cast<std::size_t>(y)];
        float* target = out.data() + y * width * 3;
        for (std::size_t k = 0; k < taps.weights.size(); ++k) {
            const float* source =
                narrow.data() + (taps.first + static_cast<std::int64_t>(k)) * width * 3;
            for (std::int64_t i = 0; i < 3 * width; ++i) target[i] += taps.weights[k] * source[i];
        }
    }
    return out;
}

/// Grey by the luma weights of ITU-R BT.601; RGB or BGR as asked.
float channel_value(const float* rgb, std::int64_t channel, std::int64_t channels, bool bgr) {
    if (channels == 1) return 0.299f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2];
    return rgb[bgr ? 2 - channel : channel];
}

template <typename T>
void lay_out(Tensor& tensor, const std::vector<float>& pixels, std::int64_t area,
             std::int64_t channels, const ImageOptions& options) {
    auto out = tensor.mutable_data<T>();
    for (std::int64_t p = 0; p < area; ++p)
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto k = static_cast<std::size_t>(c);
            const float value =
                (channel_value(pixels.data() + 3 * p, c, channels, options.bgr) - options.mean[k]) /
                options.stddev[k];
            const std::int64_t i =
                options.layout == ImageOptions::Layout::nchw ? c * area + p : p * channels + c;
            if constexpr (std::is_same_v<T, std::uint8_t>)
                out[static_cast<std::size_t>(i)] =
                    static_cast<std::uint8_t>(std::clamp(std::nearbyint(value), 0.0f, 255.0f));
            else out[static_cast<std::size_t>(i)] = T(value);
        }
}

DecodedImage decode(std::span<const std::byte> file, const Limits& limits,
                    const CancelToken& cancel) {
    const auto starts_with = [&](std::string_view magic) {
        return file.size() >= magic.size() &&
               std::string_view(reinterpret_cast<const char*>(file.data()), magic.size()) == magic;
    };
    if (starts_with("\x89PNG\r\n\x1a\n")) return decode_png(file, limits, cancel);
    if (starts_with("\xff\xd8\xff")) return decode_jpeg(file, limits, cancel);
    if (file.empty()) fail_input("the image file is empty");
    fail_unsupported("the contents are neither a PNG nor a JPEG image");
}

/// The size that an image shall have, -1 where the input does not say.
struct WantedImage {
    std::int64_t channels, height, width;
};

/// Fails unless `shape` [1, C, H, W] or [1, H, W, C] (-1: any size), type and options are those of
/// one image.
WantedImage wanted_image(const Shape& shape, DType dtype, const ImageOptions& options) {
    if (shape.size() != 4)
        fail_input("an image needs an input of 4 dimensions, found " + to_string(shape));
    if (dtype != DType::f32 && dtype != DType::f16 && dtype != DType::u8)
        fail_unsupported("an image becomes an f32, f16 or u8 tensor, not " +
                         std::string(name_of(dtype)));
    for (const float deviation : options.stddev)
        if (!(deviation != 0) || !std::isfinite(deviation))
            fail_input("the standard deviation of a channel must be a number other than 0");
    if (!(options.crop >= 0 && options.crop <= 1))
        fail_input("the crop of an image must be a share from 0 to 1, found " +
                   std::to_string(options.crop));
    if (shape[0] >= 0 && shape[0] != 1)
        fail_input("one image fills a batch of 1, the input is " + to_string(shape));
    const bool is_nchw = options.layout == ImageOptions::Layout::nchw;
    const WantedImage wanted = is_nchw ? WantedImage{shape[1], shape[2], shape[3]}
                                       : WantedImage{shape[3], shape[1], shape[2]};
    const std::int64_t channels = wanted.channels < 0 ? 3 : wanted.channels;
    if (channels != 1 && channels != 3)
        fail_input("the input " + to_string(shape) + " has " + std::to_string(channels) +
                   " channels in layout " + (is_nchw ? "nchw" : "nhwc") + ", expected 1 or 3");
    return {channels, wanted.height, wanted.width};
}

/// The middle of the image with the proportions of `width` by `height` (negative: the image's own),
/// reduced to `share` of the largest such part.
DecodedImage middle_of(DecodedImage image, std::int64_t height, std::int64_t width, double share) {
    const auto whole_width = static_cast<double>(image.width),
               whole_height = static_cast<double>(image.height);
    const double wide = width < 0 ? whole_width : static_cast<double>(width);
    const double high = height < 0 ? whole_height : static_cast<double>(height);
    const double scale = std::min(whole_width / wide, whole_height / high) * share;
    const auto side = [](double length, std::int64_t most) {
        return std::clamp<std::int64_t>(std::llround(length), 1, most);
    };
    DecodedImage part;
    part.width = side(wide * scale, image.width);
    part.height = side(high * scale, image.height);
    if (part.width == image.width && part.height == image.height) return image;
    const std::int64_t left = (image.width - part.width) / 2,
                       top = (image.height - part.height) / 2;
    part.pixels.reserve(static_cast<std::size_t>(part.width * part.height * 3));
    for (std::int64_t y = 0; y < part.height; ++y) {
        const auto row = image.pixels.begin() + 3 * ((top + y) * image.width + left);
        part.pixels.insert(part.pixels.end(), row, row + 3 * part.width);
    }
    return part;
}

void check_size(std::int64_t width, std::int64_t height, const Limits& limits) {
    check_image_size(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), limits);
}

}  // namespace

Tensor load_image(const std::filesystem::path& path, const Shape& shape, DType dtype,
                  const ImageOptions& options, const Limits& limits, ImageSize* original,
                  const CancelToken& cancel) {
    const auto file = MappedFile::open(path);
    try {
        const auto [channels, wanted_height, wanted_width] = wanted_image(shape, dtype, options);
        if (wanted_height >= 0 && wanted_width >= 0)
            check_size(wanted_width, wanted_height, limits);
        DecodedImage image = decode(file->bytes(), limits, cancel);
        if (original) *original = {image.width, image.height};
        if (options.crop > 0)
            image = middle_of(std::move(image), wanted_height, wanted_width, options.crop);
        const std::int64_t height = wanted_height < 0 ? image.height : wanted_height;
        const std::int64_t width = wanted_width < 0 ? image.width : wanted_width;
        check_size(width, height, limits);
        check_size(width, image.height, limits);  // between the two passes
        const std::vector<float> pixels = resize(image, height, width, cancel);
        Tensor tensor(dtype, options.layout == ImageOptions::Layout::nchw
                                 ? Shape{1, channels, height, width}
                                 : Shape{1, height, width, channels});
        if (dtype == DType::u8)
            lay_out<std::uint8_t>(tensor, pixels, height * width, channels, options);
        else if (dtype == DType::f16)
            lay_out<Half>(tensor, pixels, height * width, channels, options);
        else lay_out<float>(tensor, pixels, height * width, channels, options);
        return tensor;
    } catch (Error& error) {
        error.at(path.string());
        throw;
    }
}

}  // namespace lapidary
