// SPDX-License-Identifier: Apache-2.0
// The emulated device finds barriers and waits that kernels lack. Each planted fault changes a
// result or ends the launch in at least one of a few orders of threads. A correct kernel gives the
// correct result in every order.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/block_reduce.cuh"
#include "kernels/integer/byte_product.cuh"
#include "kernels/product/tile_product_async.cuh"

namespace lapidary::cuda {
namespace {

constexpr unsigned orders[] = {0, 1, 2, 3, 4, 5};

struct NotFilled : AllSync {
    void filled() const {}
};
struct NotRead : AllSync {
    void read() const {}
};
struct NotCopied : AllSync {
    template <int left>
    void copied() const {}
};
struct CopiedTooLate : AllSync {  // waits for one group of copies fewer
    template <int left>
    void copied() const {
        copy_wait<left + 1>();
    }
};

std::vector<float> numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(-1, 1);
    std::vector<float> values(count);
    for (float& v : values) v = in(random);
    return values;
}

struct Problem {
    int m, n, k;
    std::vector<float> a = numbers(static_cast<std::size_t>(m) * static_cast<std::size_t>(k), 1);
    std::vector<float> b = numbers(static_cast<std::size_t>(k) * static_cast<std::size_t>(n), 2);

    /// The largest difference of `y` from the product.
    double error_of(const std::vector<float>& y) const {
        double worst = 0;
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < n; ++c) {
                double sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += double{a[at(r * k + i)]} * double{b[at(i * n + c)]};
                const double error = std::abs(sum - double{y[at(r * n + c)]});
                if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
            }
        return worst;
    }
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

enum class Loop {
    exact,
    tf32,
    tf32x3,
    async_small,
    async_large,
    async_along_k,
    bytes,
    bytes_large,
    bytes_along_k
};

bool is_of_bytes(Loop loop) {
    return loop == Loop::bytes || loop == Loop::bytes_large || loop == Loop::bytes_along_k;
}
bool is_async(Loop loop) {
    return loop == Loop::async_small || loop == Loop::async_large || loop == Loop::async_along_k ||
           is_of_bytes(loop);
}

constexpr float byte_scale = 100;
constexpr int zero_of_a = 130, zero_of_b = 7;

/// The block's tile of the product; `b` lies along its columns or along k.
template <typename Tile, bool b_along_k, typename Sync, typename Store>
void product_by_copies(const Problem& p, const std::vector<half_t>& a, const std::vector<half_t>& b,
                       const Store& store) {
    const int row0 = static_cast<int>(block_y()) * Tile::m,
              column0 = static_cast<int>(block_x()) * Tile::n;
    struct Rows {
        const Problem& p;
        const std::vector<half_t>& a;
        int row0, k = 0;
        void seek(int to) { k = to; }
        const half_t* at(int r) const {
            return row0 + r < p.m && k < p.k ? &a[Problem::at((row0 + r) * p.k + k)] : nullptr;
        }
    } rows{p, a, row0};
    const auto columns = [&](int k, int c) -> const half_t* {
        if (column0 + c >= p.n || k >= p.k) return nullptr;
        return &b[Problem::at(b_along_k ? (column0 + c) * p.k + k : k * p.n + column0 + c)];
    };
    const float* const sums =
        tile_product_async<MultiplyF16, Tile, b_along_k>(p.k, a.data(), rows, columns, Sync());
    for_quads<Tile>([&](int r, int c) {
        for (int i = 0; i < 4; ++i) store(row0 + r, column0 + c + i, sums[r * Tile::pitch + c + i]);
    });
}

struct alignas(16) BytePiece {
    unsigned char of[16];
};

/// A matrix of bytes whose rows begin at multiples of 16.
struct ByteMatrix {
    int pitch;
    std::vector<BytePiece> pieces;
    ByteMatrix(int rows, int columns)
        : pitch((columns + 15) / 16 * 16), pieces(Problem::at(rows * pitch / 16), BytePiece{}) {}
    std::uint8_t* at(int row, int column) {
        return reinterpret_cast<std::uint8_t*>(pieces.data()) + row * pitch + column;
    }
    // also behind the last row, where nothing may be read
    std::uint8_t* place(int row, int column) {
        return reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(pieces.data()) +
                                               static_cast<std::uintptr_t>(row * pitch + column));
    }
};

