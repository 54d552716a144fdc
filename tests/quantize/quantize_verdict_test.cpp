// SPDX-License-Identifier: Apache-2.0
// The verdict on a quantized model: by what its file does, with intervals, and what is mended by
// itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/quantize/quantize_verdict.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

const double infinite = std::numeric_limits<double>::infinity();
const AccuracyFloor usual{AccuracyFloor::Measure::sqnr, 20};

Model model_of(const std::string& text, std::int64_t opset = 17) {
    Model model;
    model.opset_imports[""] = opset;
    model.graph = parse_graph(text, {.opset = opset});
    infer_types(model);
    return model;
}

ModelPtr shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

QuantizedFigures figures(double db, double ratio = 0, std::uint64_t bytes = 100, double error = 0) {
    QuantizedFigures made;
    made.sqnr = {db, db - error, db + error};
    made.worst_output_db = db;
    if (ratio > 0) made.ratio = MedianEstimate{ratio, ratio - 0.02, ratio + 0.02, 20};
    made.bytes = bytes;
    made.original_bytes = 400;
    return made;
}

/// A product of two scales that float16 cannot hold, behind integers: a model that was quantized
/// before.
ModelPtr of_small_scales() {
    Model model = model_of(
        "(x: f32[4,64]) -> (y)\nq, s, z = DynamicQuantizeLinear(x)\ni = MatMulInteger(q, w: "
        "i8[64,16], z)\n"
        "f = Cast(i) {to: 1}\nsw = Mul(s, ws: f32[]{0.000023})\na = Mul(f, sw)\nb = Mul(a, g: "
        "f32[]{300.0})\n"
        "y = Relu(b)");
    return shared(std::move(model));
}

SampleSourcePtr small_rows(std::size_t count, float scale) {
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, scale);
    std::vector<NamedValues> samples;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<float> values(4 * 64);
        for (float& v : values) v = normal(random);
        samples.push_back({{"x", Tensor::of<float>({4, 64}, values)}});
    }
    return given_samples(std::move(samples));
}

/// Columns of a table: features around 100 and around 0.001 that count equally.
ModelPtr of_table() {
    Model model = model_of(
        "(x: f32[n,16]) -> (y)\na = MatMul(x, w: f32[16,32])\nb = Relu(a)\n"
        "c = MatMul(b, v: f32[32,32])\nd = Relu(c)\ny = MatMul(d, u: f32[32,4])");
    GraphEdit edit(model.graph, "scale the features");
    for (const ValueId id : model.graph.initializers()) {
        const Value& value = model.graph.value(id);
        if (value.name != "w") continue;
        std::vector<float> scaled(value.constant->data<float>().begin(),
                                  value.constant->data<float>().end());
        for (std::size_t i = 0; i < scaled.size(); ++i)
            scaled[i] /= i / 32 % 8 == 0 ? 1000.0f : 0.05f;
        edit.set_constant(id, Tensor::of<float>({16, 32}, scaled));
        break;
    }
    edit.finish();
    return shared(std::move(model));
}

SampleSourcePtr table_rows(std::size_t count) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0, 1);
    std::vector<NamedValues> samples;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<float> values(16);
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = normal(random) * (k % 8 == 0 ? 1000.0f : 0.05f);
        samples.push_back({{"x", Tensor::of<float>({1, 16}, values)}});
    }
    return given_samples(std::move(samples));
}

TEST(QuantizeVerdict, HasAnIntervalByHowSamplesDiffer) {
    const DecibelEstimate of_five = estimate_db(30, 1.0, 5);
    EXPECT_NEAR(of_five.low, 27.22, 0.01) << "t of 4 degrees is 2.78";
    EXPECT_NEAR(of_five.high, 32.78, 0.01);
    EXPECT_EQ(text_of(of_five), "30.0 dB (27.2 to 32.8)");
    EXPECT_FALSE(estimate_db(30, std::nullopt, 1).has_interval());
    EXPECT_EQ(text_of(estimate_db(infinite, 0.0, 9)), "equal");
    // Equal samples give no error. A sample that is far off widens the interval.
    const ModelPtr model = shared(model_of("(x: f32[n,64]) -> (y)\ny = MatMul(x, w: f32[64,8])"));
    const auto rows = generated_samples(model, 12, 3);
    const ModelPtr made = shared(quantize_model(*model, {}, rows.get()).model);
    const NamedValues first = rows->at(0, {});
    const QuantizedAccuracy same =
        evaluate_quantized(model, made, *given_samples({first, first, first}), 1);
    ASSERT_TRUE(same.error_db);
    EXPECT_NEAR(*same.error_db, 0, 1e-9);
    const QuantizedAccuracy all = evaluate_quantized(model, made, *rows, 1);
    ASSERT_TRUE(all.error_db);
    EXPECT_GT(*all.error_db, 0.01);
    // The linearization against leaving each sample out (jackknife).
    double squares = 0;
    std::vector<double> without;
    for (std::size_t left_out = 0; left_out < rows->size(); ++left_out) {
        std::vector<NamedValues> others;
        for (std::size_t i = 0; i < rows->size(); ++i)
            if (i != left_out) others.push_back(rows->at(i, {}));
        without.push_back(evaluate_quantized(model, made, *given_samples(others), 1).sqnr_db());
    }
    double mean = 0;
    for (const double db : without) mean += db / 12;
    for (const double db : without) squares += (db - mean) * (db - mean);
    EXPECT_NEAR(*all.error_db, std::sqrt(squares * 11 / 12), 0.25 * *all.error_db);
    EXPECT_FALSE(evaluate_quantized(model, made, *given_samples({first}), 1).error_db);
}

