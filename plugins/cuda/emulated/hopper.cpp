// SPDX-License-Identifier: Apache-2.0
#include "emulated/hopper.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>

#include <lapidary/tensor/float16.h>

#include "device_error.h"
#include "emulated/block_runner.h"
#include "emulated/machine.h"
#include "gpu_hopper.h"
#include "plugin_abi.h"

namespace lapidary::cuda {

TileMap make_tile_map(const TileShape& shape) {
    const int element_bytes = shape.element == TileElement::tf32 ? 4 : 2;
    const bool fits = reinterpret_cast<std::uintptr_t>(shape.data) % 16 == 0 &&
                      shape.row_bytes % 16 == 0 && shape.matrix_bytes % 16 == 0 &&
                      shape.matrices > 0 && shape.tile_columns * element_bytes == 128 &&
                      shape.tile_rows >= 1 && shape.tile_rows <= 256 && shape.rows > 0 &&
                      shape.columns > 0;
    if (!fits) throw DeviceError(LP_INTERNAL, "a matrix does not lie as copies of tiles need it");
    TileMap map{};
    std::memcpy(map.opaque, &shape, sizeof(shape));
    return map;
}

TileMap make_window_map(const WindowShape& shape) {
    const bool fits = reinterpret_cast<std::uintptr_t>(shape.data) % 16 == 0 &&
                      shape.tile_channels * 2 == 128 && shape.tile_windows >= 1 &&
                      shape.tile_windows <= 1024 && shape.fits();
    if (!fits) throw DeviceError(LP_INTERNAL, "windows do not lie as copies of tiles need it");
    TileMap map{};
    std::memcpy(map.opaque, &shape, sizeof(shape));
    return map;
}

namespace emulated {
namespace {

constexpr unsigned row_bytes = 128, piece_bytes = 16, swizzled_rows = 8;

struct Barrier {
    std::uint8_t arrivals, pending, phase, is_made;
    std::int32_t bytes;
};

Barrier barrier_of(std::uint64_t bits) {
    Barrier b;
    std::memcpy(&b, &bits, sizeof(b));
    if (b.is_made != 1)
        throw std::logic_error("a kernel uses a barrier that it did not initialize");
    return b;
}

/// A phase ends when the last arrival and the last byte have come.
std::uint64_t bits_of(Barrier b) {
    if (b.pending == 0 && b.bytes == 0) {
        b.phase ^= 1;
        b.pending = b.arrivals;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, &b, sizeof(b));
    return bits;
}

Barrier read(std::uint64_t* barrier) {
    return barrier_of(std::atomic_ref<std::uint64_t>(*barrier).load());
}
void write(std::uint64_t* barrier, Barrier b) {
    std::atomic_ref<std::uint64_t>(*barrier).store(bits_of(b));
}

/// Counts bytes on a barrier that other blocks may use at the same time.
void take_bytes(std::uint64_t* barrier, unsigned bytes) {
    const std::atomic_ref<std::uint64_t> shared(*barrier);
    std::uint64_t before = shared.load(), after = 0;
    do {
        Barrier b = barrier_of(before);
        b.bytes -= static_cast<std::int32_t>(bytes);
        after = bits_of(b);
    } while (!shared.compare_exchange_weak(before, after));
}

/// The address in shared memory after the hardware's swizzle.
unsigned swizzled(unsigned address) { return address ^ (address >> 3 & 0x70u); }

float half_at(unsigned address, bool is_bfloat) {
    std::uint16_t bits;
    std::memcpy(&bits, shared_memory() + swizzled(address), 2);
    return is_bfloat ? std::bit_cast<float>(std::uint32_t{bits} << 16) : half_bits_to_float(bits);
}

float tf32_at(unsigned address) {
    std::uint32_t bits;
    std::memcpy(&bits, shared_memory() + swizzled(address), 4);
    return std::bit_cast<float>(bits & 0xffffe000u);
}

struct Operand {
    unsigned begin, next_tile, row_group;
    bool is_bfloat;
    Operand(std::uint64_t d, bool is_bfloat)
        : begin(static_cast<unsigned>(d & 0x3fff) << 4),
          next_tile(static_cast<unsigned>(d >> 16 & 0x3fff) << 4),
          row_group(static_cast<unsigned>(d >> 32 & 0x3fff) << 4), is_bfloat(is_bfloat) {
        if (d >> 62 != 1) throw std::logic_error("an operand is not swizzled by 128 bytes");
    }
    /// Rows of 128 bytes along k, one for each row of a or column of b.
    float along_k(unsigned row, unsigned k) const {
        return half_at(
            begin + row / swizzled_rows * row_group + row % swizzled_rows * row_bytes + k * 2,
            is_bfloat);
    }
    float tf32_along_k(unsigned row, unsigned k) const {
        return tf32_at(begin + row / swizzled_rows * row_group + row % swizzled_rows * row_bytes +
                       k * 4);
    }
    /// Rows of 128 bytes along n, one for each k.
    float along_n(unsigned k, unsigned n) const {
        return half_at(begin + n / 64 * next_tile + n % 64 * 2 + k / swizzled_rows * row_group +
                           k % swizzled_rows * row_bytes,
                       is_bfloat);
    }
};

constexpr unsigned tf32_depth = 8;
/// A thread's two rows of a.
struct RowsOfA {
    float of[2][tf32_depth];
};

/// Collects the rows of a quad: each of its threads has two of the eight elements of a row, four
/// apart.
RowsOfA rows_of_quad(const std::uint32_t (&a)[4]) {
    float* const slots = running->warp_slots();
    const unsigned lane = thread_index() % warp_size;
    for (unsigned i = 0; i < 4; ++i)
        slots[lane * slot_floats + i] = std::bit_cast<float>(a[i] & 0xffffe000u);
    meet_warp();
    RowsOfA rows;
    for (unsigned k = 0; k < tf32_depth; ++k)
        for (unsigned half = 0; half < 2; ++half)
            rows.of[half][k] = slots[(lane / 4 * 4 + k % 4) * slot_floats + half + k / 4 * 2];
    meet_warp();
    return rows;
}

void multiply_now(float* d, unsigned count, const RowsOfA& a, const Operand& b, unsigned lane) {
    for (unsigned i = 0; i < count; ++i) {
        float sum = 0;
        for (unsigned k = 0; k < tf32_depth; ++k)
            sum += a.of[i / 2 % 2][k] * b.tf32_along_k(i / 4 * 8 + lane % 4 * 2 + i % 2, k);
        d[i] += sum;
    }
}

void multiply_now(float* d, unsigned count, const Operand& a, const Operand& b, bool b_along_k,
                  unsigned thread) {
    const unsigned lane = thread % 32, warp = thread % 128 / 32;
    for (unsigned i = 0; i < count; ++i) {
        const unsigned row = warp * 16 + lane / 4 + i / 2 % 2 * 8,
                       column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        float sum = 0;
        for (unsigned k = 0; k < 16; ++k)
            sum += a.along_k(row, k) * (b_along_k ? b.along_k(column, k) : b.along_n(k, column));
        d[i] += sum;
    }
}

/// The offset of a piece of row r of a tile in shared memory, with the swizzle.
unsigned piece_place(unsigned r, unsigned piece) {
    return r * row_bytes + (piece ^ r % swizzled_rows) * piece_bytes;
}

void land(unsigned char* to, const TileShape& shape, int matrix, int row, int column,
          std::uint64_t* barrier) {
    const char* const from = static_cast<const char*>(shape.data) + matrix * shape.matrix_bytes;
    const int size = shape.element == TileElement::tf32 ? 4 : 2, of_piece = int{piece_bytes} / size;
    const bool is_there = matrix >= 0 && matrix < shape.matrices;
    for (int r = 0; r < shape.tile_rows; ++r)
        for (unsigned piece = 0; piece < row_bytes / piece_bytes; ++piece) {
            unsigned char elements[piece_bytes] = {};
            for (int i = 0; i < of_piece; ++i) {
                const std::int64_t y = row + r, x = column + static_cast<int>(piece) * of_piece + i;
                if (!is_there || y < 0 || y >= shape.rows || x < 0 || x >= shape.columns) continue;
                std::memcpy(elements + i * size, from + y * shape.row_bytes + x * size,
                            static_cast<unsigned>(size));
            }
            std::memcpy(to + piece_place(static_cast<unsigned>(r), piece), elements, piece_bytes);
        }
    Barrier b = read(barrier);
    b.bytes -= shape.tile_rows * static_cast<int>(row_bytes);
    write(barrier, b);
}

void land_windows(unsigned char* to, const WindowShape& shape, WindowPlace at, int tap_row,
                  int tap_column, int channel, std::uint64_t* barrier) {
    const auto* const from = static_cast<const std::uint16_t*>(shape.data);
    const int last_row = shape.rows - 1 + shape.last_row(),
              last_column = shape.columns - 1 + shape.last_column();
    for (unsigned r = 0; r < static_cast<unsigned>(shape.tile_windows); ++r) {
        const int y = at.row + tap_row, x = at.column + tap_column;
        const bool is_there = at.image >= 0 && at.image < shape.images && y >= 0 &&
                              y < shape.rows && x >= 0 && x < shape.columns;
        const std::int64_t pixel = (std::int64_t{at.image} * shape.rows + y) * shape.columns + x;
        for (unsigned piece = 0; piece < row_bytes / piece_bytes; ++piece) {
            std::uint16_t halves[8] = {};
            for (int i = 0; i < 8; ++i) {
                const int c = channel + static_cast<int>(piece) * 8 + i;
                if (is_there && c < shape.channels) halves[i] = from[pixel * shape.channels + c];
            }
            std::memcpy(to + piece_place(r, piece), halves, piece_bytes);
        }
        at.column += shape.column_step;
        if (at.column <= last_column) continue;
        at.column = shape.first_column;
        at.row += shape.row_step;
        if (at.row <= last_row) continue;
        at.row = shape.first_row;
        ++at.image;
    }
    Barrier b = read(barrier);
    b.bytes -= shape.tile_windows * static_cast<int>(row_bytes);
    write(barrier, b);
}

void leave(const unsigned char* from, const TileShape& shape, int matrix, int row, int column) {
    char* const to =
        static_cast<char*>(const_cast<void*>(shape.data)) + matrix * shape.matrix_bytes;
    for (int r = 0; r < shape.tile_rows; ++r)
        for (int c = 0; c < shape.tile_columns; ++c) {
            const std::int64_t y = row + r, x = column + c;
            if (y < 0 || y >= shape.rows || x < 0 || x >= shape.columns) continue;
            const unsigned at = piece_place(static_cast<unsigned>(r), static_cast<unsigned>(c) / 8);
            std::memcpy(to + y * shape.row_bytes + x * 2, from + at + c % 8 * 2, 2);
        }
}

void require_tile(const void* p) {
    if (shared_address(p) % (swizzled_rows * row_bytes) != 0)
        throw std::logic_error("a tile does not begin at a multiple of 1024 bytes");
}

}  // namespace

unsigned char* shared_memory() { return block_memory(); }

unsigned shared_address(const void* p) {
    const auto offset = static_cast<const unsigned char*>(p) - block_memory();
    if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(block_memory_bytes))
        throw std::logic_error("an address lies outside of the block's shared memory");
    return static_cast<unsigned>(offset);
}

void barrier_init(std::uint64_t* barrier, unsigned arrivals) {
    shared_address(barrier);
    const auto count = static_cast<std::uint8_t>(arrivals);
    const Barrier b{count, count, 0, 1, 0};
    std::memcpy(barrier, &b, sizeof(b));
}

void barrier_arrive(std::uint64_t* barrier, unsigned bytes) {
    Barrier b = read(barrier);
    if (b.pending == 0)
        throw std::logic_error("more threads arrive at a barrier than it was made for");
    --b.pending;
    b.bytes += static_cast<std::int32_t>(bytes);
    write(barrier, b);
}

void barrier_wait(std::uint64_t* barrier, unsigned parity) {
    read(barrier);
    wait_until([=] { return read(barrier).phase != parity; });
}

void copy_tile(void* to, const TileMap& map, int matrix, int row, int column,
               std::uint64_t* barrier) {
    TileShape shape;
    std::memcpy(&shape, map.opaque, sizeof(shape));
    require_tile(to);
    do_later([=] { land(static_cast<unsigned char*>(to), shape, matrix, row, column, barrier); });
}

void copy_windows(void* to, const TileMap& map, const WindowPlace& place, int tap_row,
                  int tap_column, int channel, std::uint64_t* barrier) {
    WindowShape shape;
    std::memcpy(&shape, map.opaque, sizeof(shape));
    require_tile(to);
    if ((tap_row | tap_column) < 0 || (tap_row | tap_column) > 255)
        throw std::logic_error("a place of a window is not counted by 8 bits");
    do_later([=] {
        land_windows(static_cast<unsigned char*>(to), shape, place, tap_row, tap_column, channel,
                     barrier);
    });
}

void store_tile(const void* from, const TileMap& map, int matrix, int row, int column) {
    TileShape shape;
    std::memcpy(&shape, map.opaque, sizeof(shape));
    require_tile(from);
    put_off([=] { leave(static_cast<const unsigned char*>(from), shape, matrix, row, column); });
}
void store_commit() { commit_put_off(); }
void store_wait() { do_put_off(0); }

void store_in_cluster(void* to, unsigned z, const void* from, unsigned bytes,
                      std::uint64_t* barrier) {
    std::memcpy(memory_in_cluster(to, z), from, bytes);
    take_bytes(reinterpret_cast<std::uint64_t*>(memory_in_cluster(barrier, z)), bytes);
}

void barrier_wait_for_cluster(std::uint64_t* barrier, unsigned parity) {
    read(barrier);
    wait_for_others([=] { return read(barrier).phase != parity; });
}

void group_multiply(float* d, unsigned count, std::uint64_t a, std::uint64_t b, bool b_along_k,
                    bool is_bfloat) {
    put_off([=, of_a = Operand(a, is_bfloat), of_b = Operand(b, is_bfloat),
             thread = thread_index()] { multiply_now(d, count, of_a, of_b, b_along_k, thread); });
}

void group_multiply_tf32(float* d, unsigned count, const std::uint32_t (&a)[4], std::uint64_t b) {
    put_off([=, rows = rows_of_quad(a), of_b = Operand(b, false),
             lane = thread_index() % warp_size] { multiply_now(d, count, rows, of_b, lane); });
}

void group_commit() { commit_put_off(); }
void group_wait(int groups_left) {
    do_put_off(groups_left);
    meet_warp();
}

}  // namespace emulated
}  // namespace lapidary::cuda
