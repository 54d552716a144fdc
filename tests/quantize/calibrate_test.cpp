// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/tensor/tensor_file.h>

#include "base/memory/process_memory.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

ModelPtr doubling_model() {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph("(x: f32[n,c]) -> (y)\na = Mul(x, two: f32[1]{2.0})\ny = Relu(a)");
    return model;
}

NamedValues row(std::vector<float> values) {
    const auto count = static_cast<std::int64_t>(values.size());
    return {{"x", Tensor::of<float>({1, count}, values)}};
}

TEST(Calibrate, SeesInputsInnerValuesAndOutputs) {
    const auto samples = given_samples({row({-1, 2}), row({3, -4})});
    const Calibration seen = calibrate(doubling_model(), *samples, {{"x"}, {"a"}, {"y"}});
    EXPECT_EQ(seen.samples, 2u);
    ASSERT_EQ(seen.tensors.size(), 3u);
    EXPECT_EQ(seen.find("x")->low, -4);
    EXPECT_EQ(seen.find("x")->high, 3);
    const ObservedTensor& a = *seen.find("a");
    EXPECT_EQ(a.low, -8);
    EXPECT_EQ(a.high, 6);
    EXPECT_EQ(a.channel_mean, (std::vector<double>{2, -2}));
    EXPECT_EQ(a.channel_peak, (std::vector<float>{6, 8}));
    EXPECT_EQ(a.square_sum, 4 + 16 + 36 + 64);
    EXPECT_EQ(seen.find("y")->low, 0);
    EXPECT_EQ(seen.find("y")->channel_zero, (std::vector<double>{0.5, 0.5}));
    std::uint64_t counted = 0;
    for (std::uint64_t n : a.histogram) counted += n;
    EXPECT_EQ(counted, a.elements);
    EXPECT_EQ(a.histogram.front(), 1u);
    EXPECT_EQ(a.histogram.back(), 1u);
}

TEST(Calibrate, TakesShapesThatVaryAndLeavesOutWhatIsNotFinite) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto samples = given_samples({row({-1, 2}), row({3, -4, 7}), row({nan, 1})});
    const Calibration seen = calibrate(doubling_model(), *samples, {{"x"}});
    EXPECT_EQ(seen.tensors[0].high, 7);
    EXPECT_EQ(seen.tensors[0].not_finite, 1u);
    EXPECT_TRUE(seen.tensors[0].channel_mean.empty()) << "two channels and three";
}

TEST(Calibrate, StopsWhenRangesAreSettled) {
    std::vector<NamedValues> many(100, row({-1, 1}));
    const Calibration seen = calibrate(doubling_model(), *given_samples(many), {{"a"}});
    EXPECT_TRUE(seen.settled);
    EXPECT_EQ(seen.samples, 16u);
    for (std::size_t i = 0; i < many.size(); ++i)
        many[i] = row({-1, static_cast<float>(i + 1) * static_cast<float>(i + 1)});
    EXPECT_EQ(calibrate(doubling_model(), *given_samples(many), {{"a"}}, {.settled_change = 0.001})
                  .samples,
              100u);
}

/// Images that are made when they are asked for.
class MadeImages final : public SampleSource {
public:
    explicit MadeImages(std::size_t count) : count_(count) {}
    std::size_t size() const override { return count_; }
    NamedValues at(std::size_t index, const CancelToken&) const override {
        Tensor image(DType::f32, {1, 3, 256, 256});
        const auto pixels = image.mutable_data<float>();
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] =
                static_cast<float>((i * 31 + index * 17) % 255) * (1 + static_cast<float>(index));
        return {{"x", image}};
    }

private:
    std::size_t count_;
};

/// The most memory of this process in MB, counted from the last call of forget_peak() where the
/// system forgets it.
double peak_megabytes() { return static_cast<double>(peak_resident_bytes().value_or(0)) / 1e6; }
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

TEST(Calibrate, MemoryDoesNotGrowWithTheNumberOfSamples) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(
        "(x: f32[1,3,h,w]) -> (y)\na = Conv(x, w1: f32[8,3,3,3]) {strides: [2,2]}\nb = Relu(a)\ny "
        "= "
        "GlobalAveragePool(b)");
    infer_types(*model);
    const auto peak_of = [&](std::size_t count) {
        forget_peak();
        const Calibration seen = calibrate(model, MadeImages(count), {{"x", 1}, {"a", 1}, {"b", 1}},
                                           {.settled_samples = 0, .threads = 1});
        EXPECT_EQ(seen.samples, count);
        EXPECT_EQ(seen.find("b")->histogram.size(), histogram_bins);
        return peak_megabytes();
    };
    peak_of(4);
    const double few = peak_of(20), many = peak_of(200);
    EXPECT_LT(many, few + 8) << "180 images of 0.8 MB are not kept";
}

