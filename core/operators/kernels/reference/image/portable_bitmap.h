// SPDX-License-Identifier: Apache-2.0
// Uncompressed image formats that ImageDecoder reads by itself: Windows bitmaps and the portable
// anymap family.
#pragma once

#include "tensor_io/decoded_image.h"

namespace lapidary::reference {

/// BMP with 1, 4, 8, 24 or 32 bits per pixel, uncompressed. Throws as decode_png() does.
DecodedImage decode_bitmap(std::span<const std::byte> file, const Limits& limits);
/// PBM, PGM and PPM, text (P1 to P3) or binary (P4 to P6); samples are scaled to 255.
DecodedImage decode_anymap(std::span<const std::byte> file, const Limits& limits);

}  // namespace lapidary::reference
