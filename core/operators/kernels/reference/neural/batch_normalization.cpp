// SPDX-License-Identifier: Apache-2.0
// BatchNormalization (7, 9, 14, 15), inference and training.
#include <cmath>
#include <vector>

#include "kernels/input_index.h"
#include "kernels/reference/elementwise/widening.h"

namespace lapidary::reference {
namespace {

/// X as [images, features, size]: statistics belong to one feature. Features are the channels, or
/// (opset 7 with spatial = 0) every element of one image.
struct FeatureLayout {
    std::int64_t images, features, size;
};

FeatureLayout layout_of(const KernelContext& context, const Tensor& x) {
    if (x.rank() < 1) fail_input("BatchNormalization: expected X [N, C, ...], found a scalar");
    const bool is_spatial =
        context.version() >= 9 || context.node().int_attribute("spatial", 1) != 0;
    if (x.size() == 0) return {0, x.rank() > 1 ? x.dim(1) : 1, 0};
    std::int64_t channels = x.rank() > 1 ? x.dim(1) : 1, size = 1;
    for (int axis = 2; axis < x.rank(); ++axis) size *= x.dim(static_cast<std::size_t>(axis));
    if (!is_spatial) return {x.dim(0), channels * size, 1};
    return {x.dim(0), channels, size};
}

template <typename T>
struct Statistics {
    std::vector<T> mean, variance;
};

/// Mean and population variance of each feature over images and positions.
template <typename T>
Statistics<T> batch_statistics(const FeatureLayout& l, const T* x) {
    Statistics<T> s;
    const double count = static_cast<double>(l.images) * static_cast<double>(l.size);
    for (std::int64_t f = 0; f < l.features; ++f) {
        double sum = 0, squares = 0;
        const auto each = [&](auto&& body) {
            for (std::int64_t n = 0; n < l.images; ++n)
                for (std::int64_t i = 0; i < l.size; ++i)
                    body(static_cast<double>(x[(n * l.features + f) * l.size + i]));
        };
        each([&](double v) { sum += v; });
        const double mean = count > 0 ? sum / count : 0;
        each([&](double v) { squares += (v - mean) * (v - mean); });
        s.mean.push_back(static_cast<T>(mean));
        s.variance.push_back(static_cast<T>(count > 0 ? squares / count : 0));
    }
    return s;
}

template <typename T>
void store_statistics(KernelContext& context, std::size_t index, const Tensor& like,
                      const std::vector<T>& values) {
    if (index >= context.output_count() || !context.wants_output(index)) return;
    Narrowed<T> output(context, context.output(index, like.dtype(), like.shape()));
    for (std::size_t i = 0; i < values.size(); ++i)
        output[static_cast<std::int64_t>(i)] = values[i];
    output.store();
}

}  // namespace

void batch_normalization(KernelContext& context) {
    namespace in = batch_normalization_input;
    const Tensor& x = context.input(0);
    const FeatureLayout l = layout_of(context, x);
    for (std::size_t i = 1; i < 5; ++i)
        if (context.input(i).size() != l.features)
            fail_input("BatchNormalization: input " + std::to_string(i) + " has shape " +
                       to_string(context.input(i).shape()) + ", expected " +
                       std::to_string(l.features) + " elements");
    const float epsilon = context.node().float_attribute("epsilon", 1e-5f);
    const float momentum = context.node().float_attribute("momentum", 0.9f);
    // Before opset 14 asking for the statistics meant training.
    const bool is_training = context.version() >= 14
                                 ? context.node().int_attribute("training_mode", 0) != 0
                                 : context.output_count() > 1 && context.wants_output(1);
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x), scale(context, context.input(1)),
            bias(context, context.input(2));
        const Widened<T> mean(context, context.input(in::input_mean)),
            variance(context, context.input(in::input_var));
        Statistics<T> used;
        if (is_training) {
            used = batch_statistics(l, input.data());
            const T keep = momentum;
            Statistics<T> running = used;
            for (std::size_t f = 0; f < running.mean.size(); ++f) {
                const auto at = static_cast<std::int64_t>(f);
                running.mean[f] = mean[at] * keep + used.mean[f] * (1 - keep);
                running.variance[f] = variance[at] * keep + used.variance[f] * (1 - keep);
            }
            store_statistics(context, 1, context.input(in::input_mean), running.mean);
            store_statistics(context, 2, context.input(in::input_var), running.variance);
            store_statistics(context, 3, context.input(in::input_mean), used.mean);
            store_statistics(context, 4, context.input(in::input_var), used.variance);
        } else {
            used.mean.assign(mean.data(), mean.data() + l.features);
            used.variance.assign(variance.data(), variance.data() + l.features);
        }
        Narrowed<T> output(context, context.output(0, x.dtype(), x.shape()));
        if (x.size() == 0) return;
        context.threads().parallel_for(
            l.images * l.features, 16, [&](std::int64_t begin, std::int64_t end) {
                context.cancel().throw_if_cancelled();
                for (std::int64_t row = begin; row < end; ++row) {
                    const std::int64_t f = row % l.features;
                    const auto at = static_cast<std::size_t>(f);
                    const T factor =
                        scale[f] / std::sqrt(used.variance[at] + static_cast<T>(epsilon));
                    const T center = used.mean[at], shift = bias[f];
                    const T* from = input.data() + row * l.size;
                    T* to = output.data() + row * l.size;
                    for (std::int64_t i = 0; i < l.size; ++i)
                        to[i] = (from[i] - center) * factor + shift;
                }
            });
        output.store();
    });
}

}  // namespace lapidary::reference