TEST(Calibrate, MovingAverageForgetsAnOutlier) {
    std::vector<NamedValues> samples(50, row({-1, 1}));
    samples[0] = row({-100, 100});
    const Calibration seen = calibrate(doubling_model(), *given_samples(samples), {{"x"}},
                                       {.moving_average = 0.2, .settled_samples = 0});
    EXPECT_LT(seen.tensors[0].high, 1.01f);
    EXPECT_GT(seen.tensors[0].high, 1.0f);
}

/// Samples run at the same time; what is seen of them is the same to the last bit.
TEST(Calibrate, ThreadsChangeNothing) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(
        "(x: f32[1,3,h,w]) -> (y)\na = Conv(x, w1: f32[8,3,3,3]) {strides: [2,2]}\nb = Relu(a)\ny "
        "= "
        "GlobalAveragePool(b)");
    infer_types(*model);
    /// Samples of which one cannot be read.
    class Damaged final : public SampleSource {
    public:
        std::size_t size() const override { return 21; }
        NamedValues at(std::size_t index, const CancelToken& cancel) const override {
            if (index == 5) fail_input("no picture");
            return images_.at(index % 7, cancel);
        }

    private:
        MadeImages images_{7};
    };
    std::vector<Calibration> seen;
    for (const int threads : {1, 2, 5})
        seen.push_back(calibrate(model, Damaged(), {{"x", 1}, {"a", 1}, {"b", 1}, {"y", 1}},
                                 {.moving_average = 0.1,
                                  .settled_change = 1e-9,
                                  .settled_samples = 4,
                                  .threads = threads}));
    for (const Calibration& other : seen) {
        EXPECT_EQ(other.samples, 20u);
        EXPECT_EQ(other.settled, seen[0].settled);
        EXPECT_EQ(other.warnings, seen[0].warnings);
        ASSERT_EQ(other.warnings.size(), 1u);
        ASSERT_EQ(other.tensors.size(), 4u);
        for (std::size_t i = 0; i < 4; ++i) {
            const ObservedTensor &a = seen[0].tensors[i], &b = other.tensors[i];
            EXPECT_EQ(a.low, b.low);
            EXPECT_EQ(a.high, b.high);
            EXPECT_EQ(a.square_sum, b.square_sum);
            EXPECT_EQ(a.channel_mean, b.channel_mean);
            EXPECT_EQ(a.channel_square, b.channel_square);
            EXPECT_EQ(a.histogram, b.histogram);
        }
    }
}

TEST(Calibrate, ACancelEndsIt) {
    std::vector<NamedValues> samples(50, row({-1, 1}));
    Progress progress;
    progress.report = [&](std::string_view, double fraction) {
        if (fraction > 0.3) progress.cancel.cancel();
    };
    try {
        calibrate(doubling_model(), *given_samples(samples), {{"x"}}, {.settled_samples = 0},
                  progress);
        ADD_FAILURE() << "ranges of a third of the samples are not those that were asked for";
    } catch (const Error& error) { EXPECT_EQ(error.code(), ErrorCode::cancelled) << error.what(); }
}

TEST(Calibrate, BadSamplesAreLeftOutWithAReason) {
    const auto samples =
        given_samples({row({1, 2}), {{"wrong", Tensor::of<float>({1}, {1})}}, row({3, 4})});
    const Calibration seen = calibrate(doubling_model(), *samples, {{"x"}});
    EXPECT_EQ(seen.samples, 2u);
    ASSERT_EQ(seen.warnings.size(), 1u);
    EXPECT_TRUE(seen.warnings[0].starts_with("sample 2 was left out: ")) << seen.warnings[0];
    EXPECT_THROW(calibrate(doubling_model(), *given_samples({}), {{"x"}}), Error);
}

TEST(Calibrate, GeneratedSamplesWarnAndRepeat) {
    const ModelPtr model = doubling_model();
    const auto samples = generated_samples(model, 3, 7);
    EXPECT_EQ(samples->warnings().size(), 1u);
    const Calibration first = calibrate(model, *samples, {{"x"}}),
                      second = calibrate(model, *samples, {{"x"}});
    EXPECT_EQ(first.tensors[0].high, second.tensors[0].high);
    EXPECT_EQ(first.warnings.size(), 1u);
}

