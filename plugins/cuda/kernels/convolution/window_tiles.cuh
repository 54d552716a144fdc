// SPDX-License-Identifier: Apache-2.0
// Tiles of convolutions of halves with channels last. Asynchronous copies bring pieces of 8
// channels into a ring of stages, while warps multiply the stages that are complete. Rows are
// pixels, columns are filters.
#pragma once

#include "gpu_shared.h"
#include "kernels/convolution/convolution.h"
#include "kernels/load_store.cuh"
#include "kernels/convolution/window_reader.cuh"

namespace lapidary::cuda {

/// Sizes: results of a block and of a warp, groups of warps that share each stage along k, depth
/// and number of stages, and blocks per multiprocessor.
template <int tile_m, int tile_n, int of_warp_m, int of_warp_n, int groups_along_k, int stage_depth,
          int ring, int at_once>
struct WindowTile {
    static constexpr int m = tile_m, n = tile_n, warp_m = of_warp_m, warp_n = of_warp_n,
                         k_groups = groups_along_k;
    static constexpr int depth = stage_depth, stages = ring, blocks = at_once, piece = 8;
    static constexpr int warps_along_n = n / warp_n,
                         group_threads = 32 * (m / warp_m) * warps_along_n;
    static constexpr int threads = group_threads * k_groups;
    // rows that are read together are in different banks
    static constexpr int a_pitch = depth + 8, b_pitch = n + 8;
    static constexpr int a_size = m * a_pitch, stage_size = a_size + depth * b_pitch,
                         y_pitch = n + 8;
    // tiles of tensor cores of a warp
    static constexpr int along_m = warp_m / 16, along_n = warp_n / 8;
    // rows of those that each group finishes
    static constexpr int kept_m = along_m / k_groups;
    static constexpr unsigned shared_bytes = 2 * (stages * stage_size + m * y_pitch);
    static constexpr bool can_split = k_groups > 1;  // in parts along k
    static_assert(depth % (16 * k_groups) == 0 && along_n % 2 == 0 && along_m % k_groups == 0);
    static_assert(m * depth / piece % threads == 0 && depth * n / piece % threads == 0 &&
                  n <= threads);
};

/// Copies the pieces of a tile. A thread copies the same piece of a few rows in each stage and
/// moves along k, so the place of a row in its image is computed once.
template <typename Tile>
class WindowFeed {
public:
    /// For one group: `depth` elements along k from `begin` on.
    GPU_METHOD WindowFeed(const ConvolutionArgs& args, int group, int begin, int depth, int row0,
                          int column0)
        : args_(args), x_(static_cast<const half_t*>(args.x) + group * args.channels),
          pixel_size_(args.groups * args.channels), depth_(depth) {
        const int thread = static_cast<int>(thread_index());
        is_flat_ = is_flat();
        GPU_UNROLL for (int i = 0; i < rows; ++i)
            place_row(i, row0 + thread / a_pieces + i * a_step);
        k_ = thread % a_pieces * Tile::piece;
        begin_tap(begin + k_);
        row_ = thread / b_pieces;
        has_column_ = column0 + thread % b_pieces * Tile::piece < args.filters;
        const long long taps = args.channels * volume(args.window.kernel);
        w_ = static_cast<const half_t*>(args.w) + (group * taps + begin + row_) * args.filters +
             column0 + thread % b_pieces * Tile::piece;
    }

