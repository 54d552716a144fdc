// SPDX-License-Identifier: Apache-2.0
// Describes a matrix in device memory for copies of whole tiles. Made by the host, passed to
// kernels by value.
#pragma once

#include <cstdint>

namespace lapidary::cuda {

/// As large and aligned as the driver's CUtensorMap.
struct alignas(128) TileMap {
    unsigned char opaque[128];
};

/// The elements of a matrix. The device may round floats to TF32 when it copies them as tf32.
enum class TileElement : std::uint8_t { of_16_bits, tf32 };

struct TileShape {
    const void* data = nullptr;          // at a multiple of 16 bytes
    std::int64_t rows = 0, columns = 0;  // what lies outside reads as zero
    std::int64_t row_bytes = 0;          // from row to row, a multiple of 16
    // columns of 128 bytes, whose pieces are swizzled
    std::int32_t tile_rows = 0, tile_columns = 0;
    std::int64_t matrices = 1, matrix_bytes = 0;  // from one to the next, a multiple of 16
    TileElement element = TileElement::of_16_bits;
};

/// Throws DeviceError where the device has no such copies.
TileMap make_tile_map(const TileShape& shape);

/// Describes windows on images with channels last. A tile holds what one tap reads in a number of
/// consecutive windows, one window in each row of the tile: along a row of the image, then down,
/// then on to the next image. Pixels outside read as zero.
struct WindowShape {
    const void* data = nullptr;  // of halves, at a multiple of 16 bytes
    std::int32_t images = 0, rows = 0, columns = 0, channels = 0;  // channels: a multiple of 8
    // where the first window of an image begins
    std::int32_t first_row = 0, first_column = 0;
    std::int32_t windows_down = 0, windows_along = 0;  // of an image
    std::int32_t row_step = 1, column_step = 1;        // from window to window, 1 to 8
    // channels of 128 bytes, whose pieces are swizzled
    std::int32_t tile_windows = 0, tile_channels = 0;

    /// Where the last window begins, relative to the last row and column.
    std::int32_t last_row() const { return first_row + (windows_down - 1) * row_step - (rows - 1); }
    std::int32_t last_column() const {
        return first_column + (windows_along - 1) * column_step - (columns - 1);
    }
    /// Whether a descriptor can express it.
    bool fits() const {
        const auto is_near = [](std::int32_t corner) { return corner >= -128 && corner <= 127; };
        return images > 0 && rows > 0 && columns > 0 && channels > 0 && channels % 8 == 0 &&
               windows_down > 0 && windows_along > 0 && row_step >= 1 && row_step <= 8 &&
               column_step >= 1 && column_step <= 8 && is_near(first_row) &&
               is_near(first_column) && is_near(last_row()) && is_near(last_column());
    }
};

/// Throws DeviceError where the device has no such copies.
TileMap make_window_map(const WindowShape& shape);

}  // namespace lapidary::cuda
