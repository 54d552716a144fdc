// SPDX-License-Identifier: Apache-2.0
// What pixels become before a model sees them: guessed where labels or the model show it, else a
// warning.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include <lapidary/inputs/array_samples.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/proof/judge_labelled.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/inputs/preprocessing.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr std::int64_t side = 8, pictures = 100;

ModelPtr model_of(const std::string& text) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text, {.opset = 17});
    infer_types(*model);
    return model;
}

/// Five classes of brightness, of pixels from -1 to 1: -1, -0.5, 0, 0.5, 1.
ModelPtr brightness_of_five() {
    return model_of(
        "(x: f32[n,1,8,8]) -> (y)\nm = GlobalAveragePool(x)\nf = Flatten(m)\n"
        "p = MatMul(f, w: f32[1,5]{-2, -1, 0, 1, 2})\ny = Add(p, b: f32[5]{-1, -0.25, 0, -0.25, "
        "-1})");
}

/// Grey pictures of classes from black to white, evenly apart.
Tensor grey_pictures(std::int64_t classes) {
    std::vector<std::uint8_t> bytes;
    for (std::int64_t i = 0; i < pictures; ++i)
        for (std::int64_t k = 0; k < side * side; ++k)
            bytes.push_back(static_cast<std::uint8_t>(255 * (i % classes) / (classes - 1)));
    return Tensor::of<std::uint8_t>({pictures, 1, side, side}, bytes);
}

Labels classes_of(std::int64_t classes) {
    Labels labels;
    for (std::int64_t i = 0; i < pictures; ++i)
        labels.values.push_back(Tensor::of<std::int64_t>({1}, {i % classes}));
    return labels;
}

Tensor divided(const Tensor& bytes, float by) {
    std::vector<float> values;
    for (const double value : to_doubles(bytes)) values.push_back(static_cast<float>(value) / by);
    return Tensor::of<float>(bytes.shape(), values);
}

class Preprocessing : public testing::Test {
protected:
    SampleSourcePtr samples(const ModelPtr& model, const Tensor& array,
                            const ImageOptions& images = {}) const {
        save_npz(folder_ / "data.npz", {{"images", array}});
        return array_samples(*model, folder_ / "data.npz", {}, images);
    }
    PreparedSamples prepared(const ModelPtr& model, const Tensor& array, const Labels* labels,
                             const ImageOptions& images = {}) const {
        return prepare_samples(model, samples(model, array, images), images, labels, 1);
    }
    TemporaryFolder folder_;
};

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(Preprocessing, LabelsShowWhatBytesBecome) {
    const ModelPtr model = brightness_of_five();
    const Labels labels = classes_of(5);
    const PreparedSamples found = prepared(model, grey_pictures(5), &labels);
    EXPECT_TRUE(found.judgement.is_guessed);
    EXPECT_FALSE(found.judgement.is_warning) << found.judgement.sentence(true);
    EXPECT_EQ(scale_of(found.images), PixelScale::symmetric);
    EXPECT_EQ(measure_accuracy(model, *found.samples, labels, {.threads = 1}).top1,
              std::uint64_t(pictures));
    const std::string sentence = found.judgement.sentence(true);
    for (const char* part : {"bytes are fed as -1 to 1 (--mean 127.5 --std 127.5)", "right on",
                             "of 100 labels", "--std 1 leaves them as they are"})
        EXPECT_TRUE(holds(sentence, part)) << sentence;
    EXPECT_FALSE(holds(found.judgement.sentence(false), "--")) << found.judgement.sentence(false);
}

TEST_F(Preprocessing, BytesAreNeverPassedOver) {
    const ModelPtr model = brightness_of_five();
    const PreparedSamples found = prepared(model, grey_pictures(5), nullptr);
    EXPECT_FALSE(found.judgement.is_guessed) << "nothing decides";
    EXPECT_TRUE(found.judgement.is_warning);
    EXPECT_EQ(scale_of(found.images), PixelScale::bytes);
    const std::string sentence = found.judgement.sentence(true);
    for (const char* part :
         {"bytes are fed as 0 to 255", "0 to 1 (--std 255)", "-1 to 1 (--mean 127.5 --std 127.5)",
          "ImageNet", "--std 1 says that they are right"})
        EXPECT_TRUE(holds(sentence, part)) << sentence;
}