    /// Each copies its operand of the next stage; the caller commits. Elements outside the operand
    /// are not read.
    GPU_METHOD void copy_pixels(half_t* stage) {
        const int thread = static_cast<int>(thread_index());
        half_t* const a =
            stage + thread / a_pieces * Tile::a_pitch + thread % a_pieces * Tile::piece;
        GPU_UNROLL for (int i = 0; i < rows; ++i) {
            const bool is_there = k_ < depth_ && (inside_[i] & tap_) == tap_;
            half_t* const to = a + i * a_step * Tile::a_pitch;
            const half_t* const from = x_ + (base_[i] + from_base_);
            if (is_flat_) copy_async16(to, from, is_there);
            else copy_async16_cached(to, from, is_there);  // neighbours read it again
        }
        next();
    }
    GPU_METHOD void copy_weights(half_t* stage) {
        const int thread = static_cast<int>(thread_index());
        half_t* const b = stage + Tile::a_size + thread / b_pieces * Tile::b_pitch +
                          thread % b_pieces * Tile::piece;
        GPU_UNROLL for (int i = 0; i < Tile::depth / b_step; ++i) {
            const bool is_there = has_column_ && row_ + i * b_step < depth_;
            copy_async16(b + i * b_step * Tile::b_pitch, w_ + i * b_step * args_.filters, is_there);
        }
        row_ += Tile::depth;
        w_ += static_cast<long long>(Tile::depth) * args_.filters;
    }
    /// Prefetches all weights that are still to be copied to the device's cache, by sectors of two
    /// pieces.
    GPU_METHOD void fetch_weights() const {
        if (!has_column_ || thread_index() % 2 != 0) return;
        for (int i = 0; row_ + i < depth_; i += b_step)
            fetch_to_cache(w_ + static_cast<long long>(i) * args_.filters);
    }

private:
    static constexpr int a_pieces = Tile::depth / Tile::piece, a_step = Tile::threads / a_pieces;
    static constexpr int rows = Tile::m / a_step;
    static constexpr int b_pieces = Tile::n / Tile::piece, b_step = Tile::threads / b_pieces;

    /// Computes where tap 0 of the row's window is, and one bit for each place of each window axis:
    /// whether it lies in the image.
    GPU_METHOD void place_row(int i, int row) {
        const Window& win = args_.window;
        base_[i] = 0;
        inside_[i] = 0;
        if (row >= args_.batch * volume(win.output)) return;
        if (is_flat_) {  // an output pixel reads only the input pixel at its place
            base_[i] = row * pixel_size_;
            inside_[i] = 7;
            return;
        }
        auto rest = static_cast<unsigned>(row);
        int first[spatial_axes], bit = 0;
        GPU_UNROLL for (int axis = spatial_axes - 1; axis >= 0; --axis) {
            const unsigned size = static_cast<unsigned>(win.output[axis]),
                           next = size == 1 ? rest : rest / size;
            first[axis] = static_cast<int>(rest - next * size) * win.stride[axis] - win.pad[axis];
            rest = next;
        }
        int place = static_cast<int>(rest);  // the image
        GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) {
            place = place * win.input[axis] + first[axis];
            inside_[i] |= places_inside(axis, first[axis]) << bit;
            bit += win.kernel[axis];
        }
        base_[i] = place * pixel_size_;
    }
    /// The bits for one axis of a window that begins at `first`.
    GPU_METHOD unsigned places_inside(int axis, int first) const {
        const int input = args_.window.input[axis], kernel = args_.window.kernel[axis];
        if (args_.window.dilation[axis] == 1) {
            const int begin = first < 0 ? -first : 0,
                      end = input - first < kernel ? input - first : kernel;
            return begin < end ? (2u << (end - 1)) - (1u << begin) : 0u;
        }
        unsigned inside = 0;
        GPU_ROLLED for (int t = 0; t < kernel; ++t) {
            const int at = first + t * args_.window.dilation[axis];
            if (at >= 0 && at < input) inside |= 1u << t;
        }
        return inside;
    }
    GPU_METHOD bool is_flat() const {
        const Window& win = args_.window;
        bool is = true;
        GPU_UNROLL for (int axis = 0; axis < spatial_axes; ++axis) is =
            is && win.kernel[axis] == 1 && win.stride[axis] == 1 && win.pad[axis] == 0 &&
            win.input[axis] == win.output[axis];
        return is;
    }
    GPU_METHOD void begin_tap(int k) {
        const Window& win = args_.window;
        int tap = k / args_.channels;
        channel_ = k - tap * args_.channels;
        GPU_UNROLL for (int axis = spatial_axes - 1; axis > 0; --axis) {
            at_[axis] = tap % win.kernel[axis];
            tap /= win.kernel[axis];
        }
        at_[0] = tap;
        place_tap();
    }
    GPU_METHOD void place_tap() {
        const Window& win = args_.window;
        tap_ = 1u << at_[0] | 1u << (win.kernel[0] + at_[1]) |
               1u << (win.kernel[0] + win.kernel[1] + at_[2]);
        from_base_ =
            ((at_[0] * win.dilation[0] * win.input[1] + at_[1] * win.dilation[1]) * win.input[2] +
             at_[2] * win.dilation[2]) *
                pixel_size_ +
            channel_;
    }
    GPU_METHOD void next() {
        k_ += Tile::depth;
        channel_ += Tile::depth;
        from_base_ += Tile::depth;
        if (channel_ < args_.channels || k_ >= depth_) return;
        do {
            channel_ -= args_.channels;
            if (++at_[2] < args_.window.kernel[2]) continue;
            at_[2] = 0;
            if (++at_[1] < args_.window.kernel[1]) continue;
            at_[1] = 0;
            ++at_[0];
        } while (channel_ >= args_.channels);
        place_tap();
    }

