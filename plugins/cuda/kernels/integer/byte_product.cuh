// SPDX-License-Identifier: Apache-2.0
// The main loop of exact products of bytes on tensor cores. Asynchronous copies bring pieces of 16
// bytes into a ring of stages. a lies along k; b along k, or along its columns (its bytes are then
// transposed in registers). Zero points are subtracted afterwards, by the sums of rows and columns.
#pragma once

#include "kernels/product/tile_product.cuh"

namespace lapidary::cuda {

/// The sums for one element of the result, before zero points are subtracted.
struct ByteSum {
    int products, row, column;

    /// The sum of products of the `depth` pairs, with zero points subtracted. Wraps.
    GPU_METHOD int without(int a_zero, int b_zero, int depth) const {
        const auto negative = [](int v) { return static_cast<int>(0u - static_cast<unsigned>(v)); };
        int sum = multiply_add(negative(b_zero), row, products);
        sum = multiply_add(negative(a_zero), column, sum);
        return multiply_add(multiply_add(a_zero, b_zero, 0), depth, sum);
    }
};

/// Sizes: results of a block and of a warp, stages of the ring (at most 48 kB), and blocks per
/// multiprocessor.
template <int tile_m, int tile_n, int of_warp_m, int of_warp_n, int ring, int at_once>
struct ByteTile {
    static constexpr int m = tile_m, n = tile_n, warp_m = of_warp_m, warp_n = of_warp_n,
                         stages = ring;
    static constexpr int blocks = at_once;
    // bytes along k of a stage
    static constexpr int depth = 64, piece = 16, pieces = depth / piece;
    static constexpr int warps_along_n = n / warp_n, threads = 32 * (m / warp_m) * warps_along_n;
    static constexpr int a_size = m * depth, stage_size = (m + n) * depth,
                         ring_size = stages * stage_size;
    // layout of the sums, which take the place of the ring afterwards
    static constexpr int staged_rows = 64, staged_pitch = n + 16;
    static_assert(threads == 128 && ring_size <= 48 * 1024 && (n == 64 || n == 128));
    static_assert((m + n + staged_rows * staged_pitch) * sizeof(int) <= ring_size);
};
// reads the fewest bytes of shared memory per product
using BytesLarge = ByteTile<128, 128, 64, 64, 3, 2>;
using BytesSmall = ByteTile<64, 64, 32, 32, 5, 4>;  // more blocks

/// The offset of a piece in a stage. Pieces that are read or written together are in different
/// banks.
GPU_DEVICE int place_along_k(int row, int piece) {
    return row / 2 * 128 + ((row % 2 * 4 + piece) ^ (row / 2 % 8)) * 16;
}
template <typename Tile>
GPU_DEVICE int place_along_n(int k, int piece) {
    const int turn = Tile::n == 128 ? (k & 1) | (k >> 1 & 6) : k >> 2 & 3;
    return k * Tile::n + (piece ^ turn) * 16;
}

/// Copies `rows` rows of a tile, bytes along k, one stage after the other.
template <typename Tile, int rows>
class PiecesAlongK {
public:
    /// `first`: the tile's first row. `there` of its rows exist; they are `pitch` bytes apart.
    GPU_METHOD PiecesAlongK(const std::uint8_t* first, long long pitch, int there, int depth)
        : from_(first + row() * pitch + piece() * Tile::piece), step_(pitch * per_pass),
          left_(depth - piece() * Tile::piece) {
        GPU_UNROLL for (int i = 0; i < passes; ++i) there_ |=
            (row() + i * per_pass < there ? 1u : 0u) << i;
    }
    GPU_METHOD void fetch(unsigned char* stage) {
        unsigned char* const to = stage + place_along_k(row(), piece());
        GPU_UNROLL for (int i = 0; i < passes; ++i)
            copy_async16(to + i * per_pass * Tile::depth, from_ + i * step_,
                         (there_ >> i & 1) != 0 && left_ > 0);
        from_ += Tile::depth;
        left_ -= Tile::depth;
    }

private:
    static constexpr int per_pass = Tile::threads / Tile::pieces, passes = rows / per_pass;
    GPU_METHOD static int row() { return static_cast<int>(thread_index()) / Tile::pieces; }
    GPU_METHOD static int piece() { return static_cast<int>(thread_index()) % Tile::pieces; }