TEST_F(Preprocessing, WhatWasChosenIsKeptWithAWarning) {
    const ModelPtr model = brightness_of_five();
    const Labels labels = classes_of(5);
    ImageOptions raw;
    raw.scale_chosen = true;
    const PreparedSamples doubted = prepared(model, grey_pictures(5), &labels, raw);
    EXPECT_FALSE(doubted.judgement.is_guessed);
    EXPECT_EQ(doubted.images, raw);
    EXPECT_TRUE(holds(doubted.judgement.sentence(true), "as -1 to 1 on 100.0 %"))
        << doubted.judgement.sentence(true);
    EXPECT_TRUE(prepared(model, grey_pictures(5), nullptr, raw).judgement.sentence(true).empty())
        << "it was chosen";
    const ImageOptions right = scaled({}, PixelScale::symmetric);
    EXPECT_TRUE(prepared(model, grey_pictures(5), &labels, right).judgement.sentence(true).empty());
}

TEST_F(Preprocessing, FloatsOfTheRangeOfPixels) {
    const ModelPtr model = brightness_of_five();
    const Labels labels = classes_of(5);
    const PreparedSamples large = prepared(model, divided(grey_pictures(5), 1), &labels);
    EXPECT_TRUE(large.judgement.is_guessed);
    EXPECT_EQ(scale_of(large.images), PixelScale::symmetric);
    EXPECT_TRUE(holds(large.judgement.sentence(true), "pixels are fed as -1 to 1"))
        << large.judgement.sentence(true);
    EXPECT_TRUE(prepared(model, divided(grey_pictures(5), 1), nullptr).judgement.is_warning);
    const PreparedSamples small = prepared(model, divided(grey_pictures(5), 255), &labels);
    EXPECT_TRUE(small.judgement.is_guessed);
    EXPECT_EQ(scale_options(small.images), "--mean 0.5 --std 0.5");
    EXPECT_EQ(measure_accuracy(model, *small.samples, labels, {.threads = 1}).top1,
              std::uint64_t(pictures));
    EXPECT_TRUE(
        prepared(model, divided(grey_pictures(5), 255), nullptr).judgement.sentence(true).empty())
        << "they may be made already";
    const ModelPtr table = model_of("(x: f32[n,64]) -> (y)\ny = MatMul(x, w: f32[64,5])");
    const Tensor rows = divided(grey_pictures(5).reshaped({pictures, 64}), 1);
    EXPECT_TRUE(prepared(table, rows, &labels).judgement.sentence(true).empty())
        << "a table holds no pixels";
}

TEST_F(Preprocessing, WhatLabelsCannotDistinguishIsNamed) {
    const ModelPtr model = model_of(
        "(x: f32[n,1,8,8]) -> (y)\nm = GlobalAveragePool(x)\nf = Flatten(m)\n"
        "p = MatMul(f, w: f32[1,3]{-2, 0, 2})\ny = Add(p, b: f32[3]{-1, 0, -1})");
    const Labels labels = classes_of(3);
    const PreprocessingJudgement found = prepared(model, grey_pictures(3), &labels).judgement;
    EXPECT_TRUE(found.is_guessed) << "better than bytes by far";
    EXPECT_TRUE(found.is_warning);
    EXPECT_TRUE(holds(found.sentence(true), "these may be meant as well: ImageNet"))
        << found.sentence(true);
}

TEST_F(Preprocessing, TheFirstBatchNormalizationShowsIt) {
    const char* const alone =
        "(x: f32[n,1,8,8]) -> (y)\nb = BatchNormalization(x, s: f32[1]{1}, o: f32[1]{0}, m: "
        "f32[1]{0}, v: f32[1]{0.5})"
        "\ny = Relu(b)";
    const char* const behind_product =
        "(x: f32[n,1,8,8]) -> (y)\nc = Conv(x, w: f32[1,1,1,1]{2})\n"
        "b = BatchNormalization(c, s: f32[1]{1}, o: f32[1]{0}, m: f32[1]{0}, v: f32[1]{2})\ny = "
        "Relu(b)";
    for (const char* text : {alone, behind_product}) {
        const PreparedSamples found = prepared(model_of(text), grey_pictures(5), nullptr);
        EXPECT_TRUE(found.judgement.is_guessed) << text;
        EXPECT_EQ(scale_of(found.images), PixelScale::symmetric);
        EXPECT_TRUE(holds(found.judgement.sentence(true), "was trained on values like these"))
            << found.judgement.sentence(true);
    }
    const ModelPtr of_bytes = model_of(
        "(x: f32[n,1,8,8]) -> (y)\nb = BatchNormalization(x, s: f32[1]{1}, o: f32[1]{0},"
        " m: f32[1]{128}, v: f32[1]{8100})\ny = Relu(b)");
    EXPECT_TRUE(prepared(of_bytes, grey_pictures(5), nullptr).judgement.sentence(true).empty());
}

