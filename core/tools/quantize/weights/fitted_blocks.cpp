// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/fitted_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr int ranges = 16;               // tried for a block: its extremes ...
constexpr float range_step = 1 / 32.f;   // ... and those narrower by so much each
constexpr int refinements = 3;           // of the best: integers for a scale, a scale for integers
constexpr std::int64_t most_rows = 256;  // of a block
constexpr std::int64_t columns_at_a_time = 16;
constexpr std::size_t lanes = 8;  // sums that are independent, so that they can share a register

/// A row without importance still has a share of the mean: no data shows all inputs.
constexpr double least_importance = 0.01;

/// Nearest integers, of halves the even one, for magnitudes below 2^22. Compilers vectorize it on
/// any instruction set.
float nearest(float value) {
    constexpr float shift = 12582912;  // 1.5 * 2^23: its last bit is worth 1
    return (value + shift) - shift;
}

float sum_of(const std::array<float, lanes>& parts) {
    float sum = 0;
    for (const float part : parts) sum += part;
    return sum;
}

/// A block of a column, filled up with elements of importance 0.
struct BlockElements {
    std::array<float, most_rows> values, importance;
    std::size_t count = 0;  // a multiple of `lanes`
};

struct Fit {
    float scale = 0;
    int zero_point = 0;
    float error = INFINITY;
};

class BlockSearch {
public:
    explicit BlockSearch(const BlockKind& kind)
        : kind_(kind), highest_((1 << kind.bits) - 1), middle_(1 << (kind.bits - 1)) {}

    Fit best(const BlockElements& block) {
        float low = 0, high = 0;
        for (std::size_t i = 0; i < block.count; ++i) {
            low = std::min(low, block.values[i]);
            high = std::max(high, block.values[i]);
        }
        Fit best{0, zero_of(0, low), INFINITY};
        if (low == 0 && high == 0) return best;
        for (int step = 0; step < ranges; ++step) {
            const float share = 1 - static_cast<float>(step) * range_step;
            for (const float scale : scales_of(low * share, high * share)) {
                if (!std::isnormal(scale)) continue;  // its inverse may be infinite
                const Fit found = fitted(block, scale, zero_of(scale, low * share));
                if (found.error < best.error) best = found;
            }
        }
        for (int i = 0; i < refinements && std::isfinite(best.error); ++i)
            if (!refine(block, best)) break;
        return best;
    }

    /// The level of each element: the same arithmetic as in the search.
    int level_of(float value, const Fit& fit) const {
        const float inverse = fit.scale != 0 ? 1 / fit.scale : 0;
        return static_cast<int>(centred(value, inverse, fit.zero_point)) + fit.zero_point;
    }

private:
    /// One scale, or 0 and another, for a range.
    std::array<float, 2> scales_of(float low, float high) const {
        const float most = std::max(-low, high);
        if (!kind_.symmetric) return {(high - low) / static_cast<float>(highest_), 0};
        if (!kind_.signed_scales) return {2 * most / static_cast<float>(highest_), 0};
        const float scale = most / static_cast<float>(middle_);
        return {scale, -scale};
    }
    int zero_of(float scale, float low) const {
        if (kind_.symmetric) return middle_;
        if (scale == 0) return 0;
        return static_cast<int>(
            std::clamp(nearest(-low / scale), 0.0f, static_cast<float>(highest_)));
    }
    float centred(float value, float inverse, int zero_point) const {
        const auto least = static_cast<float>(-zero_point),
                   most = static_cast<float>(highest_ - zero_point);
        return nearest(std::min(std::max(value * inverse, least), most));
    }

    /// The least-squares scale for the integers that a scale gives, and its error.
    Fit fitted(const BlockElements& block, float scale, int zero_point) {
        const float inverse = 1 / scale, least = static_cast<float>(-zero_point),
                    most = static_cast<float>(highest_ - zero_point);
        std::array<float, lanes> products{}, squares{};
        for (std::size_t i = 0; i < block.count; i += lanes)
            for (std::size_t l = 0; l < lanes; ++l) {
                const float x = block.values[i + l], w = block.importance[i + l];
                const float level = nearest(std::min(std::max(x * inverse, least), most));
                levels_[i + l] = level;
                products[l] += w * level * x;
                squares[l] += w * level * level;
            }
        const float square = sum_of(squares), product = sum_of(products);
        Fit fit{square > 0 ? product / square : scale, zero_point, 0};
        if (!std::isnormal(fit.scale) || (!kind_.signed_scales && fit.scale < 0)) fit.scale = scale;
        fit.error = error_of(block, fit.scale);
        return fit;
    }

    float error_of(const BlockElements& block, float scale) const {
        std::array<float, lanes> errors{};
        for (std::size_t i = 0; i < block.count; i += lanes)
            for (std::size_t l = 0; l < lanes; ++l) {
                const float off = block.values[i + l] - levels_[i + l] * scale;
                errors[l] += block.importance[i + l] * off * off;
            }
        return sum_of(errors);
    }

