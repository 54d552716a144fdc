// SPDX-License-Identifier: Apache-2.0
// Products in TF32 by warpgroups, on the emulated device: they give what the portable kernels give
// but for the rounding to TF32, and barriers and waits that are left out are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/hopper/product.h"
#include "kernels/hopper/tf32_tile.cuh"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

constexpr unsigned orders[] = {0, 1, 2, 3};
using Large = Tf32Tile<128, false>;
using Small = Tf32Tile<64, true>;
using Flat = Tf32Tile<128, true>;
using SmallAlone = Tf32Tile<64, true, 1>;
using FlatAlone = Tf32Tile<128, true, 1>;
using Wide = Tf32Tile<256, false, 1>;

struct NotFilled : GroupSync {
    void filled(barrier_t*, unsigned) const {}
};
struct NotEmptied : GroupSync {
    void emptied(barrier_t*, unsigned) const {}
};
struct NotMultiplied : GroupSync {
    template <int left>
    void multiplied() const {}
};
struct MultipliedTooLate : GroupSync {  // the last ones are not awaited
    template <int left>
    void multiplied() const {
        group_wait<1>();
    }
};
struct NotRead : GroupSync {
    void read() const {}
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// `matrices` products of floats, whose operands' rows begin at multiples of 16 bytes; b is [k, n],
/// or [n, k] where it lies along k.
struct Problem {
    int m, n, k;
    bool b_along_k = false;
    int matrices = 1;
    bool is_one_b = false;  // one b for all matrices a
    int a_row = (k + 3) / 4 * 4, b_row = ((b_along_k ? k : n) + 3) / 4 * 4;
    int a_matrix = m * a_row + 4, b_matrix = (b_along_k ? n : k) * b_row + 8;
    std::vector<float> a = floats(matrices * a_matrix, 1), b = floats(matrices * b_matrix, 2);