    const std::uint8_t* from_;
    long long step_;
    int left_;
    unsigned there_ = 0;  // bit i: the row of pass i exists
};

/// Copies rows of b, bytes along its columns.
template <typename Tile>
class PiecesAlongN {
public:
    /// `first`: the tile's first column. `there` of its columns exist; rows are `pitch` bytes
    /// apart.
    GPU_METHOD PiecesAlongN(const std::uint8_t* first, long long pitch, int there, int depth)
        : from_(first + row() * pitch + piece() * Tile::piece), pitch_(pitch),
          left_(piece() * Tile::piece < there ? depth - row() : 0) {}
    GPU_METHOD void fetch(unsigned char* stage) {
        unsigned char* const to = stage + place_along_n<Tile>(row(), piece());
        GPU_UNROLL for (int i = 0; i < passes; ++i) copy_async16(
            to + i * per_pass * Tile::n, from_ + i * per_pass * pitch_, left_ > i * per_pass);
        from_ += Tile::depth * pitch_;
        left_ -= Tile::depth;
    }

private:
    static constexpr int along = Tile::n / Tile::piece, per_pass = Tile::threads / along;
    static constexpr int passes = Tile::depth / per_pass;
    static_assert(per_pass % 16 == 0);  // the same swizzle for the pieces of all passes
    GPU_METHOD static int row() { return static_cast<int>(thread_index()) / along; }
    GPU_METHOD static int piece() { return static_cast<int>(thread_index()) % along; }

    const std::uint8_t* from_;
    long long pitch_;
    int left_;
};

/// The sums that a thread holds of a tile: of each 16 columns the four from lane % 4 * 4 on, which
/// come from two tensor core tiles. `sums_rows`, `sums_columns`: needed where zero points of b, or
/// of a, may not be 0.
template <typename Tile, bool b_along_k, bool is_a_signed, bool is_b_signed, bool sums_rows,
          bool sums_columns>
class ByteSums {
public:
    static constexpr int along_m = Tile::warp_m / 16, along_n = Tile::warp_n / 16,
                         steps = Tile::depth / 32;
    static_assert(along_m % along_n == 0 && along_n % 2 == 0 && steps == 2);

