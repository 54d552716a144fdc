// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <lapidary/proof/accuracy.h>
#include <lapidary/inputs/array_samples.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

struct LabelledModel {
    const char *name, *data;
    double top1;  // of the float model, as its manifest has it, to three places
};

class LabelledModels : public testing::TestWithParam<LabelledModel> {};

TEST_P(LabelledModels, GiveTheFiguresOfTheManifest) {
    const auto folder = test_data() / "models" / "labelled";
    const std::string file = (folder / GetParam().name).string() + ".onnx";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not here";
    const auto model = std::make_shared<const Model>(load_model(file));
    const auto data = (folder / GetParam().data).string() + ".npz";
    ImageOptions pixels;
    pixels.mean = pixels.stddev = {127.5F, 127.5F, 127.5F};
    const auto samples = array_samples(*model, data, {{"x", "test_x"}}, pixels);
    const Labels labels = load_labels(data + ":test_y");
    const AccuracyCounts counts = measure_accuracy(model, *samples, labels, {.threads = 1});
    EXPECT_EQ(counts.left_out, 0u);
    EXPECT_NEAR(counts.top1_share().share, GetParam().top1, 0.0006) << "of " << counts.rows;
    EXPECT_LT(counts.top1_share().low, counts.top1_share().share);
    EXPECT_GT(counts.top1_share().high, counts.top1_share().share);
    EXPECT_GE(counts.topk, counts.top1);
    EXPECT_NEAR(counts.macro_f1(), GetParam().top1, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Accuracy, LabelledModels,
                         testing::Values(LabelledModel{"digits-cnn", "digits16", 0.921},
                                         LabelledModel{"digits-dw", "digits16", 0.931},
                                         LabelledModel{"digits-dw-scaled", "digits16", 0.938},
                                         LabelledModel{"digits-mbv2", "digits16", 0.961},
                                         LabelledModel{"digits-vit", "digits16", 0.907},
                                         LabelledModel{"digits-lstm", "digits16", 0.914},
                                         LabelledModel{"digits-seg", "digits-seg", 0.974},
                                         LabelledModel{"wine-mlp", "wine", 0.966}),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

ModelPtr classifier() {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph("(x: f32[n,3]) -> (y)\ny = Identity(x)");
    infer_types(*model);
    return model;
}

NamedValues sample(std::vector<float> values) { return {{"x", Tensor::of<float>({1, 3}, values)}}; }

Labels classes(std::vector<std::int64_t> values) {
    Labels labels;
    for (const std::int64_t value : values)
        labels.values.push_back(Tensor::of<std::int64_t>({1}, {value}));
    return labels;
}

TEST(Accuracy, CountsAnswersAndClasses) {
    const auto samples =
        given_samples({sample({3, 2, 1}), sample({1, 3, 2}), sample({1, 3, 2}), sample({2, 2, 1})});
    const AccuracyCounts counts =
        measure_accuracy(classifier(), *samples, classes({0, 1, 2, 1}), {.k = 2});
    EXPECT_EQ(counts.rows, 4u);
    EXPECT_EQ(counts.top1, 2u) << "of equal elements the first is the answer";
    EXPECT_EQ(counts.topk, 4u);
    EXPECT_EQ(counts.classes.at(1), (ClassCounts{1, 1, 1}));
    EXPECT_NEAR(counts.macro_f1(), (2.0 / 3 + 2.0 / 4 + 0) / 3, 1e-12);
    EXPECT_NEAR(counts.mean_iou(), (1.0 / 2 + 1.0 / 3 + 0) / 3, 1e-12);
}

TEST(Accuracy, ShardsAddUpToTheWhole) {
    std::vector<NamedValues> rows;
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 23; ++i) {
        rows.push_back(sample({float(i % 3), float(i % 5), 1.5F}));
        labels.push_back(i % 3);
    }
    const auto samples = given_samples(rows);
    const AccuracyCounts whole = measure_accuracy(classifier(), *samples, classes(labels));
    AccuracyCounts sum =
        measure_accuracy(classifier(), *samples, classes(labels), {.shard = 0, .shards = 3});
    for (std::size_t i : {1, 2})
        sum.add(
            measure_accuracy(classifier(), *samples, classes(labels), {.shard = i, .shards = 3}));
    EXPECT_EQ(sum.samples, whole.samples);
    EXPECT_EQ(sum.top1, whole.top1);
    EXPECT_EQ(sum.classes, whole.classes);
    EXPECT_EQ(sum.macro_f1(), whole.macro_f1());
    EXPECT_THROW(
        measure_accuracy(classifier(), *samples, classes(labels), {.shard = 3, .shards = 3}),
        Error);
    AccuracyCounts other;
    other.k = 7;
    EXPECT_THROW(sum.add(other), Error);
}

TEST(Accuracy, ReportsWhatDoesNotFit) {
    const auto samples = given_samples(
        {sample({3, 2, 1}), {{"x", Tensor::of<float>({1, 2}, {1, 2})}}, sample({1, 2, 3})});
    const AccuracyCounts counts = measure_accuracy(classifier(), *samples, classes({0, 0, 7}));
    EXPECT_EQ(counts.samples, 2u);
    EXPECT_EQ(counts.left_out, 1u);
    EXPECT_EQ(counts.out_of_range, 1u);
    ASSERT_EQ(counts.warnings.size(), 2u);
    EXPECT_TRUE(counts.warnings[0].starts_with("sample 2 was left out")) << counts.warnings[0];
    EXPECT_EQ(
        counts.warnings[1],
        "1 of 2 labels is no class of the output, which has 3: counted as wrong, the first is "
        "7; do classes begin at 0?");
    EXPECT_THROW(measure_accuracy(classifier(), *samples, classes({0, 0})), Error)
        << "two labels for three samples";
    EXPECT_THROW(measure_accuracy(classifier(), *samples, Labels()), Error);
    EXPECT_THROW(measure_accuracy(classifier(), *samples, classes({0, 0, 0}), {.output = "z"}),
                 Error);
}

TEST(Accuracy, VectorsAreComparedByTheirCosine) {
    const auto samples = given_samples({sample({1, 0, 0}), sample({1, 1, 0})});
    Labels labels;
    labels.values = {Tensor::of<float>({3}, {2, 0, 0}), Tensor::of<float>({3}, {1, 0, 0})};
    const AccuracyCounts counts = measure_accuracy(classifier(), *samples, labels);
    EXPECT_EQ(counts.vectors, 2u);
    EXPECT_NEAR(counts.mean_cosine(), (1 + std::sqrt(0.5)) / 2, 1e-9);
}

TEST(Accuracy, IntervalsHoldTheShare) {
    const ShareEstimate none = share_of(0, 20), some = share_of(930, 1000);
    EXPECT_EQ(none.low, 0);
    EXPECT_GT(none.high, 0.1);
    EXPECT_NEAR(some.low, 0.9125, 0.0005);
    EXPECT_NEAR(some.high, 0.9442, 0.0005);
}

TEST(Labels, ComeFromCsvAndArrays) {
    const TemporaryFolder folder;
    std::ofstream(folder / "named.csv") << "file,class\na.png,3\n\"b.png\", 0\r\n\n";
    const Labels named = load_labels(folder / "named.csv");
    EXPECT_EQ(named.names, (std::vector<std::string>{"a.png", "b.png"}));
    EXPECT_TRUE(named.is_classes());
    EXPECT_EQ(to_int64s(named.values[0]), std::vector<std::int64_t>{3});
    std::ofstream(folder / "plain.csv") << "1\n2\n";
    EXPECT_EQ(load_labels(folder / "plain.csv").values.size(), 2u);
    save_npz(folder / "all.npz", {{"y", Tensor::of<std::int64_t>({2, 2}, {1, 2, 3, 4})}});
    EXPECT_EQ(load_labels((folder / "all.npz").string() + ":y").values.size(), 2u);
    for (const auto& [name, text] : std::map<std::string, std::string>{{"empty.csv", ""},
                                                                       {"word.csv", "a,1\nb,two\n"},
                                                                       {"negative.csv", "1\n-2\n"},
                                                                       {"mixed.csv", "1\nb,2\n"}}) {
        std::ofstream(folder / name) << text;
        EXPECT_THROW(load_labels(folder / name), Error) << name;
    }
    EXPECT_THROW(load_labels((folder / "all.npz").string() + ":z"), Error);
    EXPECT_THROW(load_labels(folder / "labels.json"), Error);
}

TEST(ArraySamples, TakeTheArrayThatFits) {
    const TemporaryFolder folder;
    save_npz(folder / "one.npz",
             {{"pictures", Tensor::of<float>({4, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})},
              {"labels", Tensor::of<std::int64_t>({4}, {0, 1, 2, 0})}});
    const auto samples = array_samples(*classifier(), folder / "one.npz");
    EXPECT_EQ(samples->size(), 4u);
    EXPECT_EQ(samples->at(2)[0].second.tensor().data<float>()[0], 7);
    save_npz(folder / "two.npz", {{"train", Tensor::of<float>({1, 3}, {1, 2, 3})},
                                  {"test", Tensor::of<float>({1, 3}, {1, 2, 3})}});
    EXPECT_THROW(array_samples(*classifier(), folder / "two.npz"), Error) << "two of them fit";
    EXPECT_EQ(array_samples(*classifier(), folder / "two.npz", {{"x", "test"}})->size(), 1u);
    EXPECT_THROW(array_samples(*classifier(), folder / "two.npz", {{"z", "test"}}), Error);
    EXPECT_THROW(array_samples(*classifier(), folder / "one.npz", {{"x", "labels"}}), Error);
}

}  // namespace
}  // namespace lapidary
