// SPDX-License-Identifier: Apache-2.0
// Convolutions by tiles on the emulated device: every size of tiles with ragged edges, groups, dilated and padded
// windows, every kind of epilogue and sums in parts, in several orders of threads; and faults that are planted.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernels/window_kernel.cuh"

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

std::vector<half_t> halves(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(-1, 1);
    std::vector<half_t> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(to_half(in(random)));
    return values;
}

std::size_t elements(int a, int b = 1, int c = 1) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b) * static_cast<std::size_t>(c);
}

float activated(const Epilogue& e, float v) {
    switch (e.activation) {
    case Op::relu: return std::max(v, 0.0f);
    case Op::clip: return std::clamp(v, e.activation_alpha, e.activation_beta);
    case Op::silu: return v / (1 + std::exp(-v));
    case Op::hard_swish: return v * std::clamp(v / 6 + 0.5f, 0.0f, 1.0f);
    case Op::leaky_relu: return v < 0 ? e.activation_alpha * v : v;
    default: return v;
    }
}

/// Images of 5 x 6 pixels, windows of 3 x 2.
struct Problem {
    ConvolutionArgs args;
    std::vector<half_t> x, w, bias, residual, results;

    Problem(int batch, int groups, int channels, int filters, int kernel_height = 3) {
        args.type = 10;
        args.channels_last = true;
        args.batch = batch;
        args.groups = groups;
        args.channels = channels;
        args.filters = filters;
        Window& win = args.window;
        win.input[1] = 5;
        win.input[2] = 6;
        win.kernel[1] = kernel_height;
        win.kernel[2] = kernel_height == 1 ? 1 : 2;
        if (kernel_height > 1) {
            win.pad[1] = 2;
            win.pad[2] = 1;
            win.dilation[1] = 2;
            win.stride[2] = 2;
        }
        for (int axis = 1; axis < spatial_axes; ++axis)
            win.output[axis] = (win.input[axis] + 2 * win.pad[axis] - win.dilation[axis] * (win.kernel[axis] - 1) - 1) /
                                   win.stride[axis] +
                               1;
        x = halves(elements(batch * 30, groups * channels), 1);
        w = halves(elements(groups * filters, channels, win.kernel[1] * win.kernel[2]), 2);
        bias = halves(elements(groups * filters), 3);
        residual = halves(elements(rows(), groups * filters), 4);
        for (half_t& v : w) v = to_half(to_float(v) / 4);
        args.x = x.data();
        args.w = w.data();
        args.epilogue.bias = bias.data();
        args.epilogue.bias_column = 1;
    }
    int rows() const { return args.batch * args.window.output[1] * args.window.output[2]; }

    float expected(int row, int filter) const {
        const Window& win = args.window;
        const int image = row / (win.output[1] * win.output[2]), of_y = row / win.output[2] % win.output[1];
        const int of_z = row % win.output[2], group = filter / args.filters;
        double sum = 0;
        for (int i = 0; i < win.kernel[1]; ++i)
            for (int j = 0; j < win.kernel[2]; ++j) {
                const int y = of_y * win.stride[1] - win.pad[1] + i * win.dilation[1];
                const int z = of_z * win.stride[2] - win.pad[2] + j * win.dilation[2];
                if (y < 0 || y >= win.input[1] || z < 0 || z >= win.input[2]) continue;
                for (int c = 0; c < args.channels; ++c) {
                    const int pixel = (image * win.input[1] + y) * win.input[2] + z;
                    const int tap = ((group * win.kernel[1] + i) * win.kernel[2] + j) * args.channels + c;
                    const int channel = group * args.channels + c;
                    sum += double{to_float(x[elements(pixel * args.groups * args.channels + channel)])} *
                           double{to_float(w[elements(tap * args.filters + filter % args.filters)])};
                }
            }
        const Epilogue& e = args.epilogue;
        float v = e.alpha * static_cast<float>(sum);
        if (e.bias) v += e.beta * to_float(bias[elements(filter)]);
        const float more = e.residual ? to_float(residual[elements(row * args.groups * args.filters + filter)]) : 0.0f;
        return e.activates_before_residual ? activated(e, v) + more : activated(e, v + more);
    }

    /// The largest difference from what is expected, in parts of so many along k where there are some.
    template <typename Tile, bool plain, typename Sync = WindowSync>
    double error(unsigned order, int parts = 1, int part_depth = 0) {
        const auto tiles = [](int size, int tile) { return static_cast<unsigned>((size - 1) / tile + 1); };
        const unsigned count = tiles(rows(), Tile::m) * tiles(args.filters, Tile::n);
        std::vector<half_t> y(elements(rows(), args.groups * args.filters), to_half(NAN));
        std::vector<float> partial(elements(parts * Tile::m, Tile::n, static_cast<int>(count)), NAN);
        std::vector<unsigned> counters(count, 0);
        args.y = y.data();
        args.parts = parts;
        args.part_depth = part_depth;
        args.partial = partial.data();
        args.counters = counters.data();
        const Grid grid{count, 1, static_cast<unsigned>(parts > 1 ? parts : 1)};  // groups one after the other
        emulated::run(grid, Tile::threads, true, order, [&] { window_tiles<Tile, plain, Sync>(args); });
        results = y;
        double worst = 0;
        for (int row = 0; row < rows(); ++row)
            for (int filter = 0; filter < args.groups * args.filters; ++filter) {
                const double got = to_float(y[elements(row * args.groups * args.filters + filter)]);
                const double error = std::abs(got - double{expected(row, filter)});
                if (!(error <= worst)) worst = error;  // NaN too
            }
        return worst;
    }
};

constexpr unsigned orders[] = {0, 1, 2, 3};

template <typename Tile>
void expect_right(Problem& p) {
    for (unsigned order : orders) EXPECT_LE((p.error<Tile, true>(order)), allowed) << "order " << order;
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

/// Places of a window that become pixels of an output twice as high and wide.
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
                const int image = row / 30, y = row / 6 % 5 * 2 + c % 4 / 2, z = row % 6 * 2 + c % 2;
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
    // residuals come behind the only stage; groups give each other sums where the last stage, the first one, lay
    const int channels = TypeParam::k_groups == 1 ? 8 : TypeParam::stages * TypeParam::depth + 8;
    EXPECT_TRUE((is_found<NotRead, TypeParam>({3, 1, channels, 72, 1})));
}

}  // namespace
}  // namespace lapidary::cuda
