// SPDX-License-Identifier: Apache-2.0
// Every warning of a quantization on a case made for it, and its absence on one that has nothing to
// warn of.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/quantize/inspect_quantized.h>
#include <lapidary/proof/judge_labelled.h>
#include <lapidary/exec/session.h>

namespace lapidary {
namespace {

Model model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text, {.opset = 17});
    infer_types(model);
    return model;
}

/// Of one row each: 512 values between -1 and 1, by a rule that gives other ones for each seed;
/// `change` is applied last.
template <typename Change>
SampleSourcePtr rows(std::size_t count, Change change, unsigned seed = 0) {
    std::vector<NamedValues> samples;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<float> values(512);
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<float>(
                            static_cast<int>((k * 7919 + i * 104729 + seed * 613) % 201) - 100) /
                        100;
        change(values, i);
        NamedValues sample;
        sample.emplace_back("x", Tensor::of<float>({8, 64}, values));
        samples.push_back(std::move(sample));
    }
    return given_samples(std::move(samples));
}
SampleSourcePtr plain_rows(std::size_t count, unsigned seed = 0) {
    return rows(
        count, [](std::vector<float>&, std::size_t) {}, seed);
}

const std::string product =
    "(x: f32[8,64]) -> (y)\na = MatMul(x, w: f32[64,32])\nt = Tanh(a)\ny = MatMul(t, v: f32[32,4])";
const QuantizeOptions static_mode{.mode = QuantizeMode::static_qdq};

