// SPDX-License-Identifier: Apache-2.0
// The emulated device finds what kernels lack: each fault that is planted changes a result, or ends the launch, in at
// least one of a few orders of threads, and in no order does a right kernel give anything but the right result.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernels/block_reduce.cuh"
#include "kernels/byte_product.cuh"
#include "kernels/tile_product_async.cuh"

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
                for (int i = 0; i < k; ++i) sum += double{a[at(r * k + i)]} * double{b[at(i * n + c)]};
                const double error = std::abs(sum - double{y[at(r * n + c)]});
                if (!(error <= worst)) worst = error;  // NaN too
            }
        return worst;
    }
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

enum class Loop { exact, tf32, tf32x3, async_small, async_large, async_along_k, bytes };

bool is_async(Loop loop) {
    return loop == Loop::async_small || loop == Loop::async_large || loop == Loop::async_along_k;
}

constexpr float byte_scale = 100;
constexpr std::uint8_t zero_of_a = 130;
constexpr std::int8_t zero_of_b = 7;

/// The block's tile of the product; `b` lies along its columns or along k.
template <typename Tile, bool b_along_k, typename Sync, typename Store>
void product_by_copies(const Problem& p, const std::vector<half_t>& a, const std::vector<half_t>& b,
                       const Store& store) {
    const int row0 = static_cast<int>(block_y()) * Tile::m, column0 = static_cast<int>(block_x()) * Tile::n;
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

/// The product by one of the main loops; how far it is off, infinity where the launch ended.
template <typename Sync>
double error_of_product(const Problem& p, Loop loop, unsigned order) {
    std::vector<float> y(p.at(p.m * p.n), NAN);
    std::vector<half_t> a, b;
    std::vector<std::uint8_t> bytes_a;  // 130 is 0
    std::vector<std::int8_t> bytes_b;   // 7 is 0
    for (float v : p.a) {
        a.push_back(to_half(v));
        bytes_a.push_back(static_cast<std::uint8_t>(std::lround(v * byte_scale) + 130));
    }
    for (int i = 0; i < p.n * p.k; ++i) b.push_back(to_half(p.b[p.at(i)]));
    if (loop == Loop::async_along_k)
        for (int i = 0; i < p.n * p.k; ++i) b[p.at(i % p.n * p.k + i / p.n)] = to_half(p.b[p.at(i)]);
    for (float v : p.b) {
        bytes_b.push_back(static_cast<std::int8_t>(std::lround(v * byte_scale) + 7));
    }
    const auto tile = [&] {
        const auto store = [&](int r, int c, float sum) {
            if (r < p.m && c < p.n) y[p.at(r * p.n + c)] = sum;
        };
        const auto of_a = [&](int r, int i) { return r < p.m && i < p.k ? p.a[p.at(r * p.k + i)] : 0.0f; };
        const auto of_b = [&](int i, int c) { return c < p.n && i < p.k ? p.b[p.at(i * p.n + c)] : 0.0f; };
        const int row = static_cast<int>(block_y()) * 64, column = static_cast<int>(block_x()) * 64;
        if (loop == Loop::exact)
            return tile_product_exact<float, 64, 64, 8, 8>(row, column, p.k, of_a, of_b, store, true, false, Sync());
        if (loop == Loop::tf32)
            return tile_product_mma<MultiplyTf32>(row, column, p.k, of_a, of_b, store, true, false, Sync());
        if (loop == Loop::tf32x3)
            return tile_product_mma<MultiplyTf32x3>(row, column, p.k, of_a, of_b, store, true, false, Sync());
        if (loop == Loop::bytes) {
            const auto a_zero = [](int) { return signed_zero(&zero_of_a, 2, 0); };
            const auto b_zero = [](int) { return signed_zero(&zero_of_b, 3, 0); };
            const auto word_of_a = [&](int r, int i) {
                return word_of_bytes([&](int e) {
                    return r < p.m && i + e < p.k ? signed_byte(bytes_a.data(), 2, r * p.k + i + e) : a_zero(r);
                });
            };
            const auto word_of_b = [&](int i, int c) {
                return word_of_bytes([&](int e) {
                    return c < p.n && i + e < p.k ? signed_byte(bytes_b.data(), 3, (i + e) * p.n + c) : b_zero(c);
                });
            };
            const auto store_bytes = [&](int r, int c, int sum) {
                store(r, c, static_cast<float>(sum) / (byte_scale * byte_scale));
            };
            return tile_product_bytes(row, column, p.k, word_of_a, word_of_b, a_zero, b_zero, store_bytes, true, false,
                                      true, true, Sync());
        }
        if (loop == Loop::async_large) return product_by_copies<AsyncLarge, false, Sync>(p, a, b, store);
        if (loop == Loop::async_small) return product_by_copies<AsyncSmall, false, Sync>(p, a, b, store);
        return product_by_copies<AsyncSmall, true, Sync>(p, a, b, store);
    };
    const auto tiles = [](int size, int tile) { return static_cast<unsigned>((size + tile - 1) / tile); };
    const int tile_m = loop == Loop::async_large ? AsyncLarge::m : 64;
    emulated::run({tiles(p.n, 64), tiles(p.m, tile_m), 1}, loop == Loop::exact ? 64 : mma_threads, true, order, tile);
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
    const Problem problem{70, 72, 200};  // 7 stages of copies
    double allowed() const {
        if (GetParam() == Loop::bytes) return 0.3;  // 200 products of numbers that were rounded to hundredths
        return GetParam() == Loop::exact || GetParam() == Loop::tf32x3 ? 1e-4 : 3e-2;
    }
};

TEST_P(PlantedFaults, RightLoopsAreRightInEveryOrder) {
    for (unsigned order : orders) EXPECT_LT(error_of_product<AllSync>(problem, GetParam(), order), allowed()) << order;
}

TEST_P(PlantedFaults, ABarrierThatLacksBeforeReadingIsFound) {
    EXPECT_TRUE(is_found<NotFilled>(problem, GetParam(), allowed()));
}

TEST_P(PlantedFaults, ABarrierThatLacksBeforeOverwritingIsFound) {
    if (is_async(GetParam())) GTEST_SKIP() << "its one barrier in a round is the one before reading";
    EXPECT_TRUE(is_found<NotRead>(problem, GetParam(), allowed()));
}

TEST_P(PlantedFaults, AWaitForCopiesThatLacksIsFound) {
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
    default: return "Bytes";
    }
}
INSTANTIATE_TEST_SUITE_P(Loops, PlantedFaults,
                         testing::Values(Loop::exact, Loop::tf32, Loop::tf32x3, Loop::async_small, Loop::async_large,
                                         Loop::async_along_k, Loop::bytes),
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