    static std::vector<float> floats(int count, unsigned seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> in(-1, 1);
        std::vector<float> values(at(count + 4));
        for (float& v : values) v = in(random);
        return values;
    }
    /// At a multiple of 16 bytes.
    static const float* aligned(const std::vector<float>& v) {
        const auto address = reinterpret_cast<std::uintptr_t>(v.data());
        return v.data() + (16 - address % 16) % 16 / sizeof(float);
    }
    /// The largest difference of `y` from products of what a cut off to TF32 and b rounded to it
    /// are.
    double error_of(const std::vector<float>& y) const {
        double worst = 0;
        const float *const of_a = aligned(a), *const of_b = aligned(b);
        for (int i = 0; i < matrices * m * n; ++i) {
            const int matrix = i / (m * n), r = i / n % m, c = i % n;
            double sum = 0;
            for (int j = 0; j < k; ++j) {
                const float x = of_a[matrix * a_matrix + r * a_row + j];
                const float w = of_b[(is_one_b ? 0 : matrix * b_matrix) +
                                     (b_along_k ? c * b_row + j : j * b_row + c)];
                sum += double{float_of(read_as_tf32(bits_of(x)))} * double{float_of(to_tf32(w))};
            }
            const double error = std::abs(sum - double{y[at(i)]});
            if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
        }
        return worst;
    }
    TileMap map_of_a(int rows) const {
        return make_tile_map(
            {aligned(a), m, k, a_row * 4, rows, 32, matrices, a_matrix * 4, TileElement::tf32});
    }
    TileMap map_of_b(int columns) const {
        const int count = is_one_b ? 1 : matrices;
        TileShape shape{aligned(b),       n, k, b_row * 4, columns, 32, count, b_matrix * 4,
                        TileElement::tf32};
        if (!b_along_k) shape.rows = k, shape.columns = n, shape.tile_rows = 32;
        return make_tile_map(shape);
    }
};

/// `begins` of a product that reads b early; null: it does not.
using Begins = std::function<void()>;

template <typename Tile, bool b_along_k, typename Sync>
void product_of_block(const Problem& p, const TileMap& a, const TileMap& b, std::vector<float>& y,
                      const Begins& begins) {
    const int matrix = static_cast<int>(block_z()), thread = static_cast<int>(thread_index());
    const GroupPlace place{matrix, p.is_one_b ? 0 : matrix, static_cast<int>(block_y()) * Tile::m,
                           static_cast<int>(block_x()) * Tile::n};
    GPU_SHARED_MEMORY(memory);
    float sum[Tile::sums] = {};
    tile_product_tf32<Tile, b_along_k>(
        sum, place, 0, p.k, a, b, memory, begins != nullptr,
        [&] {
            if (begins) begins();
        },
        Sync());
    auto* const staged = reinterpret_cast<float*>(memory);
    if (thread < (Tile::takes_turns ? 128 : 256))
        stage_tf32_sums<Tile, b_along_k>(sum, 0, staged + thread / 128 * 64, thread % 128);
    block_barrier();
    for (int i = thread; i < Tile::results; i += int{group_threads}) {
        const int row = i / Tile::n, column = i % Tile::n, r = place.row + row,
                  c = place.column + column;
        if (r < p.m && c < p.n)
            y[at((matrix * p.m + r) * p.n + c)] = staged[row * Tile::pitch + column];
    }
}

template <typename Tile, typename Sync = GroupSync>
std::vector<float> product_by_tiles(const Problem& p, unsigned order,
                                    const Begins& begins = nullptr) {
    std::vector<float> y(at(p.matrices * p.m * p.n), NAN);
    const TileMap a = p.map_of_a(Tile::m), b = p.map_of_b(Tile::n);
    const auto tiles = [](int size, int tile) {
        return static_cast<unsigned>((size + tile - 1) / tile);
    };
    emulated::run({tiles(p.n, Tile::n), tiles(p.m, Tile::m), static_cast<unsigned>(p.matrices)},
                  group_threads, true, order, [&] {
                      if (p.b_along_k) product_of_block<Tile, true, Sync>(p, a, b, y, begins);
                      else product_of_block<Tile, false, Sync>(p, a, b, y, begins);
                  });
    return y;
}

template <typename Tile>
void expect_right(const Problem& p) {
    for (unsigned order : orders)
        EXPECT_LT(p.error_of(product_by_tiles<Tile>(p, order)), 2e-5 * std::sqrt(p.k))
            << p.m << " x " << p.n << " x " << p.k << " along k: " << p.b_along_k
            << ", matrices: " << p.matrices << ", order " << order;
}

/// In some order the result is wrong or the launch ends.
template <typename Tile, typename Sync>
bool is_found(const Problem& p) {
    for (unsigned order : orders) {
        try {
            if (!(p.error_of(product_by_tiles<Tile, Sync>(p, order)) < 1e-3)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}

TEST(Tf32Groups, LargeTilesAreRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p :
         {Problem{130, 132, 36}, Problem{70, 8, 200}, Problem{128, 200, 32}, Problem{65, 33, 9},
          Problem{130, 132, 36, true}, Problem{70, 5, 200, true}, Problem{65, 33, 9, true},
          Problem{70, 72, 40, true, 3}, Problem{66, 24, 160, true, 2, true},
          Problem{70, 130, 36, false, 2}})
        expect_right<Large>(p);
}
// Fewer steps than warpgroups, an odd number of them, and more than the ring has stages.
TEST(Tf32Groups, SmallTilesAreRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p :
         {Problem{9, 8, 9}, Problem{64, 64, 32}, Problem{70, 72, 100}, Problem{33, 130, 500},
          Problem{20, 40, 36, true}, Problem{66, 5, 200, true}, Problem{17, 24, 160, true, 2, true},
          Problem{40, 72, 68, false, 3}})
        expect_right<Small>(p);
}
TEST(Tf32Groups, FlatTilesAreRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p : {Problem{130, 72, 100}, Problem{70, 130, 300},
                             Problem{66, 5, 200, true}, Problem{128, 64, 36, true, 2}})
        expect_right<Flat>(p);
}
TEST(Tf32Groups, BlocksThatAreAloneAreRightInEveryOrder) {
    for (const Problem& p : {Problem{9, 8, 9}, Problem{70, 72, 500}, Problem{66, 5, 300, true}}) {
        expect_right<SmallAlone>(p);
        expect_right<FlatAlone>(p);
    }
}
TEST(Tf32Groups, WideTilesAreRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p : {Problem{260, 132, 36}, Problem{200, 8, 300}, Problem{65, 33, 9, true},
                             Problem{250, 72, 196, true, 2}})
        expect_right<Wide>(p);
}
TEST(Tf32Groups, AFaultOfAWideTileIsFound) {
    EXPECT_TRUE((is_found<Wide, NotFilled>({70, 72, 200})));
    EXPECT_TRUE((is_found<Wide, NotEmptied>({70, 72, 300})));
    EXPECT_TRUE((is_found<Wide, MultipliedTooLate>({70, 72, 220})));
    EXPECT_TRUE((is_found<Wide, NotRead>({130, 132, 200})));
}