TEST(QuantizeVerdict, SaysInWordsWhatSqnrMeans) {
    EXPECT_EQ(quality_of(infinite), QuantizedQuality::equal);
    const ModelPtr same = shared(model_of("(x: f32[n,64]) -> (y)\ny = MatMul(x, w: f32[64,8])"));
    const QuantizedFigures equal =
        figures_of(evaluate_quantized(same, same, *generated_samples(same, 3, 1), 1));
    EXPECT_EQ(verdict_of({.figures = equal, .floor = usual}).sentence,
              "equal: SQNR equal, at or above the usual floor of 20 dB");
    EXPECT_EQ(quality_of(40), QuantizedQuality::very_good);
    EXPECT_EQ(quality_of(34), QuantizedQuality::good);
    EXPECT_EQ(quality_of(20), QuantizedQuality::visible);
    EXPECT_EQ(quality_of(3.7), QuantizedQuality::poor);
    EXPECT_EQ(quality_of(-infinite), QuantizedQuality::poor);
    EXPECT_EQ(quality_of(std::nan("")), QuantizedQuality::poor);
    VerdictInput in{.figures = figures(34.2, 0, 100, 1.1), .floor = usual};
    EXPECT_EQ(verdict_of(in).sentence,
              "good: SQNR 34.2 dB (33.1 to 35.3), at or above the usual floor of 20 dB");
    EXPECT_TRUE(verdict_of(in).is_usable);
    EXPECT_TRUE(verdict_of(in).warnings.empty());
    in.floor.bound = 35;
    in.floor_asked = true;
    EXPECT_EQ(verdict_of(in).sentence,
              "good: SQNR 34.2 dB (33.1 to 35.3), below the floor of 35 dB, which other samples "
              "may turn round");
    EXPECT_FALSE(verdict_of(in).is_usable);
    in = {.figures = figures(3.7), .floor = usual};
    EXPECT_EQ(verdict_of(in).warnings.at(0), "outputs are far off: SQNR 3.7 dB is below 20 dB");
}

TEST(QuantizeVerdict, WarnsOfSlowerAndHardlySmallerModels) {
    VerdictInput in{.figures = figures(45, 2.25, 395), .floor = usual};
    in.times = QuantizedTimes{{4, 3.9, 4.1, 9}, {9, 8.8, 9.2, 9}, {2.25, 2.1, 2.4, 9}};
    in.times_onnxruntime = QuantizedTimes{{4, 3.9, 4.1, 9}, {8, 7.9, 8.1, 9}, {2, 1.9, 2.1, 9}};
    in.difference = "the levels differ";
    const QuantizeVerdict verdict = verdict_of(in);
    EXPECT_TRUE(verdict.is_usable);
    EXPECT_EQ(
        verdict.warnings,
        (std::vector<std::string>{
            "the levels differ",
            "slower than the original here: 9 ms against 4 ms a run, 2.25 times (2.10 to 2.40)",
            "slower than the original in ONNX Runtime: 8 ms against 4 ms a run, 2.00 times (1.90 "
            "to 2.10)",
            "hardly smaller: constants 400 B -> 395 B"}));
    for (const MedianEstimate& ratio :
         {MedianEstimate{1.2, 0.9, 1.5, 9}, MedianEstimate{1.02, 1.01, 1.03, 9},
          MedianEstimate{0.5, 0.4, 0.6, 9}}) {
        in.times->ratio = in.times_onnxruntime->ratio = ratio;
        EXPECT_EQ(verdict_of(in).warnings.size(), 2u) << ratio.median;
    }
    in.figures.bytes = 391;
    EXPECT_EQ(verdict_of(in).warnings.size(), 1u) << "2.25 % smaller";
}

