// SPDX-License-Identifier: Apache-2.0
// Quantized caches of GroupQueryAttention (com.microsoft): of 8 and 4 bits against what
// tests/peers/quantized_cache.py had from ONNX Runtime, of float8 against their definition.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/tensor/float16.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

#include "support/kernel_harness.h"
#include "support/test_data.h"

namespace lapidary::test {
namespace {

using Json = nlohmann::json;

Tensor tensor_of(const Json& entry) {
    const Shape shape(entry.at("shape").get<std::vector<std::int64_t>>());
    const Json& elements = entry.at("elements");
    const std::string type = entry.at("type").get<std::string>();
    if (type == "i32")
        return Tensor::of<std::int32_t>(shape, elements.get<std::vector<std::int32_t>>());
    if (type == "i8")
        return Tensor::of<std::int8_t>(shape, elements.get<std::vector<std::int8_t>>());
    if (type == "u8")
        return Tensor::of<std::uint8_t>(shape, elements.get<std::vector<std::uint8_t>>());
    return Tensor::of<float>(shape, elements.get<std::vector<float>>());
}

std::vector<RuntimeValue> attend(std::vector<RuntimeValue> inputs, const char* key_type,
                                 const char* value_type, int bits) {
    KernelRun run;
    run.outputs = 3;
    std::vector<Attribute> attributes{attribute("num_heads", 4), attribute("kv_num_heads", 2)};
    attributes.push_back(attribute("k_quant_type", key_type));
    attributes.push_back(attribute("v_quant_type", value_type));
    if (bits != 0) attributes.push_back(attribute("kv_cache_bit_width", bits));
    return run_kernel("com.microsoft", "GroupQueryAttention", 1, std::move(inputs),
                      std::move(attributes), run);
}

/// Bytes of a cache up to the end of each of its sequences.
std::vector<int> held(const Tensor& cache, const Tensor& last) {
    std::vector<int> bytes;
    const std::int64_t row = cache.dim(3);
    for (std::int64_t i = 0; i < cache.size(); ++i) {
        const std::int64_t position = i / row % cache.dim(2),
                           batch = i / row / cache.dim(2) / cache.dim(1);
        if (position <= last.data<std::int32_t>()[static_cast<std::size_t>(batch)])
            bytes.push_back(static_cast<const std::uint8_t*>(cache.raw())[i]);
    }
    return bytes;
}

TEST(QuantizedCache, StoresAndReadsAsOnnxRuntimeDoes) {
    const Json cases =
        parse_json(load_text(fixtures_folder() / "attention/quantized_cache.json", 1 << 20),
                   "quantized_cache.json");
    std::size_t of_four_bits = 0;
    for (const Json& entry : cases) {
        const int bits = entry.at("bits").get<int>();
        const std::string scaling = entry.at("scaling").get<std::string>();
        SCOPED_TRACE(std::to_string(bits) + " bits " + scaling);
        std::vector<RuntimeValue> inputs(14);
        std::size_t at = 0;
        for (const char* name :
             {"query", "key", "value", "past_key", "past_value", "seqlens_k",
              "total_sequence_length", "", "", "", "", "", "k_scale", "v_scale"}) {
            if (*name) inputs[at] = tensor_of(entry.at("inputs").at(name));
            ++at;
        }
        const Tensor last = inputs[5].tensor();
        const auto found = attend(inputs, scaling.c_str(), scaling.c_str(), bits);
        const Tensor expected = tensor_of(entry.at("outputs").at("output"));
        ASSERT_EQ(found[0].tensor().shape(), expected.shape());
        for (std::size_t i = 0; i < static_cast<std::size_t>(expected.size()); ++i)
            ASSERT_NEAR(found[0].tensor().data<float>()[i], expected.data<float>()[i], 1e-3)
                << "element " << i;
        for (const auto& [index, name] :
             {std::pair{1, "present_key"}, std::pair{2, "present_value"}}) {
            const Tensor& present = found[static_cast<std::size_t>(index)].tensor();
            const Tensor stored = tensor_of(entry.at("outputs").at(name));
            ASSERT_EQ(present.shape(), stored.shape());
            ASSERT_EQ(present.dtype(), stored.dtype());
            EXPECT_EQ(held(present, last), held(stored, last)) << name;
        }
        of_four_bits += bits == 4 ? 1 : 0;
    }
    EXPECT_GE(of_four_bits, 4u);
    EXPECT_GE(cases.size() - of_four_bits, 4u);
}

/// Values that look random but are the same each time.
Tensor noise(Shape shape, unsigned seed, float scale = 1) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
    for (float& v : values) {
        seed = seed * 1664525u + 1013904223u;
        v = scale * (static_cast<float>(seed >> 8) / static_cast<float>(1u << 23) - 1);
    }
    return Tensor::of(std::move(shape), values);
}

std::vector<RuntimeValue> one_more(const Tensor& q, const Tensor& k, const Tensor& v,
                                   const Tensor& past, Tensor scale) {
    const auto total = static_cast<std::int32_t>(past.dim(2) + 1);
    return {q,
            k,
            v,
            past,
            past,
            Tensor::of<std::int32_t>({1}, {total - 1}),
            Tensor::scalar(total),
            {},
            {},
            {},
            {},
            {},
            scale,
            scale};
}

// A cache of float8 gives what a cache of its values times the scales gives, new rows rounded to
// such values.
TEST(QuantizedCache, OfFloat8EqualsItsValuesTimesTheScale) {
    constexpr std::int64_t size = 8, past = 3;
    const Tensor q = noise({1, 1, 4 * size}, 3), k = noise({1, 1, 2 * size}, 4, 40),
                 v = noise({1, 1, 2 * size}, 5, 3);
    for (const bool by_channel : {false, true}) {
        Tensor scale(DType::f32, {by_channel ? 2 * size : 1});
        for (std::int64_t i = 0; i < scale.size(); ++i)
            scale.mutable_data<float>()[static_cast<std::size_t>(i)] =
                0.03f * static_cast<float>(i + 1);
        const auto scale_at = [&](std::int64_t head, std::int64_t channel) {
            return scale
                .data<float>()[by_channel ? static_cast<std::size_t>(head * size + channel) : 0];
        };
        Tensor stored(DType::f8e4m3fn, {1, 2, past, size}), wide(DType::f32, stored.shape());
        auto* const bytes = static_cast<std::uint8_t*>(stored.mutable_raw());
        for (std::int64_t i = 0; i < stored.size(); ++i) {
            // no NaN: 127 and 255
            bytes[i] = static_cast<std::uint8_t>(i * 37 % 120 + (i % 2) * 128);
            wide.mutable_data<float>()[static_cast<std::size_t>(i)] =
                f8e4m3fn_to_float(bytes[i]) * scale_at(i / (past * size), i % size);
        }
        const auto rounded = [&](Tensor x) {
            for (std::int64_t i = 0; i < x.size(); ++i) {
                float& value = x.mutable_data<float>()[static_cast<std::size_t>(i)];
                value = f8e4m3fn_to_float(float_to_f8e4m3fn(value / scale_at(i / size, i % size))) *
                        scale_at(i / size, i % size);
            }
            return x;
        };
        const char* type = by_channel ? "PER_CHANNEL" : "PER_TENSOR";
        const auto expected = attend(one_more(q, rounded(noise(k.shape(), 4, 40)),
                                              rounded(noise(v.shape(), 5, 3)), wide, {}),
                                     "NONE", "NONE", 0);
        const auto found = attend(one_more(q, k, v, stored, scale), type, type, 8);
        for (std::size_t i = 0; i < 4 * size; ++i)
            EXPECT_NEAR(found[0].tensor().data<float>()[i], expected[0].tensor().data<float>()[i],
                        1e-4);
        for (std::size_t i = 1; i < 3; ++i) {
            const Tensor& present = found[i].tensor();
            ASSERT_EQ(present.dtype(), DType::f8e4m3fn);
            ASSERT_EQ(present.shape(), (Shape{1, 2, past + 1, size}));
            for (std::int64_t at = 0; at < present.size(); ++at) {
                const float value =
                    f8e4m3fn_to_float(static_cast<const std::uint8_t*>(present.raw())[at]);
                const float worth =
                    expected[i].tensor().data<float>()[static_cast<std::size_t>(at)];
                EXPECT_FLOAT_EQ(value * scale_at(at / ((past + 1) * size), at % size), worth)
                    << "element " << at;
            }
        }
    }
    // 40 / 0.03 is beyond the largest float8, which is stored instead.
    const auto found =
        attend(one_more(q, noise(k.shape(), 4, 1000), v, Tensor(DType::f8e4m3fn, {1, 2, 0, size}),
                        Tensor::of<float>({1}, {0.03f})),
               "PER_TENSOR", "PER_TENSOR", 8);
    float most = 0;
    for (std::int64_t at = 0; at < found[1].tensor().size(); ++at)
        most = std::max(most, std::fabs(f8e4m3fn_to_float(
                                  static_cast<const std::uint8_t*>(found[1].tensor().raw())[at])));
    EXPECT_EQ(most, 448);
}

TEST(QuantizedCache, RefusesTypesBitsAndScalesThatDoNotFit) {
    constexpr std::int64_t size = 8;
    const Tensor q = noise({1, 1, 4 * size}, 3), k = noise({1, 1, 2 * size}, 4),
                 scale = Tensor::of<float>({1}, {0.1f});
    const auto refusal = [&](DType type, std::int64_t width, const char* key, const char* value,
                             int bits, const RuntimeValue& scaled) -> std::string {
        auto inputs = one_more(q, k, k, Tensor(type, {1, 2, 3, width}), scale);
        if (width == 0) inputs[3] = inputs[4] = {};
        inputs[12] = scaled;
        if (width == 0)
            inputs[5] = Tensor::of<std::int32_t>({1}, {0}),
            inputs[6] = Tensor::scalar(std::int32_t{1});
        try {
            attend(std::move(inputs), key, value, bits);
        } catch (const Error& e) { return e.what(); }
        return "no error";
    };
    const auto expect = [](const std::string& found, const std::string& part) {
        EXPECT_NE(found.find(part), std::string::npos) << found;
    };
    const char *tensor = "PER_TENSOR", *channel = "PER_CHANNEL", *none = "NONE";
    EXPECT_EQ(refusal(DType::u8, 4, tensor, tensor, 4, scale), "no error");
    EXPECT_EQ(refusal(DType::f8e4m3fn, 8, tensor, tensor, 8, scale), "no error");
    expect(refusal(DType::i8, 4, tensor, tensor, 4, scale),
           "past_key: expected u8 for 4 bits, found i8");
    expect(refusal(DType::u8, 8, tensor, tensor, 8, scale),
           "past_key: expected i8 or f8e4m3fn for 8 bits, found u8");
    expect(refusal(DType::u8, 8, tensor, tensor, 4, scale),
           "past_key and past_value: expected [1,2,P,4], found [1,2,3,8] and [1,2,3,8]");
    expect(refusal(DType::i8, 8, tensor, tensor, 2, scale),
           "attribute kv_cache_bit_width: expected 4 or 8 beside k_quant_type PER_TENSOR, found 2");
    expect(refusal(DType::i8, 8, "PER_ROW", tensor, 8, scale),
           "k_quant_type: expected NONE, PER_TENSOR or PER_CHANNEL, found");
    expect(refusal(DType::i8, 8, tensor, none, 8, scale),
           "past_value: its type i8 needs a quantization, found v_quant_type NONE");
    expect(refusal(DType::f8e4m3fn, 8, none, none, 0, scale),
           "past_key: its type f8e4m3fn needs a quantization");
    expect(refusal(DType::i8, 8, channel, tensor, 8, scale),
           "k_scale: expected 16 elements, found [1]");
    expect(refusal(DType::i8, 8, tensor, tensor, 8, {}),
           "k_scale: expected 1 elements, found none");
    expect(refusal(DType::i8, 0, tensor, tensor, 8, scale),
           "a quantized cache (k_quant_type PER_TENSOR) without past_key is not supported");
}

}  // namespace
}  // namespace lapidary::test
