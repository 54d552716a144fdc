// SPDX-License-Identifier: Apache-2.0
// The peaks of a device, which special kernels measure: figures, the file that keeps them, the
// roofs that nodes of a session are compared with. And the cost of lowered precision, measured
// beside runs.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <lapidary/exec/device_peak.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/ops/infer.h>
#include <lapidary/proof/lowered_precision.h>
#include <lapidary/cost/roofline.h>
#include <lapidary/internal/scratch_folder.h>

#include "plugins/cuda/emulated_provider.h"
#include "support/pass_harness.h"

namespace lapidary::test {
namespace {

class DevicePeaks : public testing::Test {
protected:
    std::string file() const { return (folder_.path() / "deep" / "device.peaks").string(); }
    DevicePeak measured(std::map<std::string, std::string> options) const {
        if (!options.contains("peaks_file")) options["peaks_file"] = file();
        const auto peaks = device_peaks({new_provider(options)});
        return peaks.empty() ? DevicePeak() : peaks[0];
    }
    std::string text() const {
        std::ostringstream all;
        all << std::ifstream(file()).rdbuf();
        return all.str();
    }
    void write(const std::string& text) const { std::ofstream(file()) << text; }

    ScratchFolder folder_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text << " has no " << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST_F(DevicePeaks, AreMeasuredForEachKindOfArithmetic) {
    const DevicePeak peak = measured({{"peaks_file", "none"}});
    ASSERT_EQ(peak.problem, "");
    EXPECT_EQ(peak.provider, name_of_provider());
    EXPECT_GT(peak.gb_per_s, 0.001);
    ASSERT_EQ(peak.arithmetic.size(), 5u);
    for (const ArithmeticPeak& kind : peak.arithmetic) {
        EXPECT_GT(kind.gops, 1e-4) << kind.name;
        EXPECT_LT(kind.gops, 1e7) << kind.name;
        EXPECT_EQ(kind.is_of_others, kind.name == "float32");
    }
    EXPECT_FALSE(std::filesystem::exists(file()));
    if (!is_on_gpu()) return;
    EXPECT_GT(peak.of_product(DType::f16)->gops, 4 * peak.of_others()->gops) << "tensor cores";
}

TEST_F(DevicePeaks, ProductsRunAtTheRateOfThePrecision) {
    const std::pair<const char*, const char*> cases[] = {{"exact", "float32"},
                                                         {"tf32x3", "tf32x3"},
                                                         {"tf32", "tf32"},
                                                         {"fp16", "float16"},
                                                         {"bf16", "bfloat16"}};
    for (const auto& [precision, name] : cases) {
        const DevicePeak peak = measured({{"precision", precision}});
        ASSERT_TRUE(peak.of_product(DType::f32)) << peak.problem;
        EXPECT_EQ(peak.of_product(DType::f32)->name, name);
        EXPECT_EQ(peak.of_product(DType::f16)->name, "float16");
        EXPECT_EQ(peak.of_product(DType::bf16)->name, "bfloat16");
        EXPECT_EQ(peak.of_product(DType::i8)->name, "int8");
        EXPECT_EQ(peak.of_others()->name, "float32");
    }
}

TEST_F(DevicePeaks, AreKeptByDeviceAndDriver) {
    const DevicePeak first = measured({});
    ASSERT_EQ(first.problem, "");
    const std::string kept = text();
    EXPECT_TRUE(kept.starts_with("lapidary cuda peaks 2\ndevice ")) << kept;
    write(replaced(kept, "\ntf32 ", "\ntf32 1"));  // a figure that is not measured again
    const DevicePeak again = measured({});
    EXPECT_NEAR(again.arithmetic[0].gops, first.arithmetic[0].gops, 1e-4 * first.arithmetic[0].gops)
        << "to the digits that the file has";
    EXPECT_GT(again.arithmetic[1].gops, 1);
    EXPECT_NE(again.arithmetic[1].gops, first.arithmetic[1].gops);
    EXPECT_NEAR(again.gb_per_s, first.gb_per_s, 1e-4 * first.gb_per_s);

    const std::pair<std::string, std::string> wrong[] = {
        {replaced(kept, "\ndevice ", "\ndevice another "), "it is of device \"another "},
        {replaced(kept, "\ndriver ", "\ndriver 1"), "it is of driver \"1"},
        {replaced(kept, "peaks 2", "peaks 1"),
         "expected \"lapidary cuda peaks 2\", found \"lapidary cuda peaks 1\""},
        {replaced(kept, "\nfloat16 ", "\nfloat16 -"), "float16 is \"-"},
        {replaced(kept, "\nfloat32 ", "\nfloat32 nan x"), "expected a rate above 0"},
        {kept.substr(0, kept.find("int8")), "expected a line \"int8 ...\", found \"\""}};
    for (const auto& [content, why] : wrong) {
        write(content);
        const std::string problem = measured({}).problem;
        EXPECT_NE(problem.find(why), std::string::npos) << problem << "\nhas no " << why;
        EXPECT_NE(problem.find(file()), std::string::npos) << problem;
        EXPECT_EQ(text(), content) << "it is left as it is";
    }
}

TEST_F(DevicePeaks, NodesOfTheDeviceAreUnderItsRoofs) {
    Model made = model_of(
        "(x: f32[64,64]) -> (y)\na = MatMul(x, w: f32[64,64])\nb = Erf(a)\ny = MatMul(b, w)");
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    SessionOptions options = emulated_options({.precision = "tf32"});
    options.enable_profiling = true;
    Session session = Session::compile(model, options);
    RunOptions run;
    run.profile = true;
    const RunResult result = session.run(generate_inputs(*model, {}, {}), run);
    const auto points = roofline(session.model().graph, summarize(*result.profile).nodes,
                                 {machine_peak(1), device_peaks(options.providers)});
    ASSERT_EQ(points.size(), 3u);
    for (const RooflinePoint& point : points) {
        EXPECT_EQ(point.provider, name_of_provider());
        EXPECT_EQ(point.arithmetic, point.op == "MatMul" ? "tf32" : "float32");
        EXPECT_GT(point.share_of_peak, 0);
    }
}

/// The reported difference equals a comparison of both runs.
TEST(LoweredPrecisionOfDevice, IsMeasuredOnTheInputsOfTheRun) {
    Model made = model_of(
        "(x: f32[16,96]) -> (y)\na = MatMul(x, w: f32[96,64])\nb = Relu(a)\ny = MatMul(b, v: "
        "f32[64,8])");
    infer_types(made);
    const auto model = std::make_shared<const Model>(std::move(made));
    const NamedValues inputs = generate_inputs(*model, {}, {.seed = 5});
    const NamedValues exact = Session::compile(model, {}).run(inputs).outputs;
    struct Range {
        const char* precision;
        double least_db, most_db;
    };
    double before = 200;
    for (const auto& [precision, least_db, most_db] :
         {Range{"tf32", 55, 90}, {"fp16", 50, 80}, {"bf16", 30, 60}}) {
        const SessionOptions options =
            emulated_options({.precision = precision, .passes = SessionPasses::Set::all});
        const NamedValues outputs = Session::compile(model, options).run(inputs).outputs;
        const auto lowered = measure_lowered_precision(model, options, inputs, outputs);
        ASSERT_TRUE(lowered) << precision;
        EXPECT_EQ(text_of(lowered->by), precision + (" on " + name_of_provider()));
        ASSERT_TRUE(lowered->worst());
        const Comparison &reported = lowered->worst()->comparison,
                         own = compare_outputs(outputs, exact)[0].comparison;
        EXPECT_EQ(reported.max_abs, own.max_abs);
        EXPECT_EQ(reported.sqnr_db, own.sqnr_db);
        EXPECT_GT(reported.sqnr_db, least_db) << precision;
        EXPECT_LT(reported.sqnr_db, most_db) << precision;
        EXPECT_LT(reported.sqnr_db, before + 12) << precision;
        before = reported.sqnr_db;
    }
    EXPECT_FALSE(measure_lowered_precision(model, emulated_options({}), inputs, exact))
        << "exact rounds nothing";
}

}  // namespace
}  // namespace lapidary::test