    /// Rounds again with the scale found, also with the zero points next to its own. False: that
    /// gives nothing better.
    bool refine(const BlockElements& block, Fit& best) {
        const Fit before = best;
        const int reach = kind_.symmetric ? 0 : 1;
        for (int zero = before.zero_point - reach; zero <= before.zero_point + reach; ++zero) {
            if (zero < 0 || zero > highest_) continue;
            const Fit found = fitted(block, before.scale, zero);
            if (found.error < best.error) best = found;
        }
        return best.error < before.error;
    }

    BlockKind kind_;
    int highest_, middle_;
    std::array<float, most_rows> levels_;  // of the newest fitted(), less the zero point
};

/// Importance with the least one that a row has; of mean 1, so that sums stay in range.
std::vector<float> raised(std::span<const double> importance, std::int64_t rows) {
    std::vector<float> raised(static_cast<std::size_t>(rows), 1);
    if (importance.size() != raised.size()) return raised;
    double mean = 0;
    for (const double one : importance) mean += one / static_cast<double>(rows);
    if (!(mean > 0) || !std::isfinite(mean)) return raised;
    for (std::size_t k = 0; k < raised.size(); ++k)
        raised[k] = static_cast<float>(std::max(importance[k] / mean, least_importance));
    return raised;
}

/// Columns from `first` on, in memory one behind the other. Throws for what is not finite.
void take_columns(const Tensor& weight, std::int64_t first, std::int64_t count,
                  std::vector<float>& to) {
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1);
    const float* const from = weight.data<float>().data();
    for (std::int64_t k = 0; k < rows; ++k)
        for (std::int64_t c = 0; c < count; ++c) {
            const float value = from[k * columns + first + c];
            if (!std::isfinite(value))
                fail_input("a weight that is not finite cannot be quantized");
            to[static_cast<std::size_t>(c * rows + k)] = value;
        }
}

}  // namespace

BlockWeight fitted_blocks(const Tensor& weight, const BlockKind& kind,
                          std::span<const double> importance, ThreadPool& threads,
                          const CancelToken& cancel) {
    BlockWeight out = empty_blocks(weight, kind.bits, kind.block);
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1), block = kind.block,
                       blocks = out.values.dim(1), block_bytes = out.values.dim(2),
                       zero_bytes = out.zero_points.dim(1);
    const std::vector<float> shares = raised(importance, rows);
    const auto scales = out.scales.mutable_data<float>();
    const auto values = out.values.mutable_data<std::uint8_t>();
    const auto zeros = out.zero_points.mutable_data<std::uint8_t>();
    const auto fit_column = [&](BlockSearch& search, const float* column, std::int64_t n) {
        BlockElements elements;
        for (std::int64_t b = 0; b < blocks; ++b) {
            const std::int64_t begin = b * block, size = std::min(rows - begin, block);
            elements.count = static_cast<std::size_t>(block);
            for (std::int64_t k = 0; k < block; ++k) {
                const auto at = static_cast<std::size_t>(k);
                elements.values[at] = k < size ? column[begin + k] : 0;
                elements.importance[at] =
                    k < size ? shares[static_cast<std::size_t>(begin + k)] : 0;
            }
            const Fit fit = search.best(elements);
            scales[static_cast<std::size_t>(n * blocks + b)] = fit.scale;
            put_level(zeros.subspan(static_cast<std::size_t>(n * zero_bytes)),
                      static_cast<std::size_t>(b), kind.bits, fit.zero_point);
            const auto to = values.subspan(static_cast<std::size_t>((n * blocks + b) * block_bytes),
                                           static_cast<std::size_t>(block_bytes));
            for (std::size_t k = 0; k < elements.count; ++k)
                put_level(to, k, kind.bits, search.level_of(elements.values[k], fit));
        }
    };
    threads.parallel_tasks(
        (columns + columns_at_a_time - 1) / columns_at_a_time, [&](std::int64_t task, int) {
            cancel.throw_if_cancelled();
            const std::int64_t first = task * columns_at_a_time,
                               count = std::min(columns_at_a_time, columns - first);
            std::vector<float> taken(static_cast<std::size_t>(rows * count));
            take_columns(weight, first, count, taken);
            BlockSearch search(kind);
            for (std::int64_t c = 0; c < count; ++c)
                fit_column(search, taken.data() + c * rows, first + c);
        });
    if (kind.symmetric) out.zero_points = {};
    return out;
}

double block_error(const Tensor& weight, const BlockWeight& blocks, const BlockKind& kind,
                   std::span<const double> importance) {
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1);
    const Tensor rounded = dequantized_blocks(blocks, rows, kind.bits, kind.block);
    const bool is_weighted = importance.size() == static_cast<std::size_t>(rows);
    const auto from = weight.data<float>(), to = rounded.data<float>();
    double error = 0;
    for (std::int64_t k = 0, at = 0; k < rows; ++k) {
        double row = 0;
        for (std::int64_t n = 0; n < columns; ++n, ++at) {
            const double off = static_cast<double>(from[static_cast<std::size_t>(at)]) -
                               to[static_cast<std::size_t>(at)];
            row += off * off;
        }
        error += is_weighted ? row * importance[static_cast<std::size_t>(k)] : row;
    }
    return error;
}

}  // namespace lapidary