    const ConvolutionArgs& args_;
    const half_t *x_, *w_;
    int pixel_size_, depth_;
    int base_[rows];
    unsigned inside_[rows];
    int k_, channel_, at_[spatial_axes], from_base_, row_;
    unsigned tap_;
    bool has_column_, is_flat_;
};

/// The sums that a thread holds of a tile. After add() has added the groups along k, it keeps
/// `kept_m` rows of tensor core tiles.
template <typename Tile>
class WindowSums {
public:
    /// Multiplies one stage. `meanwhile` runs after the first loads, so that their latency is
    /// hidden.
    template <typename Meanwhile>
    GPU_METHOD void multiply(const half_t* stage, const Meanwhile& meanwhile) {
        constexpr int depth = Tile::depth / Tile::k_groups;
        const int lane = static_cast<int>(thread_index()) % 32;
        const half_t* const as =
            stage + (first_row() + lane % 16) * Tile::a_pitch + group() * depth + lane / 16 * 8;
        const half_t* const bs = stage + Tile::a_size +
                                 (group() * depth + lane % 16) * Tile::b_pitch + first_column() +
                                 lane / 16 * 8;
        GPU_UNROLL for (int step = 0; step < depth; step += 16) {
            std::uint32_t a[Tile::along_m][4], b[Tile::along_n][2];
            GPU_UNROLL for (int i = 0; i < Tile::along_m; ++i)
                load_matrices(a[i], as + i * 16 * Tile::a_pitch + step);
            GPU_UNROLL for (int j = 0; j < Tile::along_n; j += 2) {
                std::uint32_t r[4];
                load_matrices_turned(r, bs + step * Tile::b_pitch + j * 8);
                GPU_UNROLL for (int e = 0; e < 4; ++e) b[j + e / 2][e % 2] = r[e];
            }
            if (step == 0) meanwhile();
            GPU_UNROLL for (int i = 0; i < Tile::along_m; ++i)
                GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j) mma_f16(of_[i][j], a[i], b[j]);
        }
    }
    /// Adds the sums of the groups: each gives the other the sums that the other one keeps, through
    /// 4 * m * n / 2 bytes of memory aligned to 16.
    GPU_METHOD void add(void* memory) {
        if constexpr (Tile::k_groups == 2) {
            const int thread = static_cast<int>(thread_index()) % Tile::group_threads,
                      mine = group();
            auto* const pieces = static_cast<Piece*>(memory) + thread;
            constexpr int of_group = Tile::kept_m * Tile::along_n;
            GPU_UNROLL for (int i = 0; i < Tile::kept_m; ++i)
                GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j) {
                Piece given;
                GPU_UNROLL for (int e = 0; e < 4; ++e) given.words[e] =
                    bits_of(mine == 0 ? of_[Tile::kept_m + i][j][e] : of_[i][j][e]);
                pieces[((1 - mine) * of_group + i * Tile::along_n + j) * Tile::group_threads] =
                    given;
            }
            block_barrier();
            GPU_UNROLL for (int i = 0; i < Tile::kept_m; ++i)
                GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j) {
                const Piece got =
                    pieces[(mine * of_group + i * Tile::along_n + j) * Tile::group_threads];
                GPU_UNROLL for (int e = 0; e < 4; ++e) {
                    const float own = mine == 0 ? of_[i][j][e] : of_[Tile::kept_m + i][j][e];
                    of_[i][j][e] = own + float_of(got.words[e]);
                }
            }
        }
    }
    /// Stores the sums as one part, aligned to 16 bytes, in an order that only add_parts() reads.
    GPU_METHOD void store_part(float* to) const {
        GPU_UNROLL for (int i = 0; i < Tile::kept_m; ++i)
            GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j) {
            Piece piece;
            GPU_UNROLL for (int e = 0; e < 4; ++e) piece.words[e] = bits_of(of_[i][j][e]);
            reinterpret_cast<Piece*>(to)[place_of(i, j)] = piece;
        }
    }
    /// Adds up the sums of all parts in order; they are `step` floats apart.
    GPU_METHOD void add_parts(const float* from, long long step, int parts) {
        GPU_UNROLL for (int i = 0; i < Tile::kept_m; ++i)
            GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j)
                GPU_UNROLL for (int e = 0; e < 4; ++e) of_[i][j][e] = 0;
        GPU_UNROLL_4 for (int part = 0; part < parts; ++part) {
            GPU_UNROLL for (int i = 0; i < Tile::kept_m; ++i)
                GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j) {
                float v[4];
                load_fresh(from + part * step + place_of(i, j) * 4, v);
                GPU_UNROLL for (int e = 0; e < 4; ++e) of_[i][j][e] += v[e];
            }
        }
    }
    /// Calls use(row, column, first, second) for each pair of neighbouring columns in a row that
    /// the thread keeps. use() may change both sums.
    template <typename Use>
    GPU_METHOD void for_pairs(const Use& use) {
        const int lane = static_cast<int>(thread_index()) % 32;
        const int row = first_row() + group() * Tile::kept_m * 16 + lane / 4,
                  column = first_column() + lane % 4 * 2;
        GPU_UNROLL for (int i = 0; i < Tile::kept_m; ++i)
            GPU_UNROLL for (int j = 0; j < Tile::along_n; ++j)
                GPU_UNROLL for (int e = 0; e < 4; e += 2)
                    use(row + i * 16 + e / 2 * 8, column + j * 8, of_[i][j][e], of_[i][j][e + 1]);
    }

