// SPDX-License-Identifier: Apache-2.0
// Convolutions by tiles on the emulated device: every size of tiles with ragged edges, groups,
// dilated and padded windows, every kind of epilogue and sums in parts, in several orders of
// threads; and faults that are planted.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/convolution/window_kernel.cuh"
#include "plugins/cuda/convolution_problem.h"

namespace lapidary::cuda {
namespace {

constexpr double allowed = 2e-2;  // halves of results below 8, and sums in another order

struct NotFilled : WindowSync {
    void filled() const {}
};
struct NotRead : WindowSync {
    void read() const {}
};
struct CopiedTooLate : WindowSync {  // waits for one group of copies fewer
    template <int left>
    void copied() const {
        copy_wait<left + 1>();
    }
};

struct Problem : ConvolutionProblem {
    using ConvolutionProblem::ConvolutionProblem;
    std::vector<half_t> results;

    /// The largest difference from what is expected; with `parts`, each sums `part_depth` steps
    /// along k.
    template <typename Tile, bool plain, typename Sync = WindowSync>
    double error(unsigned order, int parts = 1, int part_depth = 0) {
        const auto tiles = [](int size, int tile) {
            return static_cast<unsigned>((size - 1) / tile + 1);
        };
        const unsigned count = tiles(rows(), Tile::m) * tiles(args.filters, Tile::n);
        std::vector<half_t> y(elements(rows(), args.groups * args.filters), to_half(NAN));
        std::vector<float> partial(elements(parts * Tile::m, Tile::n, static_cast<int>(count)),
                                   NAN);
        std::vector<unsigned> counters(count, 0);
        args.y = y.data();
        args.parts = parts;
        args.part_depth = part_depth;
        args.partial = partial.data();
        args.counters = counters.data();
        // groups one after the other
        const Grid grid{count, 1, static_cast<unsigned>(parts > 1 ? parts : 1)};
        emulated::run(grid, Tile::threads, true, order,
                      [&] { window_tiles<Tile, plain, Sync>(args); });
        results = y;
        return error_of(y);
    }
};

constexpr unsigned orders[] = {0, 1, 2, 3};

template <typename Tile>
void expect_right(Problem& p) {
    for (unsigned order : orders)
        EXPECT_LE((p.error<Tile, true>(order)), allowed) << "order " << order;
}

template <typename Tile>
class WindowTiles : public testing::Test {};
using Tiles = testing::Types<LargeWindows, TallWindows, SmallWindows>;
TYPED_TEST_SUITE(WindowTiles, Tiles);

TYPED_TEST(WindowTiles, RaggedWindows) {
    Problem p(5, 1, 24, 136);
    expect_right<TypeParam>(p);
}
TYPED_TEST(WindowTiles, GroupsWithResidual) {
    Problem p(3, 2, 8, 24);
    p.args.epilogue.residual = p.residual.data();
    p.args.epilogue.activation = Op::relu;
    expect_right<TypeParam>(p);
}
TYPED_TEST(WindowTiles, PixelsAlone) {
    Problem p(5, 1, 104, 72, 1);
    p.args.epilogue.activation = Op::clip;
    p.args.epilogue.activation_alpha = -0.5f;
    p.args.epilogue.activation_beta = 1.5f;
    expect_right<TypeParam>(p);
}
TYPED_TEST(WindowTiles, ShallowWithoutBias) {
    Problem p(2, 1, 8, 8, 1);
    p.args.epilogue.bias = nullptr;
    expect_right<TypeParam>(p);
}

TEST(WindowTilesOfHalves, OtherEpilogues) {
    for (Op op : {Op::silu, Op::hard_swish, Op::leaky_relu, Op::relu}) {
        Problem p(3, 1, 16, 40);
        p.args.epilogue.activation = op;
        p.args.epilogue.activation_alpha = 0.25f;
        p.args.epilogue.alpha = 0.5f;
        p.args.epilogue.beta = 2;
        p.args.epilogue.residual = p.residual.data();
        p.args.epilogue.activates_before_residual = op == Op::relu;
        for (unsigned order : orders) {
            EXPECT_LE((p.error<TallWindows, false>(order)), allowed);
            EXPECT_LE((p.error<SmallWindows, false>(order)), allowed);
        }
    }
}

/// Results of a window that become the pixels of an output twice as high and wide.
TEST(WindowTilesOfHalves, SpreadOverWindows) {
    Problem p(3, 1, 24, 96, 1);  // 24 filters of 4 places
    Problem wide = p;
    for (int axis = 1; axis < spatial_axes; ++axis) wide.args.spread[axis] = 2;
    wide.args.epilogue.bias = nullptr;
    p.args.epilogue.bias = nullptr;
    for (unsigned order : orders) {
        EXPECT_LE((p.error<SmallWindows, true>(order)), allowed);
        const std::vector<half_t> plain = p.results;
        wide.error<SmallWindows, true>(order);
        const int filters = 24;
        for (int row = 0; row < p.rows(); ++row)
            for (int c = 0; c < 96; ++c) {
                const int image = row / 30, y = row / 6 % 5 * 2 + c % 4 / 2,
                          z = row % 6 * 2 + c % 2;
                const int pixel = (image * 10 + y) * 12 + z;
                ASSERT_EQ(to_float(wide.results[elements(pixel * filters + c / 4)]),
                          to_float(plain[elements(row * 96 + c)]));
            }
    }
}

TEST(WindowTilesOfHalves, PartsAlongK) {
    Problem p(3, 1, 40, 72);  // 240 deep
    p.args.epilogue.residual = p.residual.data();
    for (unsigned order : orders) {
        EXPECT_LE((p.error<SmallWindows, true>(order, 4, 64)), allowed);
        EXPECT_LE((p.error<SmallWindows, false>(order, 2, 128)), allowed);
    }
}

template <typename Sync, typename Tile>
bool is_found(Problem p) {
    p.args.epilogue.residual = p.residual.data();
    for (unsigned order = 0; order < 24; ++order)
        if (!(p.error<Tile, true, Sync>(order) <= allowed)) return true;
    return false;
}

TYPED_TEST(WindowTiles, PlantedFaultsAreFound) {
    EXPECT_TRUE((is_found<NotFilled, TypeParam>({3, 1, 40, 72})));
    EXPECT_TRUE((is_found<CopiedTooLate, TypeParam>({3, 1, 40, 72})));
    // residuals are read after the only stage; groups exchange sums in the memory of the last
    // stage, which is also the first
    const int channels = TypeParam::k_groups == 1 ? 8 : TypeParam::stages * TypeParam::depth + 8;
    EXPECT_TRUE((is_found<NotRead, TypeParam>({3, 1, channels, 72, 1})));
}

}  // namespace
}  // namespace lapidary::cuda