TEST(Calibrate, ReadsAFolderOfArchivesAndArrays) {
    const TemporaryFolder folder;
    save_npz(folder / "a.npz", row({1, 2}));
    save_npy(folder / "b.npy", Tensor::of<float>({1, 2}, {5, -6}));
    std::ofstream(folder / "notes.txt") << "not a sample";
    std::ofstream(folder / "c.npz") << "broken";
    const ModelPtr model = doubling_model();
    const auto samples = folder_samples(*model, folder.path());
    EXPECT_EQ(samples->size(), 3u);
    const Calibration seen = calibrate(model, *samples, {{"x"}});
    EXPECT_EQ(seen.samples, 2u);
    EXPECT_EQ(seen.tensors[0].low, -6);
    ASSERT_EQ(seen.warnings.size(), 1u);
    EXPECT_NE(seen.warnings[0].find("c.npz"), std::string::npos);
    const TemporaryFolder empty;
    EXPECT_THROW(folder_samples(*model, empty.path()), Error);
}

TEST(Calibrate, OneFileHoldsManySamples) {
    const TemporaryFolder folder;
    const ModelPtr model = doubling_model();
    save_npz(folder / "all.npz", {{"x", Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6})},
                                  {"labels", Tensor::of<float>({3}, {0, 1, 0})}});
    const auto samples = folder_samples(*model, folder / "all.npz");
    ASSERT_EQ(samples->size(), 3u);
    const NamedValues second = samples->at(1);
    ASSERT_EQ(second.size(), 1u);
    EXPECT_EQ(second[0].second.tensor().shape(), (Shape{1, 2}));
    EXPECT_EQ(second[0].second.tensor().data<float>()[1], 4);
    EXPECT_EQ(samples->name(1), "row 2");
    EXPECT_EQ(folder_samples(*model, folder.path())->size(), 1u)
        << "in a folder each file is one sample";
    save_npy(folder / "one.npy", Tensor::of<float>({1, 2}, {7, 8}));
    EXPECT_EQ(folder_samples(*model, folder / "one.npy")->size(), 1u);
    std::ofstream(folder / "broken.npz") << "broken";
    EXPECT_THROW(folder_samples(*model, folder / "broken.npz"), Error);
}

TEST(Calibrate, AnArrayOfAnArchiveIsNamed) {
    const TemporaryFolder folder;
    const ModelPtr model = doubling_model();
    const std::string file = (folder / "set.npz").string();
    save_npz(file, {{"train", Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
                    {"test", Tensor::of<double>({3, 2}, {1, 2, 3, 4, 5, 6})},
                    {"labels", Tensor::of<float>({3}, {0, 1, 0})}});
    const auto samples = folder_samples(*model, file + ":test");
    ASSERT_EQ(samples->size(), 3u);
    EXPECT_EQ(samples->at(2)[0].first, "x");
    EXPECT_EQ(samples->at(2)[0].second.tensor().data<float>()[1], 6);
    const auto complaint = [&](const std::string& path) -> std::string {
        try {
            folder_samples(*model, path);
        } catch (const Error& error) { return error.what(); }
        return {};
    };
    EXPECT_NE(complaint(file).find("say which: train f32[2,2], test f64[3,2]"), std::string::npos)
        << complaint(file);
    EXPECT_NE(complaint(file + ":other").find("no array \"other\""), std::string::npos)
        << complaint(file + ":other");
    EXPECT_NE(complaint(file + ":labels").find("no array fits"), std::string::npos)
        << complaint(file + ":labels");
    save_npz(folder / "only.npz", {{"images", Tensor::of<float>({2, 2}, {1, 2, 3, 4})}});
    EXPECT_EQ(folder_samples(*model, folder / "only.npz")->size(), 2u);
}

TEST(Calibrate, PicturesAreReadAsTheModelWantsThem) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph("(x: f32[n,3,8,8]) -> (y)\ny = Relu(x)");
    const TemporaryFolder folder;
    std::filesystem::copy_file(fixtures_folder() / "../../resources/screenshot.png",
                               folder / "a.PNG");
    std::ofstream(folder / "b.jpg") << "no picture";
    ImageOptions images;
    images.stddev = {255, 255, 255};
    const auto samples = folder_samples(*model, folder.path(), images);
    ASSERT_EQ(samples->size(), 2u);
    EXPECT_EQ(samples->name(0), "a.PNG");
    const Tensor read = samples->at(0)[0].second.tensor();
    EXPECT_EQ(read.shape(), (Shape{1, 3, 8, 8}));
    for (const float value : read.data<float>()) EXPECT_LE(value, 1);
    EXPECT_THROW(samples->at(1), Error);
    const auto flat = doubling_model();
    EXPECT_THROW(folder_samples(*flat, folder.path()), Error) << "its input is no image";
}