    /// Loads the first fragments of a stage.
    GPU_METHOD void begin(const unsigned char* stage) {
        GPU_UNROLL for (int i = 0; i < along_m; ++i) load_rows(stage, 0, i, rows_[0][i]);
        load_columns(stage + Tile::a_size, 0, 0, columns_[0]);
    }
    /// Multiplies a stage. Fragments are loaded while earlier ones are multiplied. before() returns
    /// the next stage; it is called when all fragments of this one are loaded.
    template <typename Before>
    GPU_METHOD void add(const unsigned char* stage, const Before& before) {
        const unsigned char* next = stage;
        GPU_UNROLL for (int step = 0; step < steps; ++step)
            GPU_UNROLL for (int j = 0; j < along_n; ++j) {
            const bool is_last = j == along_n - 1;
            if (is_last && step == steps - 1) {
                next = before();
                GPU_UNROLL for (int i = 0; i < along_m; ++i) load_rows(next, 0, i, rows_[0][i]);
            } else if (step < steps - 1) {
                constexpr int each = along_m / along_n;
                GPU_UNROLL for (int i = 0; i < each; ++i)
                    load_rows(stage, step + 1, j * each + i, rows_[(step + 1) % 2][j * each + i]);
            }
            load_columns(next + Tile::a_size, is_last ? (step + 1) % steps : step,
                         is_last ? 0 : j + 1, columns_[(j + 1) % 2]);
            multiply(rows_[step % 2], columns_[j % 2], j);
        }
    }
    /// Writes the complete sums of the tile's rows, then of its columns, to shared memory.
    GPU_METHOD void share(int* to) {
        if (sums_rows && first_column() == 0)
            GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int e = 0; e < 2; ++e) {
                const int sum = of_quad(of_rows_[i][e]);
                if (lane() % 4 == 0) to[first_row() + i * 16 + e * 8 + lane() / 4] = sum;
            }
        if (sums_columns && first_row() == 0) GPU_UNROLL for (int j = 0; j < 2 * along_n; ++j) {
                const int sum = of_quad(of_columns_[j]);
                if (lane() % 4 == 0)
                    to[Tile::m + first_column() + j / 2 * 16 + lane() / 4 * 2 + j % 2] = sum;
            }
    }
    /// Writes the sums of Tile::staged_rows rows from `first` on as a matrix.
    GPU_METHOD void store(int* to, int first) const {
        constexpr int pitch = Tile::staged_pitch;
        const int row = first_row() - first;
        if (row < 0 || row >= Tile::staged_rows) return;
        GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int j = 0; j < along_n; ++j)
            GPU_UNROLL for (int e = 0; e < 2; ++e) {
            const Quad<int> quad{{of_[i][2 * j][2 * e], of_[i][2 * j + 1][2 * e],
                                  of_[i][2 * j][2 * e + 1], of_[i][2 * j + 1][2 * e + 1]}};
            *reinterpret_cast<Quad<int>*>(to + (row + i * 16 + e * 8 + lane() / 4) * pitch +
                                          first_column() + j * 16 + lane() % 4 * 4) = quad;
        }
    }
    static constexpr bool has_row_sums = sums_rows, has_column_sums = sums_columns;

private:
    GPU_METHOD static int lane() { return static_cast<int>(thread_index()) % 32; }
    GPU_METHOD static int warp() { return static_cast<int>(thread_index()) / 32; }
    GPU_METHOD static int first_row() { return warp() / Tile::warps_along_n * Tile::warp_m; }
    GPU_METHOD static int first_column() { return warp() % Tile::warps_along_n * Tile::warp_n; }
    GPU_METHOD static int of_quad(int v) {
        v += shuffle_xor(v, 1);
        return v + shuffle_xor(v, 2);
    }
    /// Loads the fragments of 16 rows.
    GPU_METHOD static void load_rows(const unsigned char* stage, int step, int i,
                                     std::uint32_t (&rows)[4]) {
        const int place = place_along_k(first_row() + lane() % 16, lane() / 16) ^ step * 32;
        load_matrices(rows, stage + place + i * 16 * Tile::depth);
    }
    /// Loads the fragments of 16 columns: even columns and odd columns separately.
    GPU_METHOD static void load_columns(const unsigned char* bs, int step, int j,
                                        std::uint32_t (&columns)[2][2]) {
        const int row = lane() % 8, matrix = lane() / 8;
        std::uint32_t r[4];
        if constexpr (b_along_k) {
            const int place =
                place_along_k(first_column() + row * 2 + matrix / 2, matrix % 2) ^ step * 32;
            load_matrices(r, bs + place + j * 16 * Tile::depth);
            GPU_UNROLL for (int e = 0; e < 4; ++e) columns[e / 2][e % 2] = r[e];
        } else {  // two matrices hold the four bytes of each k / 4; a half holds two columns
            const int k = matrix / 2 * 16 + row / 2 * 4 + matrix % 2 * 2 + row % 2;
            const int place = place_along_n<Tile>(k, first_column() / 16) ^ j * 16;
            load_matrices_turned(r, bs + place + step * 32 * Tile::n);
            GPU_UNROLL for (int e = 0; e < 2; ++e) {
                columns[0][e] = permute_bytes(r[2 * e], r[2 * e + 1], 0x6420);
                columns[1][e] = permute_bytes(r[2 * e], r[2 * e + 1], 0x7531);
            }
        }
    }
    GPU_METHOD void multiply(const std::uint32_t (&rows)[along_m][4],
                             const std::uint32_t (&columns)[2][2], int j) {
        GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int e = 0; e < 2; ++e)
            mma_bytes<is_a_signed, is_b_signed>(of_[i][2 * j + e], rows[i], columns[e]);
        if (sums_rows && j == 0)
            GPU_UNROLL for (int i = 0; i < along_m; ++i) GPU_UNROLL for (int e = 0; e < 4; ++e)
                of_rows_[i][e % 2] = add_bytes<is_a_signed>(rows[i][e], of_rows_[i][e % 2]);
        if (sums_columns)
            GPU_UNROLL for (int e = 0; e < 4; ++e) of_columns_[2 * j + e / 2] =
                add_bytes<is_b_signed>(columns[e / 2][e % 2], of_columns_[2 * j + e / 2]);
    }

    int of_[along_m][2 * along_n][4] = {};
    int of_rows_[along_m][2] = {}, of_columns_[2 * along_n] = {};
    std::uint32_t rows_[2][along_m][4], columns_[2][2][2];
};

