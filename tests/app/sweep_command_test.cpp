// SPDX-License-Identifier: Apache-2.0
// lapidary-cli sweep.
#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST(SweepCommand, ShowsTheTableTheOperatorsAndARecommendation) {
    const CommandOutcome outcome = run({"sweep", "sample:mlp", "--intra", "1,2", "--spinning",
                                        "on,off", "--seconds", "0.1", "--precision", "0.5"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* words : {"machine  ", "1 thread", "2 threads, no spinning",
                              "operators by threads", "stops scaling", "recommendation: "})
        EXPECT_NE(outcome.out.find(words), std::string::npos) << words << " in " << outcome.out;
    EXPECT_NE(outcome.err.find("3 settings, some"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("[3/3]"), std::string::npos) << outcome.err;
}

TEST(SweepCommand, GivesItAllAsJson) {
    const CommandOutcome outcome =
        run({"sweep", "sample:mlp", "--intra", "1", "--batch", "1,4", "--level", "disabled,all",
             "--goal", "throughput", "--seconds", "0.1", "--precision", "0.5", "--verify", "2",
             "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.err.empty()) << outcome.err;
    const Json json = outcome.json();
    ASSERT_EQ(json.at("cells").size(), 4u);
    for (const Json& cell : json.at("cells")) {
        EXPECT_EQ(cell.at("state"), "done");
        EXPECT_GT(cell.at("measurement").at("wall_ms").at("median").at("median"), 0);
        EXPECT_FALSE(cell.at("measurement").contains("samples_ms"));
    }
    EXPECT_TRUE(json.at("complete"));
    EXPECT_FALSE(json.at("cancelled"));
    EXPECT_GE(json.at("recommendation").at("cell"), -1);  // none on a machine with noisy neighbours
    EXPECT_FALSE(json.at("recommendation").at("sentence").get<std::string>().empty());
}

TEST(SweepCommand, ParallelExecutionRunsSeveralAtATime) {
    const CommandOutcome outcome =
        run({"sweep", "sample:mlp", "--intra", "1", "--execution", "sequential,parallel",
             "--seconds", "0.05", "--precision", "0.5", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json cells = outcome.json().at("cells");
    ASSERT_EQ(cells.size(), 2u);
    EXPECT_EQ(cells[0].at("configuration").at("execution"), "sequential");
    EXPECT_EQ(cells[1].at("configuration").at("execution"), "parallel");
    EXPECT_GE(cells[1].at("configuration").at("inter"), 2);
}

TEST(SweepCommand, SaysWhatTheBudgetLeftOut) {
    const CommandOutcome outcome =
        run({"sweep", "sample:mlp", "--intra", "1", "--batch", "1,2,3,4,5,6,7,8", "--seconds", "5",
             "--precision", "1e-9", "--budget", "0.3"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("budget"), std::string::npos) << outcome.out;
}

TEST(SweepCommand, MeasuresWithTheGivenInputs) {
    const TemporaryFolder folder;
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[n,8]) -> (y)\n y = Softmax(x)");
    const std::string file = (folder / "model.onnx").string();
    save_model(model, file);
    save_npy(folder / "x.npy", Tensor::of<float>({3, 8}, std::vector<float>(24, 0.5f)));
    save_npy(folder / "wrong.npy", Tensor::of<float>({3, 9}, std::vector<float>(27, 0.5f)));
    const std::vector<std::string> usual{"sweep",     file,   "--intra",     "1",
                                         "--seconds", "0.05", "--precision", "0.5"};
    const auto with = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = usual;
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(arguments);
    };
    EXPECT_EQ(with({"--input", "x=" + (folder / "x.npy").string()}).code, 0);
    const CommandOutcome batches =
        with({"--input", "x=" + (folder / "x.npy").string(), "--batch", "1,6", "--json"});
    ASSERT_EQ(batches.code, 0) << batches.err;
    EXPECT_EQ(batches.json().at("cells").size(), 2u) << "rows are taken in turn";
    const CommandOutcome wrong = with({"--input", "x=" + (folder / "wrong.npy").string()});
    EXPECT_NE(wrong.code, 0);
    for (const char* part : {"input \"x\": ", "wrong.npy: expected f32[n,8], found f32[3,9]"})
        EXPECT_NE(wrong.err.find(part), std::string::npos) << wrong.err;
    expect_error(with({"--input", "z=" + (folder / "x.npy").string()}), 2, {"\"z\"", "\"x\""});
}

TEST(SweepCommand, RefusesWithTheReason) {
    expect_error(run({"sweep", "/no/such/model.onnx"}), 3, {"model.onnx"});
    expect_error(run({"sweep", "sample:mlp", "--spinning", "maybe"}), 2, {"--spinning"});
    expect_error(run({"sweep", "sample:mlp", "--goal", "fame"}), 2, {"--goal"});
    CancelToken cancel;
    cancel.cancel();
    const CommandOutcome cancelled = run({"sweep", "sample:mlp"}, cancel);
    EXPECT_EQ(cancelled.code, 5);
    EXPECT_NE(cancelled.err.find("lapidary-cli: cancelled"), std::string::npos) << cancelled.err;
    const TemporaryFolder folder;
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2,3]) -> (y)\n y = Relu(x)");
    const std::string file = (folder / "fixed.onnx").string();
    save_model(model, file);
    const CommandOutcome fixed = run({"sweep", file, "--batch", "4", "--json"});
    EXPECT_EQ(fixed.code, 4);
    EXPECT_NE(fixed.err.find("no free batch dimension"), std::string::npos) << fixed.err;
}

}  // namespace
}  // namespace lapidary
