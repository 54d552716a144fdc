// SPDX-License-Identifier: Apache-2.0
// Products of one row whose blocks share k out in clusters, on the emulated device: they give what
// the portable kernel gives, and waits that are left out are found.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/hopper/product.h"
#include "kernels/hopper/row_cluster.cuh"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

struct NotBegun : RowClusterSync {
    void begun() const {}
};
struct NotSummed : RowClusterSync {
    void summed() const {}
};
struct NotCome : RowClusterSync {
    void came(barrier_t*) const {}
};

struct alignas(16) Pieces {
    half_t of[8];
};
std::vector<Pieces> random_pieces(int count, unsigned seed) {
    std::minstd_rand random(seed);
    std::uniform_real_distribution<float> value(-1, 1);
    std::vector<Pieces> all(static_cast<std::size_t>(count) / 8);
    for (Pieces& p : all)
        for (half_t& h : p.of) h = to_half(value(random));
    return all;
}

struct RowProblem {
    int n = 8, k = 8, parts = 1;
    bool has_constants = true;
    std::vector<Pieces> row = random_pieces(k, 1), matrix = random_pieces(k * n, 2),
                        bias = random_pieces(n, 3);
    float at(const std::vector<Pieces>& of, int i) const {
        return of[static_cast<std::size_t>(i) / 8].of[static_cast<std::size_t>(i) % 8];
    }
    double expected(int column) const {
        double sum = double{at(bias, column)};
        for (int i = 0; i < k; ++i) sum += double{at(row, i)} * double{at(matrix, i * n + column)};
        return sum;
    }
    ProductArgs args() const {
        ProductArgs of;
        of.a = row.data();
        of.b = matrix.data();
        of.type = 10;
        of.m = 1, of.n = n, of.k = k;
        of.a_row = k, of.b_row = n;
        of.has_constant_b = of.has_constant_bias = has_constants;
        of.epilogue.bias = bias.data();
        of.epilogue.bias_column = 1;
        const int depth = ((k - 1) / parts / 8 + 1) * 8;
        of.part_depth = depth;
        of.parts = (k - 1) / depth + 1;
        return of;
    }
};

template <typename Sync>
double error_of(const RowProblem& p, unsigned order) {
    ProductArgs args = p.args();
    std::vector<Pieces> y(static_cast<std::size_t>(p.n) / 8);
    for (Pieces& piece : y)
        for (half_t& h : piece.of) h = to_half(NAN);
    args.y = y.data();
    const Grid grid{static_cast<unsigned>((p.n - 1) / row_cluster::columns + 1), 1,
                    static_cast<unsigned>(args.parts)};
    const auto run = [&] {
        GPU_SHARED_MEMORY(memory);
        one_row_in_cluster<half_t>(args, memory, Sync());
    };
    const unsigned threads = row_cluster_threads(args.part_depth);
    if (args.parts == 1) emulated::run(grid, threads, true, order, run);
    else emulated::run_clusters(grid, threads, order, run);
    double worst = 0;
    for (int column = 0; column < p.n; ++column) {
        const double error = std::abs(double{p.at(y, column)} - p.expected(column));
        if (!(error <= worst)) worst = std::isnan(error) ? INFINITY : error;
    }
    return worst;
}

constexpr unsigned orders[] = {0, 1, 2, 3};

// Columns and rows that end within a cache line or a round, parts of different length, more rows
// than threads take at once.
TEST(RowCluster, IsRightInEveryOrderAndAtRaggedEdges) {
    for (const RowProblem& p :
         {RowProblem{8, 8}, RowProblem{64, 64}, RowProblem{72, 200}, RowProblem{136, 1048},
          RowProblem{64, 512, 8}, RowProblem{72, 200, 3, false}, RowProblem{136, 1048, 2},
          RowProblem{200, 72, 8}, RowProblem{40, 1200, 4, false}})
        for (unsigned order : orders)
            EXPECT_LT(error_of<RowClusterSync>(p, order), 4e-2)
                << p.n << " x " << p.k << " in " << p.parts << " parts, order " << order;
}

