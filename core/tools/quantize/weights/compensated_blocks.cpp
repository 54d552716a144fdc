// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/compensated_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <lapidary/base/error.h>

#include "quantize/calibration/collect_moments.h"
#include "quantize/weights/inverse_root.h"

namespace lapidary {
namespace {

constexpr int shrinkings = 20;           // of a range, in steps ...
constexpr double shrinking_step = 0.02;  // ... of this share of it
constexpr double error_exponent = 2.4;   // as for activations: 2 clips too much

struct BlockGrid {
    float scale = 0;
    int zero_point = 0;
    int highest = 15;

    int level_of(double value) const {
        if (scale == 0) return zero_point;
        return static_cast<int>(
            std::clamp(std::nearbyint(value / static_cast<double>(scale)) + zero_point, 0.0,
                       static_cast<double>(highest)));
    }
    double value_of(int level) const {
        return static_cast<double>(level - zero_point) * static_cast<double>(scale);
    }
};

struct GridKind {
    int bits = 4;
    bool symmetric = false, signed_scales = true;
};

BlockGrid grid_of(double low, double high, const GridKind& kind) {
    BlockGrid grid;
    grid.highest = (1 << kind.bits) - 1;
    const int middle = 1 << (kind.bits - 1);
    if (kind.symmetric && !kind.signed_scales) {
        grid.scale = static_cast<float>(2 * std::max(std::abs(low), std::abs(high)) / grid.highest);
        grid.zero_point = middle;
        return grid;
    }
    if (kind.symmetric) {
        // The end of larger magnitude becomes the lowest level, since there is one level more on
        // that side.
        grid.scale = static_cast<float>((std::abs(high) > std::abs(low) ? high : low) / -middle);
        grid.zero_point = middle;
        return grid;
    }
    grid.scale = static_cast<float>((high - low) / grid.highest);
    if (grid.scale > 0)
        grid.zero_point =
            static_cast<int>(std::clamp(std::nearbyint(-low / static_cast<double>(grid.scale)), 0.0,
                                        static_cast<double>(grid.highest)));
    return grid;
}

BlockGrid best_grid(const double* values, std::size_t count, const GridKind& kind) {
    double low = 0, high = 0;
    for (std::size_t i = 0; i < count; ++i) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
    }
    BlockGrid best;
    double least = std::numeric_limits<double>::infinity();
    for (int step = 0; step < shrinkings; ++step) {
        const double share = 1 - step * shrinking_step;
        const BlockGrid grid = grid_of(low * share, high * share, kind);
        double error = 0;
        for (std::size_t i = 0; i < count && error < least; ++i)
            error += std::pow(std::abs(values[i] - grid.value_of(grid.level_of(values[i]))),
                              error_exponent);
        if (error < least) {
            least = error;
            best = grid;
        }
    }
    return best;
}

/// Stores `row`, the rows of column `n` of the weight from `begin` on, in the blocks. `begin` is a
/// multiple of the block.
void round_column(std::vector<double>& row, std::size_t begin, const std::vector<double>& upper,
                  const GridKind& kind, std::int64_t block, std::int64_t n, BlockWeight& out) {
    const std::size_t rows = row.size(), each = static_cast<std::size_t>(block);
    const std::int64_t blocks = out.values.dim(1);
    const std::int64_t zero_bytes = (blocks * kind.bits + 7) / 8;
    const auto values = out.values.mutable_data<std::uint8_t>().subspan(
        static_cast<std::size_t>(n * blocks * out.values.dim(2)));
    const auto zeros = out.zero_points.mutable_data<std::uint8_t>().subspan(
        static_cast<std::size_t>(n * zero_bytes));
    for (std::size_t first = 0; first < rows; first += each) {
        const std::size_t last = std::min(rows, first + each), b = (begin + first) / each;
        const BlockGrid grid = best_grid(row.data() + first, last - first, kind);
        out.scales.mutable_data<float>()[static_cast<std::size_t>(n * blocks) + b] = grid.scale;
        put_level(zeros, b, kind.bits, grid.zero_point);
        for (std::size_t k = first; k < last; ++k) {
            const int level = grid.level_of(row[k]);
            put_level(values, begin + k, kind.bits, level);
            const double error = (row[k] - grid.value_of(level)) / upper[k * rows + k];
            for (std::size_t j = k + 1; j < rows; ++j) row[j] -= error * upper[k * rows + j];
        }
        for (std::size_t k = last; k < first + each; ++k)
            put_level(values, begin + k, kind.bits, grid.zero_point);
    }
}

}  // namespace

