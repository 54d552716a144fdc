// SPDX-License-Identifier: Apache-2.0
// The commands of lapidary-cli, called in this process: results, exit codes, one-line errors.
#include <algorithm>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "cli/command_line.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class CommandLine : public ::testing::Test {
protected:
    std::string save(const std::string& name, const std::string& text) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = 17;
        model.producer_name = "maker";
        model.producer_version = "1.2";
        model.metadata = {{"author", "somebody"}};
        model.graph = parse_graph(text);
        save_model(model, folder_ / name);
        return (folder_ / name).string();
    }
    std::string add_model() {
        return save("add.onnx",
                    "(x: f32[n,2], w: f32[2]) -> (y)\n h = Mul(x, k: f32[]{2.0})\n y = Add(h, w)");
    }
    std::string npz(const std::string& name, const NamedValues& values) {
        save_npz(folder_ / name, values);
        return (folder_ / name).string();
    }
    std::string file(const std::string& name) { return (folder_ / name).string(); }
    TemporaryFolder folder_;
};

TEST_F(CommandLine, InfoShowsTheModel) {
    const std::string model = save("if.onnx", R"((x: f32[2], c: bool[]) -> (y)
        h = Relu(x)
        y = If(c) {then_branch: graph { () -> (a)
            a = Relu(h) }, else_branch: graph { () -> (b)
            b = Add(h, k: f32[2]{1.0, 2.0}) }})");
    const CommandOutcome text = run({"info", model});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(text.err.empty());
    for (const char* part :
         {"ai.onnx 17", "f32[2]", "Relu", "maker 1.2", "author = somebody", "parameters  2 "})
        EXPECT_NE(text.out.find(part), std::string::npos) << part << " in\n" << text.out;
    const std::string sample = run({"info", "sample:lenet"}).out;
    EXPECT_TRUE(sample.starts_with("model       sample:lenet\nproducer    ")) << sample;
    Json json = run({"info", model, "--json"}).json();
    EXPECT_EQ(json["operators"], (Json{{"Relu", 2}, {"If", 1}, {"Add", 1}}));
    EXPECT_EQ(json["nodes"], 4);
    EXPECT_EQ(json["parameters"], 2);
    EXPECT_EQ(json["opsets"]["ai.onnx"], 17);
    EXPECT_EQ(json["inputs"][0]["name"], "x");
    EXPECT_EQ(json["inputs"][0]["shape"], Json({2}));
    EXPECT_EQ(json["outputs"][0]["element_type"], "f32");
    EXPECT_EQ(json["metadata"]["author"], "somebody");
    EXPECT_TRUE(json["unsupported"].empty());
}

TEST_F(CommandLine, InfoNamesWhatIsNotSupported) {
    const std::string model = save("odd.onnx", "(x: f32[2]) -> (y)\n y = Frobnicate(x)");
    Json json = run({"info", model, "--json"}).json();
    ASSERT_EQ(json["unsupported"].size(), 1u) << json;
    EXPECT_EQ(json["unsupported"][0]["operator"], "Frobnicate");
    expect_error(run({"run", model}), cli::exit_not_supported, {"odd.onnx", "Frobnicate"});
}

