// SPDX-License-Identifier: Apache-2.0
// Scales, zero points and integers bit for bit as tests/peers/record_quantization.py had them from
// ONNX Runtime.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

#include "rewrite/affine_parameters.h"
#include "quantize/writers/int32_bias.h"
#include "rewrite/quantized_weight.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

const Json& recorded() {
    static const Json json = parse_json(
        load_text(fixtures_folder() / "quantize/numerics.json", 1 << 20), "numerics.json");
    return json;
}

AffineFormat format_of(const Json& entry) {
    return {*dtype_from_name(entry.at("type").get<std::string>()),
            entry.at("symmetric").get<bool>(), entry.value("reduced", false)};
}

std::vector<float> floats(const Json& list) { return list.get<std::vector<float>>(); }

Tensor tensor_of(const Json& entry) {
    return Tensor::of<float>(Shape(entry.at("shape").get<std::vector<std::int64_t>>()),
                             floats(entry.at("elements")));
}

std::vector<float> elements(const Tensor& t) {
    return {t.data<float>().begin(), t.data<float>().end()};
}

TEST(QuantizationNumerics, RangesGiveTheParametersOfOnnxRuntime) {
    ASSERT_GT(recorded().at("parameters").size(), 500u);
    for (const Json& entry : recorded().at("parameters")) {
        const auto found = affine_parameters(entry.at("low").get<float>(),
                                             entry.at("high").get<float>(), format_of(entry));
        EXPECT_EQ(found.scale, entry.at("scale").get<float>()) << entry;
        EXPECT_EQ(found.zero_point, entry.at("zero_point").get<std::int32_t>()) << entry;
    }
}

TEST(QuantizationNumerics, WeightsGiveTheIntegersOfOnnxRuntime) {
    ASSERT_GT(recorded().at("weights").size(), 100u);
    for (const Json& entry : recorded().at("weights")) {
        const Tensor weight =
            tensor_of(recorded().at("tensors").at(entry.at("weight").get<std::size_t>()));
        WeightFormat format{format_of(entry), std::nullopt, entry.at("block").get<std::int64_t>()};
        if (!entry.at("axis").is_null()) format.axis = entry.at("axis").get<std::int64_t>();
        const QuantizedWeight found = quantize_weight(weight, format);
        const std::string what = entry.at("type").dump() + entry.at("symmetric").dump() +
                                 entry.at("axis").dump() + entry.at("block").dump() +
                                 to_string(weight.shape());
        EXPECT_EQ(elements(found.scale), floats(entry.at("scale"))) << what;
        EXPECT_EQ(stored_values(found.zero_point),
                  entry.at("zero_point").get<std::vector<std::int32_t>>())
            << what;
        EXPECT_EQ(stored_values(found.values), entry.at("values").get<std::vector<std::int32_t>>())
            << what;
    }
}

TEST(QuantizationNumerics, BiasesAndEnlargedScalesAreThoseOfOnnxRuntime) {
    std::size_t enlarged_ones = 0;
    for (const Json& entry : recorded().at("biases")) {
        const std::vector<float> bias_values = floats(entry.at("bias")),
                                 scales = floats(entry.at("weight_scale"));
        const auto channels = static_cast<std::int64_t>(bias_values.size());
        const Tensor bias = Tensor::of<float>({channels}, bias_values);
        const Tensor scale = Tensor::of<float>(
            entry.at("per_channel").get<bool>() ? Shape{channels} : Shape{}, scales);
        const float input_scale = entry.at("input_scale").get<float>();
        const Tensor enlarged = scale_for_bias(bias, input_scale, scale);
        EXPECT_EQ(elements(enlarged), floats(entry.at("enlarged"))) << entry;
        enlarged_ones += elements(enlarged) != scales;
        const Int32Bias found = quantize_bias(bias, input_scale, enlarged);
        EXPECT_EQ(elements(found.scale), floats(entry.at("scale"))) << entry;
        EXPECT_EQ(stored_values(found.values), entry.at("values").get<std::vector<std::int32_t>>())
            << entry;
        EXPECT_TRUE(found.fits) << entry;
    }
    EXPECT_GT(enlarged_ones, 2u);
}

TEST(QuantizationNumerics, OddValuesAreStoredAsOnTheCpu) {
    const StoredRange range = whole_range(DType::i8);
    EXPECT_EQ(stored_value(std::numeric_limits<float>::quiet_NaN(), {1, 0}, range), -128);
    EXPECT_EQ(stored_value(std::numeric_limits<float>::infinity(), {1, 0}, range), 127);
    EXPECT_EQ(stored_value(-std::numeric_limits<float>::infinity(), {1, 0}, range), -128);
    EXPECT_EQ(stored_value(2.5f, {1, 0}, range), 2);
    EXPECT_EQ(stored_value(3.5f, {1, 1}, range), 5);
}

TEST(QuantizationNumerics, ABiasThatDoesNotFitSaysSo) {
    const Int32Bias found =
        quantize_bias(Tensor::of<float>({1}, {1e6f}), 1e-6f, Tensor::of<float>({}, {1e-6f}));
    EXPECT_FALSE(found.fits);
    EXPECT_EQ(stored_values(found.values)[0], std::numeric_limits<std::int32_t>::max());
}

TEST(QuantizationNumerics, WhatCannotBeQuantizedIsRefused) {
    const Tensor weight =
        Tensor::of<float>({2, 2}, {1, 2, 3, std::numeric_limits<float>::infinity()});
    EXPECT_THROW(quantize_weight(weight, {}), Error);
    EXPECT_THROW(quantize_weight(Tensor::of<float>({2}, {1, 2}), {.axis = 1}), Error);
    EXPECT_THROW(quantize_weight(Tensor::of<float>({2}, {1, 2}), {.axis = 0, .block = 2}), Error);
    EXPECT_THROW(quantize_weight(Tensor::of<double>({2}, {1, 2}), {}), Error);
    EXPECT_THROW(affine_parameters(1, 0, {}), Error);
    EXPECT_THROW(affine_parameters(0, std::numeric_limits<float>::infinity(), {}), Error);
    EXPECT_THROW(stored_range({DType::f32}), Error);
}

TEST(QuantizationNumerics, DequantizedWeightsLieOnTheGridAndReproduceThemselves) {
    const Tensor weight = Tensor::of<float>({2, 3}, {0.5f, -1, 0.25f, 3, 2, -1.5f});
    for (std::int64_t axis : {0, 1}) {
        const QuantizedWeight first = quantize_weight(weight, {.axis = axis});
        const QuantizedWeight again = quantize_weight(dequantized(first), {.axis = axis});
        EXPECT_EQ(stored_values(first.values), stored_values(again.values));
    }
}

}  // namespace
}  // namespace lapidary
