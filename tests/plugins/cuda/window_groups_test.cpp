// SPDX-License-Identifier: Apache-2.0
// Convolutions with channels last on warpgroups, on the emulated device: windows and pixels alone,
// ragged tiles of which a block takes several, residuals and every kind of epilogue, in several
// orders of threads; and faults that are planted.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>

#include "kernels/hopper/window_group_call.h"
#include "kernels/hopper/window_groups.cuh"
#include "kernels/hopper/window_groups.h"
#include "passes/session/channels_last_regions.h"
#include "plugins/cuda/convolution_problem.h"
#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::cuda {
namespace {

constexpr double allowed = 2e-2;  // halves of results below 8, and sums in another order
constexpr unsigned orders[] = {0, 1, 2, 3};

template <typename Tile, bool plain, typename Sync = WindowGroupSync>
std::vector<half_t> results_of(ConvolutionProblem& p, unsigned order, unsigned blocks) {
    std::vector<half_t> y(elements(p.rows(), p.args.filters), to_half(NAN));
    p.args.y = y.data();
    if (const char* refusal = window_groups_refusal(p.args)) ADD_FAILURE() << refusal;
    const WindowGroupCall call = window_group_call<Tile>(p.args);
    emulated::run({blocks, 1, 1}, window_group_threads, true, order, [&] {
        window_groups<Tile, plain, Sync>(call.groups, p.args.epilogue, call.x, call.w,
                                         call.residual, call.y);
    });
    return y;
}

template <typename Tile>
void expect_right(ConvolutionProblem& p, unsigned blocks) {
    for (unsigned order : orders)
        EXPECT_LE(p.error_of(results_of<Tile, true>(p, order, blocks)), allowed)
            << "order " << order;
}

template <typename Tile>
class WindowGroups : public testing::Test {};
using Tiles = testing::Types<WindowGroupTile<64>, WindowGroupTile<128>>;
TYPED_TEST_SUITE(WindowGroups, Tiles);

// Images of 21 windows, of which a tile of 128 ends within one; 12 stages and more go through the
// ring.
TYPED_TEST(WindowGroups, RaggedWindows) {
    ConvolutionProblem p(20, 1, 128, 200);
    ASSERT_GT(p.rows(), 256);
    expect_right<TypeParam>(p, 2);
}
TYPED_TEST(WindowGroups, PixelsAloneWithResidual) {
    ConvolutionProblem p(23, 1, 64, 136, 1);
    p.args.epilogue.residual = p.residual.data();
    p.args.epilogue.activation = Op::relu;
    expect_right<TypeParam>(p, 2);
    expect_right<TypeParam>(p, 1);
}
TYPED_TEST(WindowGroups, StepsWithoutAWindow) {
    ConvolutionProblem p(40, 1, 64, 72, 1);
    Window& win = p.args.window;
    win.stride[1] = win.stride[2] = 2;
    win.output[1] = win.output[2] = 3;
    expect_right<TypeParam>(p, 1);
}
TYPED_TEST(WindowGroups, MoreBlocksThanTiles) {
    ConvolutionProblem p(1, 1, 64, 8);
    p.args.epilogue.bias = nullptr;
    expect_right<TypeParam>(p, 3);
}
TYPED_TEST(WindowGroups, OtherEpilogues) {
    for (Op op : {Op::silu, Op::leaky_relu, Op::relu}) {
        ConvolutionProblem p(14, 1, 64, 40);
        p.args.epilogue.activation = op;
        p.args.epilogue.activation_alpha = 0.25f;
        p.args.epilogue.alpha = 0.5f;
        p.args.epilogue.beta = 2;
        p.args.epilogue.residual = p.residual.data();
        p.args.epilogue.activates_before_residual = op == Op::relu;
        for (unsigned order : orders)
            EXPECT_LE(p.error_of(results_of<TypeParam, false>(p, order, 1)), allowed)
                << "order " << order;
    }
}

struct NotFilled : WindowGroupSync {
    void filled(barrier_t*, unsigned) const {}
};
struct NotEmptied : WindowGroupSync {
    void emptied(barrier_t*, unsigned) const {}
};
struct MultipliedTooLate : WindowGroupSync {  // the last ones are not awaited
    template <int left>
    void multiplied() const {
        group_wait<1>();
    }
};
struct NotTurned : WindowGroupSync {
    void turned(barrier_t*, unsigned) const {}
};
struct NotGiven : WindowGroupSync {
    void given(barrier_t*, unsigned) const {}
};
struct NotFinished : WindowGroupSync {
    void finished(barrier_t*, unsigned) const {}
};
struct NotStored : WindowGroupSync {
    void stored() const {}
};

/// In some order the result is wrong or the launch ends.
template <typename Tile, typename Sync>
bool is_found(ConvolutionProblem p = {23, 1, 256, 136, 1}) {
    p.args.epilogue.residual = p.residual.data();
    for (unsigned order = 0; order < 24; ++order) {
        try {
            if (!(p.error_of(results_of<Tile, true, Sync>(p, order, 1)) <= allowed)) return true;
        } catch (const std::exception&) { return true; }
    }
    return false;
}

TYPED_TEST(WindowGroups, PlantedFaultsAreFound) {
    EXPECT_TRUE((is_found<TypeParam, NotFilled>()));
    EXPECT_TRUE((is_found<TypeParam, NotEmptied>()));
    EXPECT_TRUE((is_found<TypeParam, MultipliedTooLate>()));
    // steps of a tile go round the ring
    EXPECT_TRUE((is_found<TypeParam, NotTurned>({14, 1, 128, 136})));
    EXPECT_TRUE((is_found<TypeParam, NotGiven>()));
    EXPECT_TRUE((is_found<TypeParam, NotFinished>()));
    EXPECT_TRUE((is_found<TypeParam, NotStored>()));
}

TEST(WindowGroupUse, OfLargeAlignedConvolutions) {
    ConvolutionProblem p(1, 1, 64, 64);
    const ConvolutionArgs small = p.args;
    EXPECT_FALSE(is_for_window_groups(small, HopperUse::none));
    EXPECT_FALSE(is_for_window_groups(small, HopperUse::of_large));
    EXPECT_TRUE(is_for_window_groups(small, HopperUse::of_all));
    ConvolutionArgs large = small;
    large.batch = 4096;
    EXPECT_TRUE(is_for_window_groups(large, HopperUse::of_large));
    const auto refuses = [&](auto change) {
        ConvolutionArgs changed = large;
        change(changed);
        return window_groups_refusal(changed) != nullptr &&
               !is_for_window_groups(changed, HopperUse::of_all);
    };
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.type = 16; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.channels = 72; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.channels = 0; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.filters = 60; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.groups = 2; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.parts = 2; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.spread[1] = 2; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.window.input[0] = 2; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.window.stride[1] = 9; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.window.pad[2] = 129; }));
    EXPECT_TRUE(refuses([](ConvolutionArgs& args) { args.window.dilation[1] = 128; }));
    EXPECT_TRUE(
        refuses([](ConvolutionArgs& args) { args.x = static_cast<const half_t*>(args.x) + 1; }));
}