TEST(Tf32Groups, AFaultOfALargeTileIsFound) {
    for (const bool b_along_k : {false, true}) {
        EXPECT_TRUE((is_found<Large, NotFilled>({70, 72, 200, b_along_k})));
        EXPECT_TRUE((is_found<Large, NotEmptied>({70, 72, 300, b_along_k})));
        EXPECT_TRUE((is_found<Large, NotMultiplied>({70, 72, 200, b_along_k})));
        EXPECT_TRUE((is_found<Large, MultipliedTooLate>({70, 72, 220, b_along_k})));
        EXPECT_TRUE((is_found<Large, NotRead>({130, 132, 200, b_along_k})));
    }
}
TEST(Tf32Groups, AFaultOfASmallTileIsFound) {
    EXPECT_TRUE((is_found<Small, NotFilled>({40, 72, 200})));
    EXPECT_TRUE((is_found<Small, NotEmptied>({40, 72, 500})));
    EXPECT_TRUE((is_found<Small, NotMultiplied>({40, 72, 200})));
    EXPECT_TRUE((is_found<Small, MultipliedTooLate>({40, 72, 220})));
    EXPECT_TRUE((is_found<Small, NotRead>({40, 72, 500})));
}

/// One block whose a is there only once the thread that copies tiles has begun.
template <typename Tile>
void expect_to_wait_for_a(Problem p) {
    const std::vector<float> a = p.a;
    for (unsigned order : orders) {
        std::ranges::fill(p.a, NAN);
        const auto y = product_by_tiles<Tile>(p, order, [&] {
            if (thread_index() == 256) std::ranges::copy(a, p.a.begin());
        });
        EXPECT_LT(p.error_of(y), 2e-5 * std::sqrt(p.k))
            << p.k << " along k: " << p.b_along_k << ", order " << order;
    }
}
TEST(Tf32Groups, OnlyBIsReadEarly) {
    for (const bool b_along_k : {false, true})
        for (int k : {20, 190, 500}) {
            expect_to_wait_for_a<SmallAlone>({40, 60, k, b_along_k});
            expect_to_wait_for_a<Large>({40, 120, k, b_along_k});
        }
}

// The threads of a warp that read at once each read other banks.
TEST(Tf32Groups, ColumnsOfAWarpgroupAreAllOfSixtyFour) {
    std::vector<int> along_n, along_k;
    for (int thread = 0; thread < 128; thread += 4)
        for (int other : {0, 1}) {
            along_n.push_back(Tf32Columns<false>::first_of(thread) +
                              other * Tf32Columns<false>::to_other);
            along_k.push_back(Tf32Columns<true>::first_of(thread) +
                              other * Tf32Columns<true>::to_other);
        }
    for (std::vector<int>* const columns : {&along_n, &along_k}) {
        std::ranges::sort(*columns);
        for (int i = 0; i < 64; ++i) EXPECT_EQ((*columns)[at(i)], i);
    }
}

