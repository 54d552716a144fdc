// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/ordered_blocks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "quantize/calibration/collect_moments.h"
#include "quantize/weights/inverse_root.h"

namespace lapidary {
namespace {

/// Moments of a group with their rows and columns in the order of these inputs: the lower triangle.
std::vector<double> reordered(const InputMoments& moments, std::int64_t group,
                              const std::vector<std::size_t>& order) {
    const std::size_t rows = order.size(), size = static_cast<std::size_t>(moments.size),
                      begin = static_cast<std::size_t>(group) * size;
    const double* const from = moments.sums.data() + begin * size;
    std::vector<double> sums(rows * rows, 0);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const std::size_t row = order[i] - begin, column = order[j] - begin;
            sums[i * rows + j] = from[std::max(row, column) * size + std::min(row, column)];
        }
    return sums;
}

/// Mean squares of the inputs.
std::vector<double> importance_of(const InputMoments& moments, std::size_t inputs) {
    const auto size = static_cast<std::size_t>(moments.size);
    std::vector<double> importance(inputs);
    for (std::size_t k = 0; k < inputs; ++k) {
        const std::size_t group = k / size, within = k % size;
        importance[k] = moments.sums[(group * size + within) * size + within] / moments.rows;
    }
    return importance;
}

/// The inputs of a group, the most important first.
std::vector<std::size_t> order_of(const std::vector<double>& importance, std::size_t begin,
                                  std::size_t end) {
    std::vector<std::size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return importance[k]; });
    return order;
}

/// Rounds columns into blocks whose scales and zero points are there already.
class OrderedRounding {
public:
    OrderedRounding(const BlockKind& kind, std::vector<std::size_t> order,
                    std::vector<double> upper, BlockWeight& out)
        : kind_(kind), order_(std::move(order)), upper_(std::move(upper)),
          blocks_(out.values.dim(1)), scales_(out.scales.data<float>()),
          zeros_(kind.symmetric ? std::span<const std::uint8_t>()
                                : std::as_const(out.zero_points).data<std::uint8_t>()),
          values_(out.values.mutable_data<std::uint8_t>()) {}

    /// `column`: all elements of column `n`. Rounds those of the order.
    void round(std::int64_t n, const std::vector<double>& column) const {
        const std::size_t rows = order_.size();
        std::vector<double> left(rows);  // in the order of rounding
        for (std::size_t i = 0; i < rows; ++i) left[i] = column[order_[i]];
        const auto bytes =
            values_.subspan(static_cast<std::size_t>(n * blocks_ * kind_.block * kind_.bits / 8));
        for (std::size_t i = 0; i < rows; ++i) {
            const std::size_t row = order_[i];
            const auto block = static_cast<std::int64_t>(row) / kind_.block;
            const double scale = scales_[static_cast<std::size_t>(n * blocks_ + block)];
            const int zero = zero_point(n, block);
            const int level = level_of(left[i], scale, zero);
            put_level(bytes, row, kind_.bits, level);
            const double error = (left[i] - (level - zero) * scale) / upper_[i * rows + i];
            for (std::size_t j = i + 1; j < rows; ++j) left[j] -= error * upper_[i * rows + j];
        }
    }

private:
    int zero_point(std::int64_t n, std::int64_t block) const {
        if (kind_.symmetric) return 1 << (kind_.bits - 1);
        const std::int64_t zero_bytes = (blocks_ * kind_.bits + 7) / 8;
        return level_at(zeros_.subspan(static_cast<std::size_t>(n * zero_bytes)),
                        static_cast<std::size_t>(block), kind_.bits);
    }
    int level_of(double value, double scale, int zero) const {
        if (scale == 0) return zero;
        const double highest = (1 << kind_.bits) - 1;
        return static_cast<int>(std::clamp(std::nearbyint(value / scale) + zero, 0.0, highest));
    }

    BlockKind kind_;
    std::vector<std::size_t> order_;
    std::vector<double> upper_;
    std::int64_t blocks_;
    std::span<const float> scales_;
    std::span<const std::uint8_t> zeros_;
    std::span<std::uint8_t> values_;
};

}  // namespace

std::optional<BlockWeight> ordered_blocks(const Tensor& weight, const BlockKind& kind,
                                          const InputMoments& moments, ThreadPool& threads,
                                          const CancelToken& cancel) {
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1);
    if (!has_moments_of(moments, rows) || !(moments.rows > 0)) return std::nullopt;
    const auto count = static_cast<std::size_t>(rows),
               each = static_cast<std::size_t>(moments.size);
    const std::vector<double> importance = importance_of(moments, count);
    BlockWeight out = fitted_blocks(weight, kind, importance, threads, cancel);
    const auto from = weight.data<float>();
    for (std::int64_t group = 0; group < moments.groups; ++group) {
        const std::size_t begin = static_cast<std::size_t>(group) * each;
        std::vector<std::size_t> order = order_of(importance, begin, std::min(count, begin + each));
        auto upper = inverse_root(reordered(moments, group, order), order.size(), moment_damping,
                                  threads, cancel);
        if (!upper) return std::nullopt;
        const OrderedRounding rounding(kind, std::move(order), std::move(*upper), out);
        threads.parallel_tasks(columns, [&](std::int64_t n, int) {
            cancel.throw_if_cancelled();
            std::vector<double> column(count);
            for (std::size_t k = 0; k < count; ++k)
                column[k] =
                    from[k * static_cast<std::size_t>(columns) + static_cast<std::size_t>(n)];
            rounding.round(n, column);
        });
    }
    return out;
}

}  // namespace lapidary