TEST_F(CommandLine, RunUsesGivenAndGeneratedInputs) {
    const std::string model = add_model();
    save_npy(folder_ / "x.npy", Tensor::of<float>({1, 2}, {1, 2}));
    save_tensor_proto(folder_ / "w.pb", "w", Tensor::of<float>({2}, {10, 20}));
    const CommandOutcome outcome = run({"run", model, "--input", "x=" + file("x.npy"), "--input",
                                        "w=" + file("w.pb"), "--outputs", file("y.npz"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["outputs"][0]["values"], Json({12, 24}));
    EXPECT_EQ(outcome.json()["outputs"][0]["shape"], Json({1, 2}));
    EXPECT_TRUE(same_contents(load_npz(folder_ / "y.npz")[0].second.tensor(),
                              Tensor::of<float>({1, 2}, {12, 24})));

    const CommandOutcome seven = run({"run", model, "--dim", "n=3", "--seed", "7", "--json"}),
                         again = run({"run", model, "--dim", "n=3", "--seed", "7", "--json"});
    ASSERT_EQ(seven.code, 0) << seven.err;
    EXPECT_EQ(seven.json()["outputs"], again.json()["outputs"]);
    EXPECT_EQ(seven.json()["outputs"][0]["shape"], Json({3, 2}));
    EXPECT_NE(seven.json()["outputs"],
              run({"run", model, "--dim", "n=3", "--seed", "8", "--json"}).json()["outputs"]);
    const CommandOutcome text =
        run({"run", model, "--inputs", npz("in.npz", {{"x", Tensor::of<float>({1, 2}, {1, 2})}})});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("generated with seed 0"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("min "), std::string::npos);
}

TEST_F(CommandLine, RunTakesSessionOptionsByTheirNamesInOnnxRuntime) {
    const std::string model = add_model();
    for (const char* entry : {"execution_mode=ORT_PARALLEL", "enable_mem_pattern=0",
                              "session.intra_op.allow_spinning=0"}) {
        const CommandOutcome outcome =
            run({"run", model, "--config", entry, "--config", "intra_op_num_threads=1"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_NE(outcome.out.find("conditions  level all, 1 thread"), std::string::npos)
            << outcome.out;
        EXPECT_EQ(outcome.out.find("operators at a time") != std::string::npos,
                  std::string(entry) == "execution_mode=ORT_PARALLEL")
            << outcome.out;
    }
    const CommandOutcome unknown = run({"run", model, "--config", "session.fly=1"});
    EXPECT_NE(unknown.code, 0);
    EXPECT_NE(unknown.err.find(
                  "no session option \"session.fly\"; known are session.set_denormal_as_zero"),
              std::string::npos)
        << unknown.err;
    EXPECT_NE(run({"run", model, "--config", "fly"}).err.find("expected KEY=VALUE"),
              std::string::npos);
}

TEST_F(CommandLine, RunKeepsJsonValidForOddNumbers) {
    const std::string model = save("div.onnx", "(x: f32[3], d: f32[3]) -> (y)\n y = Div(x, d)");
    const std::string inputs = npz("in.npz", {{"x", Tensor::of<float>({3}, {0, 1, -1})},
                                              {"d", Tensor::of<float>({3}, {0, 0, 0})}});
    const CommandOutcome outcome = run({"run", model, "--inputs", inputs, "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["outputs"][0]["values"], Json({"nan", "inf", "-inf"}));
}

TEST_F(CommandLine, InputErrorsNameFileTensorExpectedAndFound) {
    const std::string model = add_model();
    save_npy(folder_ / "bad.npy", Tensor::of<double>({1, 2}, {1, 2}));
    save_npy(folder_ / "rank.npy", Tensor::of<float>({2}, {1, 2}));
    expect_error(run({"run", model, "--input", "x=" + file("bad.npy")}), cli::exit_bad_input,
                 {"\"x\"", "f32[n,2]", "f64[1,2]"});
    expect_error(run({"run", model, "--input", "x=" + file("rank.npy")}), cli::exit_bad_input,
                 {"\"x\"", "f32[n,2]", "f32[2]"});
    expect_error(run({"run", model, "--input", "q=" + file("rank.npy")}), cli::exit_usage,
                 {"\"q\"", "\"x\", \"w\""});
    expect_error(run({"run", model, "--input", "x=" + file("none.npy")}), cli::exit_bad_input,
                 {"none.npy"});
    expect_error(run({"run", model, "--input", "x=" + file("x.csv")}), cli::exit_bad_input,
                 {"x.csv", ".npz"});
    expect_error(run({"run", model, "--dim", "m=3"}), cli::exit_usage, {"\"m\"", "\"n\""});
    expect_error(run({"run", model, "--inputs", npz("q.npz", {{"q", Tensor::scalar<float>(1)}})}),
                 cli::exit_bad_input, {"q.npz", "\"q\""});
    expect_error(run({"run", file("missing.onnx")}), cli::exit_bad_input, {"missing.onnx"});
    expect_error(run({"run", model, "--outputs", file("no/folder/y.npz")}), cli::exit_bad_input,
                 {"no/folder"});
    const CommandOutcome json = run({"run", file("missing.onnx"), "--json"});
    EXPECT_EQ(json.code, cli::exit_bad_input);
    EXPECT_TRUE(json.out.empty());
    Json error = Json::parse(json.err)["error"];
    EXPECT_TRUE(error["code"].is_string());
    EXPECT_TRUE(error["message"].is_string());
    EXPECT_TRUE(error["where"].is_array());
}

TEST_F(CommandLine, OneOutputGoesToAnArray) {
    const CommandOutcome outcome = run({"run", add_model(), "--outputs", file("y.npy")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(load_npy(folder_ / "y.npy").dtype(), DType::f32);
}

TEST_F(CommandLine, LevelsAndPassesMayHaveTheNamesOfOnnxRuntime) {
    const std::string model = add_model();
    for (const char* level : {"ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED",
                              "ORT_ENABLE_LAYOUT", "ORT_ENABLE_ALL", "Level1"})
        EXPECT_EQ(run({"run", model, "--level", level}).code, 0) << level;
    for (const char* pass : {"GeluFusion", "GeluFusionL2", "LayerNormFusionL2"})
        EXPECT_EQ(run({"optimize", model, "--disable-pass", pass}).code, 0) << pass;
    expect_error(run({"optimize", model, "--disable-pass", "GeluFusionL9"}), cli::exit_usage,
                 {"GeluFusionL9"});
}

TEST_F(CommandLine, EachCommandShowsItsExamples) {
    for (const char* command :
         {"info", "run", "check", "profile", "optimize", "passes", "bisect", "bench", "report",
          "compare", "snippet", "serve", "sweep", "memory", "sample", "completion", "man"}) {
        const CommandOutcome help = run({command, "--help"});
        EXPECT_EQ(help.code, 0);
        const std::string own =
            std::string(command) == "serve" ? "\"job\"" : "lapidary-cli " + std::string(command);
        EXPECT_NE(help.out.find(own, help.out.find("Options:")), std::string::npos)
            << command << '\n'
            << help.out;
        EXPECT_EQ(help.out.find("lapidary-cli " +
                                std::string(command == std::string("info") ? "sample" : "info")),
                  std::string::npos)
            << command << " shows the examples of all";
    }
}

// A terminal shows progress of what takes longer than a second, and a red name before an error
// where it has colours.
TEST_F(CommandLine, ATerminalSeesProgressAndColours) {
    const auto run_on_terminal = [](const std::vector<const char*>& argv) {
        std::ostringstream out, err;
        cli::run_command_line(static_cast<int>(argv.size()), argv.data(), out, err, {},
                              {true, true});
        return err.str();
    };
    const std::string missing = file("missing.onnx");
    EXPECT_EQ(run_on_terminal({"lapidary-cli", "run", missing.c_str()})
                  .rfind("\x1b[31mlapidary-cli:\x1b[0m ", 0),
              0u);
    const std::vector<const char*> bench{"lapidary-cli", "bench",      "sample:lenet",
                                         "--seconds",    "1.5",        "--precision",
                                         "1e-9",         "--no-memory"};
    const std::string shown = run_on_terminal(bench);
    EXPECT_NE(shown.find("\r\x1b[Kmeasure  "), std::string::npos) << shown;
    EXPECT_TRUE(shown.ends_with("\r\x1b[K")) << "the line is left behind";
    std::vector<const char*> quiet = bench;
    quiet.push_back("--quiet");
    EXPECT_EQ(run_on_terminal(quiet), "");
}

TEST_F(CommandLine, CheckComparesWithReferences) {
    const std::string model = add_model();
    const std::string inputs = npz("in.npz", {{"x", Tensor::of<float>({1, 2}, {1, 2})},
                                              {"w", Tensor::of<float>({2}, {10, 20})}});
    const std::string good = npz("good.npz", {{"y", Tensor::of<float>({1, 2}, {12, 24})}});
    const std::string bad = npz("bad.npz", {{"y", Tensor::of<float>({1, 2}, {12, 25})}});
    const CommandOutcome passed = run({"check", model, "--inputs", inputs, "--expected", good});
    EXPECT_EQ(passed.code, 0) << passed.err;
    EXPECT_NE(passed.out.find("PASSED: 1 of 1"), std::string::npos) << passed.out;
    const CommandOutcome failed = run({"check", model, "--inputs", inputs, "--expected", bad});
    EXPECT_EQ(failed.code, cli::exit_check_failed);
    EXPECT_NE(failed.out.find("[0,1]: 24, expected 25"), std::string::npos) << failed.out;
    EXPECT_EQ(run({"check", model, "--inputs", inputs, "--expected", bad, "--atol", "1"}).code, 0);
    Json json = run({"check", model, "--inputs", inputs, "--expected", bad, "--json"}).json();
    EXPECT_EQ(json["passes"], false);
    EXPECT_EQ(json["outputs"][0]["max_abs"], 1.0);
    EXPECT_NEAR(json["outputs"][0]["max_rel"].get<double>(), 0.04, 1e-9);
    EXPECT_EQ(run({"check", model, "--inputs", inputs, "--expected", good, "--json"})
                  .json()["outputs"][0]["sqnr_db"],
              "inf");
    const std::string shape = npz("shape.npz", {{"y", Tensor::of<float>({2}, {12, 24})}});
    const CommandOutcome other = run({"check", model, "--inputs", inputs, "--expected", shape});
    EXPECT_EQ(other.code, cli::exit_check_failed);
    EXPECT_NE(other.out.find("f32[1,2], expected f32[2]"), std::string::npos) << other.out;
    expect_error(run({"check", model, "--inputs", inputs, "--expected",
                      npz("z.npz", {{"z", Tensor::scalar<float>(1)}})}),
                 cli::exit_bad_input, {"\"z\"", "\"y\""});
    expect_error(
        run({"check", model, "--inputs",
             npz("part.npz", {{"x", Tensor::of<float>({1, 2}, {1, 2})}}), "--expected", good}),
        cli::exit_bad_input, {"\"w\""});
}

TEST_F(CommandLine, CheckReadsTestDataSets) {
    const std::string model = add_model();
    std::filesystem::create_directory(folder_ / "test_data_set_0");
    save_tensor_proto(folder_ / "test_data_set_0/input_0.pb", "x",
                      Tensor::of<float>({1, 2}, {1, 2}));
    save_tensor_proto(folder_ / "test_data_set_0/input_1.pb", "", Tensor::of<float>({2}, {10, 20}));
    save_tensor_proto(folder_ / "test_data_set_0/output_0.pb", "y",
                      Tensor::of<float>({1, 2}, {12, 24}));
    EXPECT_EQ(run({"check", model, "--case", file("test_data_set_0")}).code, 0);
    save_tensor_proto(folder_ / "test_data_set_0/output_0.pb", "y",
                      Tensor::of<float>({1, 2}, {0, 24}));
    EXPECT_EQ(run({"check", model, "--case", file("test_data_set_0")}).code,
              cli::exit_check_failed);
    expect_error(run({"check", model, "--case", file("nowhere")}), cli::exit_bad_input,
                 {"nowhere"});
}

TEST_F(CommandLine, CheckFlattensSequences) {
    const std::string model = save("seq.onnx", "(x: f32[2]) -> (s)\n s = SequenceConstruct(x, x)");
    const Tensor x = Tensor::of<float>({2}, {1, 2});
    const std::string inputs = npz("in.npz", {{"x", x}});
    const CommandOutcome run_outcome =
        run({"run", model, "--inputs", inputs, "--outputs", file("out.npz")});
    ASSERT_EQ(run_outcome.code, 0) << run_outcome.err;
    EXPECT_EQ(load_npz(folder_ / "out.npz")[1].first, "s[1]");
    EXPECT_EQ(run({"check", model, "--inputs", inputs, "--expected", file("out.npz")}).code, 0);
    const CommandOutcome shorter =
        run({"check", model, "--inputs", inputs, "--expected", npz("one.npz", {{"s[0]", x}})});
    EXPECT_EQ(shorter.code, cli::exit_check_failed) << shorter.out;
}

TEST_F(CommandLine, ProfileShowsWhereTimeGoes) {
    const std::string model =
        save("two.onnx", "(x: f32[n,2]) -> (y)\n h = Transpose(x)\n y = Softmax(h)");
    const CommandOutcome text =
        run({"profile", model, "--runs", "3", "--warmup", "0", "-o", file("trace.json")});
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* part :
         {"operators", "nodes", "phases", "memory", "Transpose", "Softmax", "hardware  "})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
    const Json trace = Json::parse(std::ifstream(folder_ / "trace.json"));
    EXPECT_FALSE(trace.is_null());
    Json json = run({"profile", model, "--runs", "2", "--json"}).json();
    EXPECT_EQ(json["runs"], 2);
    EXPECT_FALSE(json["verdict"].get<std::string>().empty());
    EXPECT_EQ(json["operators"].size(), 2u);
    EXPECT_EQ(json["nodes"].size(), 2u);
    EXPECT_GT(json["wall_ms"].get<double>(), 0);
    const Json& hardware = json["hardware"];
    EXPECT_FALSE(hardware["summary"].get<std::string>().empty());
    EXPECT_EQ(hardware["instructions_per_cycle"].is_null(), hardware["counters"] != "counted")
        << hardware;
    EXPECT_EQ(hardware["joules_per_run"].is_null(), hardware["energy"] != "counted") << hardware;
}

TEST_F(CommandLine, ProfileComparesKernelsWithThePeak) {
    const std::string model = save("products.onnx",
                                   "(x: f32[128,256], w: f32[256,256]) -> (z)\n h = MatMul(x, w)\n "
                                   "y = MatMul(h, w)\n z = Softmax(y)");
    const Json json = run({"profile", model, "--runs", "2", "--roofline", "--json"}).json();
    EXPECT_GT(json["peak"]["gflops"].get<double>(), 0);
    EXPECT_GT(json["peak"]["gb_per_s"].get<double>(), 0);
    ASSERT_EQ(json["kernels"].size(), 2u) << json["kernels"];
    double share = 0, ms = 0, last = std::numeric_limits<double>::infinity();
    for (const Json& kernel : json["kernels"]) {
        share += kernel["share"].get<double>();
        ms += kernel["ms"].get<double>();
        const double of_peak = kernel["share_of_peak"], lost = kernel["lost_ms"];
        EXPECT_GT(of_peak, 0) << kernel;
        EXPECT_LE(of_peak, 1) << kernel;
        EXPECT_NEAR(lost, kernel["ms"].get<double>() * (1 - of_peak), 1e-9) << kernel;
        EXPECT_LE(lost, last);
        last = lost;
        if (kernel["operator"] == "MatMul") {
            const double operations = 2 * 2.0 * 128 * 256 * 256;
            EXPECT_NEAR(kernel["gflops"].get<double>(),
                        operations / kernel["ms"].get<double>() / 1e6, 1e-6);
        }
    }
    EXPECT_LE(share, 1.0);
    EXPECT_LE(ms, json["wall_ms"].get<double>());
    const CommandOutcome text = run({"profile", model, "--runs", "2", "--roofline"});
    for (const char* part : {"GFLOP/s", "of peak", "lost ms"})
        EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

TEST_F(CommandLine, SamplesAreWrittenAndListed) {
    Json list = run({"sample", "--list", "--json"}).json()["samples"];
    ASSERT_FALSE(list.empty());
    const std::string first = list[0]["name"];
    EXPECT_NE(run({"sample", "--list"}).out.find(first), std::string::npos);
    expect_error(run({"sample", "nonesuch", "-o", file("a.onnx")}), cli::exit_bad_input,
                 {"nonesuch", first});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.onnx"));
}

TEST_F(CommandLine, UsageErrors) {
    const std::string model = add_model();
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {},
             {"frobnicate"},
             {"run"},
             {"run", model, "--nosuch"},
             {"run", model, "--dim", "n"},
             {"run", model, "--dim", "n=x"},
             {"run", model, "--dim", "n=-1"},
             {"run", model, "--input", "x"},
             {"run", model, "--intra", "-1"},
             {"run", model, "--mean", "1,2"},
             {"run", model, "--std", "0"},
             {"run", model, "--image-layout", "chw"},
             {"check", model},
             {"check", model, "--inputs", "a.npz"},
             {"check", model, "--case", "d", "--inputs", "a.npz", "--expected", "b.npz"},
             {"check", model, "--case", "d", "--rtol", "-1"},
             {"profile", model, "--runs", "0"},
             {"checklist", model, "--no-run", "--target-opset", "0"},
             {"checklist", model, "--no-run", "--target-opset", "-5"},
             {"checklist", model, "--no-run", "--target-opset", "999"},
             {"sample"},
             {"sample", "x"},
             {"sample", "--list", "x"}})
        expect_error(run(arguments), cli::exit_usage, {});
    const CommandOutcome json = run({"run", "--json"});
    EXPECT_EQ(json.code, cli::exit_usage);
    EXPECT_EQ(Json::parse(json.err)["error"]["code"], "usage");
}

TEST_F(CommandLine, AnEmptyValueTakesNoOtherWord) {
    const std::string model = add_model();
    expect_error(run({"diverge", "--of-output=", "--", model, model}), cli::exit_usage,
                 {"--of-output: expected NAME, found an empty text"});
    expect_error(run({"profile", model, "--level=", "--runs", "1"}), cli::exit_usage,
                 {"--level: expected", "found an empty text"});
    expect_error(run({"optimize", model, "--output=", "-q"}), cli::exit_usage,
                 {"--output: expected", "found an empty text"});
}

TEST_F(CommandLine, TwoLevelsTakeNoOtherWord) {
    const std::string model = add_model();
    // what is behind "--" is a model, though it begins with a dash
    expect_error(run({"diverge", "--level=all", "--", model, "--custom-ops=none.so"}),
                 cli::exit_bad_input, {"\"--custom-ops=none.so\" cannot be opened"});
    EXPECT_EQ(run({"diverge", "--level", "all", "sample:mlp", "sample:mlp"}).code, cli::exit_fine);
    expect_error(run({"compare", model, "--level", "all", "--level", "all", "--level", "basic"}),
                 cli::exit_usage, {"--level: at most 2 are taken, found 3"});
}

TEST_F(CommandLine, HelpAndVersion) {
    EXPECT_EQ(run({"--version"}).code, 0);
    const std::regex version("lapidary-cli \\d+\\.\\d+\\.\\d+ \\(commit [\\w.-]+\\)\n");
    EXPECT_TRUE(std::regex_match(run({"--version"}).out, version));
    const CommandOutcome help = run({"--help"});
    EXPECT_EQ(help.code, 0);
    for (const char* part :
         {"info", "run", "check", "profile", "sample", "Examples:", "Exit codes:"})
        EXPECT_NE(help.out.find(part), std::string::npos) << part;
    EXPECT_NE(run({"check", "--help"}).out.find("validate an export"), std::string::npos);
}

TEST_F(CommandLine, CancelledBeforeItStarts) {
    const CancelToken cancel;
    cancel.cancel();
    expect_error(run({"run", add_model()}, cancel), cli::exit_cancelled, {});
}

TEST_F(CommandLine, HostileNamesStayOnOneLine) {
    expect_error(run({"info", file("a\nb\x1b[31m.onnx")}), cli::exit_bad_input, {});
    const CommandOutcome outcome = run({"info", file("a\nb\x1b[31m.onnx")});
    EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace lapidary
