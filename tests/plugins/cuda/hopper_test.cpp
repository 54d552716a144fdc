// SPDX-License-Identifier: Apache-2.0
// Kernels for compute capability 9.0 alone, on the emulated device. They give what the portable
// ones give, and barriers and waits that are left out are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/hopper/product.h"
#include "kernels/hopper/small_product.h"
#include "kernels/hopper/small_tile.cuh"
#include "kernels/hopper/tile_product.cuh"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

constexpr unsigned orders[] = {0, 1, 2, 3};

struct NotFilled : SmallGroupSync {
    void filled(barrier_t*, unsigned) const {}
};
struct NotEmptied : SmallGroupSync {
    void emptied(barrier_t*, unsigned) const {}
};
struct NotMultiplied : SmallGroupSync {
    template <int left>
    void multiplied() const {}
};
struct MultipliedTooLate : SmallGroupSync {  // the last ones are not awaited
    template <int left>
    void multiplied() const {
        group_wait<1>();
    }
};
struct NotRead : SmallGroupSync {
    void read() const {}
};
struct NotStaged : SmallGroupSync {
    void staged() const {}
};
struct NotBegun : SmallGroupSync {
    void begun() const {}
};
struct NotCome : SmallGroupSync {
    void came(barrier_t*) const {}
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// `matrices` products of halves, whose operands' rows begin at multiples of 16 bytes; b is [k, n],
/// or [n, k] where it lies along k.
struct Problem {
    int m, n, k;
    bool b_along_k = false;
    int matrices = 1;
    bool is_one_b = false;  // one b for all matrices a
    int a_row = (k + 7) / 8 * 8, b_row = ((b_along_k ? k : n) + 7) / 8 * 8;
    int a_matrix = m * a_row + 8, b_matrix = (b_along_k ? n : k) * b_row + 16;
    std::vector<half_t> a = halves(matrices * a_matrix, 1), b = halves(matrices * b_matrix, 2);