TEST_F(Preprocessing, ConstantsInFrontOfTheFirstLayerShowIt) {
    const ModelPtr of_bytes = model_of(
        "(x: f32[n,1,8,8]) -> (y)\nm = Mul(x, k: f32[1]{0.00784})\ns = Sub(m, o: f32[1]{1})\ny = "
        "Relu(s)");
    EXPECT_TRUE(prepared(of_bytes, grey_pictures(5), nullptr).judgement.sentence(true).empty());
    const ModelPtr of_unit = model_of(
        "(x: f32[n,1,8,8]) -> (y)\ns = Sub(x, o: f32[1]{0.45})\nd = Div(s, k: f32[1]{0.225})\ny = "
        "Relu(d)");
    const PreparedSamples found = prepared(of_unit, grey_pictures(5), nullptr);
    EXPECT_TRUE(found.judgement.is_guessed);
    EXPECT_EQ(scale_of(found.images), PixelScale::unit);
    const ModelPtr of_conv =
        model_of("(x: f32[n,1,8,8]) -> (y)\ny = Conv(x, w: f32[2,1,1,1]{1, 2})");
    const PreprocessingJudgement open = prepared(of_conv, grey_pictures(5), nullptr).judgement;
    EXPECT_TRUE(open.is_warning);
    EXPECT_TRUE(holds(open.sentence(true), "far more than trained layers have"))
        << open.sentence(true);
}

TEST_F(Preprocessing, LabelsShowTheOrderOfChannels) {
    const ModelPtr model =
        model_of("(x: f32[n,3,2,2]) -> (y)\nm = GlobalAveragePool(x)\ny = Flatten(m)");
    std::vector<std::uint8_t> bytes;
    Labels labels;
    for (std::int64_t i = 0; i < pictures; ++i) {
        for (std::int64_t c = 0; c < 3; ++c) bytes.insert(bytes.end(), 4, c == i % 3 ? 200 : 20);
        labels.values.push_back(Tensor::of<std::int64_t>({1}, {2 - i % 3}));
    }
    const PreparedSamples found =
        prepared(model, Tensor::of<std::uint8_t>({pictures, 3, 2, 2}, bytes), &labels);
    EXPECT_TRUE(found.judgement.is_guessed);
    EXPECT_TRUE(found.images.bgr);
    EXPECT_EQ(measure_accuracy(model, *found.samples, labels, {.threads = 1}).top1,
              std::uint64_t(pictures));
    EXPECT_TRUE(holds(found.judgement.sentence(true), "blue first (--std 1 --bgr)"))
        << found.judgement.sentence(true);
}

TEST_F(Preprocessing, ArraysAreTurnedAndCut) {
    const ModelPtr model = model_of("(x: f32[n,3,2,2]) -> (y)\ny = Relu(x)");
    std::vector<float> values;
    for (int i = 0; i < 2 * 2 * 2 * 3; ++i) values.push_back(static_cast<float>(i));
    const auto last = samples(model, Tensor::of<float>({2, 2, 2, 3}, values));
    const Tensor second = last->at(1)[0].second.tensor();
    EXPECT_EQ(second.shape(), (Shape{1, 3, 2, 2}));
    EXPECT_EQ(second.data<float>()[1], 15) << "red of the second pixel";
    EXPECT_EQ(second.data<float>()[4], 13) << "green of the first";
    ASSERT_EQ(last->warnings().size(), 1u);
    EXPECT_TRUE(holds(last->warnings()[0], "have their channels last")) << last->warnings()[0];
    ImageOptions first;
    first.array_layout = ImageOptions::Layout::nchw;
    EXPECT_THROW(samples(model, Tensor::of<float>({2, 2, 2, 3}, values), first), Error)
        << "it was ruled out";

    std::vector<float> wide(3 * 4 * 4);
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = static_cast<float>(i);
    const Tensor larger = Tensor::of<float>({1, 3, 4, 4}, wide);
    EXPECT_THROW(samples(model, larger), Error);
    ImageOptions middle;
    middle.crop = 1;
    const Tensor cut = samples(model, larger, middle)->at(0)[0].second.tensor();
    EXPECT_EQ(cut.shape(), (Shape{1, 3, 2, 2}));
    EXPECT_EQ(std::vector<float>(cut.data<float>().begin(), cut.data<float>().begin() + 4),
              (std::vector<float>{5, 6, 9, 10}));
    EXPECT_THROW(samples(model, Tensor::of<float>({2, 2, 2, 2}, std::vector<float>(16)), middle),
                 Error)
        << "of no channels that the input has";
    save_npy(folder_ / "rows.npy", Tensor::of<float>({2, 2, 2, 3}, values));
    EXPECT_EQ(
        folder_samples(*model, folder_ / "rows.npy")->at(1)[0].second.tensor().data<float>()[4],
        13);
}