std::optional<BlockWeight> compensated_blocks(const Tensor& weight, int bits, std::int64_t block,
                                              bool symmetric, bool signed_scales,
                                              const InputMoments& moments, ThreadPool& threads,
                                              const CancelToken& cancel) {
    BlockWeight out = quantize_blocks(weight, bits, block, false, cancel);
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1);
    if (!has_moments_of(moments, rows)) return std::nullopt;
    const auto from = weight.data<float>();
    for (std::int64_t group = 0; group < moments.groups; ++group) {
        const std::int64_t begin = group * moments.size,
                           count = std::min(moments.size, rows - begin);
        const auto upper =
            inverse_root(sums_of_group(moments, group, static_cast<std::size_t>(count)),
                         static_cast<std::size_t>(count), moment_damping, threads, cancel);
        if (!upper) return std::nullopt;
        threads.parallel_tasks(columns, [&](std::int64_t n, int) {
            cancel.throw_if_cancelled();
            std::vector<double> row(static_cast<std::size_t>(count));
            for (std::int64_t k = 0; k < count; ++k)
                row[static_cast<std::size_t>(k)] =
                    from[static_cast<std::size_t>((begin + k) * columns + n)];
            round_column(row, static_cast<std::size_t>(begin), *upper,
                         {bits, symmetric, signed_scales}, block, n, out);
        });
    }
    if (symmetric) out.zero_points = {};
    return out;
}

QuantizedWeight dequantize_form(const BlockWeight& weight, std::int64_t rows, int bits,
                                std::int64_t block, std::int64_t axis) {
    const std::int64_t columns = weight.values.dim(0), blocks = weight.values.dim(1);
    const bool symmetric = !weight.zero_points;
    const DType dtype =
        bits == 4 ? (symmetric ? DType::i4 : DType::u4) : (symmetric ? DType::i8 : DType::u8);
    const int middle = symmetric ? 1 << (bits - 1) : 0;
    const auto shape = [&](std::int64_t along) {
        return axis == 0 ? Shape{along, columns} : Shape{columns, along};
    };
    const auto place = [&](std::int64_t at, std::int64_t along, std::int64_t n) {
        return static_cast<std::size_t>(axis == 0 ? at * columns + n : n * along + at);
    };
    const std::int64_t zero_bytes = (blocks * bits + 7) / 8;
    std::vector<std::int32_t> values(static_cast<std::size_t>(rows * columns)),
        zeros(static_cast<std::size_t>(blocks * columns), 0);
    Tensor scales(DType::f32, shape(blocks));
    for (std::int64_t n = 0; n < columns; ++n) {
        const auto bytes = weight.values.data<std::uint8_t>().subspan(
            static_cast<std::size_t>(n * blocks * weight.values.dim(2)));
        for (std::int64_t k = 0; k < rows; ++k)
            values[place(k, rows, n)] = level_at(bytes, static_cast<std::size_t>(k), bits) - middle;
        for (std::int64_t b = 0; b < blocks; ++b) {
            scales.mutable_data<float>()[place(b, blocks, n)] =
                weight.scales.data<float>()[static_cast<std::size_t>(n * blocks + b)];
            if (!symmetric)
                zeros[place(b, blocks, n)] =
                    level_at(weight.zero_points.data<std::uint8_t>().subspan(
                                 static_cast<std::size_t>(n * zero_bytes)),
                             static_cast<std::size_t>(b), bits);
        }
    }
    return {stored_tensor(dtype, shape(rows), values),
            scales,
            stored_tensor(dtype, shape(blocks), zeros),
            {{dtype, symmetric, false}, axis, block}};
}

}  // namespace lapidary