    static std::vector<half_t> halves(int count, unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> in(-1, 1);
        std::vector<half_t> values(at(count + 8));
        for (half_t& v : values) v = to_half(in(random));
        return values;
    }
    /// At a multiple of 16 bytes.
    static const half_t* aligned(const std::vector<half_t>& v) {
        const auto address = reinterpret_cast<std::uintptr_t>(v.data());
        return v.data() + (16 - address % 16) % 16 / sizeof(half_t);
    }
    double a_at(int matrix, int r, int i) const {
        return to_float(aligned(a)[matrix * a_matrix + r * a_row + i]);
    }
    double b_at(int matrix, int i, int c) const {
        const half_t* const of = aligned(b) + (is_one_b ? 0 : matrix * b_matrix);
        return to_float(b_along_k ? of[c * b_row + i] : of[i * b_row + c]);
    }
    /// The largest difference of `y` from the products.
    double error_of(const std::vector<float>& y) const {
        double worst = 0;
        for (int matrix = 0; matrix < matrices; ++matrix)
            for (int r = 0; r < m; ++r)
                for (int c = 0; c < n; ++c) {
                    double sum = 0;
                    for (int i = 0; i < k; ++i) sum += a_at(matrix, r, i) * b_at(matrix, i, c);
                    const double error = std::abs(sum - double{y[at((matrix * m + r) * n + c)]});
                    if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
                }
        return worst;
    }
    TileMap map_of_a(int rows = group_tile) const {
        return make_tile_map(
            {aligned(a), m, k, a_row * 2, rows, group_depth, matrices, a_matrix * 2});
    }
    template <typename Tile>
    TileMap map_of_b() const {
        const int of_b = is_one_b ? 1 : matrices;
        if (b_along_k)
            return make_tile_map(
                {aligned(b), n, k, b_row * 2, Tile::columns, group_depth, of_b, b_matrix * 2});
        return make_tile_map({aligned(b), k, n, b_row * 2, group_depth, 64, of_b, b_matrix * 2});
    }
};

template <typename Sync, typename Tile = GroupTile<128>>
std::vector<float> product_by_groups(const Problem& p, unsigned order) {
    std::vector<float> y(at(p.matrices * p.m * p.n), NAN);
    const TileMap a = p.map_of_a(), b = p.map_of_b<Tile>();
    const auto tiles = [](int size, int tile) {
        return static_cast<unsigned>((size + tile - 1) / tile);
    };
    emulated::run(
        {tiles(p.n, Tile::columns), tiles(p.m, group_tile), static_cast<unsigned>(p.matrices)},
        group_threads, true, order, [&] {
            const int matrix = static_cast<int>(block_z());
            const GroupPlace place{matrix, p.is_one_b ? 0 : matrix,
                                   static_cast<int>(block_y()) * group_tile,
                                   static_cast<int>(block_x()) * Tile::columns};
            const float* const sums =
                p.b_along_k ? tile_product_groups<half_t, Tile, true>(place, p.k, a, b, Sync())
                            : tile_product_groups<half_t, Tile, false>(place, p.k, a, b, Sync());
            for (int i = static_cast<int>(thread_index()); i < group_tile * Tile::columns;
                 i += int{group_threads}) {
                const int row = i / Tile::columns, column = i % Tile::columns, r = place.row + row,
                          c = place.column + column;
                if (r < p.m && c < p.n)
                    y[at((matrix * p.m + r) * p.n + c)] = sums[row * Tile::pitch + column];
            }
        });
    return y;
}

struct ColumnsOf64 {  // for maps of b
    static constexpr int columns = 64;
};

/// By tiles of 64 x 64. Each warpgroup computes every other step; `parts` blocks of a cluster share
/// the steps along k.
template <typename Sync>
std::vector<float> product_by_small_tiles(const Problem& p, unsigned order, int parts = 1) {
    std::vector<float> y(at(p.matrices * p.m * p.n), NAN);
    const int a_rows = p.m < 64 ? (p.m + 7) / 8 * 8 : 64, along_rows = (p.m + 63) / 64;
    const int steps = (p.k + group_depth - 1) / group_depth, of_part = (steps + parts - 1) / parts;
    const TileMap a = p.map_of_a(a_rows), b = p.map_of_b<ColumnsOf64>();
    const int stages =
        std::clamp(of_part, small_group::least_stages,
                   steps > 20 ? small_group::most_stages : small_group::most_stages_of_two);
    const Sync sync;
    const auto body = [&]<bool b_along_k>() {
        GPU_SHARED_MEMORY(memory);
        const SmallGroupRing ring(memory, stages);
        const int matrix = static_cast<int>(block_y()) / along_rows,
                  part = static_cast<int>(block_z());
        const int left = steps - part * of_part;
        const GroupPlace place{matrix, p.is_one_b ? 0 : matrix,
                               static_cast<int>(block_y()) % along_rows * 64,
                               static_cast<int>(block_x()) * 64};
        const SmallGroupPart of_block{place,
                                      part * of_part * group_depth,
                                      std::min(left, of_part),
                                      std::min(64, p.m - place.row),
                                      a_rows,
                                      0};
        SmallGroupCopies<b_along_k> copies(of_block, a, b, ring);
        const int rows = of_block.rows;
        ring.begin(parts, finished_rows(rows, part, parts));
        if (thread_index() == 256) copies.begin_b(), copies.begin_a();
        tile_product_small<half_t>(copies, of_block.steps, ring, sync);
        if (parts > 1) give_sums(ring, part, parts, rows, sync);
        for (int i = static_cast<int>(thread_index()); i < rows * 8; i += int{group_threads}) {
            const int row = i / 8, column = i % 8 * 8;
            float v[8];
            if (row % parts != part) continue;
            if (parts == 1) add_staged(ring, row, column, v);
            else add_parts(ring, row, column, parts, v);
            for (int e = 0; e < 8; ++e)
                if (place.column + column + e < p.n)
                    y[at((matrix * p.m + place.row + row) * p.n + place.column + column + e)] =
                        v[e];
        }
    };
    const Grid grid{static_cast<unsigned>((p.n + 63) / 64),
                    static_cast<unsigned>(along_rows * p.matrices), static_cast<unsigned>(parts)};
    const std::function<void()> run = [&] {
        if (p.b_along_k) body.template operator()<true>();
        else body.template operator()<false>();
    };
    if (parts == 1) emulated::run(grid, group_threads, true, order, run);
    else emulated::run_clusters(grid, group_threads, order, run);
    return y;
}

/// In some order the result is wrong or the launch ends.
template <typename Sync>
bool is_found(const Problem& p, int small_parts = 0) {
    for (unsigned order : orders) {
        try {
            const auto y = small_parts > 0 ? product_by_small_tiles<Sync>(p, order, small_parts)
                                           : product_by_groups<Sync>(p, order);
            if (!(p.error_of(y) < 1e-3)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}

TEST(HopperProduct, IsRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p :
         {Problem{130, 136, 72}, Problem{70, 8, 400}, Problem{128, 200, 64}, Problem{65, 33, 9}})
        for (unsigned order : orders)
            EXPECT_LT(p.error_of(product_by_groups<GroupSync>(p, order)), 1e-3)
                << p.m << " order " << order;
}

TEST(HopperProduct, TakesOperandsAlongKAndBatches) {
    for (const Problem& p :
         {Problem{130, 136, 72, true}, Problem{70, 5, 400, true}, Problem{66, 200, 64, true},
          Problem{65, 33, 9, true}, Problem{70, 72, 80, true, 3}, Problem{70, 130, 72, false, 2},
          Problem{66, 24, 320, true, 2, true}})
        for (unsigned order : orders)
            for (const bool is_wide : {false, true})
                EXPECT_LT(
                    p.error_of(is_wide ? product_by_groups<GroupSync, GroupTile<192>>(p, order)
                                       : product_by_groups<GroupSync>(p, order)),
                    1e-3)
                    << "wide: " << is_wide << ", " << p.m << " along k: " << p.b_along_k
                    << ", matrices: " << p.matrices << ", order " << order;
}

// Five stages and more go through a ring of three.
TEST(HopperProduct, WideTilesAreRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p :
         {Problem{130, 200, 72}, Problem{70, 8, 700}, Problem{128, 392, 64}, Problem{65, 33, 9}})
        for (unsigned order : orders)
            EXPECT_LT(p.error_of(product_by_groups<GroupSync, GroupTile<192>>(p, order)), 1e-3)
                << p.m << " order " << order;
}

// Fewer steps than warpgroups, an odd number of them, and more than the ring has stages.
TEST(HopperProduct, HalvesOfASmallTileAreAddedUp) {
    for (const Problem& p :
         {Problem{9, 8, 9}, Problem{64, 64, 64}, Problem{70, 72, 200}, Problem{33, 130, 1000},
          Problem{20, 40, 72, true}, Problem{66, 5, 400, true}, Problem{17, 24, 320, true, 2, true},
          Problem{40, 72, 136, false, 3}})
        for (unsigned order : orders)
            EXPECT_LT(p.error_of(product_by_small_tiles<SmallGroupSync>(p, order)), 1e-3)
                << p.m << " x " << p.n << " x " << p.k << ", order " << order;
}
TEST(HopperProduct, PartsOfASmallTileAreAddedUpInACluster) {
    for (const auto& [p, parts] : {std::pair{Problem{9, 8, 136}, 2},
                                   {{64, 64, 256}, 4},
                                   {{70, 72, 200}, 3},
                                   {{33, 130, 1000}, 2},
                                   {{20, 40, 500, true}, 8},
                                   {{66, 5, 400, true}, 6},
                                   {{17, 24, 320, true, 2, true}, 2},
                                   {{40, 72, 136, false, 3}, 3}})
        for (unsigned order : orders)
            EXPECT_LT(p.error_of(product_by_small_tiles<SmallGroupSync>(p, order, parts)), 1e-3)
                << p.m << " x " << p.n << " x " << p.k << " in " << parts << " parts, order "
                << order;
}
TEST(HopperProduct, AFaultOfASmallTileIsFound) {
    for (int parts : {1, 2}) {
        EXPECT_TRUE(is_found<NotFilled>({40, 72, 400}, parts));
        EXPECT_TRUE(is_found<NotEmptied>({40, 72, 2000}, parts));
        EXPECT_TRUE(is_found<NotMultiplied>({40, 72, 400}, parts));
        EXPECT_TRUE(is_found<MultipliedTooLate>({40, 72, 400}, parts));
        EXPECT_TRUE(is_found<NotRead>({40, 72, 2000}, parts));
        EXPECT_TRUE(is_found<NotStaged>({64, 72, 400}, parts));
    }
    EXPECT_TRUE(is_found<NotBegun>({64, 200, 400}, 4));
    EXPECT_TRUE(is_found<NotCome>({64, 200, 400}, 4));
}

TEST(HopperProduct, SmallOnesAreSplitWhereThatFillsTheDevice) {
    ProductArgs args;
    const auto parts = [&](int m, int n, int k) {
        args.m = m, args.n = n, args.k = k;
        const ProductSplit split = small_group_split(args);
        EXPECT_EQ(split.partial_bytes, 0) << "a cluster needs no memory";
        if (split.parts > 1) EXPECT_EQ(split.part_depth % group_depth, 0);
        return split.parts;
    };
    EXPECT_EQ(parts(128, 3072, 64), 1);
    EXPECT_EQ(parts(512, 768, 128), 1);
    EXPECT_GT(parts(128, 768, 768), 2);
    EXPECT_GT(parts(128, 768, 3072), 3);
    EXPECT_GT(parts(8, 768, 3072), 4);
    const auto is_small = [&](int m, int n, int k) {
        args.m = m, args.n = n, args.k = k;
        return is_small_for_hopper(args) && takes_small_tiles(args, HopperUse::of_large);
    };
    EXPECT_TRUE(is_small(128, 3072, 768));
    EXPECT_TRUE(is_small(8, 768, 768));
    EXPECT_FALSE(is_small(4096, 3072, 768)) << "larger tiles fill the device";
}
// A multiprocessor has 228 kB of shared memory, of which each block takes 1 kB more than it
// requests.
TEST(HopperProduct, BlocksOfSmallTilesFitAMultiprocessor) {
    using namespace small_group;
    for (std::int32_t parts : part_counts)
        for (std::int32_t steps = 1; steps < 50; ++steps) {
            EXPECT_LE(2 * (shared_bytes(stages_of(steps, multiprocessors + 1), parts) + 1024),
                      228u << 10);
            EXPECT_LE(shared_bytes(stages_of(steps, multiprocessors), parts), most_shared_bytes);
            EXPECT_LE((2 * stages_of(steps, 1) + 1) * sizeof(barrier_t), barrier_bytes);
        }
}

TEST(HopperProduct, WideTilesAreTakenWhereTheyFillTheDeviceOnce) {
    ProductArgs args;
    const auto is_wide = [&](int m, int n, int k) {
        args.m = m, args.n = n, args.k = k;
        return takes_wide_tiles(args);
    };
    EXPECT_TRUE(is_wide(4096, 768, 3072));
    EXPECT_TRUE(is_wide(4096, 768, 768));
    EXPECT_FALSE(is_wide(4096, 3072, 768));
    EXPECT_FALSE(is_wide(128, 128, 768));
}

TEST(HopperProduct, AStageThatIsNotAwaitedIsFound) {
    EXPECT_TRUE(is_found<NotFilled>({70, 72, 400}));
    EXPECT_TRUE(is_found<NotFilled>({70, 72, 400, true}));
}
TEST(HopperProduct, AStageThatIsOverwrittenTooEarlyIsFound) {
    EXPECT_TRUE(is_found<NotEmptied>({70, 72, 600}));
    EXPECT_TRUE(is_found<NotEmptied>({70, 72, 600, true}));
}
TEST(HopperProduct, MultiplicationsThatAreNotAwaitedAreFound) {
    EXPECT_TRUE(is_found<NotMultiplied>({70, 72, 400}));
    EXPECT_TRUE(is_found<MultipliedTooLate>({70, 72, 400}));
}

TEST(HopperProduct, SumsThatAreStoredTooEarlyAreFound) {
    EXPECT_TRUE(is_found<NotRead>({130, 136, 400}));
}

TEST(HopperProduct, LargeOnesFillADevice) {
    ProductArgs args;
    const auto is_large = [&](int m, int n, int k, int batch) {
        args.m = m, args.n = n, args.k = k, args.batch = batch;
        return is_large_for_hopper(args);
    };
    EXPECT_TRUE(is_large(4096, 768, 3072, 1));
    EXPECT_TRUE(is_large(128, 128, 128, 96));
    EXPECT_FALSE(is_large(128, 3072, 768, 1));
    EXPECT_FALSE(is_large(4096, 768, 64, 1));
    EXPECT_FALSE(is_large(100000, 64, 256, 1)) << "half of each tile would be empty";
}

TEST(HopperProduct, AMisalignedTileIsRefused) {
    const std::vector<half_t> matrix(1024);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix) + 1, 8, 64, 128, 8, 64}), std::exception);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix), 8, 64, 120, 8, 64}), std::exception);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix), 8, 64, 128, 8, 32}), std::exception);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix), 4, 64, 128, 8, 64, 2, 520}),
                 std::exception);
}