/// Computes the sums of a tile. a.fetch(to) and b.fetch(to) copy the next stage of each operand.
/// `ring`: Tile::ring_size bytes of shared memory, aligned to 16. Leaves the sums of the tile's
/// rows, then those of its columns, in the ring, where for_sums_of_tile() reads them.
template <typename Tile, typename A, typename B, typename Sums, typename Sync = AllSync>
GPU_DEVICE int* tile_product_bytes(unsigned char* ring, int depth, A& a, B& b, Sums& sums,
                                   const Sync& sync = Sync()) {
    const int steps = (depth + Tile::depth - 1) / Tile::depth;
    const auto fetch = [&](int step, int stage) {
        if (step < steps) {
            a.fetch(ring + stage * Tile::stage_size);
            b.fetch(ring + stage * Tile::stage_size + Tile::a_size);
        }
        copy_commit();
    };
    for (int step = 0; step < Tile::stages; ++step) fetch(step, step);
    sync.template copied<Tile::stages - 1>();
    sync.filled();
    if (steps > 0) sums.begin(ring);
    for (int step = 0, stage = 0; step < steps; ++step) {
        const int next = stage == Tile::stages - 1 ? 0 : stage + 1;
        sums.add(ring + stage * Tile::stage_size, [&] {
            sync.template copied<Tile::stages - 2>();
            sync.filled();  // and this stage may be overwritten
            fetch(step + Tile::stages, stage);
            return ring + (step + 1 < steps ? next : stage) * Tile::stage_size;
        });
        stage = next;
    }
    sync.read();  // all stages have been read
    int* const shared = reinterpret_cast<int*>(ring);
    sums.share(shared);
    block_barrier();
    return shared;
}

/// Calls use(begin(column), row, four sums) for the whole tile; row and column count within it.
/// Ends with a barrier of the block.
template <typename Tile, typename Sums, typename Begin, typename Use>
GPU_DEVICE void for_sums_of_tile(const Sums& sums, int* shared, const Begin& begin,
                                 const Use& use) {
    constexpr int rows = Tile::staged_rows, pitch = Tile::staged_pitch, along = Tile::n / 4;
    constexpr int per_pass = Tile::threads / along;
    int* const staged = shared + Tile::m + Tile::n;
    const int thread = static_cast<int>(thread_index()), column = thread % along * 4;
    const auto of_columns = begin(column);
    GPU_ROLLED for (int first = 0; first < Tile::m; first += rows) {
        sums.store(staged, first);
        block_barrier();
        GPU_UNROLL_2 for (int row = thread / along; row < rows; row += per_pass) {
            const auto quad = *reinterpret_cast<const Quad<int>*>(staged + row * pitch + column);
            use(of_columns, first + row, quad.of);
        }
        block_barrier();
    }
}

}  // namespace lapidary::cuda