/// The portable kernel is the oracle of the whole node.
TEST(WindowGroupUse, GivesWhatThePortableKernelGives) {
    using namespace test;
    const ChannelsLastAtAnyCost at_any_cost;
    for (const char* graph :
         {"(x: f16[2,64,9,10], c: f16[72]) -> (y)\np = Conv(x, w: f16[72,64,3,3], c) {pads: "
          "[1,1,1,1]}\ny = Relu(p)",
          "(x: f16[3,64,8,7], r: f16[3,136,4,4]) -> (y)\n"
          "p = Conv(x, w: f16[136,64,3,3]) {pads: [1,1,1,1], strides: [2,2]}\nq = Add(p, r)\ny = "
          "Relu(q)",
          "(x: f16[2,128,6,7], c: f16[64]) -> (y)\np = Conv(x, w: f16[64,128,1,1], c)\n"
          "q = Conv(p, v: f16[128,64,1,1])\nz = Add(q, x)\ny = Relu(z)",
          "(x: f16[2,64,11,9], c: f16[24]) -> (y)\n"
          "p = Conv(x, w: f16[24,64,2,3], c) {pads: [0,2,3,1], dilations: [3,1], strides: [1,2]}\n"
          "q = Sigmoid(p)\ny = Mul(p, q)"}) {
        Model made = model_of(graph, 20);
        infer_types(made);
        const auto model = std::make_shared<const Model>(std::move(made));
        const NamedValues inputs = generate_inputs(*model, {}, {.seed = 4});
        for (int order : {0, 1, 2}) {
            EmulatedRun run{.order = order, .passes = SessionPasses::Set::all};
            const NamedValues expected =
                Session::compile(model, emulated_options(run)).run(inputs).outputs;
            run.has_hopper = true;
            const NamedValues got =
                Session::compile(model, emulated_options(run)).run(inputs).outputs;
            for (const OutputComparison& o :
                 compare_outputs(got, expected, Tolerance{2e-3, 1e-3, true}))
                EXPECT_TRUE(o.comparison.matches) << graph << ": " << o.comparison.reason;
        }
    }
}

}  // namespace
}  // namespace lapidary::cuda
