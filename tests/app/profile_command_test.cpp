// SPDX-License-Identifier: Apache-2.0
// profile: session overhead as a row of its own, ONNX Runtime's format, and traces that are shown
// instead of a model that runs.
#include <fstream>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/ops/infer.h>
#include <lapidary/inputs/samples.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

const std::string squeezenet_profile =
    (fixtures_folder() / "traces" / "onnxruntime_squeezenet.json").string();

class ProfileCommand : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    Json read(const std::string& name) const { return Json::parse(std::ifstream(folder_ / name)); }
    TemporaryFolder folder_;
};

/// The line of a table that begins with the words, its cells' blanks as one.
std::string line_of(const std::string& text, const std::string& words) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::string squeezed;
        for (const char c : line)
            if (c != ' ' || (!squeezed.empty() && squeezed.back() != ' ')) squeezed += c;
        if (squeezed.starts_with(words)) return squeezed;
    }
    return "no line begins with " + words;
}

TEST_F(ProfileCommand, LevelsBelowExtendedRunOneKernelPerNode) {
    const auto fused = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"profile", "sample:bert-tiny", "--runs", "1", "--json"});
        std::size_t count = 0;
        const Json json = run(more).json();
        for (const Json& node : json["nodes"])
            for (const char* kernel :
                 {"product.fused", "elementwise.chain", "attention.dot_product"})
                count += node["kernel"] == kernel;
        return count;
    };
    for (const char* level : {"disabled", "basic"}) {
        EXPECT_EQ(fused({"--level", level}), 0u) << level;
        EXPECT_GT(fused({"--level", level, "--session-passes", "on"}), 0u) << level;
    }
    EXPECT_EQ(fused({"--level", "all"}), 3u);
    EXPECT_EQ(fused({"--level", "all", "--disable-pass", "fuse_product_epilogue"}), 1u);
    EXPECT_EQ(fused({"--level", "all", "--session-passes", "off"}), 0u);
    EXPECT_EQ(fused({}), 3u) << "level all unless given";
    EXPECT_EQ(fused({"--session-passes", "off"}), 0u);
}

/// Two products of one class inside of another, as PyTorch's exporter notes them.
void save_noted_model(const std::string& file) {
    Model model;
    model.ir_version = 10;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(x: f32[8,16]) -> (y)\na = MatMul(x, w1: f32[16,16])\n"
        "b = Relu(a)\ny = MatMul(b, w2: f32[16,16])",
        {.opset = 17});
    const std::vector<std::string> lines{"12", "13", "12"};
    std::size_t next = 0;
    GraphEdit edit(model.graph);
    const std::vector<NodeId> nodes(model.graph.nodes().begin(), model.graph.nodes().end());
    for (const NodeId id : nodes) {
        const Node node = model.graph.node(id);
        const bool is_product = node.op_type == "MatMul";
        const std::string inner = is_product ? "'llama.Attention', " : "";
        const std::string scope = is_product ? "'attention', " : "";
        std::vector<ValueId> outputs = edit.take_outputs(id);
        edit.erase(id);
        edit.add_node({.op_type = node.op_type,
                       .inputs = node.inputs,
                       .outputs = std::move(outputs),
                       .attributes = node.attributes,
                       .version = node.version,
                       .metadata = {{"pkg.torch.onnx.class_hierarchy",
                                     "['llama.Model', " + inner + "'aten.op']"},
                                    {"pkg.torch.onnx.name_scopes", "['', " + scope + "'node']"},
                                    {"pkg.torch.onnx.stack_trace",
                                     "File \"/home/me/llama.py\", line " + lines[next++] +
                                         ", in forward\n    return self.op(x)\n"}}});
    }
    edit.finish();
    infer_types(model);
    save_model(model, file);
}