template <typename Sync>
bool is_found(const RowProblem& p) {
    for (unsigned order : orders) {
        try {
            if (!(error_of<Sync>(p, order) < 4e-2)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}
TEST(RowCluster, AWaitThatIsForgottenIsFound) {
    EXPECT_TRUE(is_found<NotBegun>({136, 512, 4}));
    EXPECT_TRUE(is_found<NotSummed>({136, 512, 4}));
    EXPECT_TRUE(is_found<NotSummed>({136, 512, 1}));
    EXPECT_TRUE(is_found<NotCome>({136, 512, 4}));
}

TEST(RowCluster, IsTakenWhereBlocksWouldReadPartsOfLines) {
    ProductArgs args;
    args.type = 10;
    args.m = 1;
    const auto set = [&](int n, int k) { args.n = args.b_row = n, args.k = args.a_row = k; };
    set(768, 3072);
    EXPECT_TRUE(is_for_hopper(args, HopperUse::of_large));
    EXPECT_EQ(row_cluster_split(args).parts, 8);
    EXPECT_EQ(row_cluster_split(args).part_depth, 384);
    EXPECT_FALSE(is_for_hopper(args, HopperUse::none));
    set(1024, 4096);
    EXPECT_TRUE(is_for_hopper(args, HopperUse::of_large));
    EXPECT_EQ(row_cluster_split(args).parts, 6);
    set(3072, 768);
    EXPECT_FALSE(is_for_hopper(args, HopperUse::of_large)) << "lines are read as they are";
    EXPECT_TRUE(is_for_hopper(args, HopperUse::of_all));
    EXPECT_EQ(row_cluster_split(args).parts, 2);
    set(768, 768);
    EXPECT_FALSE(is_for_hopper(args, HopperUse::of_large)) << "little is read";
    set(50264, 768);
    EXPECT_EQ(row_cluster_split(args).parts, 1);
}

TEST(RowCluster, WhatItDoesNotTakeHasAReason) {
    const RowProblem problem{72, 64};
    const ProductArgs right = problem.args();
    EXPECT_EQ(hopper_refusal(right), nullptr);
    const auto reason = [&](const auto& change) {
        ProductArgs args = right;
        change(args);
        const char* const text = hopper_refusal(args);
        return std::string(text ? text : "");
    };
    EXPECT_EQ(reason([](ProductArgs& p) { p.type = 1; }),
              "it is neither of 16-bit floats nor in TF32");
    EXPECT_EQ(reason([](ProductArgs& p) { p.batch = 2, p.batch_rank = 1; }),
              "it is one row of a batch");
    EXPECT_EQ(reason([](ProductArgs& p) { p.k = 0; }), "it sums up nothing");
    EXPECT_EQ(reason([](ProductArgs& p) { p.k = 63; }),
              "the row does not lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.b_row = 1, p.b_column = 64; }),
              "rows of b do not lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.n = 71; }),
              "rows of b do not lie in pieces of 16 bytes");
    EXPECT_EQ(reason([](ProductArgs& p) { p.b = static_cast<const half_t*>(p.b) + 1; }),
              "an operand does not begin at a multiple of 16 bytes");
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

/// The portable kernel is the oracle of the whole node, its epilogue too. Weights are constants or
/// inputs.
TEST(RowCluster, GivesWhatThePortableKernelGives) {
    for (const char* graph : {"(a: f16[1,520], c: f16[264], r: f16[1,264]) -> (y)\np = MatMul(a, "
                              "b: f16[520,264])\nq = Add(p, c)\n"
                              "z = Add(q, r)\ny = Relu(z)",
                              "(a: f16[1,400], b: f16[400,72], c: f16[72], r: f16[1,72]) -> (y)\np "
                              "= MatMul(a, b)\nq = Add(p, c)\n"
                              "z = Gelu(q)\ny = Add(z, r)",
                              "(a: bf16[1,136], c: bf16[1,200]) -> (y)\ny = Gemm(a, b: "
                              "bf16[136,200], c) {alpha: 0.5, beta: 2.0}"}) {
        Model made = model_of(graph, 20);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
        const bool is_bf16 = std::string_view(graph).find("bf16") != std::string_view::npos;
        for (int order : {0, 1, 2}) {
            EmulatedRun run{.order = order, .passes = SessionPasses::Set::all};
            const NamedValues expected =
                Session::compile(model, emulated_options(run)).run(inputs).outputs;
            run.has_hopper = true;
            const std::uint64_t before = launches_of_clusters();
            const NamedValues found =
                Session::compile(model, emulated_options(run)).run(inputs).outputs;
            if (!is_on_gpu()) EXPECT_GT(launches_of_clusters(), before) << graph;
            for (const OutputComparison& o : compare_outputs(
                     found, expected,
                     is_bf16 ? Tolerance{1.6e-2, 8e-3, true} : Tolerance{2e-3, 1e-3, true}))
                EXPECT_TRUE(o.comparison.matches) << graph << ": " << o.comparison.reason;
        }
    }
}

}  // namespace
}  // namespace lapidary::test
