// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/inputs/run_conditions.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/inputs/usual_sizes.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return model;
}

using Sizes = std::map<std::string, std::int64_t>;

TEST(UsualSizes, TextHasTheLengthUsualInBenchmarks) {
    const Model model =
        model_of(R"((input_ids: i64[batch,sequence], attention_mask: i64[batch,sequence]) -> (y)
        y = Gather(words: f32[1000,4], input_ids))");
    const UsualSizes usual = usual_sizes(model);
    EXPECT_EQ(usual.all, (Sizes{{"batch", 1}, {"sequence", 128}}));
    EXPECT_EQ(text_of_chosen(usual), "sequence 128: the default for text; --dim sequence=N");
    // a chosen size is not reported as a default
    EXPECT_EQ(text_of_chosen(usual_sizes(model, {{"sequence", 5}})), "");
    EXPECT_EQ(usual_sizes(model, {{"sequence", 5}}).all.at("sequence"), 5);
}

TEST(UsualSizes, WhatIsGivenFixesSizes) {
    const Model model =
        model_of(R"((input_ids: i64[batch,sequence], mask: i64[batch,sequence]) -> (y)
        y = Gather(words: f32[1000,4], input_ids))");
    const NamedValues given{
        {"mask", Tensor::of<std::int64_t>({2, 7}, std::vector<std::int64_t>(14))}};
    EXPECT_EQ(usual_sizes(model, {}, given).all, (Sizes{{"batch", 2}, {"sequence", 7}}));
    EXPECT_TRUE(usual_sizes(model, {}, given).chosen.empty());
    EXPECT_THROW(usual_sizes(model, {{"sequence", 5}}, given), Error);
}

TEST(UsualSizes, DecodersMakeOneTokenAfterAPast) {
    const Model model = model_of(R"((input_ids: i64[batch,sequence_length],
        attention_mask: i64[batch,past_sequence_length + sequence_length],
        past_key_values.0.key: f32[batch,2,past_sequence_length,4],
        past_key_values.0.encoder.key: f32[batch,2,encoder_sequence_length,4]) -> (y)
        y = Gather(words: f32[1000,4], input_ids))");
    const UsualSizes usual = usual_sizes(model);
    EXPECT_EQ(usual.all.at("sequence_length"), 1);
    EXPECT_EQ(usual.all.at("past_sequence_length"), 128);
    EXPECT_EQ(usual.all.at("encoder_sequence_length"), 128);
    const NamedValues inputs = generate_inputs(model, {}, {.usual = true});
    EXPECT_EQ(find(inputs, "attention_mask")->tensor().shape(), (Shape{1, 129}));
}

TEST(UsualSizes, PicturesAndSound) {
    const UsualSizes picture =
        usual_sizes(model_of("(x: f32[n,3,height,width]) -> (y)\ny = Relu(x)"));
    EXPECT_EQ(picture.all, (Sizes{{"height", 224}, {"n", 1}, {"width", 224}}));
    EXPECT_EQ(text_of_chosen(picture),
              "height 224: the default for images; --dim height=N\n"
              "width 224: the default for images; --dim width=N");
    EXPECT_EQ(
        usual_sizes(model_of("(x: f32[batch,samples]) -> (y)\ny = Relu(x)")).all.at("samples"),
        16000);
}

// More positions than rows would be refused by the run, or by the addition that follows.
TEST(UsualSizes, NoLongerThanTheTableOfPositions) {
    const char* const counted = R"((input_ids: i64[batch,sequence]) -> (y)
        shape = Shape(input_ids)
        length = Gather(shape, one: i64[]{1})
        positions = Range(zero: i64[]{0}, length, step: i64[]{1})
        y = Gather(table: f32[40,4], positions))";
    EXPECT_EQ(usual_sizes(model_of(counted)).all.at("sequence"), 32);
    const char* const behind_padding = R"((input_ids: i64[batch,sequence]) -> (y)
        counted = CumSum(input_ids, one: i64[]{1})
        positions = Add(counted, one)
        y = Gather(table: f32[64,4], positions))";
    EXPECT_EQ(usual_sizes(model_of(behind_padding)).all.at("sequence"), 32)
        << "positions begin at 2";
    const char* const cut = R"((input_ids: i64[batch,sequence]) -> (y)
        shape = Shape(input_ids)
        length = Slice(shape, one: i64[1]{1}, two: i64[1]{2})
        y = Slice(table: f32[1,64,4], zero: i64[1]{0}, length, one))";
    EXPECT_EQ(usual_sizes(model_of(cut)).all.at("sequence"), 64);
    const char* const by_input = R"((input_ids: i64[batch,sequence]) -> (y)
        y = Gather(words: f32[40,4], input_ids))";
    EXPECT_EQ(usual_sizes(model_of(by_input)).all.at("sequence"), 128) << "words are no positions";
}

TEST(UsualSizes, AWeightFixesTheSizeBesideIt) {
    const auto size_of_k = [](const std::string& node) {
        Model model = model_of("(x: f32[n,k]) -> (y)\n" + node);
        infer_types(model);
        const UsualSizes usual = usual_sizes(model);
        EXPECT_EQ(usual.chosen.back().reason, SizeReason::weight) << node;
        EXPECT_EQ(text_of_chosen(usual).find("k "), std::string::npos) << "it is no default";
        return usual.all.at("k");
    };
    EXPECT_EQ(size_of_k("y = MatMul(x, w: f32[9,4])"), 9);
    EXPECT_EQ(size_of_k("y = Gemm(x, w: f32[4,9]) {transB: 1}"), 9);
    EXPECT_EQ(size_of_k("y = Add(x, b: f32[7])"), 7);
    EXPECT_EQ(size_of_k("a = Relu(x)\ny = LayerNormalization(a, s: f32[6], b: f32[6])"), 6);
    const Model images =
        model_of("(x: f32[1,c,8,8]) -> (y)\ny = Conv(x, w: f32[4,3,3,3]) {group: 2}");
    EXPECT_EQ(usual_sizes(images).all.at("c"), 6);
}

TEST(UsualSizes, EverySampleHasThem) {
    for (const SampleInfo& sample : list_samples()) {
        const Model model = build_sample(sample.name);
        const UsualSizes usual = usual_sizes(model);
        EXPECT_NO_THROW(generate_inputs(model, {}, {.usual = true})) << sample.name;
        for (const ChosenSize& chosen : usual.chosen)
            EXPECT_EQ(usual.all.at(chosen.dimension), chosen.size);
    }
}

TEST(RunConditions, NameLevelThreadsAndSizesThatCanBeSet) {
    const UsualSizes sizes{{{"batch", 1}, {"past + sequence", 129}, {"sequence", 128}}, {}};
    EXPECT_EQ(text_of(RunConditions{Level::all, 2, 1, sizes}),
              "level all, 2 threads, batch 1, sequence 128");
    EXPECT_EQ(text_of(RunConditions{Level::disabled, 1, 4, {}}),
              "level disabled, 1 thread, 4 operators at a time");
    EXPECT_EQ(text_of(RunConditions{}), "");
    EXPECT_EQ(named_sizes(sizes), (Sizes{{"batch", 1}, {"sequence", 128}}));
}

}  // namespace
}  // namespace lapidary