TEST(QuantizeVerdict, FindsFaultWithOutputsAndAnswers) {
    QuantizedFigures made = figures(25);
    EXPECT_FALSE(fault_of(made, usual, false));
    made.worst_output_db = -3;
    EXPECT_TRUE(fault_of(made, usual, false)) << "an output is worse than zeros";
    EXPECT_FALSE(fault_of(made, usual, true)) << "what was asked for is reached";
    made.worst_output_db = 25;
    made.rows = 400;
    made.flips = 310;
    EXPECT_EQ(fault_of(made, usual, false).value_or(""), "310 of 400 answers changed");
    made.rows = 2;
    made.flips = 1;
    EXPECT_FALSE(fault_of(made, usual, false)) << "one of two says little";
    made.rows = made.flips = 0;
    made.top1_before = share_of(92, 100);
    made.top1_after = share_of(60, 100);
    EXPECT_TRUE(fault_of(made, usual, false));
    made.top1_after = share_of(90, 100);
    EXPECT_FALSE(fault_of(made, usual, false));
    EXPECT_TRUE(fault_of(made, {AccuracyFloor::Measure::top1, 0.01}, true));
    EXPECT_FALSE(fault_of(figures(3), {AccuracyFloor::Measure::flips, 0.01}, true))
        << "there are no answers";
    EXPECT_EQ(usual_floor({}).bound, 20);
    EXPECT_EQ(usual_floor({.mode = QuantizeMode::weights, .weight_bits = 4}).bound, 10);
    EXPECT_EQ(usual_floor({.mode = QuantizeMode::weights, .weight_bits = 8}).bound, 20);
    EXPECT_EQ(usual_floor({.mode = QuantizeMode::static_qdq, .weight = DType::u4}).bound, 10);
}

TEST(QuantizeVerdict, ChoosesByAccuracyTimeAndSizeTogether) {
    const auto best = [](std::vector<QuantizedFigures> candidates) {
        return best_of(candidates, usual, false);
    };
    // Static kept 169 of 173 kB for a few dB without visible effect; dynamic is smaller and faster.
    EXPECT_EQ(best({figures(50, 1.0, 391), figures(44, 0.7, 104)}), 1u);
    // More accurate by 3 dB, at twice the time of float.
    EXPECT_EQ(best({figures(26, 0.9, 110), figures(29, 2.0, 104)}), 0u);
    EXPECT_EQ(best({figures(29, 2.0, 104), figures(26, 0.9, 110)}), 1u);
    // Faster and smaller, and useless.
    EXPECT_EQ(best({figures(30, 0.9, 110), figures(12, 0.4, 60)}), 0u);
    // Saves nothing.
    EXPECT_EQ(best({figures(60, 0.9, 398), figures(30, 1.0, 300)}), 1u);
    // Both are slower: the one that is best by all three together.
    EXPECT_EQ(best({figures(30, 1.2, 110), figures(31, 3.0, 110)}), 0u);
    // 6 dB, half the time and half the bytes weigh the same; what noise hides counts nothing.
    EXPECT_NEAR(score_of(figures(30, 0.5, 100)) - score_of(figures(30, 1.01, 100)), 1, 0.01);
    EXPECT_NEAR(score_of(figures(36)) - score_of(figures(30)), 1, 1e-9);
    EXPECT_NEAR(score_of(figures(30, 0, 50)) - score_of(figures(30, 0, 100)), 1, 1e-9);
    EXPECT_EQ(score_of(figures(41)), score_of(figures(80)));
    EXPECT_NEAR(score_of(figures(36, 0, 100, 6)), score_of(figures(30)), 1e-9)
        << "the low end is certain";
    EXPECT_THROW(best({}), Error);
}

TEST(WrittenQuantized, IsJudgedByWhatTheFileSays) {
    // Products that float16 holds no digit of, which optimizing puts together in float32.
    const ModelPtr model =
        shared(model_of("(x: f32[n,8]) -> (y)\na = Mul(x, s: f32[]{0.0001})\n"
                        "b = Mul(a, t: f32[]{0.0001})\nc = Mul(b, g: f32[]{10000.0})\n"
                        "y = Mul(c, k: f32[]{10000.0})"));
    const Model half = model_of(
        "(x: f32[n,8]) -> (y)\nh = Cast(x) {to: 10}\na = Mul(h, s: f16[]{0.0001})\n"
        "b = Mul(a, t: f16[]{0.0001})\nc = Mul(b, g: f16[]{10000.0})\n"
        "d = Mul(c, k: f16[]{10000.0})\ny = Cast(d) {to: 1}");
    const auto samples = generated_samples(model, 10, 1);
    const TemporaryFolder folder;
    save_model(half, folder / "q.onnx");
    const WrittenAccuracy written = judge_written(model, folder / "q.onnx", *samples, 1);
    EXPECT_LT(written.disabled.sqnr_db(), 5);
    EXPECT_GT(written.all.sqnr_db(), 40);
    EXPECT_EQ(written.worse_level(), Level::disabled);
    EXPECT_EQ(&written.worse(), &written.disabled);
    EXPECT_NE(written.difference().value_or("").find("at level disabled"), std::string::npos);
    EXPECT_TRUE(fault_of(figures_of(written.worse()), usual, false));
}