private:
    GPU_METHOD static int warp() {
        return static_cast<int>(thread_index()) % Tile::group_threads / 32;
    }
    GPU_METHOD static int group() {
        return Tile::k_groups == 1 ? 0 : static_cast<int>(thread_index()) / Tile::group_threads;
    }
    GPU_METHOD static int first_row() { return warp() / Tile::warps_along_n * Tile::warp_m; }
    GPU_METHOD static int first_column() { return warp() % Tile::warps_along_n * Tile::warp_n; }
    GPU_METHOD static int place_of(int i, int j) {
        return (i * Tile::along_n + j) * Tile::threads + static_cast<int>(thread_index());
    }

    float of_[Tile::along_m][Tile::along_n][4] = {};
};

/// The barriers of the block. Tests pass a type that leaves one out, to see that the fault is
/// found.
struct WindowSync {
    template <int left>
    GPU_METHOD void copied() const {
        copy_wait<left>();
    }
    // a stage has come, and the one before it may be overwritten
    GPU_METHOD void filled() const { block_barrier(); }
    GPU_METHOD void read() const { block_barrier(); }  // all stages may be overwritten
};

/// Computes the sums over the stages. `begin` is called before anything is read that an earlier
/// kernel may have written; copies of constant weights are in flight by then. `extra` adds copies
/// that are complete at the end.
template <typename Tile, typename Begin, typename Extra, typename Sync = WindowSync>
GPU_DEVICE void sum_windows(WindowSums<Tile>& sums, WindowFeed<Tile>& feed, int steps, half_t* ring,
                            const Begin& begin, const Extra& extra, const Sync& sync = Sync()) {
    constexpr int ahead = Tile::stages - 1;
    begin(false);
    for (int step = 0; step < ahead && step < steps; ++step)
        feed.copy_weights(ring + step * Tile::stage_size);
    // useful with few blocks, which wait in begin() most of the time
    if constexpr (Tile::can_split) feed.fetch_weights();
    begin(true);
    for (int step = 0; step < ahead; ++step) {
        if (step < steps) feed.copy_pixels(ring + step * Tile::stage_size);
        if (step == ahead - 1) extra();
        copy_commit();
    }
    for (int step = 0, stage = 0; step < steps; ++step) {
        sync.template copied<ahead - 1>();
        sync.filled();
        half_t* const before = ring + (stage == 0 ? ahead : stage - 1) * Tile::stage_size;
        sums.multiply(ring + stage * Tile::stage_size, [&] {
            if (step + ahead < steps) {
                feed.copy_weights(before);
                feed.copy_pixels(before);
            }
            copy_commit();
        });
        stage = stage == Tile::stages - 1 ? 0 : stage + 1;
    }
    sync.template copied<0>();
    sync.read();
}

}  // namespace lapidary::cuda
