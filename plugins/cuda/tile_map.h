// SPDX-License-Identifier: Apache-2.0
// How a matrix lies in device memory, for copies of whole tiles. Made by the host, handed to kernels by value.
#pragma once

#include <cstdint>

namespace lapidary::cuda {

/// As large and aligned as the driver's CUtensorMap.
struct alignas(128) TileMap {
    unsigned char opaque[128];
};

/// What a matrix is of. A device may round floats to TF32 when it copies them as such.
enum class TileElement : std::uint8_t { of_16_bits, tf32 };

struct TileShape {
    const void* data = nullptr;                    // at a multiple of 16 bytes
    std::int64_t rows = 0, columns = 0;            // what lies outside reads as zero
    std::int64_t row_bytes = 0;                    // from row to row, a multiple of 16
    std::int32_t tile_rows = 0, tile_columns = 0;  // columns of 128 bytes, whose pieces are swizzled
    std::int64_t matrices = 1, matrix_bytes = 0;   // from one to the next, a multiple of 16
    TileElement element = TileElement::of_16_bits;
};

/// Throws DeviceError where the device has no such copies.
TileMap make_tile_map(const TileShape& shape);

}  // namespace lapidary::cuda
