// SPDX-License-Identifier: Apache-2.0
// Convolutions with channels last whose parts are blocks of a cluster, on the emulated device:
// ragged tiles, strides and dilations, epilogues and every number of parts, in several orders of
// threads; and faults that are planted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/hopper/window_clusters.cuh"
#include "kernels/hopper/window_clusters.h"
#include "passes/session/channels_last_regions.h"
#include "plugins/cuda/convolution_problem.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

constexpr double allowed = 2e-2;  // halves of results below 8, and sums in another order
constexpr unsigned orders[] = {0, 1, 2, 3};

/// Runs the convolution in `parts` parts along k.
template <typename Sync = SmallGroupSync>
std::vector<half_t> results_of(ConvolutionProblem& p, unsigned order, int parts) {
    std::vector<half_t> y(elements(p.rows(), p.args.filters), to_half(NAN));
    p.args.y = y.data();
    if (const char* refusal = window_groups_refusal(p.args)) ADD_FAILURE() << refusal;
    ProductArgs product = product_of_windows(p.args);
    const ProductSplit split = small_group::in_parts(product, parts);
    EXPECT_EQ(split.parts, parts) << "it has not so many steps";
    product.parts = split.parts;
    product.part_depth = split.part_depth;
    const WindowClusterCall call = window_cluster_call(p.args, product);
    const auto body = [&] {
        window_clusters<Sync>(product, call.windows, call.x, call.w, call.stages);
    };
    if (parts == 1) emulated::run(call.grid, group_threads, true, order, body);
    else emulated::run_clusters(call.grid, group_threads, order, body);
    return y;
}

void expect_right(ConvolutionProblem& p, int parts) {
    for (unsigned order : orders)
        EXPECT_LE(p.error_of(results_of(p, order, parts)), allowed)
            << parts << " parts, order " << order;
}

// 21 windows of an image: tiles end within one, and the last one is not full. 12 steps along k.
TEST(WindowClusters, RaggedWindowsInEveryNumberOfParts) {
    ConvolutionProblem p(4, 1, 128, 72);
    ASSERT_TRUE(p.rows() > 64 && p.rows() < 128);
    for (int parts : {1, 2, 4, 6}) expect_right(p, parts);
}
// Fewer rows than a tile has, of which other ones are not copied.
TEST(WindowClusters, FewPixelsInEightParts) {
    ConvolutionProblem p(1, 1, 192, 40);
    ASSERT_EQ(p.args.channels * 6 / 64, 18);
    expect_right(p, 6);
    ConvolutionProblem deep(1, 1, 256, 24);
    expect_right(deep, 8);
}
TEST(WindowClusters, ResidualsAndActivations) {
    for (Op op : {Op::relu, Op::clip, Op::silu, Op::hard_swish, Op::leaky_relu})
        for (const bool is_before : {false, true}) {
            ConvolutionProblem p(3, 1, 64, 40);
            p.args.epilogue.residual = p.residual.data();
            p.args.epilogue.activation = op;
            p.args.epilogue.activation_alpha = op == Op::clip ? -0.5f : 0.25f;
            p.args.epilogue.activation_beta = 1.5f;
            p.args.epilogue.alpha = 0.5f;
            p.args.epilogue.beta = 2;
            p.args.epilogue.activates_before_residual = is_before;
            expect_right(p, 3);
        }
}
TEST(WindowClusters, StepsWithoutAWindow) {
    ConvolutionProblem p(8, 1, 128, 72, 1);
    Window& win = p.args.window;
    win.stride[1] = win.stride[2] = 2;
    win.output[1] = win.output[2] = 3;
    p.args.epilogue.bias = nullptr;
    expect_right(p, 1);
    expect_right(p, 2);
}

