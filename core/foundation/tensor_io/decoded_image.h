// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lapidary/base/limits.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// 8-bit RGB pixels, row by row, without padding.
struct DecodedImage {
    std::int64_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels;  // [height, width, 3]
};

/// Grey and palette images become RGB, 16-bit channels keep their high byte, alpha is dropped (the
/// colour beneath it stays), colour profiles and EXIF rotation are ignored: what training pipelines
/// see. Throws invalid_input (damaged, truncated), not_supported or limit_exceeded, the latter
/// before anything is decoded; cancelled.
DecodedImage decode_png(std::span<const std::byte> file, const Limits& limits,
                        const CancelToken& cancel);
/// The same for JPEG; CMYK images are refused, for their colours depend on a profile.
DecodedImage decode_jpeg(std::span<const std::byte> file, const Limits& limits,
                         const CancelToken& cancel);

/// Throws limit_exceeded when an RGB image of that size would pass Limits::image_bytes,
/// invalid_input when a side is zero.
void check_image_size(std::uint64_t width, std::uint64_t height, const Limits& limits);

}  // namespace lapidary