bool any_with(const std::vector<std::string>& notes, const std::string& part) {
    return std::ranges::any_of(
        notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::vector<std::string> notes_of(const SampleSourcePtr& samples,
                                  const QuantizeOptions& options = static_mode) {
    return quantize_model(model_of(product), options, samples.get()).notes;
}

TEST(QuantizeWarnings, NoneWhereNothingIsWrong) {
    QuantizeOptions options = static_mode;
    options.reduced_range = true;
    const auto samples = plain_rows(20);
    const Model model = model_of(product);
    const QuantizeResult made = quantize_model(model, options, samples.get());
    EXPECT_TRUE(made.notes.empty()) << made.notes.front();
    const QuantizedInspection found =
        inspect_quantized(model, options, made, *samples, *plain_rows(5));
    EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
}

TEST(QuantizeWarnings, GeneratedSamples) {
    const auto samples = generated_samples(std::make_shared<const Model>(model_of(product)), 16, 1);
    EXPECT_TRUE(any_with(notes_of(samples), "the samples are generated"));
}

TEST(QuantizeWarnings, FewSamples) {
    EXPECT_TRUE(
        any_with(notes_of(plain_rows(7)), "ranges come from 7 samples: eight or more are advised"));
    EXPECT_FALSE(any_with(notes_of(plain_rows(8)), "eight or more"));
}

TEST(QuantizeWarnings, ValuesThatNeverChange) {
    const auto zeros =
        rows(10, [](std::vector<float>& values, std::size_t) { std::ranges::fill(values, 0.0F); });
    EXPECT_TRUE(any_with(notes_of(zeros), "\"x\" was the same in all samples"));
}

TEST(QuantizeWarnings, ValuesThatAreNotFinite) {
    const auto odd =
        rows(10, [](std::vector<float>& values, std::size_t i) { values[i] = std::nanf(""); });
    EXPECT_TRUE(any_with(notes_of(odd), "had elements that are not finite"));
}

TEST(QuantizeWarnings, Outliers) {
    // One of 51,200 elements is fifty times what the others reach.
    QuantizeOptions all = static_mode;
    all.calibration.settled_samples = 0;
    const auto outlier = rows(100, [](std::vector<float>& values, std::size_t i) {
        if (i == 3) values[5] = 50;
    });
    EXPECT_TRUE(any_with(notes_of(outlier, all), "\"x\" has outliers: it reaches 50"));
    EXPECT_FALSE(any_with(notes_of(plain_rows(100), all), "has outliers"));
}

TEST(QuantizeWarnings, ValuesBeyondTheRange) {
    const Model model = model_of(product);
    const auto learned = plain_rows(10);
    const QuantizeResult made = quantize_model(model, static_mode, learned.get());
    const auto others = rows(5, [](std::vector<float>& values, std::size_t) {
        for (float& v : values) v *= 3;
    });
    const auto found = inspect_quantized(model, static_mode, made, *learned, *others);
    EXPECT_TRUE(any_with(found.warnings, "of value \"x\" are beyond the range"))
        << found.warnings.size();
    const auto same = inspect_quantized(model, static_mode, made, *learned, *plain_rows(5));
    EXPECT_FALSE(any_with(same.warnings, "beyond the range"));
}

TEST(QuantizeWarnings, OneInAThousandBeyondTheRangeIsAccepted) {
    const Model model = model_of(product);
    const auto learned = plain_rows(10);
    const QuantizeResult made = quantize_model(model, static_mode, learned.get());
    const auto with_beyond = [](std::size_t count) {  // of 4096 elements, eight samples
        return rows(8, [count](std::vector<float>& values, std::size_t i) {
            if (i == 0) std::fill_n(values.begin(), count, 1.5F);
        });
    };
    EXPECT_FALSE(any_with(
        inspect_quantized(model, static_mode, made, *learned, *with_beyond(4)).warnings, "\"x\""));
    EXPECT_TRUE(
        any_with(inspect_quantized(model, static_mode, made, *learned, *with_beyond(5)).warnings,
                 "0.1 % of value \"x\" are beyond the range"));
}

TEST(QuantizeWarnings, ProductsThatSaturateWithoutVnni) {
    const Model model = model_of(product);
    const auto samples = plain_rows(10);
    const auto warns = [&](const QuantizeOptions& options) {
        const QuantizeResult made = quantize_model(model, options, samples.get());
        return any_with(inspect_quantized(model, options, made, *samples, *samples).warnings,
                        "without VNNI");
    };
    EXPECT_TRUE(warns(static_mode));
    QuantizeOptions reduced = static_mode;
    reduced.reduced_range = true;
    EXPECT_FALSE(warns(reduced));
}

TEST(QuantizeWarnings, PairsThatNoKernelUses) {
    // There is no integer kernel for ConvTranspose: a pair in front of it only rounds. ONNX Runtime
    // puts one there.
    const Model model =
        model_of("(x: f32[1,8,8,8]) -> (y)\nc = ConvTranspose(x, w: f32[8,4,3,3])\ny = Relu(c)");
    const auto samples = generated_samples(std::make_shared<const Model>(model), 10, 1);
    const auto warnings = [&](const QuantizeOptions& options) {
        const QuantizeResult made = quantize_model(model, options, samples.get());
        return inspect_quantized(model, options, made, *samples, *samples).warnings;
    };
    EXPECT_FALSE(any_with(warnings(static_mode), "no integer kernel takes up"));
    QuantizeOptions theirs = static_mode;
    theirs.placement = StaticPlacement::onnxruntime;
    EXPECT_TRUE(any_with(warnings(theirs), "no integer kernel takes up"));
    theirs.static_form = StaticForm::operators;
    EXPECT_TRUE(
        any_with(quantize_model(model, theirs, samples.get()).notes, "pairs of QuantizeLinear"));
}

TEST(QuantizeWarnings, RoundingThatOnnxRuntimeAdds) {
    QuantizeOptions wide = static_mode;
    wide.activation = DType::u16;
    EXPECT_TRUE(any_with(notes_of(plain_rows(10), wide), "qdq_matmulnbits_accuracy_level"));
    EXPECT_TRUE(any_with(
        notes_of(nullptr,
                 {.mode = QuantizeMode::weights, .block = 16, .block_form = BlockForm::dequantize}),
        "qdq_matmulnbits_accuracy_level"));
    EXPECT_FALSE(any_with(notes_of(plain_rows(10)), "qdq_matmulnbits_accuracy_level"));
}

TEST(QuantizeWarnings, PartsThatAreQuantizedAlready) {
    const Model model = model_of(product);
    const auto samples = plain_rows(10);
    const Model once = quantize_model(model, static_mode, samples.get()).model;
    EXPECT_TRUE(any_with(quantize_model(once, {}).notes, "the model holds quantized parts"));
}

/// `of` each of 40 samples, with the answer of the float model itself.
Labels labels_by(const Model& model, const SampleSource& samples,
                 const std::function<std::int64_t(std::int64_t)>& of) {
    Session session = Session::compile(std::make_shared<const Model>(model));
    Labels labels;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const RunResult found = session.run(samples.at(i));
        const std::vector<double> scores = to_doubles(found.outputs.at(0).second.tensor());
        std::vector<std::int64_t> classes;
        for (std::size_t row = 0; row < scores.size(); row += 4)
            classes.push_back(
                of(std::ranges::max_element(scores.begin() + std::ptrdiff_t(row),
                                            scores.begin() + std::ptrdiff_t(row) + 4) -
                   scores.begin() - std::ptrdiff_t(row)));
        const auto rows = static_cast<std::int64_t>(classes.size());
        labels.values.push_back(Tensor::of<std::int64_t>({rows}, classes));
    }
    return labels;
}

TEST(QuantizeWarnings, LabelsThatTheFloatModelDisagreesWith) {
    const auto model = std::make_shared<const Model>(model_of(product));
    const auto samples = plain_rows(40);
    const auto quantized = std::make_shared<const Model>(
        quantize_model(*model, static_mode, split_samples(samples).calibration_samples.get())
            .model);
    const Labels right = labels_by(*model, *samples, [](std::int64_t answer) { return answer; }),
                 shifted = labels_by(*model, *samples,
                                     [](std::int64_t answer) { return (answer + 1) % 4; });
    const LabelledJudgement fine = judge_labelled(model, quantized, *samples, right);
    EXPECT_TRUE(fine.warnings.empty()) << fine.warnings.front();
    EXPECT_EQ(fine.original.top1, fine.original.rows);
    EXPECT_TRUE(any_with(judge_labelled(model, quantized, *samples, shifted).warnings,
                         "the float model itself agrees with 0 of 64 labels: its preprocessing"));
}

TEST(QuantizeWarnings, OutputsThatAreNotFinite) {
    const auto model = std::make_shared<const Model>(model_of(product));
    const auto odd = rows(10, [](std::vector<float>& values, std::size_t i) {
        if (i == 0) values[3] = std::nanf("");  // of the first of eight rows
    });
    EXPECT_TRUE(any_with(evaluate_quantized(model, model, *odd).warnings,
                         "output \"y\" of the original was not finite in 4 of 320 elements"));
    EXPECT_TRUE(evaluate_quantized(model, model, *plain_rows(10)).warnings.empty());
}

TEST(InspectQuantized, ShowsEachLayerAndItsRange) {
    const Model model = model_of(product);
    const auto samples = plain_rows(10);
    const QuantizeResult made = quantize_model(model, static_mode, samples.get());
    ASSERT_EQ(made.ranges.size(), 2u);
    for (const QuantizedRange& range : made.ranges) {
        std::uint64_t elements = 0;
        for (std::uint64_t count : range.histogram) elements += count;
        EXPECT_EQ(elements, range.name == "x" ? 5120u : 2560u) << range.name;
        EXPECT_LT(range.lowest, 0);
        EXPECT_GT(range.highest, 0);
        EXPECT_LT(range.saturated, 0.02) << range.name;
    }
    const auto found = inspect_quantized(model, static_mode, made, *samples, *samples);
    ASSERT_EQ(found.layers.size(), 3u);
    EXPECT_EQ(found.layers.back().value, "y");
    for (const LayerAccuracy& layer : found.layers) {
        EXPECT_GT(layer.sqnr_db, 25) << layer.value;
        EXPECT_LT(layer.sqnr_db, 70) << layer.value;
    }
}

TEST(InspectQuantized, LooksAtEveryMode) {
    const Model model = model_of(product);
    const auto samples = plain_rows(10);
    for (const QuantizeOptions& options :
         {QuantizeOptions{}, QuantizeOptions{.mode = QuantizeMode::half},
          QuantizeOptions{.mode = QuantizeMode::weights},
          QuantizeOptions{.mode = QuantizeMode::weights, .storage = WeightStorage::bfloat16},
          QuantizeOptions{.mode = QuantizeMode::static_qdq,
          .static_form = StaticForm::operators}}) {
        const QuantizeResult made = quantize_model(model, options, samples.get());
        const auto found = inspect_quantized(model, options, made, *samples, *samples);
        ASSERT_EQ(found.layers.size(), 3u) << name_of(options.mode);
        EXPECT_GT(found.layers.back().sqnr_db, 15) << name_of(options.mode);
    }
}

TEST(InspectQuantized, EqualizedLayersAreComparedWithEqualizedOnes) {
    const Model model = model_of(
        "(x: f32[n,4,6,6]) -> (y)\na = Conv(x, w1: f32[4,1,1,1]{1.0,100.0,0.01,1.0}) {group: 4}\nr "
        "= Relu(a)\ny = "
        "Conv(r, w2: f32[2,4,1,1]{1.0,0.01,100.0,1.0,0.5,0.02,-80.0,0.3})");
    const auto samples = generated_samples(std::make_shared<const Model>(model), 10, 1);
    QuantizeOptions options = static_mode;
    options.equalize = true;
    const QuantizeResult made = quantize_model(model, options, samples.get());
    for (const LayerAccuracy& layer :
         inspect_quantized(model, options, made, *samples, *samples).layers)
        EXPECT_GT(layer.sqnr_db, 25) << layer.value;
}

}  // namespace
}  // namespace lapidary
