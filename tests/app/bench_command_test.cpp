// SPDX-License-Identifier: Apache-2.0
// lapidary-cli bench: alone, against itself, against ONNX Runtime where it is installed.
#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/bench/peers.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "app/command_runner.h"
#include "base/process/process_times.h"
#include "bench/process/child_process.h"
#include "cli/exit_code.h"
#include "support/test_data.h"
#include "support/time_budget.h"

namespace lapidary {
namespace {

/// Time for enough samples to distinguish a difference from noise. Each sample waits for ticks if
/// the clock of threads has a coarse resolution.
const char* const enough_seconds = processor_time_tick.count() > 0 ? "3" : "0.4";

/// Empty, or why there is no ONNX Runtime.
std::string without_onnxruntime() {
    try {
        find_onnxruntime_peer({});
        return {};
    } catch (const Error& error) { return error.what(); }
}

void expect_engine(const Json& engine) {
    for (const char* key : {"median_ms", "first_ms"})
        EXPECT_GT(engine.at(key).get<double>(), 0) << key;
#ifdef _WIN32  // which counts processor time in ticks of 16 ms
    EXPECT_GE(engine.at("cpu_ms").get<double>(), 0);
#else
    EXPECT_GT(engine.at("cpu_ms").get<double>(), 0);
#endif
    // Sessions of one process share packed weights, so only a new process measures loading.
    EXPECT_EQ(engine.at("load_ms").is_null(), engine.at("peak_mb").is_null());
    if (!engine.at("load_ms").is_null()) EXPECT_GT(engine.at("load_ms"), 0);
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
    for (const char* key :
         {"cpu", "isa", "cores", "memory_gb", "system", "date", "lapidary", "onnxruntime"})
        EXPECT_TRUE(machine.contains(key)) << key;
    EXPECT_GE(machine.at("cores"), 1);
    EXPECT_EQ(machine.at("date").get<std::string>().size(),
              std::string("2026-01-01T00:00:00Z").size());
}

TEST(BenchCommand, MeasuresASampleAlone) {
    const CommandOutcome outcome =
        run({"bench", "sample:mlp", "--seconds", "0.3", "--no-memory", "--intra", "1,2", "--json"});
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
    const CommandOutcome outcome = run({"bench", "sample:mlp", "--vs", "self", "--seconds", "2",
                                        "--precision", "1e-9", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json c = outcome.json().at("configurations")[0];
    EXPECT_TRUE(c.at("outputs_match"));
    EXPECT_EQ(c.at("difference"), 0);
    expect_engine(c.at("self"));
    // Wide enough for a machine that does other things beside this one.
    const double noise = std::getenv("LAPIDARY_TIMED") ? 0.1 : 0.5;
    EXPECT_LE(c.at("ratio").at("ci")[0], 1 + noise);
    EXPECT_GE(c.at("ratio").at("ci")[1], 1 / (1 + noise));
}

TEST(BenchCommand, BatchesAndFilesAndTheTable) {
    const TemporaryFolder folder;
    const std::string model = (folder / "net.onnx").string(),
                      json = (folder / "result.json").string();
    ASSERT_EQ(run({"sample", "mlp", "-o", model}).code, 0);
    const CommandOutcome outcome =
        run({"bench", model, "--batch", "1,3", "--seconds", "0.1", "--no-memory", "--json", json});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("machine  "), std::string::npos);
    EXPECT_NE(outcome.out.find("net"), std::string::npos);
    std::ifstream file(json);
    const Json result = Json::parse(file);
    ASSERT_EQ(result.at("configurations").size(), 2u);
    EXPECT_EQ(result.at("configurations")[1].at("batch"), 3);
}

TEST(BenchCommand, ConfigurationsSideBySideAsTableJsonAndCsv) {
    const TemporaryFolder folder;
    const std::string json = (folder / "result.json").string(),
                      csv = (folder / "result.csv").string();
    const CommandOutcome outcome =
        run({"bench", "sample:mlp", "--level", "disabled,all", "--intra", "1,2", "--inter", "1,2",
             "--seconds", "0.1", "--no-memory", "--json", json, "--csv", csv});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* words :
         {"p99.9", "per s", "level disabled, 2 threads, 2 operators at a time, batch 1",
          "against the first"})
        EXPECT_NE(outcome.out.find(words), std::string::npos) << words << " in " << outcome.out;
    std::ifstream file(json), table(csv);
    const Json configurations = Json::parse(file).at("configurations");
    ASSERT_EQ(configurations.size(), 8u);
    for (const Json& c : configurations) {
        const Json& ours = c.at("ours");
        for (const char* key :
             {"mean_ms", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "p999_ms", "per_second"})
            EXPECT_GT(ours.at(key), 0) << key;
        EXPECT_LE(ours.at("p50_ms"), ours.at("p999_ms"));
        for (const char* key : {"drift", "drifts", "noisy", "note"})
            EXPECT_TRUE(ours.contains(key)) << key;
        EXPECT_EQ(c.at("execution"), c.at("inter") == 2 ? "parallel" : "sequential");
    }
    EXPECT_FALSE(configurations[0].contains("against_first"));
    for (const char* key : {"ratio", "ci", "pairs", "significant", "sentence"})
        EXPECT_TRUE(configurations[1].at("against_first").contains(key)) << key;
    std::vector<std::string> lines;
    for (std::string line; std::getline(table, line);) lines.push_back(line);
    ASSERT_EQ(lines.size(), 9u);
    const auto columns = [](const std::string& line) {
        std::ptrdiff_t count = 1;
        bool is_quoted = false;
        for (const char c : line) {
            if (c == '"') is_quoted = !is_quoted;
            count += c == ',' && !is_quoted;
        }
        return count;
    };
    for (const std::string& line : lines) EXPECT_EQ(columns(line), 29) << line;
    EXPECT_TRUE(lines[0].ends_with(",compute")) << lines[0];
    EXPECT_EQ(lines[1].find("mlp,disabled,1,1,sequential,1,batch 1,"), 0u) << lines[1];
}

TEST(BenchCommand, MakesTheRequestedRuns) {
    const CommandOutcome outcome =
        run({"bench", "sample:mlp", "--runs", "60", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json ours = outcome.json().at("configurations")[0].at("ours");
    EXPECT_LE(ours.at("runs"), 60);
    EXPECT_GT(ours.at("runs"), 0);
}

TEST(BenchCommand, ExecutionAndInterMustAgree) {
    expect_error(
        run({"bench", "sample:mlp", "--execution", "sequential", "--inter", "2", "--no-memory"}), 3,
        {"--inter", "sequential"});
    expect_error(
        run({"bench", "sample:mlp", "--execution", "parallel", "--inter", "1,2", "--no-memory"}), 3,
        {"--inter 1", "parallel"});
    const CommandOutcome outcome = run(
        {"bench", "sample:mlp", "--execution", "parallel", "--runs", "5", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_GE(outcome.json().at("configurations")[0].at("inter"), 2);
}

// The machine may be busy with other tests: the slowdown is larger than what
// tests/benchmarks/honesty.py plants. Runs of a few microseconds differ truly between two sessions
// of a process, by where their memory lies: not such a model.
TEST(BenchCommand, FindsAPlantedSlowdownAndNoneWhereThereIsNone) {
    if (under_sanitizer) GTEST_SKIP() << "too few runs fit into its time";
    const auto compare = [](const char* slow_down) {
        const CommandOutcome outcome =
            run({"bench", "sample:squeezenet", "--intra", "1,1", "--slow-last", slow_down,
                 "--seconds", enough_seconds, "--no-memory", "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json().at("configurations")[1].at("against_first");
    };
    const Json slower = compare("0.5");
    EXPECT_TRUE(slower.at("significant")) << slower;
    EXPECT_GT(slower.at("ratio"), 1.2);
    int found = 0;
    for (int i = 0; i < 5; ++i) found += compare("0").at("significant").get<bool>();
    EXPECT_LE(found, 1);
}

// ---- compared with a saved result

TEST(BenchCommand, ReportsARegressionFromTheBaseline) {
    const TemporaryFolder folder;
    const std::string saved = (folder / "saved.json").string();
    const std::vector<std::string> bench{"bench", "sample:mlp", "--seconds", enough_seconds,
                                         "--no-memory"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), bench.begin(), bench.end());
        return run(more);
    };
    ASSERT_EQ(with({"--json", saved}).code, 0);
    // As if it had been four times as fast, and four times as slow: more than noise of this
    // machine.
    const auto scaled = [&](double factor) {
        std::ifstream in(saved);
        Json json = Json::parse(in);
        Json& ours = json["configurations"][0]["ours"];
        for (const char* key : {"median_ms"}) ours[key] = ours[key].get<double>() * factor;
        for (Json& bound : ours["ci_ms"]) bound = bound.get<double>() * factor;
        ours["samples"] = 40;  // a busy machine may have taken too few for an interval
        const std::string file = (folder / ("scaled.json")).string();
        std::ofstream(file) << json.dump();
        return file;
    };
    const CommandOutcome slower = with({"--baseline", scaled(0.25), "--max-regress", "20%"});
    EXPECT_EQ(slower.code, 1) << slower.out;
    EXPECT_NE(slower.out.find("baseline  mlp, level all, "), std::string::npos) << slower.out;
    EXPECT_NE(slower.out.find("more than the 20 % allowed"), std::string::npos) << slower.out;
    const CommandOutcome faster = with({"--baseline", scaled(4), "--max-regress", "20"});
    EXPECT_EQ(faster.code, 0) << faster.out;
    EXPECT_EQ(with({"--baseline", scaled(0.25)}).code, 0) << "it is only reported";
    const CommandOutcome json = with({"--baseline", scaled(0.25), "--max-regress", "20", "--json"});
    EXPECT_EQ(json.code, 1);
    EXPECT_TRUE(json.json().at("baseline")[0].at("regression"));
    EXPECT_EQ(json.json().at("baseline")[0].at("verdict"), "fails");
}

TEST(BenchCommand, AnUndecidedGateIsNotPassed) {
    const TemporaryFolder folder;
    const std::string saved = (folder / "saved.json").string();
    const std::vector<std::string> bench{"bench", "sample:mlp", "--seconds", enough_seconds,
                                         "--no-memory"};
    const auto with = [&](std::vector<std::string> more, const char* threads = "1") {
        more.insert(more.begin(), bench.begin(), bench.end());
        more.insert(more.end(), {"--intra", threads});
        return run(more);
    };
    ASSERT_EQ(with({"--json", saved}).code, 0);
    std::ifstream in(saved);
    Json json = Json::parse(in);
    Json& ours = json["configurations"][0]["ours"];
    const double median = ours["median_ms"];
    ours["ci_ms"] = {0.1 * median, 10 * median};  // a wide interval
    ours["samples"] = 40;
    std::ofstream(folder / "vague.json") << json.dump();
    const CommandOutcome vague = with({"--baseline", (folder / "vague.json").string(),
                                       "--max-regress", "5%", "--gate-seconds", "2"});
    EXPECT_EQ(vague.code, cli::exit_unresolved) << vague.out;
    EXPECT_NE(
        vague.out.find("cannot be resolved against the 5 % allowed; the baseline is known to"),
        std::string::npos)
        << vague.out;
    const CommandOutcome more = with({"--baseline", saved, "--max-regress", "10000"}, "1,2");
    EXPECT_EQ(more.code, cli::exit_unresolved)
        << "two threads are not in the baseline: " << more.out;
    expect_error(with({"--vs", "self", "--baseline", saved, "--max-regress", "5"}), 3,
                 {"--vs", "--concurrency"});
}

TEST(BenchCommand, RefusesABaselineThatDoesNotCompare) {
    const TemporaryFolder folder;
    const std::string saved = (folder / "saved.json").string();
    const std::vector<std::string> bench{"bench", "sample:mlp", "--runs", "5", "--no-memory"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), bench.begin(), bench.end());
        return run(more);
    };
    ASSERT_EQ(with({"--json", saved}).code, 0);
    std::ifstream in(saved);
    Json json = Json::parse(in);
    json["machine"]["cpu"] = "Abacus 3000";
    const std::string foreign = (folder / "foreign.json").string();
    std::ofstream(foreign) << json.dump();
    expect_error(with({"--baseline", foreign}), 2,
                 {"foreign.json", "another machine", "Abacus 3000"});
    EXPECT_EQ(with({"--baseline", foreign, "--any-machine"}).code, 0);
    expect_error(with({"--baseline", (folder / "none.json").string()}), 3, {"none.json"});
    std::ofstream(folder / "text.json") << "hello";
    expect_error(with({"--baseline", (folder / "text.json").string()}), 3,
                 {"text.json", "bench --json"});
    expect_error(with({"--baseline", saved, "--batch", "7"}), 2,
                 {"saved.json", "batch 1", "batch 7"});
    expect_error(with({"--baseline", saved, "--level", "basic"}), 2, {"level all", "level basic"});
    expect_error(run({"bench", "sample:lenet", "--runs", "5", "--no-memory", "--baseline", saved}),
                 3, {"none of these models and configurations"});
    expect_error(with({"--max-regress", "5"}), 3, {"--baseline"});
}

// A file without saved sizes was measured with inputs of 8 tokens, and compares with such a run
// alone.
TEST(BenchCommand, ABaselineWithoutSizesIsOfInputsOf8Tokens) {
    const TemporaryFolder folder;
    const std::string saved = (folder / "saved.json").string(),
                      old = (folder / "old.json").string();
    const auto bench = [](std::vector<std::string> more) {
        const std::vector<std::string> words{"bench",       "sample:lstm", "--runs", "3",
                                             "--no-memory", "--intra",     "1"};
        more.insert(more.begin(), words.begin(), words.end());
        return run(more);
    };
    ASSERT_EQ(bench({"--dim", "sequence=8", "--json", saved}).code, 0);
    std::ifstream in(saved);
    Json json = Json::parse(in);
    json["options"]["dimensions"] = Json::object();
    for (Json& row : json["configurations"]) row.erase("sizes");
    std::ofstream(old) << json.dump();
    EXPECT_EQ(bench({"--dim", "sequence=8", "--baseline", old}).code, 0);
    expect_error(bench({"--baseline", old}), 2, {"old.json", "sequence 8", "sequence 128"});
}

// ---- many callers

TEST(BenchCommand, ShowsTheCurveOfConcurrentRequests) {
    const std::vector<std::string> bench{"bench",       "sample:mlp", "--concurrency", "1,4",
                                         "--max-batch", "4",          "--max-delay",   "1",
                                         "--seconds",   "0.2"};
    const CommandOutcome text = run(bench);
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* words : {"callers", "grouped p50 ms", "rows per run", "grouping"})
        EXPECT_NE(text.out.find(words), std::string::npos) << words << " in " << text.out;
    std::vector<std::string> with_json = bench;
    with_json.push_back("--json");
    const CommandOutcome outcome = run(with_json);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json points = outcome.json().at("points");
    ASSERT_EQ(points.size(), 2u);
    for (const Json& point : points)
        for (const char* side : {"grouped", "single"})
            for (const char* key : {"requests", "per_second", "p50_ms", "p99_ms"})
                EXPECT_GT(point.at(side).at(key), 0) << side << ' ' << key;
    EXPECT_EQ(points[1].at("concurrency"), 4);
    expect_error(run({"bench", "sample:mlp", "--concurrency", "2", "--vs", "self"}), 3,
                 {"--concurrency"});
}

TEST(BenchCommand, RefusesWhatItCannotMeasure) {
    expect_error(run({"bench", "/no/such/model.onnx", "--no-memory"}), 3, {"model.onnx"});
    expect_error(run({"bench", "sample:nothing", "--no-memory"}), 3, {"nothing"});
    expect_error(
        run({"bench", "sample:mlp", "--vs", "onnxruntime", "--onnxruntime", "/no/such/place"}), 4,
        {"/no/such/place", "no Python package onnxruntime"});
    expect_error(run({"bench", "sample:mlp", "--vs", "nobody"}), 2, {"--vs"});
    // The file after --json is overwritten: a model's name must not be taken for it.
    EXPECT_EQ(run({"bench", "sample:mlp", "--json", "model.onnx"}).code, 2);
    EXPECT_EQ(run({"bench", "--json", "model.onnx"}).code, 3);
    expect_error(run({"bench", "sample:resnet50", "--dim", "nothing=3"}), 2, {"nothing"});
}

TEST(BenchCommand, OneBadModelDoesNotStopTheOthers) {
    const CommandOutcome outcome = run({"bench", "/no/such/model.onnx", "sample:mlp", "--seconds",
                                        "0.1", "--no-memory", "--json"});
    EXPECT_EQ(outcome.code, 4);
    const Json configurations = outcome.json().at("configurations");
    ASSERT_EQ(configurations.size(), 2u);
    EXPECT_NE(configurations[0].at("error").get<std::string>().find("model.onnx"),
              std::string::npos);
    expect_engine(configurations[1].at("ours"));
}

TEST(BenchCommand, AgainstOnnxRuntime) {
    if (const std::string reason = without_onnxruntime(); !reason.empty()) GTEST_SKIP() << reason;
    const CommandOutcome outcome = run({"bench", "sample:mlp", "--vs", "onnxruntime", "--intra",
                                        "1,2", "--seconds", "0.5", "--no-memory", "--json"});
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
    const CommandOutcome outcome =
        run({"bench", file, "--vs", "onnxruntime", "--seconds", "0.1", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.json().at("configurations")[0].at("outputs_match"));
}

// The package of an interpreter, as where it holds no C library.
TEST(BenchCommand, DrivesThePythonPackageInAChildProcess) {
    if (const std::string reason = without_onnxruntime(); !reason.empty()) GTEST_SKIP() << reason;
    std::filesystem::path python;
    for (auto at = find_onnxruntime_peer({})->path(); at.has_relative_path() && python.empty();
         at = at.parent_path())
        if (std::filesystem::exists(at / "bin" / "python3")) python = at / "bin" / "python3";
    if (python.empty()) GTEST_SKIP() << "ONNX Runtime's library belongs to no Python";
    const CommandOutcome outcome =
        run({"bench", "sample:mlp", "--vs", "onnxruntime", "--onnxruntime", python.string(),
             "--intra", "1,2", "--seconds", "0.5", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json reported = outcome.json();
    ASSERT_FALSE(reported.at("configurations").empty());
    for (const Json& c : reported.at("configurations")) {
        expect_engine(c.at("onnxruntime"));
        EXPECT_TRUE(c.at("outputs_match"));
        EXPECT_GT(c.at("difference"), 0);
    }
    expect_error(
        run({"bench", "/no/model.onnx", "--vs", "onnxruntime", "--onnxruntime", python.string()}),
        3, {"model.onnx"});
}

// Where the package is installed, in a Python process.
TEST(BenchCommand, ComparesWithOpenVino) {
    try {
        find_bench_peer(Peer::openvino, {});
    } catch (const Error& error) { GTEST_SKIP() << error.what(); }
    const CommandOutcome outcome = run({"bench", "sample:mlp", "--vs", "openvino", "--intra", "1",
                                        "--seconds", "0.3", "--no-memory", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json reported = outcome.json();
    EXPECT_FALSE(reported.at("machine").at("openvino").get<std::string>().empty());
    const Json c = reported.at("configurations")[0];
    expect_engine(c.at("openvino"));
    EXPECT_TRUE(c.at("outputs_match"));
}

TEST(BenchCommand, OtherEnginesAreRefusedInWords) {
    for (const char* name : {"llama.cpp", "onnxruntime-genai"})
        expect_error(run({"bench", "sample:mlp", "--vs", name}), 3, {name, "--decode"});
    const TemporaryFolder folder;
    const std::string nowhere = (folder / "nowhere").string();
    expect_error(run({"bench", "sample:mlp", "--vs", "openvino", "--peer", nowhere}), 4,
                 {nowhere.c_str(), "pip install openvino"});
}

// In separate processes: the program itself is needed.
TEST(BenchCommand, MeasuresLoadingAndMemoryInFreshProcesses) {
    const bool peer = without_onnxruntime().empty();
    std::vector<std::string> command{cli_program(), "bench", "sample:mlp",
                                     "--seconds",   "0.1",   "--json"};
    if (peer) command.insert(command.end(), {"--vs", "onnxruntime"});
    const FinishedProgram done = run_program(command, std::chrono::minutes(2));
    ASSERT_EQ(done.code, 0) << done.err;
    const Json c = Json::parse(done.out).at("configurations")[0];
    EXPECT_GT(c.at("ours").at("peak_mb"), 1);
    EXPECT_LT(c.at("ours").at("peak_mb"), 500);
    if (peer) { EXPECT_GT(c.at("onnxruntime").at("peak_mb"), 1); }
}

}  // namespace
}  // namespace lapidary