struct NotFilled : SmallGroupSync {
    void filled(barrier_t*, unsigned) const {}
};
struct NotEmptied : SmallGroupSync {
    void emptied(barrier_t*, unsigned) const {}
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

/// In some order the result is wrong or the launch ends.
template <typename Sync>
bool is_found(ConvolutionProblem p, int parts) {
    for (unsigned order = 0; order < 24; ++order) {
        try {
            if (!(p.error_of(results_of<Sync>(p, order, parts)) <= allowed)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}

TEST(WindowClusters, PlantedFaultsAreFound) {
    EXPECT_TRUE((is_found<NotFilled>({3, 1, 64, 40}, 2)));
    EXPECT_TRUE((is_found<NotEmptied>({1, 1, 320, 40}, 2)));  // 15 steps of a part through 8 stages
    EXPECT_TRUE((is_found<MultipliedTooLate>({3, 1, 64, 40}, 2)));
    EXPECT_TRUE((is_found<NotRead>({4, 1, 128, 40}, 2)));
    EXPECT_TRUE((is_found<NotStaged>({4, 1, 64, 72}, 2)));
    EXPECT_TRUE((is_found<NotBegun>({4, 1, 64, 200}, 3)));
    EXPECT_TRUE((is_found<NotCome>({4, 1, 64, 200}, 3)));
}

/// Of ResNet-50 at batch 1: no more blocks than multiprocessors, and clusters of 1, 2, 4 or 8.
TEST(WindowClusterUse, PartsFillTheDevice) {
    const auto product_of = [](int size, int channels, int filters, int kernel) {
        ConvolutionArgs args;
        args.type = 10, args.channels_last = true, args.batch = 1;
        args.channels = channels, args.filters = filters;
        for (int axis : {1, 2}) {
            args.window.input[axis] = args.window.output[axis] = size;
            args.window.kernel[axis] = kernel;
            args.window.pad[axis] = kernel / 2;
        }
        EXPECT_TRUE(is_for_window_clusters(args, HopperUse::of_large));
        EXPECT_FALSE(is_for_window_clusters(args, HopperUse::none));
        EXPECT_FALSE(is_for_window_clusters(args, HopperUse::of_all)) << "larger tiles take all";
        return product_of_windows(args);
    };
    const auto blocks_of = [&](int size, int channels, int filters, int kernel) {
        const ProductArgs product = product_of(size, channels, filters, kernel);
        return small_group::tiles_of(product) * product.parts;
    };
    EXPECT_EQ(blocks_of(56, 64, 64, 3), 49);
    EXPECT_EQ(blocks_of(28, 128, 128, 3), 104);
    EXPECT_EQ(blocks_of(14, 256, 256, 3), 64);
    EXPECT_EQ(blocks_of(7, 512, 512, 3), 64);
    EXPECT_EQ(blocks_of(14, 1024, 256, 1), 128);
    EXPECT_EQ(blocks_of(7, 2048, 512, 1), 64);
    EXPECT_EQ(product_of(7, 512, 512, 3).parts, 8);
    using namespace small_group;
    EXPECT_LE(shared_bytes(most_window_stages, 8) + shared_bytes(4, 8) + 2048, 228u << 10)
        << "one beside the other";
}
TEST(WindowClusterUse, OtherSizesAreHalfAndTwice) {
    ConvolutionProblem p(1, 1, 256, 64);  // 24 steps
    const auto parts_of = [&](ClusterSize size) { return product_of_windows(p.args, size).parts; };
    ASSERT_EQ(parts_of(ClusterSize::estimated), 8);
    EXPECT_EQ(parts_of(ClusterSize::half), 4);
    EXPECT_EQ(parts_of(ClusterSize::twice), 8) << "no device has larger ones for sure";
    p.args.channels = 64;
    ASSERT_EQ(parts_of(ClusterSize::estimated), 1);
    EXPECT_EQ(parts_of(ClusterSize::half), 1);
    EXPECT_EQ(parts_of(ClusterSize::twice), 2);
}
TEST(WindowClusterUse, NotOfManyTilesOrFewPixelsOrWhatWindowGroupsRefuse) {
    ConvolutionProblem p(1, 1, 64, 64);
    const auto is_taken = [&](auto change) {
        ConvolutionArgs args = p.args;
        change(args);
        return is_for_window_clusters(args, HopperUse::of_large);
    };
    EXPECT_TRUE(is_taken([](ConvolutionArgs&) {}));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.batch = 4096; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.batch = 900; }))
        << "more than two tiles each";
    EXPECT_FALSE(
        is_taken([](ConvolutionArgs& args) { args.window.output[1] = args.window.output[2] = 2; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.groups = 2; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.channels = 72; }));
    p = ConvolutionProblem(1, 1, 72, 40, 1);
    EXPECT_TRUE(is_taken([](ConvolutionArgs&) {})) << "pixels alone lie in pieces";
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.channels = 68; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.filters = 44; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.spread[1] = 2; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.groups = 2; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.window.stride[1] = 2; }));
    EXPECT_FALSE(is_taken([](ConvolutionArgs& args) { args.type = 16; }));
}

}  // namespace
}  // namespace lapidary::cuda

