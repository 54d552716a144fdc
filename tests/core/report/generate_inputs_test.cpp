// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return model;
}

const Tensor& tensor(const NamedValues& values, const std::string& name) {
    const RuntimeValue* value = find(values, name);
    if (!value) throw std::runtime_error("no value " + name);
    return value->tensor();
}

std::pair<std::int64_t, std::int64_t> range(const Tensor& t) {
    const auto values = to_int64s(t);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {*low, *high};
}

TEST(GenerateInputs, IndicesStayWithinTheTable) {
    const Model model = model_of(R"((ids: i64[2,500]) -> (y)
        c = Cast(ids) {to: 6}
        u = Unsqueeze(c, axes: i64[1]{0})
        y = Gather(table: f32[7,3], u) {axis: 0})");
    const auto [low, high] = range(tensor(generate_inputs(model), "ids"));
    EXPECT_EQ(low, 0);
    EXPECT_EQ(high, 6);
}

TEST(GenerateInputs, OffsetsAndTheSmallestTableCount) {
    const Model model = model_of(R"((ids: i64[1,500]) -> (y, z)
        shifted = Add(ids, two: i64[]{2})
        y = Gather(table: f32[3,10], shifted) {axis: 1}
        z = Gather(wide: f32[100,2], ids))");
    EXPECT_EQ(range(tensor(generate_inputs(model), "ids")),
              (std::pair<std::int64_t, std::int64_t>{0, 7}));
}

TEST(GenerateInputs, FollowsIndicesIntoSubgraphs) {
    const Model model = model_of(R"((ids: i64[300], c: bool[]) -> (y)
        y = If(c) {then_branch: graph { () -> (a)
            a = Gather(t: f32[5,2], ids) }, else_branch: graph { () -> (b)
            b = Gather(s: f32[4,2], ids) }})");
    const auto values = generate_inputs(model);
    EXPECT_EQ(range(tensor(values, "ids")).second, 3);
    EXPECT_TRUE(tensor(values, "c").data<bool>()[0]);
}

TEST(GenerateInputs, MasksByNameAndByUse) {
    const Model model = model_of(R"((attention_mask: i64[2,3], m: f32[2,3], x: f32[2,3]) -> (y, z)
        n = Sub(one: f32[]{1.0}, m)
        y = Mul(n, x)
        z = Cast(attention_mask) {to: 1})");
    const auto values = generate_inputs(model);
    EXPECT_EQ(to_int64s(tensor(values, "attention_mask")), std::vector<std::int64_t>(6, 1));
    EXPECT_EQ(to_doubles(tensor(values, "m")), std::vector<double>(6, 1.0));
    EXPECT_NE(to_doubles(tensor(values, "x")), std::vector<double>(6, 1.0));
}

TEST(GenerateInputs, SameNameSameSizeAndPastFitsTheMask) {
    const Model model = model_of(
        R"((input_ids: i64[batch,seq], position_ids: i64[batch,seq], attention_mask: i64[batch,total_seq],
         past_key: f32[batch,2,past_seq,4]) -> (a, b, c, d)
        a = Gather(t: f32[50,4], input_ids)
        b = Gather(p: f32[64,4], position_ids)
        c = Identity(attention_mask)
        d = Identity(past_key))");
    for (const std::int64_t past : {3, 0, 9}) {
        const auto values = generate_inputs(model, {}, {1, {{"past_seq", past}, {"seq", 5}}});
        EXPECT_EQ(tensor(values, "input_ids").shape(), (Shape{1, 5}));
        EXPECT_EQ(tensor(values, "attention_mask").shape(), (Shape{1, 5 + past}));
        EXPECT_EQ(tensor(values, "past_key").shape(), (Shape{1, 2, past, 4}));
        EXPECT_EQ(to_int64s(tensor(values, "position_ids")),
                  (std::vector<std::int64_t>{past, past + 1, past + 2, past + 3, past + 4}));
    }
    const auto plain = generate_inputs(model);
    EXPECT_EQ(tensor(plain, "attention_mask").dim(1),
              tensor(plain, "input_ids").dim(1) + tensor(plain, "past_key").dim(2));
}

// A name such as kv_cache_dim says nothing; the width of the queries does. What is given stays as
// it is.
TEST(GenerateInputs, CachesHaveTheHeadsThatAttentionAsksFor) {
    const Model model =
        model_of(R"((q: f32[batch,seq,32], k: f32[batch,kv_heads,past_seq,kv_cache_dim],
         v: f32[batch,kv_heads,past_seq,kv_cache_dim], l: i32[batch], t: i32[]) -> (y)
        y, pk, pv = com.microsoft::GroupQueryAttention(q, _, _, k, v, l, t) {num_heads: 4, kv_num_heads: 2})");
    const DimensionSizes sizes = input_dimensions(model);
    EXPECT_EQ(sizes.at("kv_heads"), 2);
    EXPECT_EQ(sizes.at("kv_cache_dim"), 4) << "32 columns hold 4 + 2 * 2 heads";
    EXPECT_EQ(input_dimensions(model, {{"kv_cache_dim", 9}}).at("kv_cache_dim"), 9);
    for (const auto& [type, bits, width] :
         {std::tuple{"i8", 8, 4}, std::tuple{"f8e4m3fn", 8, 4}, std::tuple{"u8", 4, 2}}) {
        const std::string cache = std::string(type) + "[batch,kv_heads,past_seq,kv_cache_dim]";
        const Model quantized = model_of("(q: f32[batch,seq,32], k: " + cache + ", v: " + cache +
                                         ", l: i32[batch], t: i32[], c: f32[1]) -> (y)\n" +
                                         "y, pk, pv = com.microsoft::GroupQueryAttention(q, _, _, "
                                         "k, v, l, t, _, _, _, _, _, c, c) {num_heads: 4, "
                                         "kv_num_heads: 2, k_quant_type: \"PER_TENSOR\", "
                                         "v_quant_type: \"PER_TENSOR\", kv_cache_bit_width: " +
                                         std::to_string(bits) + "}");
        EXPECT_EQ(input_dimensions(quantized).at("kv_heads"), 2) << type;
        EXPECT_EQ(input_dimensions(quantized).at("kv_cache_dim"), width) << type;
    }
    const Model apart = model_of(
        R"((q: f32[1,3,32], k: f32[1,3,32], v: f32[1,3,32], pk: f32[1,h,p,d], pv: f32[1,h,p,d]) -> (y)
        y = com.microsoft::MultiHeadAttention(q, k, v, _, _, _, pk, pv) {num_heads: 4})");
    EXPECT_EQ(input_dimensions(apart).at("h"), 4);
    EXPECT_EQ(input_dimensions(apart).at("d"), 8);
}