TEST_F(ProfileCommand, SumsTimesByClassesAndLines) {
    save_noted_model(file("noted.onnx"));
    for (const char* level : {"disabled", "all"}) {
        SCOPED_TRACE(level);
        const Json json = run({"profile", file("noted.onnx"), "--by", "class", "--level", level,
                               "--runs", "2", "--json"})
                              .json();
        ASSERT_EQ(json.at("classes").size(), 2u);
        const Json &outer = json.at("classes")[0], &inner = json.at("classes")[1];
        EXPECT_EQ(outer.at("name"), "Model");
        EXPECT_EQ(outer.at("nodes"), 3);
        EXPECT_EQ(inner.at("name"), "Attention");
        EXPECT_EQ(inner.at("nodes"), 2);
        EXPECT_EQ(inner.at("own_ms"), inner.at("ms")) << "it has no class inside";
        EXPECT_NEAR(outer.at("own_ms").get<double>() + inner.at("ms").get<double>(),
                    outer.at("ms").get<double>(), 1e-9);
        EXPECT_GT(inner.at("share").get<double>(), 0);
        EXPECT_LE(outer.at("share").get<double>(), 1.0001);
    }
    const CommandOutcome text = run({"profile", file("noted.onnx"), "--by", "line", "--runs", "1"});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("lines of code"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("/home/me/llama.py:12"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("return self.op(x)"), std::string::npos) << text.out;
    const CommandOutcome none = run({"profile", "sample:mlp", "--by", "class", "--runs", "1"});
    EXPECT_NE(none.out.find("exporter noted none"), std::string::npos) << none.out;
    expect_error(run({"profile", squeezenet_profile, "--by", "class"}), 2, {"--by"});
}

TEST_F(ProfileCommand, SessionOverheadIsARowAndTheSumsAddUp) {
    const CommandOutcome text =
        run({"profile", "sample:lenet", "--level", "extended", "--runs", "3"});
    ASSERT_EQ(text.code, 0) << text.err;
    for (const char* row : {"session overhead - ", "session overhead, once ", "model load ",
                            "graph optimization ", "session initialization ", "session cleanup "})
        EXPECT_TRUE(line_of(text.out, row).starts_with(row)) << row << " in\n" << text.out;
    const Json json =
        run({"profile", "sample:lenet", "--level", "extended", "--runs", "3", "--json"}).json();
    const Json& overhead = json["session_overhead"];
    double operators = 0, once = 0;
    for (const Json& op : json["operators"]) operators += op["self_ms"].get<double>();
    EXPECT_NEAR(operators, json["kernel_ms"].get<double>(), 1e-9);
    EXPECT_NEAR(operators + overhead["run_ms"].get<double>(), json["wall_ms"].get<double>(), 1e-9);
    for (const char* phase : {"model_load_ms", "graph_optimization_ms", "session_initialization_ms",
                              "session_cleanup_ms"}) {
        EXPECT_GT(overhead[phase].get<double>(), 0) << phase;
        once += overhead[phase].get<double>();
    }
    EXPECT_NEAR(once, overhead["once_ms"].get<double>(), 1e-9);
    double phases = 0;
    for (const Json& phase : json["phases"])
        phases += phase["depth"] == 0 ? phase["ms"].get<double>() : 0;
    EXPECT_NEAR(phases, once, 1e-9);
    EXPECT_NEAR(json["optimization"]["ms"].get<double>(),
                overhead["graph_optimization_ms"].get<double>(), 1e-3);
}

TEST_F(ProfileCommand, WritesTheFormatOfOnnxRuntime) {
    ASSERT_EQ(run({"profile", "sample:mlp", "--runs", "2", "-o", file("p.json"), "--format",
                   "onnxruntime"})
                  .code,
              0);
    const Json events = read("p.json");
    ASSERT_TRUE(events.is_array());
    EXPECT_EQ(events[0]["name"], "model_loading_uri");
    int runs = 0;
    for (const Json& e : events) runs += e["name"] == "model_run";
    EXPECT_EQ(runs, 2);
    ASSERT_EQ(run({"profile", "sample:mlp", "--runs", "2", "-o", file("c.json")}).code, 0);
    EXPECT_TRUE(read("c.json").is_object());
    expect_error(run({"profile", "sample:mlp", "--format", "onnxruntime"}), cli::exit_usage,
                 {"--format", "--output"});
    expect_error(run({"profile", "sample:mlp", "-o", file("x.json"), "--format", "xml"}),
                 cli::exit_usage, {"--format", "xml"});
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.json"));
}

TEST_F(ProfileCommand, ShowsAProfileOfOnnxRuntime) {
    const CommandOutcome text = run({"profile", squeezenet_profile});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(text.out.starts_with("source  ONNX Runtime, ")) << text.out.substr(0, 200);
    EXPECT_NE(text.out.find("ReorderOutput"), std::string::npos);
    EXPECT_EQ(line_of(text.out, "graph optimization"), "graph optimization -");
    EXPECT_EQ(line_of(text.out, "session cleanup"), "session cleanup -");
    EXPECT_EQ(line_of(text.out, "memory"), "memory activations held - weights as stored -");
    EXPECT_EQ(text.out.find("0 B"), std::string::npos);
    const Json json = run({"profile", squeezenet_profile, "--json"}).json();
    EXPECT_EQ(json["source"], "ONNX Runtime");
    EXPECT_TRUE(json["memory"]["peak_bytes"].is_null());
    EXPECT_TRUE(json["memory"]["weight_bytes"].is_null());
    EXPECT_TRUE(json["session_overhead"]["session_cleanup_ms"].is_null());
    EXPECT_GT(json["session_overhead"]["model_load_ms"].get<double>(), 0);
    EXPECT_TRUE(json["nodes"][0]["kernel"].is_null());
    std::vector<std::pair<double, double>> runs;  // microseconds: how long, when
    const Json theirs = Json::parse(std::ifstream(squeezenet_profile));
    for (const Json& e : theirs)
        if (e["name"] == "model_run") runs.emplace_back(e["dur"], e["ts"]);
    std::ranges::sort(runs);
    const auto [wall, begin] = runs[(runs.size() - 1) / 2];  // of the typical run
    double kernels = 0;
    for (const Json& e : theirs)
        if (e["cat"] == "Node" && e["ts"] >= begin && e["ts"] < begin + wall)
            kernels += e["dur"].get<double>();
    EXPECT_NEAR(json["kernel_ms"].get<double>(), kernels / 1e3, 1e-6);
    EXPECT_NEAR(json["wall_ms"].get<double>(), wall / 1e3, 1e-6);
    EXPECT_NEAR(json["session_overhead"]["run_ms"].get<double>(), (wall - kernels) / 1e3, 1e-6);
}

TEST_F(ProfileCommand, NoModelIsGivenARecordingOfAnother) {
    ASSERT_EQ(run({"profile", "sample:lenet", "--runs", "2", "-o", file("lenet.json")}).code, 0);
    const CommandOutcome own = run({"profile", file("lenet.json"), "--of", "sample:lenet"});
    ASSERT_EQ(own.code, 0) << own.err;
    EXPECT_NE(own.out.find(" are nodes of sample:lenet"), std::string::npos) << own.out;
    EXPECT_GT(
        run({"profile", file("lenet.json"), "--of", "sample:lenet", "--json"}).json()["matched"],
        0);
    expect_error(run({"profile", squeezenet_profile, "--of", "sample:mlp"}), cli::exit_bad_input,
                 {"it is no recording of", "sample:mlp", "none of its"});
    expect_error(run({"profile", "sample:mlp", "--of", "sample:mlp"}), cli::exit_usage,
                 {"--of", "no trace"});
}

TEST_F(ProfileCommand, TurnsATraceIntoTheOtherFormat) {
    ASSERT_EQ(run({"profile", squeezenet_profile, "-o", file("chrome.json")}).code, 0);
    const Json chrome = run({"profile", file("chrome.json"), "--json"}).json(),
               first = run({"profile", squeezenet_profile, "--json"}).json();
    EXPECT_EQ(chrome["source"], "Lapidary");
    for (const char* figure : {"wall_ms", "kernel_ms", "runs", "threads", "verdict", "operators"})
        EXPECT_EQ(chrome[figure], first[figure]) << figure;
    EXPECT_TRUE(chrome["memory"]["peak_bytes"].is_null());
    ASSERT_EQ(
        run({"profile", file("chrome.json"), "-o", file("theirs.json"), "--format", "onnxruntime"})
            .code,
        0);
    EXPECT_TRUE(read("theirs.json").is_array());
    expect_error(run({"profile", file("chrome.json"), "-o", file("chrome.json")}),
                 cli::exit_bad_input, {"chrome.json"});
}

TEST_F(ProfileCommand, ATraceTakesNoOptionOfRuns) {
    const std::vector<std::vector<std::string>> options{{"--level", "all"},
                                                        {"--roofline"},
                                                        {"--dim", "n=2"},
                                                        {"--intra", "1"},
                                                        {"--outputs", file("o.npz")},
                                                        {"--config", "enable_mem_pattern=0"},
                                                        {"--runs", "2"},
                                                        {"--warmup", "0"},
                                                        {"--seed", "1"},
                                                        {"--bgr"}};
    for (std::vector<std::string> option : options) {
        std::vector<std::string> arguments{"profile", squeezenet_profile};
        arguments.insert(arguments.end(), option.begin(), option.end());
        expect_error(run(arguments), cli::exit_usage,
                     {option[0], "onnxruntime_squeezenet.json", "expected an ONNX model"});
    }
    std::ofstream(file("no.json")) << "{\"a\": 1}";
    expect_error(run({"profile", file("no.json")}), cli::exit_bad_input,
                 {"no.json", "not a Chrome trace"});
}

// Chosen when the session is made: the operator has no other kernel.
TEST_F(ProfileCommand, ReportsReferenceKernelsThatWereChosen) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(
        "(v: f32[512,4,256]) -> (y)\n y = ReverseSequence(v, l: i64[4]{512, 300, 200, 100}) as "
        "\"alone\"\n");
    save_model(*model, folder_ / "alone.onnx");
    const std::string why = "there is no faster kernel for ReverseSequence";
    const CommandOutcome text = run({"profile", file("alone.onnx"), "--runs", "3"});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("\nran on the reference kernel\n"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find(why), std::string::npos) << text.out;
    const Json node =
        run({"profile", file("alone.onnx"), "--runs", "3", "--json"}).json()["nodes"][0];
    EXPECT_EQ(node["ran_on_reference_kernel"], (Json{{"calls", 3}, {"why", why}})) << node;
}

