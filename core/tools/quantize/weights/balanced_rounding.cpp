// SPDX-License-Identifier: Apache-2.0
#include "quantize/weights/balanced_rounding.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

/// Some elements of an output, in steps: exact and rounded values.
struct Rounded {
    std::vector<double> wanted;
    std::vector<std::int32_t> stored;

    double error(std::size_t i) const { return wanted[i] - stored[i]; }
};

/// Moves as many of the elements from `begin` on by a step as their errors add up to.
void balance(Rounded& row, std::size_t begin, std::size_t count, const StoredRange& range,
             std::vector<std::size_t>& order) {
    double sum = 0;
    for (std::size_t i = begin; i < begin + count; ++i) sum += row.error(i);
    const double moves = std::rint(sum);
    if (moves == 0) return;
    const int step = moves > 0 ? 1 : -1;
    order.clear();
    for (std::size_t i = begin; i < begin + count; ++i) {
        const std::int32_t moved = row.stored[i] + step;
        if (row.error(i) * step > 0 && moved >= range.lowest && moved <= range.highest)
            order.push_back(i);
    }
    const std::size_t taken = std::min(order.size(), static_cast<std::size_t>(std::abs(moves)));
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(taken),
                              [&](std::size_t a, std::size_t b) {
                                  const double first = std::abs(row.error(a)),
                                               second = std::abs(row.error(b));
                                  return first != second ? first > second : a < b;
                              });
    for (const std::size_t i : std::span(order).first(taken)) row.stored[i] += step;
}

/// The index of an element's scale.
std::size_t scale_index(const QuantizedWeight& stored, std::size_t element) {
    if (!stored.format.axis) return 0;
    const Shape& shape = stored.values.shape();
    const std::int64_t axis =
        *stored.format.axis < 0 ? *stored.format.axis + stored.values.rank() : *stored.format.axis;
    std::size_t inner = 1;
    for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < shape.size(); ++d)
        inner *= static_cast<std::size_t>(shape[d]);
    return element / inner % static_cast<std::size_t>(shape[static_cast<std::size_t>(axis)]);
}

}  // namespace

void balance_rounding(QuantizedWeight& stored, const Tensor& weight, const SummedElements& sums,
                      const CancelToken& cancel) {
    const auto outputs = static_cast<std::size_t>(sums.outputs),
               size = static_cast<std::size_t>(weight.size());
    if (stored.format.block != 0 || stored.values.shape() != weight.shape() || outputs == 0 ||
        size % outputs != 0)
        fail_input("roundings of a weight of shape " + to_string(weight.shape()) +
                   " cannot be balanced for " + std::to_string(outputs) + " outputs of integers " +
                   to_string(stored.values.shape()));
    const std::size_t count = size / outputs, taps = static_cast<std::size_t>(sums.taps);
    const StoredRange range = stored_range(stored.format.values);
    std::vector<std::int32_t> values = stored_values(stored.values);
    const std::vector<std::int32_t> zero_points = stored_values(stored.zero_point);
    const auto from = weight.data<float>();
    const auto place = [&](std::size_t output, std::size_t i) {
        return sums.is_last_axis ? i * outputs + output : output * count + i;
    };
    Rounded row{std::vector<double>(count), std::vector<std::int32_t>(count)};
    std::vector<std::size_t> order;
    for (std::size_t output = 0; output < outputs && count > 0; ++output) {
        cancel.throw_if_cancelled();
        const std::size_t scale = scale_index(stored, place(output, 0));
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = place(output, i);
            row.wanted[i] = static_cast<double>(from[at]) / stored.scale.data<float>()[scale] +
                            zero_points[scale];
            row.stored[i] = values[at];
        }
        if (taps > 1 && count % taps == 0)
            for (std::size_t first = 0; first < count; first += taps)
                balance(row, first, taps, range, order);
        balance(row, 0, count, range, order);
        for (std::size_t i = 0; i < count; ++i) values[place(output, i)] = row.stored[i];
    }
    stored.values = stored_tensor(stored.format.values.dtype, weight.shape(), values);
}

}  // namespace lapidary
