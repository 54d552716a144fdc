// SPDX-License-Identifier: Apache-2.0
// lapidary-cli bench: alone, against itself, against ONNX Runtime where it is installed.
#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/bench.h>
#include <lapidary/error.h>
#include <lapidary/graph_text.h>
#include <lapidary/model_io.h>

#include "app/command_runner.h"
#include "bench/child_process.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

/// Empty, or why there is no ONNX Runtime.
std::string without_onnxruntime() {
    try {
        find_onnxruntime_peer({});
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

void expect_engine(const Json& engine) {
    for (const char* key : {"median_ms", "cpu_ms", "load_ms", "first_ms"}) EXPECT_GT(engine.at(key).get<double>(), 0) << key;
    ASSERT_EQ(engine.at("ci_ms").size(), 2u);
    EXPECT_GT(engine.at("share_of_peak"), 0);
    EXPECT_GT(engine.at("weights_gbs"), 0);
    EXPECT_LE(engine.at("ci_ms")[0], engine.at("median_ms"));
    EXPECT_GE(engine.at("ci_ms")[1], engine.at("median_ms"));
    EXPECT_GE(engine.at("samples"), 1);
    EXPECT_TRUE(engine.contains("dropped"));
    EXPECT_TRUE(engine.contains("peak_mb"));
}

void expect_machine(const Json& machine) {
    for (const char* key : {"cpu", "isa", "cores", "memory_gb", "system", "date", "lapidary", "onnxruntime"}) EXPECT_TRUE(machine.contains(key)) << key;
    EXPECT_GE(machine.at("cores"), 1);
    EXPECT_EQ(machine.at("date").get<std::string>().size(), std::string("2026-01-01T00:00:00Z").size());
}

TEST(BenchCommand, MeasuresASampleAlone) {
    const Outcome outcome = run({"bench", "sample:mlp", "--seconds", "0.3", "--no-memory", "--intra", "1,2", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    expect_machine(json.at("machine"));
    ASSERT_EQ(json.at("configurations").size(), 2u);
    for (int threads : {1, 2}) {
        const Json& c = json.at("configurations")[static_cast<std::size_t>(threads - 1)];
        EXPECT_EQ(c.at("model"), "mlp");
        EXPECT_EQ(c.at("level"), "all");
        EXPECT_EQ(c.at("intra"), threads);
        EXPECT_EQ(c.at("inter"), 1);
        EXPECT_EQ(c.at("batch"), 1);
        EXPECT_GT(c.at("work").at("gflop"), 0);
        EXPECT_GT(c.at("core_peak_gflops"), 0.01);
        expect_engine(c.at("ours"));
        EXPECT_TRUE(c.at("ours").at("peak_mb").is_null());
        EXPECT_FALSE(c.contains("ratio"));
    }
}

TEST(BenchCommand, AgainstItselfFindsNoDifference) {
    const Outcome outcome = run({"bench", "sample:mlp", "--vs", "self", "--seconds", "2", "--precision", "1e-9", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json c = outcome.json().at("configurations")[0];
    EXPECT_TRUE(c.at("outputs_match"));
    EXPECT_EQ(c.at("difference"), 0);
    expect_engine(c.at("self"));
    // Wide enough for a machine that runs other tests beside this one.
    EXPECT_LE(c.at("ratio").at("ci")[0], 1.1);
    EXPECT_GE(c.at("ratio").at("ci")[1], 0.9);
}

TEST(BenchCommand, BatchesAndFilesAndTheTable) {
    const TemporaryFolder folder;
    const std::string model = (folder / "net.onnx").string(), json = (folder / "result.json").string();
    ASSERT_EQ(run({"sample", "mlp", "-o", model}).code, 0);
    const Outcome outcome = run({"bench", model, "--batch", "1,3", "--seconds", "0.1", "--no-memory", "--json", json});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("machine  "), std::string::npos);
    EXPECT_NE(outcome.out.find("net"), std::string::npos);
    std::ifstream file(json);
    const Json result = Json::parse(file);
    ASSERT_EQ(result.at("configurations").size(), 2u);
    EXPECT_EQ(result.at("configurations")[1].at("batch"), 3);
}

TEST(BenchCommand, RefusesWhatItCannotMeasure) {
    expect_error(run({"bench", "/no/such/model.onnx", "--no-memory"}), 3, {"model.onnx"});
    expect_error(run({"bench", "sample:nothing", "--no-memory"}), 3, {"nothing"});
    expect_error(run({"bench", "sample:mlp", "--vs", "onnxruntime", "--onnxruntime", "/no/such/place"}), 4, {"/no/such/place", "libonnxruntime.so"});
    expect_error(run({"bench", "sample:mlp", "--vs", "nobody"}), 2, {"--vs"});
    // The file after --json is overwritten: a model's name must not be taken for it.
    EXPECT_EQ(run({"bench", "sample:mlp", "--json", "model.onnx"}).code, 2);
    EXPECT_EQ(run({"bench", "--json", "model.onnx"}).code, 3);
    expect_error(run({"bench", "sample:resnet50", "--dim", "nothing=3"}), 3, {"nothing"});
}

TEST(BenchCommand, OneBadModelDoesNotStopTheOthers) {
    const Outcome outcome = run({"bench", "/no/such/model.onnx", "sample:mlp", "--seconds", "0.1", "--no-memory", "--json"});
    EXPECT_EQ(outcome.code, 4);
    const Json configurations = outcome.json().at("configurations");
    ASSERT_EQ(configurations.size(), 2u);
    EXPECT_NE(configurations[0].at("error").get<std::string>().find("model.onnx"), std::string::npos);
    expect_engine(configurations[1].at("ours"));
}

TEST(BenchCommand, AgainstOnnxRuntime) {
    if (const std::string reason = without_onnxruntime(); !reason.empty()) GTEST_SKIP() << reason;
    const Outcome outcome = run({"bench", "sample:mlp", "--vs", "onnxruntime", "--intra", "1,2", "--seconds", "0.5", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_TRUE(json.at("machine").at("onnxruntime").is_string());
    for (const Json& c : json.at("configurations")) {
        expect_engine(c.at("ours"));
        expect_engine(c.at("onnxruntime"));
        EXPECT_GT(c.at("ratio").at("median"), 0);
        EXPECT_TRUE(c.at("outputs_match"));
        EXPECT_GT(c.at("difference"), 0);
        EXPECT_LT(c.at("difference"), 1e-3);
    }
    EXPECT_TRUE(json.at("geometric_mean").contains("2"));
    EXPECT_TRUE(json.at("losers").is_array());
}

TEST(BenchCommand, OnnxRuntimeTakesStringsAndGivesThemBack) {
    if (const std::string reason = without_onnxruntime(); !reason.empty()) GTEST_SKIP() << reason;
    const TemporaryFolder folder;
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: string[2,3]) -> (y)\n y = Transpose(x)");
    const std::string file = (folder / "strings.onnx").string();
    save_model(model, file);
    const Outcome outcome = run({"bench", file, "--vs", "onnxruntime", "--seconds", "0.1", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.json().at("configurations")[0].at("outputs_match"));
}

// The package of an interpreter, as where it holds no C library.
TEST(BenchCommand, DrivesThePythonPackageInAChildProcess) {
    if (const std::string reason = without_onnxruntime(); !reason.empty()) GTEST_SKIP() << reason;
    std::filesystem::path python;
    for (auto at = find_onnxruntime_peer({})->path(); at.has_relative_path() && python.empty(); at = at.parent_path())
        if (std::filesystem::exists(at / "bin" / "python3")) python = at / "bin" / "python3";
    if (python.empty()) GTEST_SKIP() << "ONNX Runtime's library belongs to no Python";
    const Outcome outcome = run({"bench", "sample:mlp", "--vs", "onnxruntime", "--onnxruntime", python.string(), "--intra", "1,2", "--seconds", "0.5",
                                 "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const Json& c : outcome.json().at("configurations")) {
        expect_engine(c.at("onnxruntime"));
        EXPECT_TRUE(c.at("outputs_match"));
        EXPECT_GT(c.at("difference"), 0);
    }
    expect_error(run({"bench", "/no/model.onnx", "--vs", "onnxruntime", "--onnxruntime", python.string()}), 3, {"model.onnx"});
}

// In processes of their own: the program itself is needed.
TEST(BenchCommand, MeasuresLoadingAndMemoryInFreshProcesses) {
    const bool peer = without_onnxruntime().empty();
    std::vector<std::string> command{LAPIDARY_CLI, "bench", "sample:mlp", "--seconds", "0.1", "--json"};
    if (peer) command.insert(command.end(), {"--vs", "onnxruntime"});
    const FinishedProgram done = run_program(command, std::chrono::minutes(2));
    ASSERT_EQ(done.code, 0) << done.err;
    const Json c = Json::parse(done.out).at("configurations")[0];
    EXPECT_GT(c.at("ours").at("peak_mb"), 1);
    EXPECT_LT(c.at("ours").at("peak_mb"), 500);
    if (peer) EXPECT_GT(c.at("onnxruntime").at("peak_mb"), 1);
}

}  // namespace
}  // namespace lapidary
