// SPDX-License-Identifier: Apache-2.0
// How much commands still compute after Ctrl-C. All end with exit code 5.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/cancel_time.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

/// The command, which is cancelled after so many seconds of CPU time.
CancelledJob command(const std::vector<std::string>& words,
                     const std::vector<double>& cancelled_at) {
    std::string name;
    for (const std::string& word : words) name += (name.empty() ? "" : " ") + word;
    return {name,
            [words](const Progress& progress) {
                const CommandOutcome outcome = run(words, progress.cancel);
                if (!progress.cancel.is_cancelled()) {
                    EXPECT_EQ(outcome.code, 0) << words.front() << ": " << outcome.err;
                } else if (outcome.code != 0) {  // 0: it was done already
                    EXPECT_EQ(outcome.code, cli::exit_cancelled)
                        << words.front() << ": " << outcome.err;
                }
            },
            cancelled_at};
}

TEST(CommandCancelTime, OfWhatMeasures) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const TemporaryFolder folder;
    const std::string report = (folder / "report.html").string(),
                      trace = (folder / "trace.json").string();
    const std::vector<double> at{0.02, 0.3};
    for (const CancelledJob& job :
         {command({"profile", "sample:squeezenet", "--intra", "1", "--runs", "200", "-o", trace},
                  at),
          command({"bench", "sample:squeezenet", "--intra", "1", "--seconds", "9"}, at),
          command({"compare", "sample:squeezenet", "--level", "disabled", "--level", "all",
                   "--intra", "1", "--seconds", "9"},
                  at),
          command(
              {"sweep", "sample:squeezenet", "--intra", "1", "--batch", "1,2,4", "--seconds", "9"},
              at),
          command({"report", "sample:squeezenet", "-o", report, "--intra", "1"}, at),
          command({"checklist", "sample:squeezenet", "--runs", "200"}, at)})
        expect_prompt(job);
    EXPECT_FALSE(std::filesystem::exists(report)) << "a cancelled report is not written";
}

TEST(CommandCancelTime, OfAccuracyAndChecks) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const TemporaryFolder folder;
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[n,3,96,96]) -> (y)\na = Conv(x, v: f32[64,3,3,3]) {pads: [1,1,1,1]}\n"
        "b = Conv(a, w: f32[64,64,3,3]) {pads: [1,1,1,1]}\nc = GlobalAveragePool(b)\n"
        "y = Flatten(c)");
    const std::string file = (folder / "m.onnx").string(), data = (folder / "d.npz").string();
    save_model(model, file);
    save_npz(data, {{"x", Tensor(DType::f32, {96, 3, 96, 96})}});
    const std::string expected = (folder / "expected.npz").string();
    ASSERT_EQ(run({"run", file, "--inputs", data, "--outputs", expected}).code, 0);
    for (const CancelledJob& job :
         {command({"run", file, "--inputs", data, "--intra", "1"}, {0.02, 0.1}),
          command({"accuracy", file, "--data", data, "--against", file, "--intra", "1"},
                  {0.02, 0.3}),
          command({"quantize", file, "-o", (folder / "q.onnx").string(), "--mode", "static",
                   "--data", data},
                  {0.02, 0.3}),
          command({"check", file, "--inputs", data, "--expected", expected, "--intra", "1"},
                  {0.02, 0.3})})
        expect_prompt(job);
}

/// Its work is one parallel region, and its output is large.
TEST(CommandCancelTime, OfOneLargeNode) {
    if (under_sanitizer) GTEST_SKIP() << "measures time";
    const TemporaryFolder folder;
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[1,3,8,8]) -> (y)\n"
        "y = MaxRoiPool(x, r: f32[1,5]{0, 0, 0, 3, 1}) {pooled_shape: [1000000,4]}");
    const std::string file = (folder / "m.onnx").string();
    save_model(model, file);
    expect_prompt(command({"run", file, "--intra", "1"}, {0.1, 0.3, 0.5, 1.0, 1.5}));
}

}  // namespace
}  // namespace lapidary