namespace lapidary::test {
namespace {

struct NodeCase {
    const char* graph;
    bool is_split;  // among the blocks of clusters
};

/// The portable kernel is the oracle of the whole node.
TEST(WindowClusterUse, GivesWhatThePortableKernelGives) {
    const ChannelsLastAtAnyCost at_any_cost;
    for (const auto& [graph, is_split] :
         {NodeCase{"(x: f16[1,256,7,7], c: f16[72]) -> (y)\n"
                   "p = Conv(x, w: f16[72,256,3,3], c) {pads: [1,1,1,1]}\ny = Relu(p)",
                   true},
          {"(x: f16[1,192,9,8], r: f16[1,136,5,4]) -> (y)\n"
           "p = Conv(x, w: f16[136,192,3,3]) {pads: [1,1,1,1], strides: [2,2]}\nq = Add(p, r)\ny = "
           "Relu(q)",
           true},
          {"(x: f16[1,1024,6,7], c: f16[64]) -> (y)\np = Conv(x, w: f16[64,1024,1,1], c)\n"
           "q = Conv(p, v: f16[1024,64,1,1])\nz = Add(q, x)\ny = Relu(z)",
           true},
          {"(x: f16[1,1024,9,7], c: f16[72]) -> (y)\ny = Conv(x, w: f16[72,1024,1,1], c) {strides: "
           "[2,2]}",
           true},
          {"(x: f16[2,64,11,9], c: f16[24]) -> (y)\n"
           "p = Conv(x, w: f16[24,64,2,3], c) {pads: [0,2,3,1], dilations: [3,1], strides: [1,2]}\n"
           "q = Sigmoid(p)\ny = Mul(p, q)",
           false},
          {"(x: f16[1,1000,5,7], c: f16[72]) -> (y)\n"
           "p = Conv(x, w: f16[72,1000,1,1], c)\ny = Clip(p, lo: f16[]{0}, hi: f16[]{6})",
           true},
          {"(x: f16[1,128,7,7]) -> (y)\ny = Conv(x, w: f16[72,64,3,3]) {group: 2, pads: [1,1,1,1]}",
           false},
          {"(x: f16[1,64,2,3]) -> (y)\ny = Conv(x, w: f16[72,64,1,1])", false}}) {
        Model made = model_of(graph, 20);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
        for (int order : {0, 1, 2}) {
            EmulatedRun run{.order = order, .passes = SessionPasses::Set::all};
            const NamedValues expected =
                Session::compile(model, emulated_options(run)).run(inputs).outputs;
            run.has_clusters = true;
            Session session = Session::compile(model, emulated_options(run));
            const std::uint64_t before = launches_of_clusters();
            const NamedValues got = session.run(inputs).outputs;
            if (!is_on_gpu()) EXPECT_EQ(launches_of_clusters() > before, is_split) << graph;
            for (const OutputComparison& o :
                 compare_outputs(got, expected, Tolerance{2e-3, 1e-3, true}))
                EXPECT_TRUE(o.comparison.matches) << graph << ": " << o.comparison.reason;
        }
    }
}

TEST(WindowClusterUse, TheOptionNeedsKernelsForHopper) {
    try {
        new_provider({{"clusters", "on"}, {"hopper", "off"}});
        FAIL() << "it was opened";
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("option clusters: it needs compute capability 9.0"),
            std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace lapidary::test