// An axis between the reduced ones keeps the fast loops away; only a run finds it out.
TEST_F(ProfileCommand, ReportsWhatRanOnTheReferenceKernel) {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 18;
    model->graph = parse_graph(
        "(x: f32[2,3,4]) -> (y)\n y = ReduceMean(x, axes: i64[2]{0, 2}) as \"apart\"\n");
    save_model(*model, folder_ / "apart.onnx");
    const CommandOutcome text =
        run({"profile", file("apart.onnx"), "--runs", "3", "-o", file("trace.json")});
    ASSERT_EQ(text.code, 0) << text.err;
    const std::string why = "axes that stay lie between the reduced ones";
    EXPECT_NE(text.out.find("\nran on the reference kernel\n"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find(why), std::string::npos) << text.out;
    const auto reported = [&](const Json& json) {
        const Json& node = json["nodes"][0];
        EXPECT_EQ(node["ran_on_reference_kernel"], (Json{{"calls", 3}, {"why", why}})) << node;
    };
    reported(run({"profile", file("apart.onnx"), "--runs", "3", "--json"}).json());
    reported(run({"profile", file("trace.json"), "--json"}).json());
    const CommandOutcome none = run({"profile", "sample:mlp", "--runs", "1"});
    EXPECT_EQ(none.out.find("ran on the reference kernel"), std::string::npos) << none.out;
    const Json undisturbed = run({"profile", "sample:mlp", "--runs", "1", "--json"}).json();
    ASSERT_FALSE(undisturbed["nodes"].empty());
    for (const Json& node : undisturbed["nodes"])
        EXPECT_FALSE(node.contains("ran_on_reference_kernel"));
}

TEST_F(ProfileCommand, CachesGrowFromRunToRun) {
    const auto growing = [&](const std::string& graph, std::vector<std::string> more = {}) {
        Model model;
        model.opset_imports[""] = 18;
        model.graph = parse_graph(graph, {.opset = 18});
        save_model(model, folder_ / "decoder.onnx");
        std::vector<std::string> words{
            "profile", file("decoder.onnx"), "--runs", "1", "--resident", "auto", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const CommandOutcome outcome = run(words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json().at("resident").at("growing");
    };
    const std::string mask =
        "(x: f32[1,s,4], mask: i64[1,all], past: f32[1,p,4]) -> (y, present)\n";
    const std::string decoder = mask +
                                "present = Concat(past, x) {axis: 1}\n m = Cast(mask) {to: 1}\n"
                                "u = Unsqueeze(m, axes: i64[1]{2})\n y = Mul(present, u)\n";
    EXPECT_EQ(growing(decoder, {"--dim", "s=2", "--dim", "p=5", "--dim", "all=7"})["to"],
              7 + 2 * 31);
    EXPECT_EQ(growing(decoder, {"--dim", "s=2", "--dim", "p=5", "--dim", "all=1"})["to"],
              7 + 2 * 31)
        << "broadcasts";
    const Tensor fixed(DType::i64, {1, 7});
    save_npy(folder_ / "mask.npy", fixed);
    const Json refused =
        growing(decoder, {"--dim", "s=2", "--dim", "p=5", "--input", "mask=" + file("mask.npy")});
    EXPECT_EQ(refused["refusal"], "shapes [1,9,4] and [1,7,1] do not broadcast: 9 against 7");
    const std::string alone =
        "(x: f32[1,s,4], past: f32[1,p,4]) -> (y, present)\n"
        "present = Concat(past, x) {axis: 1}\n y = ReduceSum(present, axes: i64[1]{1})\n";
    const Json reported = growing(alone, {"--dim", "s=2", "--dim", "p=5"});
    EXPECT_EQ(reported["dimension"], "p");
    EXPECT_EQ(reported["from"], 7);
    EXPECT_EQ(reported["runs"], 32);
    EXPECT_EQ(reported["to"], 7 + 2 * 31) << "each begins with what the one before made";
    EXPECT_GT(reported["median_ms"], 0);
    const std::string rows_of_12 =
        "(x: f32[1,4], past: f32[p,4]) -> (y, present)\n"
        "present = Concat(past, x) {axis: 0}\n"
        "s = Shape(present)\n n = Gather(s, i: i64[]{0})\n last = Sub(n, one: i64[]{1})\n"
        "row = Gather(table: f32[12,4], last)\n y = Add(x, row)\n";
    const Json ended = growing(rows_of_12, {"--dim", "p=7"});
    EXPECT_EQ(ended["runs"], 4) << ended << ": caches of 8 to 11 rows";
    EXPECT_EQ(ended["to"], 11);
    EXPECT_NE(growing(rows_of_12, {"--dim", "p=9"}).value("refusal", "").find("12"),
              std::string::npos)
        << "two runs are too few to decide";
    EXPECT_EQ(
        growing("(x: f32[1,4], past: f32[1,4]) -> (present)\n present = Add(past, x)\n")["refusal"],
        "present is as large as past");
    EXPECT_EQ(
        growing("(x: f32[1,4], past_a: f32[p,4], past_b: f32[q,4]) -> (present_a, present_b)\n"
                "present_a = Concat(past_a, x) {axis: 0}\n present_b = Concat(past_b, x, x) {axis: "
                "0}\n")["refusal"],
        "caches grow by different sizes");
    EXPECT_EQ(
        growing(
            "(x: f32[1,4], past: f32[p,4]) -> (present)\n present = Tile(past, r: i64[2]{2, 2})\n")
            ["refusal"],
        "present is not past with one axis that grew");
}

}  // namespace
}  // namespace lapidary