TEST(HopperProduct, WhatItDoesNotTakeHasAReason) {
    alignas(16) static const unsigned char memory[32] = {};
    ProductArgs right;
    right.a = right.b = memory;
    right.type = 10;
    right.m = 65, right.n = 72, right.k = 64;
    right.a_row = 64, right.b_row = 72;
    EXPECT_EQ(hopper_refusal(right), nullptr);
    const auto reason = [&](const auto& change) {
        ProductArgs args = right;
        change(args);
        const char* const text = hopper_refusal(args);
        return std::string(text ? text : "");
    };
    EXPECT_EQ(reason([](ProductArgs& p) { p.b_row = 1, p.b_column = 64; }), "");  // along k
    EXPECT_EQ(reason([](ProductArgs& p) { p.batch = 4, p.batch_rank = 1, p.a_batch[0] = 65 * 64; }),
              "");
    EXPECT_EQ(reason([](ProductArgs& p) { p.type = 1; }),
              "it is neither of 16-bit floats nor in TF32");
    EXPECT_EQ(reason([](ProductArgs& p) { p.m = 7; }),
              "it has fewer than 8 rows, an eighth of a tile");
    EXPECT_EQ(reason([](ProductArgs& p) { p.k = 0; }), "it sums up nothing");
    EXPECT_EQ(reason([](ProductArgs& p) { p.a_row = 65; }),
              "rows of a do not lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.a_row = 1, p.a_column = 72; }),
              "rows of a do not lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.b_row = 71; }),
              "neither rows nor columns of b lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.b_row = 1, p.b_column = 65; }),
              "neither rows nor columns of b lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.b = memory + 2; }),
              "an operand does not begin at a multiple of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.batch = 4, p.batch_rank = 2; }),
              "its batches lie along more than one axis");
    EXPECT_EQ(reason([](ProductArgs& p) { p.batch = 4, p.batch_rank = 1, p.b_batch[0] = 4; }),
              "matrices of a batch do not begin at multiples of 16 bytes");
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

/// The portable kernel is the oracle of the whole node, its epilogue too. Weights are constants or
/// inputs.
TEST(HopperProduct, GivesWhatThePortableKernelGives) {
    for (const char* graph :
         {"(a: f16[130,72]) -> (y)\ny = MatMul(a, b: f16[72,136])",
          "(a: f16[3,40,64], b: f16[64,72]) -> (y)\ny = MatMul(a, b)",
          "(a: f16[70,72], c: f16[80]) -> (y)\np = MatMul(a, b: f16[72,80])\nq = Add(p, c)\n"
          "y = Relu(q)",
          "(a: f16[70,71]) -> (y)\ny = MatMul(a, b: f16[71,66])",
          "(a: f16[70,72], c: f16[70,1]) -> (y)\ny = Gemm(a, b: f16[33,72], c) {transB: 1, alpha: "
          "0.5, beta: 2.0}",
          "(a: f16[2,3,70,64], b: f16[2,3,64,72]) -> (y)\ny = MatMul(a, b)",
          "(a: f16[130,64], b: f16[3,64,136]) -> (y)\ny = MatMul(a, b)",
          "(a: f16[2,1,70,64], b: f16[1,3,64,72]) -> (y)\ny = MatMul(a, b)",
          "(a: f16[130,72], c: f16[136], r: f16[130,136]) -> (y)\np = MatMul(a, b: f16[72,136])\n"
          "q = Add(p, c)\nz = Gelu(q)\ny = Add(z, r)",
          "(a: f16[70,72], c: f16[184], r: f16[70,184]) -> (y)\np = MatMul(a, b: f16[72,184])\n"
          "q = Add(p, c)\nz = Add(q, r)\ny = Relu(z)",
          "(a: bf16[130,72], c: bf16[136]) -> (y)\np = MatMul(a, b: bf16[72,136])\ny = Add(p, c)",
          "(a: f16[2,66,40], b: f16[2,72,40]) -> (y)\nt = Transpose(b) {perm: [0,2,1]}\n"
          "y = MatMul(a, t)",
          // small tiles, in one part and in several
          "(a: f16[8,72], c: f16[136], r: f16[8,136]) -> (y)\np = MatMul(a, b: f16[72,136])\n"
          "q = Add(p, c)\nz = Add(q, r)\ny = Relu(z)",
          "(a: f16[33,1600], c: f16[72], r: f16[33,72]) -> (y)\n"
          "p = MatMul(a, b: f16[1600,72])\nq = Add(p, c)\nz = Gelu(q)\ny = Add(z, r)",
          "(a: f16[3,20,1000]) -> (y)\ny = MatMul(a, b: f16[3,1000,40])",
          "(a: f16[70,1000], b: f16[1000,72], r: f16[70,72]) -> (y)\np = MatMul(a, b)\n"
          "y = Add(p, r)",
          "(a: bf16[64,1304], c: bf16[70]) -> (y)\ny = Gemm(a, b: bf16[70,1304], c) {transB: 1}",
          "(a: f16[9,1000]) -> (y)\ny = MatMul(a, b: f16[1000,8])"}) {
        Model made = model_of(graph, 20);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
        for (int order : {0, 1, 2}) {
            EmulatedRun run{.order = order, .passes = SessionPasses::Set::all};
            const NamedValues expected =
                Session::compile(model, emulated_options(run)).run(inputs).outputs;
            run.has_hopper = true;
            Session session = Session::compile(model, emulated_options(run));
            for (const OutputComparison& o :
                 compare_outputs(session.run(inputs).outputs, expected,
                                 std::string_view(graph).find("bf16") == std::string_view::npos
                                     ? Tolerance{2e-3, 1e-3, true}
                                     : Tolerance{1.6e-2, 8e-3, true}))
                EXPECT_TRUE(o.comparison.matches) << graph << ": " << o.comparison.reason;
            bool is_chosen = false;
            for (const StepInfo& step : session.plan().steps)
                is_chosen = is_chosen || step.kernel.ends_with("16_hopper");
            EXPECT_TRUE(is_chosen) << graph;
        }
    }
    if (!is_on_gpu()) EXPECT_GT(launches_of_clusters(), 0u);
}

/// So many tiles of 128 columns that they would take two rounds, and those of 192 take one.
TEST(HopperProduct, WideTilesGiveWhatThePortableKernelGives) {
    Model made = model_of(
        "(a: f16[70,65,344], c: f16[184], r: f16[70,65,184]) -> (y)\np = MatMul(a, b: "
        "f16[70,344,184])\n"
        "q = Add(p, c)\nz = Add(q, r)\ny = Relu(z)");
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    cuda::ProductArgs args;
    args.m = 65, args.n = 184, args.k = 344, args.batch = 70;
    args.type = 10, args.a_row = 344, args.b_row = 184;
    args.batch_rank = 1, args.a_batch[0] = 65 * 344, args.b_batch[0] = 344 * 184;
    ASSERT_TRUE(cuda::is_for_hopper(args, cuda::HopperUse::of_all) && cuda::takes_wide_tiles(args));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
    EmulatedRun run{.order = 1, .passes = SessionPasses::Set::all};
    const NamedValues expected = Session::compile(model, emulated_options(run)).run(inputs).outputs;
    run.has_hopper = true;
    Session session = Session::compile(model, emulated_options(run));
    const RunResult result = session.run(inputs);
    for (const OutputComparison& o :
         compare_outputs(result.outputs, expected, Tolerance{2e-3, 1e-3, true}))
        EXPECT_TRUE(o.comparison.matches) << o.comparison.reason;
}

}  // namespace
}  // namespace lapidary::test