ProductArgs args_of(int m, int n, int k) {
    alignas(16) static const unsigned char memory[16] = {};
    ProductArgs args;
    args.a = args.b = memory;
    args.m = m, args.n = n, args.k = k;
    args.a_row = k, args.b_row = n;
    return args;
}

TEST(Tf32Groups, TilesAndPartsDependOnTheSize) {
    const auto plan = [](int m, int n, int k) { return tf32_plan(args_of(m, n, k)); };
    EXPECT_EQ(plan(4096, 4096, 1024).tiles.m, 256);
    EXPECT_EQ(plan(1024, 1024, 1024).tiles.m, 128);
    EXPECT_EQ(plan(1024, 1024, 1024).tiles.n, 64);
    EXPECT_EQ(plan(128, 768, 768).tiles.m, 64);
    EXPECT_GT(plan(128, 768, 768).split.parts, 1);
    EXPECT_GT(plan(128, 768, 3072).split.parts, 3);
    EXPECT_EQ(plan(128, 3072, 768).split.parts, 1);
    for (int k = 4; k < 4000; k = k * 5 / 4 + 4) {
        const ProductSplit split = plan(100, 100, k).split;
        EXPECT_EQ(split.partial_bytes == 0, split.parts == 1);
        if (split.parts > 1) EXPECT_EQ(split.part_depth % tf32_depth, 0);
        EXPECT_GE(split.part_depth * split.parts, k);
        EXPECT_LT(split.part_depth * (split.parts - 1), k);
    }
}