TEST(WrittenQuantized, Float16OfSmallScalesKeepsThem) {
    const ModelPtr model = of_small_scales();
    const auto samples = small_rows(10, 0.05f);
    const SampleSplit split = split_samples(samples);
    const QuantizeResult made =
        quantize_model(*model, {.mode = QuantizeMode::half}, split.calibration_samples.get());
    const TemporaryFolder folder;
    save_model(made.model, folder / "q.onnx");
    EXPECT_GE(
        judge_written(model, folder / "q.onnx", *split.evaluation_samples, 1).worse().sqnr_db(),
        50);
    EXPECT_TRUE(std::ranges::any_of(made.nodes, [](const NodeDecision& node) {
        return node.reason.find("below 6.1e-05 float16 loses digits") != std::string::npos;
    }));
}

TEST(WrittenQuantized, LevelsThatAgreeReportTheOptimizedFigures) {
    const ModelPtr model =
        shared(model_of("(x: f32[n,64]) -> (y)\na = MatMul(x, w: f32[64,48])\ng = Tanh(a)\ny = "
                        "MatMul(g, v: f32[48,10])"));
    const auto samples = generated_samples(model, 20, 1);
    for (const QuantizeMode mode :
         {QuantizeMode::dynamic, QuantizeMode::static_qdq, QuantizeMode::half}) {
        const ModelPtr made = shared(quantize_model(*model, {.mode = mode}, samples.get()).model);
        const TemporaryFolder folder;
        save_model(*made, folder / "q.onnx");
        const WrittenAccuracy written = judge_written(model, folder / "q.onnx", *samples, 1);
        EXPECT_EQ(written.worse_level(), Level::all) << name_of(mode);
        EXPECT_FALSE(written.difference()) << written.difference().value_or("");
        EXPECT_EQ(written.all.sqnr_db(), evaluate_quantized(model, made, *samples, 1).sqnr_db())
            << name_of(mode);
        EXPECT_NEAR(written.disabled.sqnr_db(), written.all.sqnr_db(), 1) << name_of(mode);
    }
}

TEST(QuantizeRepair, MendsFeaturesOfVeryDifferentScale) {
    const ModelPtr model = of_table();
    const auto samples = table_rows(40);
    for (const QuantizeMode mode : {QuantizeMode::dynamic, QuantizeMode::static_qdq}) {
        const QuantizeOptions options{.mode = mode};
        const SampleSplit split = split_samples(samples);
        const ModelPtr plain =
            shared(quantize_model(*model, options, split.calibration_samples.get()).model);
        const double before =
            evaluate_quantized(model, plain, *split.evaluation_samples, 1).sqnr_db();
        ASSERT_LT(before, 15) << name_of(mode);
        const auto repair =
            repair_quantized(model, options, samples, {.floor = usual, .budget_seconds = 0});
        ASSERT_TRUE(repair) << name_of(mode);
        EXPECT_GE(repair->accuracy.sqnr_db(), 20) << name_of(mode);
        EXPECT_EQ(repair->options.mode, mode);
        EXPECT_GT(repair->made.quantized, 0u);
    }
    EXPECT_FALSE(repair_quantized(model, {}, given_samples({samples->at(0, {})}), {.floor = usual}))
        << "one sample judges nothing";
}

TEST(QuantizeRepair, LeavesAloneWhatWasChosenByName) {
    EXPECT_TRUE(can_be_repaired({}));
    EXPECT_TRUE(can_be_repaired({.mode = QuantizeMode::static_qdq, .weight = DType::u8}));
    for (const QuantizeOptions& chosen :
         {QuantizeOptions{.equalize = true}, QuantizeOptions{.smoothing = 0.5},
          QuantizeOptions{.keep_float = {"Gemm"}},
          QuantizeOptions{.placement = StaticPlacement::onnxruntime},
          QuantizeOptions{.bias_correction = false}, QuantizeOptions{.range = RangeMethod::minmax},
          QuantizeOptions{.symmetric_weight = true}})
        EXPECT_FALSE(can_be_repaired(chosen));
}

}  // namespace
}  // namespace lapidary
