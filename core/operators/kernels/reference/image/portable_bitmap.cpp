// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/image/portable_bitmap.h"

#include <algorithm>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary::reference {
namespace {

/// Bounds-checked reading of a file in memory.
class Bytes {
public:
    Bytes(std::span<const std::byte> file, const char* format) : file_(file), format_(format) {}
    std::size_t size() const { return file_.size(); }
    std::uint8_t at(std::uint64_t offset) const {
        if (offset >= file_.size()) damaged("it ends too early");
        return static_cast<std::uint8_t>(file_[static_cast<std::size_t>(offset)]);
    }
    std::uint32_t little(std::uint64_t offset, int bytes) const {
        std::uint32_t value = 0;
        for (int i = bytes; i-- > 0;)
            value = value << 8 | at(offset + static_cast<std::uint64_t>(i));
        return value;
    }
    [[noreturn]] void damaged(const std::string& why) const {
        fail_input(std::string("the ") + format_ + " image cannot be decoded: " + why);
    }

private:
    std::span<const std::byte> file_;
    const char* format_;
};

DecodedImage blank_image(std::uint64_t width, std::uint64_t height, const Limits& limits) {
    check_image_size(width, height, limits);
    DecodedImage image;
    image.width = static_cast<std::int64_t>(width);
    image.height = static_cast<std::int64_t>(height);
    image.pixels.resize(static_cast<std::size_t>(width * height * 3));
    return image;
}

/// The header's numbers and text samples of an anymap: separated by white space, comments start
/// with '#'.
class AnymapNumbers {
public:
    AnymapNumbers(const Bytes& bytes, std::uint64_t position)
        : bytes_(bytes), position_(position) {}
    std::uint64_t position() const { return position_; }
    std::uint32_t next(bool single_digit = false) {
        skip();
        if (!is_digit(bytes_.at(position_))) bytes_.damaged("a number is missing");
        std::uint32_t value = 0;
        while (position_ < bytes_.size() && is_digit(bytes_.at(position_))) {
            value = value * 10 + (bytes_.at(position_++) - '0');
            if (value > 100'000'000) bytes_.damaged("a number is too large");
            if (single_digit) break;
        }
        return value;
    }

private:
    static bool is_digit(std::uint8_t c) { return c >= '0' && c <= '9'; }
    static bool is_space(std::uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
    void skip() {
        while (is_space(bytes_.at(position_)) || bytes_.at(position_) == '#') {
            if (bytes_.at(position_) == '#')
                while (bytes_.at(position_) != '\n') ++position_;
            ++position_;
        }
    }
    const Bytes& bytes_;
    std::uint64_t position_;
};

}  // namespace

DecodedImage decode_bitmap(std::span<const std::byte> file, const Limits& limits) {
    const Bytes bytes(file, "BMP");
    const std::uint32_t start = bytes.little(10, 4), header = bytes.little(14, 4);
    if (header < 40)
        fail_unsupported("BMP images with a header of " + std::to_string(header) +
                         " bytes are not supported");
    const auto width = static_cast<std::int32_t>(bytes.little(18, 4)),
               signed_height = static_cast<std::int32_t>(bytes.little(22, 4));
    const std::uint32_t depth = bytes.little(28, 2), compression = bytes.little(30, 4);
    const bool is_top_down = signed_height < 0;
    const std::int64_t height =
        is_top_down ? -static_cast<std::int64_t>(signed_height) : signed_height;
    if (width <= 0 || height <= 0) bytes.damaged("its size is no positive number");
    if ((compression != 0 && compression != 3) ||
        (depth != 1 && depth != 4 && depth != 8 && depth != 24 && depth != 32))
        fail_unsupported("BMP images with " + std::to_string(depth) + " bits and compression " +
                         std::to_string(compression) + " are not supported");
    // Compression 3 gives the channels' masks: the order blue, green, red is the one read here.
    if (compression == 3 && !(depth == 32 && bytes.little(54, 4) == 0xff0000 &&
                              bytes.little(58, 4) == 0xff00 && bytes.little(62, 4) == 0xff))
        fail_unsupported(
            "BMP images with other channel masks than 8 bits each of red, green and blue are not "
            "supported");
    DecodedImage image =
        blank_image(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), limits);
    const std::uint64_t row_bytes = (static_cast<std::uint64_t>(width) * depth + 31) / 32 * 4,
                        palette = 14 + std::uint64_t(header);
    for (std::int64_t y = 0; y < height; ++y) {
        const std::uint64_t row =
            start + static_cast<std::uint64_t>(is_top_down ? y : height - 1 - y) * row_bytes;
        for (std::int64_t x = 0; x < width; ++x) {
            std::uint64_t at = row + static_cast<std::uint64_t>(x) * depth / 8;
            if (depth < 24) {
                const std::uint32_t shift =
                    8 - depth -
                    static_cast<std::uint32_t>(static_cast<std::uint64_t>(x) * depth % 8);
                at = palette +
                     4 * (static_cast<std::uint32_t>(bytes.at(at)) >> shift & ((1u << depth) - 1));
            }
            std::uint8_t* pixel = image.pixels.data() + (y * width + x) * 3;
            for (std::uint64_t c = 0; c < 3; ++c) pixel[c] = bytes.at(at + 2 - c);
        }
    }
    return image;
}

DecodedImage decode_anymap(std::span<const std::byte> file, const Limits& limits) {
    const Bytes bytes(file, "PNM");
    const int kind = bytes.at(1) - '0';
    AnymapNumbers numbers(bytes, 2);
    const bool is_bitmap = kind == 1 || kind == 4, is_text = kind <= 3;
    const std::uint64_t channels = kind == 3 || kind == 6 ? 3 : 1;
    const std::uint32_t width = numbers.next(), height = numbers.next(),
                        most = is_bitmap ? 1 : numbers.next();
    if (most < 1 || most > 65535) bytes.damaged("its largest sample is " + std::to_string(most));
    DecodedImage image = blank_image(width, height, limits);
    const std::uint64_t start = numbers.position() + 1;  // one white space ends a binary header
    const std::uint64_t sample_bytes = most > 255 ? 2 : 1, bit_row = (std::uint64_t(width) + 7) / 8;
    for (std::uint64_t y = 0; y < height; ++y)
        for (std::uint64_t x = 0; x < width; ++x)
            for (std::uint64_t c = 0; c < channels; ++c) {
                std::uint32_t sample;
                if (is_text) {
                    sample = numbers.next(is_bitmap);
                } else if (is_bitmap) {
                    sample = bytes.at(start + y * bit_row + x / 8) >> (7 - x % 8) & 1;
                } else {
                    const std::uint64_t at =
                        start + ((y * width + x) * channels + c) * sample_bytes;
                    sample = sample_bytes == 2
                                 ? static_cast<std::uint32_t>(bytes.at(at)) << 8 | bytes.at(at + 1)
                                 : bytes.at(at);
                }
                sample = std::min(sample, most);
                if (is_bitmap) sample = 1 - sample;  // 1 is black
                const auto value = static_cast<std::uint8_t>((sample * 255 + most / 2) / most);
                std::uint8_t* pixel = image.pixels.data() + (y * width + x) * 3;
                if (channels == 3) pixel[c] = value;
                else std::fill_n(pixel, 3, value);
            }
    return image;
}

}  // namespace lapidary::reference