TEST(Calibrate, FourOfFiveGiveRangesAndTheFifthJudges) {
    std::vector<NamedValues> rows;
    for (int i = 0; i < 11; ++i) rows.push_back(row({float(i)}));
    const auto samples = given_samples(rows);
    const SampleSplit split = split_samples(samples);
    EXPECT_EQ(split.calibration_samples->size(), 9u);
    ASSERT_EQ(split.evaluation_samples->size(), 2u);
    EXPECT_EQ(split.evaluation_samples->at(0)[0].second.tensor().data<float>()[0], 4);
    EXPECT_EQ(split.evaluation_samples->name(1), "sample 10");
    EXPECT_EQ(
        split_samples(samples, 1).evaluation_samples->at(0)[0].second.tensor().data<float>()[0], 3);
    const SampleSplit two = split_samples(given_samples({row({1}), row({2})}));
    EXPECT_EQ(two.calibration_samples->size(), 1u);
    EXPECT_EQ(two.evaluation_samples->size(), 1u);
    const SampleSplit one = split_samples(given_samples({row({1})}));
    EXPECT_EQ(one.calibration_samples, one.evaluation_samples);
}

TEST(Calibrate, SplitsSamples) {
    const auto samples =
        given_samples({row({0}), row({1}), row({2}), row({3}), row({4}), row({5})});
    const auto fifth = every_nth(samples, 5, 4), others = every_nth(samples, 5, 4, true);
    EXPECT_EQ(fifth->size(), 1u);
    EXPECT_EQ(others->size(), 5u);
    EXPECT_EQ(others->at(4)[0].second.tensor().data<float>()[0], 5);
}

ObservedTensor normal_with_outlier() {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    std::vector<float> values(100000);
    for (float& v : values) v = normal(random);
    values[0] = 60;
    return calibrate(doubling_model(), *given_samples({row(values)}), {{"x"}}).tensors.at(0);
}

double error_of(const ObservedTensor& t, const RealRange& range) {
    double sum = 0;
    const double width =
        (static_cast<double>(t.top()) - t.bottom()) / static_cast<double>(t.histogram.size());
    const double scale = (static_cast<double>(range.high) - range.low) / 255;
    for (std::size_t i = 0; i < t.histogram.size(); ++i) {
        const double value = t.bottom() + (static_cast<double>(i) + 0.5) * width;
        const double stored =
            std::clamp(std::nearbyint((value - range.low) / scale) * scale + range.low,
                       static_cast<double>(range.low), static_cast<double>(range.high));
        sum += static_cast<double>(t.histogram[i]) * (stored - value) * (stored - value);
    }
    return sum;
}

TEST(ChooseRange, CutsAnOutlierOff) {
    const ObservedTensor seen = normal_with_outlier();
    const RealRange minmax = choose_range(seen, {.method = RangeMethod::minmax});
    EXPECT_EQ(minmax.high, 60);
    for (RangeMethod method : {RangeMethod::mse, RangeMethod::entropy, RangeMethod::percentile}) {
        const RealRange range =
            choose_range(seen, {.method = method, .percentile = 99.99, .levels = 16});
        EXPECT_LT(range.high, 40) << name_of(method);
        EXPECT_GT(range.high, 2) << name_of(method);
        EXPECT_LT(range.low, -1.5) << name_of(method);
    }
    EXPECT_LE(error_of(seen, choose_range(seen, {.exponent = 2})), error_of(seen, minmax));
}

TEST(ChooseRange, KeepsAUniformRangeWhole) {
    std::vector<float> values(10000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) / 10000 - 0.25f;
    const ObservedTensor seen =
        calibrate(doubling_model(), *given_samples({row(values)}), {{"x"}}).tensors.at(0);
    for (RangeMethod method : {RangeMethod::mse, RangeMethod::entropy, RangeMethod::percentile}) {
        const RealRange range = choose_range(seen, {.method = method});
        EXPECT_NEAR(range.low, -0.25, 0.02) << name_of(method);
        EXPECT_NEAR(range.high, 0.75, 0.02) << name_of(method);
    }
}

TEST(ChooseRange, HoldsZeroAndKnowsItsNames) {
    const ObservedTensor seen =
        calibrate(doubling_model(), *given_samples({row({5, 6, 7})}), {{"x"}}).tensors.at(0);
    EXPECT_EQ(choose_range(seen, {.method = RangeMethod::percentile}).low, 0);
    EXPECT_EQ(range_method_from_name("entropy"), RangeMethod::entropy);
    EXPECT_FALSE(range_method_from_name("kl"));
    EXPECT_THROW(choose_range(seen, {.percentile = 0}), Error);
}

}  // namespace
}  // namespace lapidary