TEST(GenerateInputs, GivenInputsFixSizes) {
    const Model model = model_of("(x: f32[n,3], y: f32[n,3]) -> (z)\n z = Add(x, y)");
    const NamedValues given = {{"x", Tensor(DType::f32, {6, 3})}};
    const auto values = generate_inputs(model, given);
    ASSERT_EQ(values.size(), 1u);
    EXPECT_EQ(tensor(values, "y").shape(), (Shape{6, 3}));
    EXPECT_THROW(generate_inputs(model, given, {0, {{"n", 5}}}), Error);
    EXPECT_THROW(generate_inputs(
                     model, {{"x", Tensor(DType::f32, {6, 3})}, {"y", Tensor(DType::f32, {5, 3})}}),
                 Error);
}

TEST(GenerateInputs, SeedDecidesEachInputAlone) {
    const Model model = model_of("(x: f32[100], y: f32[100]) -> (z)\n z = Add(x, y)");
    const auto one = generate_inputs(model, {}, {1, {}}),
               again = generate_inputs(model, {}, {1, {}}),
               two = generate_inputs(model, {}, {2, {}});
    EXPECT_TRUE(same_contents(tensor(one, "x"), tensor(again, "x")));
    EXPECT_FALSE(same_contents(tensor(one, "x"), tensor(two, "x")));
    EXPECT_FALSE(same_contents(tensor(one, "x"), tensor(one, "y")));
    const auto rest = generate_inputs(model, {{"x", tensor(two, "x")}}, {1, {}});
    EXPECT_TRUE(same_contents(tensor(rest, "y"), tensor(one, "y")));
}

TEST(GenerateInputs, SettingsAndLengths) {
    const Model model =
        model_of(R"((x: f32[4,2,3], k: i64[1], lens: i32[2], s: f32[1], q: f32[5]) -> (v, y, d)
        v, i = TopK(q, k)
        y = LSTM(x, w: f32[1,20,3], r: f32[1,20,5], _, lens) {hidden_size: 5}
        d = QuantizeLinear(q, s))");
    const auto values = generate_inputs(model);
    EXPECT_EQ(to_int64s(tensor(values, "k")), (std::vector<std::int64_t>{1}));
    EXPECT_EQ(to_int64s(tensor(values, "lens")), (std::vector<std::int64_t>{4, 4}));
    EXPECT_GT(to_doubles(tensor(values, "s"))[0], 0);
}

TEST(GenerateInputs, ModesComeFromComparisons) {
    const Model model = model_of(R"((rate: i64[], ids: i64[1,50]) -> (a, b)
        a = Equal(rate, k: i64[]{16000})
        b = Equal(ids, pad: i64[]{3}))");
    const auto values = generate_inputs(model);
    EXPECT_EQ(to_int64s(tensor(values, "rate")), (std::vector<std::int64_t>{16000}));
    EXPECT_GT(range(tensor(values, "ids")).second, 3);  // a special token is not the only one
}

TEST(GenerateInputs, EveryElementType) {
    for (const char* type :
         {"f32",    "f64",    "f16", "bf16", "i8",   "u8",     "i16",       "u16",
          "i32",    "u32",    "i64", "u64",  "bool", "string", "complex64", "f8e4m3fn",
          "f8e5m2", "f8e8m0", "i4",  "u4",   "i2",   "u2"}) {
        const Model model =
            model_of("(x: " + std::string(type) + "[3,5]) -> (y)\n y = Identity(x)");
        const Tensor t = tensor(generate_inputs(model), "x");
        EXPECT_EQ(t.dtype(), dtype_from_name(type));
        EXPECT_EQ(t.shape(), (Shape{3, 5}));
    }
}

TEST(GenerateInputs, RefusesWhatCannotBe) {
    EXPECT_THROW(
        generate_inputs(model_of("(x: f32[4611686018427387904]) -> (y)\n y = Identity(x)")), Error);
    EXPECT_THROW(generate_inputs(model_of("(x: f32[n,n]) -> (y)\n y = Identity(x)"), {},
                                 {0, {{"n", 4000000000}}}),
                 Error);
}

TEST(GenerateInputs, LooksAtTheToken) {
    const Model model = model_of("(x: f32[1000,1000]) -> (y)\ny = Relu(x)\n");
    GenerateOptions options;
    options.cancel.cancel();
    try {
        generate_inputs(model, {}, options);
        FAIL() << "values were made";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled); }
}

}  // namespace
}  // namespace lapidary
