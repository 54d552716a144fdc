// SPDX-License-Identifier: Apache-2.0
// Roundings of weights that cancel out: balance_rounding(), and what modes dynamic and static make
// of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/quantize.h>

#include "quantize/weights/balanced_rounding.h"

namespace lapidary {
namespace {

Tensor noise(const Shape& shape, std::uint32_t seed) {
    Tensor tensor(DType::f32, shape);
    for (float& v : tensor.mutable_data<float>()) {
        seed = seed * 1664525u + 1013904223u;
        v = static_cast<float>(seed >> 8) / static_cast<float>(1 << 23) - 1;
    }
    return tensor;
}

/// By output and input: how far the integers are off, in steps.
std::vector<double> errors(const QuantizedWeight& stored, const Tensor& weight) {
    const Tensor real = dequantized(stored);
    const std::int64_t inner = [&] {
        std::int64_t count = 1;
        for (std::size_t d = stored.format.axis ? static_cast<std::size_t>(*stored.format.axis) + 1
                                                : 0;
             d < weight.shape().size(); ++d)
            count *= weight.dim(d);
        return count;
    }();
    std::vector<double> found;
    for (std::int64_t i = 0; i < weight.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const auto scale = static_cast<std::size_t>(
            stored.scale.size() == 1 ? 0 : i / inner % stored.scale.size());
        found.push_back((double(weight.data<float>()[at]) - double(real.data<float>()[at])) /
                        double(stored.scale.data<float>()[scale]));
    }
    return found;
}

TEST(BalancedRounding, LetsErrorsOfEachColumnCancelOut) {
    const std::int64_t rows = 75, columns = 7;
    const Tensor weight = noise({rows, columns}, 1);
    for (const bool symmetric : {true, false})
        for (const bool reduced : {true, false})
            for (const bool per_channel : {true, false}) {
                const WeightFormat format{
                    {DType::i8, symmetric, reduced},
                    per_channel ? std::optional<std::int64_t>(1) : std::nullopt,
                    0};
                const QuantizedWeight nearest = quantize_weight(weight, format);
                QuantizedWeight stored = nearest;
                balance_rounding(stored, weight, {columns, true, 1});
                const std::vector<double> found = errors(stored, weight);
                for (std::int64_t c = 0; c < columns; ++c) {
                    double sum = 0;
                    for (std::int64_t r = 0; r < rows; ++r) {
                        const double error = found[static_cast<std::size_t>(r * columns + c)];
                        EXPECT_LT(std::abs(error), 1.0) << "a neighbouring step";
                        sum += error;
                    }
                    EXPECT_LE(std::abs(sum), 0.501) << c;
                }
                const StoredRange range = stored_range(format.values);
                for (const std::int32_t v : stored_values(stored.values)) {
                    EXPECT_GE(v, range.lowest);
                    EXPECT_LE(v, range.highest);
                }
                EXPECT_TRUE(same_contents(stored.scale, nearest.scale));
                EXPECT_FALSE(same_contents(stored.values, nearest.values));
            }
}

TEST(BalancedRounding, OfAConvolutionGoesInputByInputToo) {
    const std::int64_t outputs = 5, inputs = 6, taps = 9;
    const Tensor weight = noise({outputs, inputs, 3, 3}, 2);
    QuantizedWeight stored = quantize_weight(weight, {{DType::i8, true, false}, 0, 0});
    balance_rounding(stored, weight, {outputs, false, taps});
    const std::vector<double> found = errors(stored, weight);
    for (std::int64_t o = 0; o < outputs; ++o) {
        double whole = 0;
        for (std::int64_t i = 0; i < inputs; ++i) {
            double sum = 0;
            for (std::int64_t t = 0; t < taps; ++t)
                sum += found[static_cast<std::size_t>((o * inputs + i) * taps + t)];
            EXPECT_LE(std::abs(sum), 1.501) << "half a step, and one for the output";
            whole += sum;
        }
        EXPECT_LE(std::abs(whole), 0.501) << o;
    }
}

TEST(BalancedRounding, LeavesWhatLiesOnTheSteps) {
    const Tensor weight = noise({40, 3}, 3);
    const WeightFormat format{{DType::i8, true, false}, 1, 0};
    const Tensor on_steps = dequantized(quantize_weight(weight, format));
    const QuantizedWeight nearest = quantize_weight(on_steps, format);
    QuantizedWeight stored = nearest;
    balance_rounding(stored, on_steps, {3, true, 1});
    EXPECT_TRUE(same_contents(stored.values, nearest.values));
}

TEST(BalancedRounding, RefusesAnotherShapeAndBlocks) {
    const Tensor weight = noise({8, 4}, 4);
    QuantizedWeight stored = quantize_weight(weight, {{DType::i8, true, false}, 1, 0});
    EXPECT_THROW(balance_rounding(stored, noise({4, 8}, 4), {4, true, 1}), Error);
    EXPECT_THROW(balance_rounding(stored, weight, {5, true, 1}), Error);
    QuantizedWeight blocks = quantize_weight(weight, {{DType::u4, false, false}, 0, 4});
    EXPECT_THROW(balance_rounding(blocks, weight, {4, true, 1}), Error);
}

/// The sum of squares of the outputs' errors that inputs between `low` and 1 make of the weight's
/// errors.
double noise_of_outputs(const QuantizedWeight& stored, const Tensor& weight, float low) {
    const std::vector<double> found = errors(stored, weight);
    const std::int64_t rows = weight.dim(0), columns = weight.dim(1), samples = 100;
    const Tensor inputs = noise({samples, rows}, 7);
    double sum = 0;
    for (std::int64_t s = 0; s < samples; ++s)
        for (std::int64_t c = 0; c < columns; ++c) {
            double error = 0;
            for (std::int64_t r = 0; r < rows; ++r) {
                const double share =
                    (inputs.data<float>()[static_cast<std::size_t>(s * rows + r)] + 1) / 2;
                error +=
                    (low + share * (1 - low)) * found[static_cast<std::size_t>(r * columns + c)];
            }
            sum += error * error;
        }
    return sum;
}

TEST(BalancedRounding, TakesTheShiftOfPositiveInputsAway) {
    const Tensor weight = noise({128, 64}, 5);
    const QuantizedWeight nearest = quantize_weight(weight, {{DType::i8, true, false}, 1, 0});
    QuantizedWeight stored = nearest;
    balance_rounding(stored, weight, {64, true, 1});
    EXPECT_LT(noise_of_outputs(stored, weight, 0), 0.4 * noise_of_outputs(nearest, weight, 0))
        << "three quarters are the mean of the inputs";
    EXPECT_LT(noise_of_outputs(stored, weight, -1), 1.1 * noise_of_outputs(nearest, weight, -1))
        << "inputs around 0 lose almost nothing";
}

const Tensor& constant(const Model& model, const std::string& name) {
    return *model.graph.value(model.graph.find_value(name)).constant;
}

TEST(BalancedRounding, IsWhatDynamicAndStaticModesWrite) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,64]) -> (y)\nm = MatMul(x, w: f32[64,24])\nt = Relu(m)\n"
        "y = MatMul(t, v: f32[24,5])",
        {.opset = 17});
    infer_types(model);
    const auto samples = generated_samples(std::make_shared<const Model>(Model(model)), 8, 1);
    const auto largest_sum = [&](const QuantizeOptions& options) {
        const Model made = quantize_model(model, options, samples.get()).model;
        const Tensor &weight = constant(model, "w"), &stored = constant(made, "w_quantized");
        const std::vector<std::int32_t> values = stored_values(stored),
                                        zeros = stored_values(constant(made, "w_zero_point"));
        double largest = 0;
        for (std::size_t c = 0; c < 24; ++c) {
            double sum = 0;
            for (std::size_t r = 0; r < 64; ++r)
                sum += double(weight.data<float>()[r * 24 + c]) /
                           double(constant(made, "w_scale").data<float>()[c]) +
                       zeros[c] - values[r * 24 + c];
            largest = std::max(largest, std::abs(sum));
        }
        return largest;
    };
    for (const QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq}) {
        EXPECT_LE(largest_sum({.mode = mode}), 0.51);
        EXPECT_GT(largest_sum({.mode = mode, .bias_correction = false}), 0.51);
    }
}

}  // namespace
}  // namespace lapidary
