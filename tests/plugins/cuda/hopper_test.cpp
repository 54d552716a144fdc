// SPDX-License-Identifier: Apache-2.0
// Kernels for compute capability 9.0 alone, on the emulated device: they give what the portable ones give, and the
// device finds what they lack.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <lapidary/generate_inputs.h>
#include <lapidary/infer.h>

#include "kernels/hopper/tile_product.cuh"
#include "kernels/tile_product_async.cuh"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

constexpr unsigned orders[] = {0, 1, 2, 3};

struct NotFilled : GroupSync {
    void filled(barrier_t*, unsigned) const {}
};
struct NotEmptied : GroupSync {
    void emptied(barrier_t*, unsigned) const {}
};
struct NotMultiplied : GroupSync {
    void multiplied() const {}
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Matrices of halves whose rows begin at multiples of 16 bytes.
struct Problem {
    int m, n, k;
    int a_row = (k + 7) / 8 * 8, b_row = (n + 7) / 8 * 8;
    std::vector<half_t> a = halves(m * a_row, 1), b = halves(k * b_row, 2);

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
    /// The largest difference of `y` from the product.
    double error_of(const std::vector<float>& y) const {
        double worst = 0;
        for (int r = 0; r < m; ++r)
            for (int c = 0; c < n; ++c) {
                double sum = 0;
                for (int i = 0; i < k; ++i)
                    sum += double{to_float(aligned(a)[r * a_row + i])} * double{to_float(aligned(b)[i * b_row + c])};
                const double error = std::abs(sum - double{y[at(r * n + c)]});
                if (!(error <= worst)) worst = error;  // NaN too
            }
        return worst;
    }
};

template <typename Sync>
std::vector<float> product_by_groups(const Problem& p, unsigned order) {
    std::vector<float> y(at(p.m * p.n), NAN);
    const TileMap a = make_tile_map({Problem::aligned(p.a), p.m, p.k, p.a_row * 2, group_tile, group_depth});
    const TileMap b = make_tile_map({Problem::aligned(p.b), p.k, p.n, p.b_row * 2, group_depth, group_tile / 2});
    const auto store = [&](int r, int c, float first, float second) {
        if (r < p.m && c < p.n) y[at(r * p.n + c)] = first;
        if (r < p.m && c + 1 < p.n) y[at(r * p.n + c + 1)] = second;
    };
    const auto tiles = [](int size) { return static_cast<unsigned>((size + group_tile - 1) / group_tile); };
    emulated::run({tiles(p.n), tiles(p.m), 1}, group_threads, true, order, [&] {
        tile_product_groups(static_cast<int>(block_y()) * group_tile, static_cast<int>(block_x()) * group_tile, p.k, a,
                            b, store, Sync());
    });
    return y;
}

/// In some order the result is wrong or the launch ends.
template <typename Sync>
bool is_found(const Problem& p) {
    for (unsigned order : orders) {
        try {
            if (!(p.error_of(product_by_groups<Sync>(p, order)) < 1e-3)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}

TEST(HopperProduct, IsRightInEveryOrderAndAtRaggedEdges) {
    for (const Problem& p : {Problem{130, 136, 72}, Problem{70, 8, 400}, Problem{128, 200, 64}, Problem{65, 33, 9}})
        for (unsigned order : orders)
            EXPECT_LT(p.error_of(product_by_groups<GroupSync>(p, order)), 1e-3) << p.m << " order " << order;
}

// Five stages and more go through a ring of four.
TEST(HopperProduct, AStageThatIsNotAwaitedIsFound) { EXPECT_TRUE(is_found<NotFilled>({70, 72, 400})); }
TEST(HopperProduct, AStageThatIsOverwrittenTooEarlyIsFound) { EXPECT_TRUE(is_found<NotEmptied>({70, 72, 600})); }
TEST(HopperProduct, MultiplicationsThatAreNotAwaitedAreFound) { EXPECT_TRUE(is_found<NotMultiplied>({70, 72, 400})); }

TEST(HopperProduct, ATileThatDoesNotLieRightIsRefused) {
    const std::vector<half_t> matrix(1024);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix) + 1, 8, 64, 128, 8, 64}), std::exception);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix), 8, 64, 120, 8, 64}), std::exception);
    EXPECT_THROW(make_tile_map({Problem::aligned(matrix), 8, 64, 128, 8, 32}), std::exception);
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

/// The portable kernel is the oracle of the whole node, its epilogue too.
TEST(HopperProduct, GivesWhatThePortableKernelGives) {
    for (const char* graph : {"(a: f16[130,72]) -> (y)\ny = MatMul(a, b: f16[72,136])",
                              "(a: f16[3,40,64], b: f16[64,72]) -> (y)\ny = MatMul(a, b)",
                              "(a: f16[70,72], c: f16[80]) -> (y)\np = MatMul(a, b: f16[72,80])\nq = Add(p, c)\n"
                              "y = Relu(q)",
                              "(a: f16[70,71]) -> (y)\ny = MatMul(a, b: f16[71,66])"}) {
        Model made = model_of(graph);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
        for (int order : {0, 1, 2}) {
            EmulatedRun run{.order = order, .passes = SessionPasses::Set::all};
            const NamedValues expected = Session::compile(model, emulated_options(run)).run(inputs).outputs;
            run.has_hopper = true;
            Session session = Session::compile(model, emulated_options(run));
            for (const OutputComparison& o :
                 compare_outputs(session.run(inputs).outputs, expected, Tolerance{2e-3, 1e-3, true}))
                EXPECT_TRUE(o.comparison.matches) << graph << ": " << o.comparison.reason;
            bool is_chosen = false;
            for (const StepInfo& step : session.plan().steps)
                is_chosen = is_chosen || step.kernel.ends_with("product_f16_hopper");
            EXPECT_TRUE(is_chosen) << graph;
        }
    }
}

}  // namespace
}  // namespace lapidary::test