/// The block's tile of a product of bytes, u8 of zero point 130 and i8 of zero point 7.
template <typename Tile, bool b_along_k, typename Sync, typename Store>
void product_of_bytes(const Problem& p, ByteMatrix& bytes_a, ByteMatrix& bytes_b,
                      const Store& store) {
    const int row0 = static_cast<int>(block_y()) * Tile::m,
              column0 = static_cast<int>(block_x()) * Tile::n;
    GPU_SHARED_16 unsigned char ring[Tile::ring_size];
    ByteSums<Tile, b_along_k, false, true, true, true> sums;
    PiecesAlongK<Tile, Tile::m> a(bytes_a.place(row0, 0), bytes_a.pitch, p.m - row0, p.k);
    int* const totals = [&] {
        if constexpr (b_along_k) {
            PiecesAlongK<Tile, Tile::n> b(bytes_b.place(column0, 0), bytes_b.pitch, p.n - column0,
                                          p.k);
            return tile_product_bytes<Tile>(ring, p.k, a, b, sums, Sync());
        } else {
            PiecesAlongN<Tile> b(bytes_b.place(0, column0), bytes_b.pitch, p.n - column0, p.k);
            return tile_product_bytes<Tile>(ring, p.k, a, b, sums, Sync());
        }
    }();
    for_sums_of_tile<Tile>(
        sums, totals, [](int column) { return column; },
        [&](int column, int row, const int(&products)[4]) {
            for (int i = 0; i < 4; ++i) {
                const ByteSum sum{products[i], totals[row], totals[Tile::m + column + i]};
                store(row0 + row, column0 + column + i,
                      static_cast<float>(sum.without(zero_of_a, zero_of_b, p.k)) /
                          (byte_scale * byte_scale));
            }
        });
}

Grid grid_of(const Problem& p, Loop loop) {
    const auto tiles = [](int size, int tile) {
        return static_cast<unsigned>((size + tile - 1) / tile);
    };
    const int tile_m = loop == Loop::async_large   ? AsyncLarge::m
                       : loop == Loop::bytes_large ? BytesLarge::m
                                                   : 64;
    const int tile_n = loop == Loop::bytes_large ? BytesLarge::n : 64;
    return {tiles(p.n, tile_n), tiles(p.m, tile_m), 1};
}

/// The product by one of the main loops; how far it is off, infinity where the launch ended.
template <typename Sync>
double error_of_product(const Problem& p, Loop loop, unsigned order) {
    std::vector<float> y(p.at(p.m * p.n), NAN);
    std::vector<half_t> a, b;
    const bool is_transposed = loop == Loop::bytes_along_k;
    ByteMatrix bytes_a(p.m, p.k), bytes_b(is_transposed ? p.n : p.k, is_transposed ? p.k : p.n);
    const auto byte_of = [](float v, int zero) {
        return static_cast<std::uint8_t>(std::lround(v * byte_scale) + zero);
    };
    for (float v : p.a) a.push_back(to_half(v));
    for (int i = 0; i < p.m * p.k; ++i)
        *bytes_a.at(i / p.k, i % p.k) = byte_of(p.a[p.at(i)], zero_of_a);
    for (int i = 0; i < p.k * p.n; ++i)
        *(is_transposed ? bytes_b.at(i % p.n, i / p.n) : bytes_b.at(i / p.n, i % p.n)) =
            byte_of(p.b[p.at(i)], zero_of_b);
    for (int i = 0; i < p.n * p.k; ++i) b.push_back(to_half(p.b[p.at(i)]));
    if (loop == Loop::async_along_k)
        for (int i = 0; i < p.n * p.k; ++i)
            b[p.at(i % p.n * p.k + i / p.n)] = to_half(p.b[p.at(i)]);
    const auto tile = [&] {
        const auto store = [&](int r, int c, float sum) {
            if (r < p.m && c < p.n) y[p.at(r * p.n + c)] = sum;
        };
        const auto of_a = [&](int r, int i) {
            return r < p.m && i < p.k ? p.a[p.at(r * p.k + i)] : 0.0f;
        };
        const auto of_b = [&](int i, int c) {
            return c < p.n && i < p.k ? p.b[p.at(i * p.n + c)] : 0.0f;
        };
        const int row = static_cast<int>(block_y()) * 64, column = static_cast<int>(block_x()) * 64;
        if (loop == Loop::exact)
            return tile_product_exact<float, 64, 64, 8, 8>(row, column, p.k, of_a, of_b, store,
                                                           true, false, Sync());
        if (loop == Loop::tf32)
            return tile_product_mma<MultiplyTf32>(row, column, p.k, of_a, of_b, store, true, false,
                                                  Sync());
        if (loop == Loop::tf32x3)
            return tile_product_mma<MultiplyTf32x3>(row, column, p.k, of_a, of_b, store, true,
                                                    false, Sync());
        if (loop == Loop::bytes)
            return product_of_bytes<BytesSmall, false, Sync>(p, bytes_a, bytes_b, store);
        if (loop == Loop::bytes_large)
            return product_of_bytes<BytesLarge, false, Sync>(p, bytes_a, bytes_b, store);
        if (is_transposed)
            return product_of_bytes<BytesSmall, true, Sync>(p, bytes_a, bytes_b, store);
        if (loop == Loop::async_large)
            return product_by_copies<AsyncLarge, false, Sync>(p, a, b, store);
        if (loop == Loop::async_small)
            return product_by_copies<AsyncSmall, false, Sync>(p, a, b, store);
        return product_by_copies<AsyncSmall, true, Sync>(p, a, b, store);
    };
    emulated::run(grid_of(p, loop), loop == Loop::exact ? 64 : mma_threads, true, order, tile);
    return p.error_of(y);
}

template <typename Sync>
bool is_found(const Problem& p, Loop loop, double allowed) {
    for (unsigned order : orders)
        if (!(error_of_product<Sync>(p, loop, order) <= allowed)) return true;
    return false;
}

