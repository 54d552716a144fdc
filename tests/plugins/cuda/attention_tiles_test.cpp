// SPDX-License-Identifier: Apache-2.0
// The tiles of attention on tensor cores, which a graph uses with many heads only. Each gives what
// the definition gives, and a barrier or a wait that is left out changes the result.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/attention/attention_tile.cuh"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

struct NotFilled : AllSync {
    void filled() const {}
};
struct NotCopied : AllSync {
    template <int left>
    void copied() const {}
};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <typename T>
std::vector<T> numbers(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(-1, 1);
    std::vector<T> values(at(count));
    for (T& v : values) store_element(&v, in(random));
    return values;
}

/// One head of 100 queries and some keys (of which each query sees those up to 50 behind it where
/// it is causal).
template <typename T>
struct Problem {
    int size;
    bool is_causal;
    int keys = 150;
    static constexpr int queries = 100;
    std::vector<T> q = numbers<T>(queries * size, 1), k = numbers<T>(keys * size, 2),
                   v = numbers<T>(keys * size, 3);
    std::vector<T> y = std::vector<T>(at(queries * size));

    AttentionArgs args() {
        AttentionArgs args;
        args.q = q.data(), args.k = k.data(), args.v = v.data(), args.y = y.data();
        args.batch = args.heads = args.key_heads = 1;
        args.queries = queries, args.keys = args.part_keys = keys,
        args.size = args.value_size = size;
        args.q_strides = args.k_strides = args.v_strides = args.y_strides = {0, 0, size, 1};
        args.scale = 0.7f;
        args.is_causal = is_causal;
        args.first_end = keys - queries + 1;
        return args;
    }
    /// The largest difference from the definition.
    double error() const {
        double worst = 0;
        for (int query = 0; query < queries; ++query) {
            std::vector<double> sum(at(size));
            double total = 0;
            for (int key = 0; key < (is_causal ? keys - queries + 1 + query : keys); ++key) {
                double score = 0;
                for (int c = 0; c < size; ++c)
                    score += double{load_element(&q[at(query * size + c)])} *
                             double{load_element(&k[at(key * size + c)])};
                const double weight = std::exp(score * double{0.7f});
                total += weight;
                for (int c = 0; c < size; ++c)
                    sum[at(c)] += weight * double{load_element(&v[at(key * size + c)])};
            }
            for (int c = 0; c < size; ++c) {
                const double error =
                    std::abs(sum[at(c)] / total - double{load_element(&y[at(query * size + c)])});
                if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
            }
        }
        return worst;
    }
};

template <typename Tile, typename Sync = AllSync>
double error_of(int size, bool is_causal, unsigned order, int keys = 150) {
    Problem<typename Tile::T> problem{size, is_causal, keys};
    const AttentionArgs args = problem.args();
    const Grid grid = attention_grid(args, Tile::queries);
    AttentionReads reads;
    reads.q = reads.k = reads.v = reads.y = true;
    try {
        emulated::run(grid, Tile::threads, true, order,
                      [&] { attention_tiles<Tile, Sync>(args, reads); });
    } catch (const std::exception&) { return INFINITY; }
    return problem.error();
}

using Halves = HalfOperands<half_t, MultiplyF16>;
using Bfloats = HalfOperands<bfloat_t, MultiplyBf16>;

TEST(AttentionTiles, GiveWhatTheDefinitionGives) {
    for (unsigned order : {0u, 1u, 2u, 3u})
        for (bool is_causal : {false, true}) {
            SCOPED_TRACE(testing::Message() << "order " << order << ", causal " << is_causal);
            EXPECT_LT((error_of<AttentionTile<Halves, 64, 1, 64>>(64, is_causal, order)), 2e-3);
            EXPECT_LT((error_of<AttentionTile<Halves, 64, 1, 64, 2>>(64, is_causal, order)), 2e-3);
            EXPECT_LT((error_of<AttentionTile<Tf32Operands, 64, 1, 32, 2>>(60, is_causal, order)),
                      2e-3);
            EXPECT_LT((error_of<AttentionTile<Tf32Operands, 64, 1, 32, 4>>(60, is_causal, order)),
                      2e-3);
            EXPECT_LT(
                (error_of<AttentionTile<Tf32Operands, 64, 1, 32, 4, 1>>(60, is_causal, order, 124)),
                2e-3);
            EXPECT_LT((error_of<AttentionTile<Halves, 64, 2, 64>>(56, is_causal, order)), 2e-3);
            EXPECT_LT((error_of<AttentionTile<Halves, 128, 2, 32>>(128, is_causal, order)), 2e-3);
            EXPECT_LT((error_of<AttentionTile<Bfloats, 128, 2, 32>>(104, is_causal, order)), 2e-2);
            EXPECT_LT((error_of<AttentionTile<Bfloats, 96, 1, 64>>(96, is_causal, order)), 2e-2);
            EXPECT_LT((error_of<AttentionTile<Tf32Operands, 64, 1, 64>>(64, is_causal, order)),
                      2e-3);
            EXPECT_LT((error_of<AttentionTile<Tf32Operands, 128, 1, 32>>(100, is_causal, order)),
                      2e-3);
        }
}

template <typename Sync>
bool is_found() {
    for (unsigned order : {0u, 1u, 2u, 3u, 4u, 5u})
        if (!(error_of<AttentionTile<Halves, 64, 1, 64>, Sync>(64, false, order) < 2e-3))
            return true;
    return false;
}

TEST(AttentionTiles, PlantedFaultsAreFound) {
    EXPECT_FALSE(is_found<AllSync>());
    EXPECT_TRUE(is_found<NotFilled>());
    EXPECT_TRUE(is_found<NotCopied>());
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

/// As many blocks of 128 queries as a device has multiprocessors.
TEST(AttentionTiles, ManyHeadsTakeWideTiles) {
    Model made = model_of(
        "(q: f16[11,12,17,64], k: f16[11,12,257,64], v: f16[11,12,257,64]) -> (y)\ny = "
        "Attention(q, k, v)",
        23);
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    EXPECT_EQ(compare_with_reference(model, generate_inputs(*model, {}, {.seed = 5}), {.order = 1},
                                     Tolerance{2e-3, 1e-3, true}),
              "");
}

}  // namespace
}  // namespace lapidary::test
