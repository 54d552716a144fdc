// SPDX-License-Identifier: Apache-2.0
#include "tensor_io/wav_file.h"

#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lapidary/base/error.h>

#include "base/files/mapped_file.h"

namespace lapidary {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint64_t pcm = 1, ieee_float = 3, extensible = 0xfffe;
constexpr std::size_t format_bytes = 16, extended_format_bytes = 26;

std::uint64_t number(Bytes bytes, std::size_t at, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
        value |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
    return value;
}

bool is_tag(Bytes bytes, std::size_t at, std::string_view tag) {
    return at + tag.size() <= bytes.size() &&
           std::memcmp(bytes.data() + at, tag.data(), tag.size()) == 0;
}

struct Format {
    std::uint64_t encoding = 0, channels = 0, rate = 0, bits = 0;
};

Format format_of(Bytes chunk) {
    if (chunk.size() < format_bytes) fail_input("its format chunk is too short");
    Format format{number(chunk, 0, 2), number(chunk, 2, 2), number(chunk, 4, 4),
                  number(chunk, 14, 2)};
    if (format.encoding == extensible && chunk.size() >= extended_format_bytes)
        format.encoding = number(chunk, 24, 2);
    if (format.channels == 0) fail_input("it has no channel");
    const bool known = (format.encoding == pcm && (format.bits == 8 || format.bits == 16 ||
                                                   format.bits == 24 || format.bits == 32)) ||
                       (format.encoding == ieee_float && format.bits == 32);
    if (!known)
        fail_unsupported("sound of encoding " + std::to_string(format.encoding) + " with " +
                         std::to_string(format.bits) +
                         " bits is not supported: PCM or 32-bit floats are");
    return format;
}

/// -1 to 1.
float sample_at(Bytes data, std::size_t at, const Format& format) {
    const std::size_t width = format.bits / 8;
    const std::uint64_t raw = number(data, at, width);
    if (format.encoding == ieee_float) return std::bit_cast<float>(static_cast<std::uint32_t>(raw));
    if (width == 1) return (static_cast<float>(raw) - 128) / 128;
    const auto shift = static_cast<unsigned>(32 - format.bits);  // the sign bit to the top
    const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(raw << shift));
    return static_cast<float>(static_cast<double>(value) / 2147483648.0);
}

WavSound decoded(Bytes file) {
    if (!is_tag(file, 0, "RIFF") || !is_tag(file, 8, "WAVE")) fail_input("it is no RIFF WAVE file");
    std::optional<Format> format;
    for (std::size_t at = 12; at + 8 <= file.size();) {
        const std::uint64_t size = number(file, at + 4, 4);
        const std::size_t begin = at + 8;
        const std::size_t held = std::min<std::uint64_t>(size, file.size() - begin);
        const Bytes chunk = file.subspan(begin, held);
        if (is_tag(file, at, "fmt ")) format = format_of(chunk);
        if (is_tag(file, at, "data")) {
            if (!format) fail_input("its samples come before their format");
            const std::size_t width = format->bits / 8, frame = width * format->channels,
                              frames = held / frame;
            WavSound sound{static_cast<std::int64_t>(format->rate), std::vector<float>(frames)};
            for (std::size_t f = 0; f < frames; ++f) {
                float sum = 0;
                for (std::size_t c = 0; c < format->channels; ++c)
                    sum += sample_at(chunk, f * frame + c * width, *format);
                sound.samples[f] = sum / static_cast<float>(format->channels);
            }
            if (sound.samples.empty()) fail_input("it holds no sample");
            return sound;
        }
        at = begin + held + held % 2;
    }
    fail_input("it has no data chunk");
}

}  // namespace

WavSound load_wav(const std::filesystem::path& path) {
    try {
        return decoded(MappedFile::open(path)->bytes());
    } catch (Error& error) { throw error.at(path.string()); }
}

}  // namespace lapidary