class PlantedFaults : public testing::TestWithParam<Loop> {
protected:
    const Problem problem{70, 72, is_of_bytes(GetParam()) ? 450 : 200};  // 7 or 8 stages of copies
    double allowed() const {
        // 450 products of numbers that were rounded to hundredths
        if (is_of_bytes(GetParam())) return 0.5;
        return GetParam() == Loop::exact || GetParam() == Loop::tf32x3 ? 1e-4 : 3e-2;
    }
};

TEST_P(PlantedFaults, RightLoopsAreRightInEveryOrder) {
    for (unsigned order : orders)
        EXPECT_LT(error_of_product<AllSync>(problem, GetParam(), order), allowed()) << order;
}

TEST_P(PlantedFaults, AMissingBarrierBeforeReadingIsFound) {
    EXPECT_TRUE(is_found<NotFilled>(problem, GetParam(), allowed()));
}

TEST_P(PlantedFaults, AMissingBarrierBeforeOverwritingIsFound) {
    if (is_async(GetParam()))
        GTEST_SKIP() << "its one barrier in a round is the one before reading";
    EXPECT_TRUE(is_found<NotRead>(problem, GetParam(), allowed()));
}

TEST_P(PlantedFaults, AMissingWaitForCopiesIsFound) {
    if (!is_async(GetParam())) GTEST_SKIP() << "this loop copies nothing asynchronously";
    EXPECT_TRUE(is_found<NotCopied>(problem, GetParam(), allowed()));
}

TEST_P(PlantedFaults, AWaitForTooFewCopiesIsFound) {
    if (!is_async(GetParam())) GTEST_SKIP() << "this loop copies nothing asynchronously";
    EXPECT_TRUE(is_found<CopiedTooLate>(problem, GetParam(), allowed()));
}

std::string name_of_loop(const testing::TestParamInfo<Loop>& info) {
    switch (info.param) {
    case Loop::exact: return "Exact";
    case Loop::tf32: return "Tf32";
    case Loop::tf32x3: return "Tf32x3";
    case Loop::async_small: return "Async";
    case Loop::async_large: return "AsyncLarge";
    case Loop::async_along_k: return "AsyncAlongK";
    case Loop::bytes: return "Bytes";
    case Loop::bytes_large: return "BytesLarge";
    default: return "BytesAlongK";
    }
}
INSTANTIATE_TEST_SUITE_P(Loops, PlantedFaults,
                         testing::Values(Loop::exact, Loop::tf32, Loop::tf32x3, Loop::async_small,
                                         Loop::async_large, Loop::async_along_k, Loop::bytes,
                                         Loop::bytes_large, Loop::bytes_along_k),
                         name_of_loop);

TEST(EmulatedDevice, SumsOfAWarpThatAreNotAwaitedAreFound) {
    bool is_right_always = true, is_found = false;
    for (unsigned order : orders) {
        for (const bool awaits : {true, false}) {
            std::vector<float> sums(4, NAN);
            emulated::run({1, 1, 1}, 128, true, order, [&] {
                GPU_SHARED float parts[4];
                if (thread_index() < 4) parts[thread_index()] = NAN;
                block_barrier();
                const float sum = warp_sum(1.0f);
                if (thread_index() % 32 == 0) parts[thread_index() / 32] = sum;
                if (awaits) block_barrier();
                const float total = parts[0] + parts[1] + parts[2] + parts[3];
                if (thread_index() % 32 == 0) sums[thread_index() / 32] = total;
            });
            const bool is_right = sums == std::vector<float>(4, 128.0f);
            if (awaits) is_right_always = is_right_always && is_right;
            else is_found = is_found || !is_right;
        }
    }
    EXPECT_TRUE(is_right_always);
    EXPECT_TRUE(is_found);
}

TEST(EmulatedDevice, ThreadsThatWaitInDifferentPlacesEndTheLaunch) {
    const auto body = [] {
        if (thread_index() < 32) block_barrier();
        else shuffle_xor(1.0f, thread_index() == 40 ? 1 : 2);
        if (thread_index() == 40) block_barrier();
        shuffle_xor(1.0f, 1);
    };
    EXPECT_THROW(emulated::run({1, 1, 1}, 64, true, 0, body), std::runtime_error);
}

TEST(EmulatedDevice, AFreeKernelMayNotWait) {
    EXPECT_THROW(emulated::run({2, 1, 1}, 32, false, 0, [] { block_barrier(); }), std::logic_error);
}

TEST(EmulatedDevice, RunsEveryThreadOfEveryBlockOnce) {
    for (unsigned order : orders)
        for (const bool waits : {true, false}) {
            std::vector<int> seen(3 * 2 * 2 * 40, 0);
            emulated::run({3, 2, 2}, 40, waits, order, [&] {
                const unsigned block = (block_z() * 2 + block_y()) * 3 + block_x();
                ++seen[block * thread_count() + thread_index()];
            });
            EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << order << waits;
        }
}

}  // namespace
}  // namespace lapidary::cuda