TEST(Tf32Groups, TakesFloatsInTf32Alone) {
    const ProductArgs args = args_of(128, 768, 768);
    EXPECT_TRUE(is_for_hopper(args, HopperUse::of_large, Arithmetic::tf32));
    for (const Arithmetic other :
         {Arithmetic::exact, Arithmetic::tf32x3, Arithmetic::f16, Arithmetic::bf16})
        EXPECT_FALSE(is_for_hopper(args, HopperUse::of_all, other));
    EXPECT_FALSE(is_for_hopper(args, HopperUse::none, Arithmetic::tf32));
    EXPECT_FALSE(is_for_hopper(args_of(16, 768, 768), HopperUse::of_large, Arithmetic::tf32))
        << "few rows";
    EXPECT_FALSE(is_for_hopper(args_of(128, 128, 128), HopperUse::of_large, Arithmetic::tf32))
        << "little to do";
    EXPECT_EQ(hopper_refusal(args_of(128, 12, 20), Arithmetic::tf32), nullptr)
        << "pieces of four floats";
    EXPECT_NE(hopper_refusal(args_of(128, 12, 18), Arithmetic::tf32), nullptr);
    EXPECT_NE(hopper_refusal(args_of(128, 10, 20), Arithmetic::tf32), nullptr);
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

/// The portable kernel is the oracle of the whole node, its epilogue too.
void expect_same(const std::string& graph, const std::vector<int>& orders, bool overlaps = false) {
    Model made = model_of(graph, 20);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
    const NamedValues exact = Session::compile(model, reference_options()).run(inputs).outputs;
    for (int order : orders) {
        SessionOptions options;
        options.providers.push_back(emulated_provider({{"order", std::to_string(order)},
                                                       {"precision", "tf32"},
                                                       {"hopper", "all"},
                                                       {"overlap", overlaps ? "on" : "off"},
                                                       {"take_all", "on"}}));
        options.session_passes.set = SessionPasses::Set::all;
        Session session = Session::compile(model, options);
        for (const OutputComparison& o :
             compare_outputs(session.run(inputs).outputs, exact, Tolerance{1e-2, 2e-3, true}))
            EXPECT_TRUE(o.comparison.matches) << graph << ": " << o.comparison.reason;
        EXPECT_TRUE(std::ranges::any_of(session.plan().steps, [](const StepInfo& step) {
            return step.kernel.ends_with("tf32_hopper");
        })) << graph;
    }
}

TEST(Tf32Groups, GiveWhatThePortableKernelGives) {
    for (const char* graph :
         {"(a: f32[130,36]) -> (y)\ny = MatMul(a, b: f32[36,136])",
          "(a: f32[3,40,64], b: f32[64,72]) -> (y)\ny = MatMul(a, b)",
          "(a: f32[70,72], c: f32[80]) -> (y)\np = MatMul(a, b: f32[72,80])\nq = Add(p, c)\n"
          "y = Relu(q)",
          // refused: portable
          "(a: f32[70,71]) -> (y)\ny = MatMul(a, b: f32[71,66])",
          "(a: f32[70,72], c: f32[70,1]) -> (y)\ny = Gemm(a, b: f32[33,72], c) {transB: 1, alpha: "
          "0.5, beta: 2.0}",
          "(a: f32[2,3,70,64], b: f32[2,3,64,72]) -> (y)\ny = MatMul(a, b)",
          "(a: f32[2,1,70,64], b: f32[1,3,64,72]) -> (y)\ny = MatMul(a, b)",
          "(a: f32[130,72], c: f32[136], r: f32[130,136]) -> (y)\np = MatMul(a, b: f32[72,136])\n"
          "q = Add(p, c)\nz = Gelu(q)\ny = Add(z, r)",
          "(a: f32[2,66,40], b: f32[2,72,40]) -> (y)\nt = Transpose(b) {perm: [0,2,1]}\n"
          "y = MatMul(a, t)",
          // in several parts
          "(a: f32[33,800], c: f32[70], r: f32[33,70]) -> (y)\n"
          "y0 = Gemm(a, b: f32[70,800], c) {transB: 1}\ny = Add(y0, r)",
          "(a: f32[3,20,500]) -> (y)\ny = MatMul(a, b: f32[3,500,40])",
          "(a: f32[9,1000]) -> (y)\ny = MatMul(a, b: f32[1000,8])"})
        expect_same(graph, {0, 1, 2});
}

/// In batches that fill a device, each kernel once.
TEST(Tf32Groups, EachSizeOfTilesGivesWhatThePortableKernelGives) {
    struct Case {
        int batch, m, n, k, tile_m, tile_n;
        bool is_split, is_alone;
    };
    for (const Case& c :
         {Case{120, 130, 72, 136, 256, 128, false, true},
          Case{64, 200, 72, 36, 128, 128, false, true}, Case{32, 200, 72, 36, 128, 64, false, true},
          Case{100, 65, 72, 36, 128, 64, false, false}, Case{68, 65, 40, 36, 64, 64, false, false},
          Case{1, 65, 40, 1000, 64, 64, true, true}}) {
        cuda::ProductArgs args;
        args.m = c.m, args.n = c.n, args.k = c.k, args.batch = c.batch;
        const cuda::Tf32Plan plan = cuda::tf32_plan(args);
        ASSERT_EQ(plan.tiles.m, c.tile_m);
        ASSERT_EQ(plan.tiles.n, c.tile_n);
        ASSERT_EQ(plan.split.parts > 1, c.is_split);
        ASSERT_EQ(cuda::tf32_plan_of::tiles_of(args, plan.tiles) * plan.split.parts <= 132,
                  c.is_alone);
        const std::string batch = std::to_string(c.batch) + ",", k = std::to_string(c.k);
        expect_same("(a: f32[" + batch + std::to_string(c.m) + "," + k + "], b: f32[" + batch + k +
                        "," + std::to_string(c.n) + "]) -> (y)\np = MatMul(a, b)\ny = Relu(p)",
                    {1});
    }
}

TEST(Tf32Groups, ReadConstantsEarlyWhereKernelsOverlap) {
    for (const char* graph :
         {"(a: f32[70,200]) -> (y)\ny = MatMul(a, b: f32[200,136])",
          "(a: f32[33,800], c: f32[70]) -> (y)\ny = Gemm(a, b: f32[70,800], c) {transB: 1}",
          "(a: f32[70,64], b: f32[64,72]) -> (y)\np = MatMul(a, b)\ny = Relu(p)"})
        expect_same(graph, {0, 1, 2}, true);
}

}  // namespace
}  // namespace lapidary::test