TEST_F(Preprocessing, ChannelsOfArraysHaveMeansOfTheirOwn) {
    ImageOptions images;
    images.mean = {10, 20, 30};
    const ModelPtr first = model_of("(x: f32[n,3,2,1]) -> (y)\ny = Relu(x)"),
                   last = model_of("(x: f32[n,2,1,3]) -> (y)\ny = Relu(x)");
    const std::vector<std::uint8_t> bytes{110, 111, 120, 121, 130, 131},
        mixed{110, 120, 130, 111, 121, 131};
    const auto values = [](const SampleSourcePtr& source) {
        const Tensor tensor = source->at(0)[0].second.tensor();
        return std::vector<float>(tensor.data<float>().begin(), tensor.data<float>().end());
    };
    EXPECT_EQ(values(samples(first, Tensor::of<std::uint8_t>({1, 3, 2, 1}, bytes), images)),
              (std::vector<float>{100, 101, 100, 101, 100, 101}));
    images.bgr = true;
    EXPECT_EQ(values(samples(first, Tensor::of<std::uint8_t>({1, 3, 2, 1}, bytes), images)),
              (std::vector<float>{120, 121, 100, 101, 80, 81}));
    EXPECT_EQ(values(samples(last, Tensor::of<std::uint8_t>({1, 2, 1, 3}, mixed), images)),
              (std::vector<float>{120, 100, 80, 121, 101, 81}));
}

TEST(Labels, OfAnotherCountAreRefusedWithBothCounts) {
    const ModelPtr model = model_of("(x: f32[n,3]) -> (y)\ny = Identity(x)");
    std::vector<NamedValues> rows(20, {{"x", Tensor::of<float>({1, 3}, {1, 2, 3})}});
    const SampleSourcePtr samples = given_samples(rows);
    const auto refusal = [&](const Labels& labels) -> std::string {
        try {
            measure_accuracy(model, *samples, labels, {.tokens = {"a", "b", "c"}, .threads = 1});
        } catch (const Error& error) { return error.what(); }
        return "nothing was refused";
    };
    Labels many, vectors, texts;
    for (int i = 0; i < 40; ++i) many.values.push_back(Tensor::of<std::int64_t>({1}, {i % 3}));
    EXPECT_EQ(refusal(many),
              "there are 40 labels for 20 samples, 2 for each, whose output has 1 row of classes");
    for (int i = 0; i < 40; ++i) vectors.values.push_back(Tensor::of<float>({3}, {1, 2, 3}));
    EXPECT_EQ(refusal(vectors), "there are 40 labels for 20 samples");
    texts.texts.assign(19, "a");
    EXPECT_EQ(refusal(texts), "there are 19 labels for 20 samples");
}

TEST(FloatModel, NearChanceIsAFault) {
    AccuracyCounts counts;
    counts.rows = 100;
    counts.top1 = 52;
    counts.classes[0] = {30, 28, 20};
    counts.classes[1] = {22, 20, 28};
    ASSERT_TRUE(float_model_fault(counts));
    EXPECT_TRUE(holds(*float_model_fault(counts), "most frequent class agrees with 50"))
        << *float_model_fault(counts);
    counts.top1 = 90;
    EXPECT_FALSE(float_model_fault(counts));
    counts.top1 = 27;
    EXPECT_TRUE(
        holds(*float_model_fault(counts), "agrees with 27 of 100 labels: its preprocessing"));
    counts.rows = counts.top1 = 5;
    EXPECT_FALSE(float_model_fault(counts)) << "too few to decide";
}

/// Real data: fed as raw bytes, the float model was right on 27.5 % only.
TEST(LabelledDigits, BytesAreGuessed) {
    const auto folder = test_data() / "models" / "labelled";
    if (!std::filesystem::exists(folder / "digits-cnn.onnx"))
        GTEST_SKIP() << folder << " is not here";
    const std::string data = (folder / "digits16.npz").string();
    const Labels labels = load_labels(data + ":test_y");
    for (const char* name : {"digits-cnn", "digits-dw", "digits-dw-scaled", "digits-mbv2",
                             "digits-vit", "digits-lstm"}) {
        const auto model =
            std::make_shared<const Model>(load_model(folder / (std::string(name) + ".onnx")));
        const PreparedSamples found =
            prepare_samples(model, array_samples(*model, data, {{"x", "test_x"}}), {}, &labels, 1);
        EXPECT_TRUE(found.judgement.is_guessed) << name;
        EXPECT_EQ(scale_of(found.images), PixelScale::symmetric)
            << name << ": " << found.judgement.sentence(true);
        const AccuracyCounts counts =
            measure_accuracy(model, *found.samples, labels, {.threads = 1});
        EXPECT_GT(counts.top1_share().share, 0.9) << name;
        const PreparedSamples blind =
            prepare_samples(model, array_samples(*model, data, {{"x", "calib_x"}}), {});
        EXPECT_TRUE(blind.judgement.is_warning) << name;
    }
}

}  // namespace
}  // namespace lapidary
