// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "app/quantize_command_fixture.h"
#include "cli/quantize/quantize_text.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

TEST_F(QuantizeCommand, WritesAModelAndSaysHowFarItIsOff) {
    const CommandOutcome outcome = run({"quantize", model_file(), "-o", file("q.onnx")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("2 of 3 nodes quantized"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("samples are generated"), std::string::npos) << outcome.out;
    EXPECT_LT(std::filesystem::file_size(file("q.onnx")),
              std::filesystem::file_size(model_file()) / 2);
    EXPECT_EQ(run({"run", file("q.onnx")}).code, 0);
}

TEST_F(QuantizeCommand, ReportsEverythingAsJson) {
    const CommandOutcome outcome = run({"quantize", model_file(), "--mode", "static", "--data",
                                        data_folder(20), "--keep-float", "sec*", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("nodes").size(), 3u);
    EXPECT_EQ(json.at("nodes").at(2).at("reason"), "kept float as asked for (sec*)");
    EXPECT_EQ(json.at("samples"), 4);
    EXPECT_GT(json.at("sqnr_db").get<double>(), 25);
    EXPECT_EQ(json.at("outputs").at(0).at("rows"), 4);
    // on a busy machine so small a model may well be slower
    for (const Json& note : json.at("notes"))
        EXPECT_TRUE(note.get<std::string>().starts_with("slower than the original")) << note;
    EXPECT_TRUE(json.at("verdict").at("usable"));
    EXPECT_GT(json.at("times").at("ratio").get<double>(), 0);
}

TEST_F(QuantizeCommand, WritesTheSameFileUnjudged) {
    const CommandOutcome judged =
        run({"quantize", model_file(), "-o", file("a.onnx"), "--mode", "weights4", "--as-asked"});
    const CommandOutcome unjudged =
        run({"quantize", model_file(), "-o", file("b.onnx"), "--mode", "weights4", "--unjudged"});
    EXPECT_NE(judged.out.find("SQNR"), std::string::npos) << judged.out;
    EXPECT_EQ(unjudged.code, 0) << unjudged.err;
    EXPECT_NE(unjudged.out.find("2 of 3 nodes quantized"), std::string::npos) << unjudged.out;
    EXPECT_NE(unjudged.out.find("not judged"), std::string::npos) << unjudged.out;
    EXPECT_EQ(unjudged.out.find("SQNR"), std::string::npos) << unjudged.out;
    EXPECT_EQ(load_text(file("a.onnx"), 1 << 22), load_text(file("b.onnx"), 1 << 22));
    EXPECT_EQ(run({"quantize", model_file(), "--unjudged"}).code, 2) << "no file to write";
    expect_error(
        run({"quantize", model_file(), "-o", file("b.onnx"), "--mode", "static", "--unjudged"}), 2,
        {"--mode static", "--data"});
    const CommandOutcome refused =
        run({"quantize", model_file(), "-o", file("b.onnx"), "--unjudged", "--search"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("no figures for --search"), std::string::npos) << refused.err;
}

TEST_F(QuantizeCommand, SaysWhyNothingIsRotated) {
    const CommandOutcome made = run({"quantize", model_file(), "-o", file("r.onnx"), "--mode",
                                     "weights4", "--rotate", "hadamard:7", "--as-asked"});
    EXPECT_NE(made.out.find("no normalization by mean squares"), std::string::npos) << made.out;
    for (const char* wrong : {"other", "hadamard:0", "hadamard:x", "hadamard:"})
        EXPECT_EQ(run({"quantize", model_file(), "--mode", "weights4", "--rotate", wrong}).code, 2)
            << wrong;
}

TEST_F(QuantizeCommand, SearchesAndKeepsTheBest) {
    const CommandOutcome outcome =
        run({"quantize", model_file(), "-o", file("q.onnx"), "--mode", "static", "--data",
             data_folder(20), "--search", "--budget", "0", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    ASSERT_GE(json.at("trials").size(), 6u);
    const Json& best = json.at("trials").at(json.at("best_trial").get<std::size_t>());
    for (const Json& trial : json.at("trials"))
        if (trial.at("splits") == best.at("splits")) {
            EXPECT_LE(trial.at("sqnr_db").get<double>(), best.at("sqnr_db").get<double>());
        }
    EXPECT_TRUE(std::filesystem::exists(file("q.onnx")));
}

TEST_F(QuantizeCommand, RanksNodesAndKeepsThemFloatForTheFloor) {
    const std::vector<std::string> words{"quantize",     model_file(),    "-o",
                                         file("q.onnx"), "--mode",        "static",
                                         "--data",       data_folder(20), "--json"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return run(more);
    };
    const CommandOutcome ranked = with({"--sensitivity", "--diagnose"});
    ASSERT_EQ(ranked.code, 0) << ranked.err;
    const Json json = ranked.json();
    ASSERT_EQ(json.at("sensitivity").at("groups").size(), 2u);
    EXPECT_TRUE(json.at("sensitivity").at("curve").at(1).contains("measured_db"));
    EXPECT_GT(json.at("diagnosis").at("weights_db").get<double>(), 20);
    const double all = json.at("sqnr_db").get<double>();
    const double without_worst =
        json.at("sensitivity").at("curve").at(1).at("measured_db").get<double>();
    ASSERT_GT(without_worst, all);
    const CommandOutcome floored = with({"--floor", std::to_string((all + without_worst) / 2)});
    EXPECT_EQ(floored.code, 0) << floored.err << floored.out;
    EXPECT_EQ(floored.json().at("floor").at("kept_float"), 1);
    EXPECT_TRUE(floored.json().at("floor_reached"));
    EXPECT_EQ(floored.json().at("quantized_nodes"), 1);
    EXPECT_EQ(floored.json().at("floor").at("measure"), "sqnr");
    const CommandOutcome changed = with({"--floor", "flips=100%"});
    EXPECT_EQ(changed.code, 0) << changed.err;
    EXPECT_FALSE(changed.json().contains("floor")) << "it was not missed";
    const CommandOutcome unlabelled = with({"--floor", "top1=-1%"});
    EXPECT_EQ(unlabelled.code, 2);
    EXPECT_NE(unlabelled.err.find("--labels"), std::string::npos) << unlabelled.err;
    EXPECT_EQ(with({"--floor", "top1=1%"}).code, 2) << "a gain is no floor";
}

TEST_F(QuantizeCommand, PrintsWhatNoOtherRecipeBeats) {
    const CommandOutcome outcome = run({"quantize", model_file(), "--mode", "static", "--data",
                                        data_folder(20), "--pareto", "--budget", "0", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    ASSERT_FALSE(json.at("front").empty());
    EXPECT_LE(json.at("front").size(), json.at("trials").size());
    for (const Json& point : json.at("front")) {
        EXPECT_TRUE(point.at("options").get<std::string>().starts_with("--mode static")) << point;
        EXPECT_GT(point.at("ms").get<double>(), 0);
    }
}

TEST_F(QuantizeCommand, ABudgetThatIsNoNumberIsAMistakeOfItsOption) {
    expect_error(run({"quantize", model_file(), "-o", file("q.onnx"), "--bits", "nan"}),
                 cli::exit_usage, {"--bits", "nan"});
}

TEST_F(QuantizeCommand, WritesEveryModeAndForm) {
    const std::string data = data_folder(20);
    const std::vector<std::vector<std::string>> modes{
        {"--mode", "fp16"},
        {"--mode", "bf16"},
        {"--mode", "fp8"},
        {"--mode", "weights4", "--compensate"},
        {"--mode", "weights4", "--compensate", "--block-form", "dequantize"},
        {"--mode", "weights4", "--bits", "5.5", "--smooth", "auto"},
        {"--mode", "weights4", "--compensate", "--fit-blocks", "--block-form", "dequantize"},
        {"--mode", "static", "--format", "qoperator"},
        {"--mode", "static", "--weights", "u8"},
        {"--mode", "static", "--weights", "s4"}};
    for (const auto& words : modes) {
        std::vector<std::string> all{"quantize", model_file(), "-o",    file("q.onnx"),
                                     "--data",   data,         "--json"};
        all.insert(all.end(), words.begin(), words.end());
        const CommandOutcome outcome = run(all);
        ASSERT_EQ(outcome.code, 0) << words[1] << outcome.err;
        EXPECT_EQ(outcome.json().at("mode"), words[1]);
        EXPECT_GE(outcome.json().at("quantized_nodes").get<int>(), 2) << words[1];
        EXPECT_GT(outcome.json().at("sqnr_db").get<double>(), 10) << words[1];
        EXPECT_EQ(run({"run", file("q.onnx")}).code, 0) << words[1];
        EXPECT_LT(std::filesystem::file_size(file("q.onnx")),
                  std::filesystem::file_size(model_file()));
    }
}

TEST_F(QuantizeCommand, WritesAReportAndJudgesByLabels) {
    std::ofstream(file("labels.csv")) << "name,class\n";
    std::ofstream labels(file("labels.csv"), std::ios::app);
    for (int i = 0; i < 20; ++i) labels << i << ".npz," << i % 10 << '\n';
    labels.close();
    const CommandOutcome outcome =
        run({"quantize", model_file(), "--mode", "static", "--data", data_folder(20), "--labels",
             file("labels.csv"), "--report", file("r.html"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("labels").at("float").at("rows"), 4);
    EXPECT_EQ(json.at("layers").size(), 3u);
    EXPECT_EQ(json.at("ranges").size(), 2u);
    const std::string notes = json.at("notes").dump();
    EXPECT_NE(notes.find("preprocessing"), std::string::npos)
        << "labels are no answers of a random model: " << notes;
    const std::string page = load_text(file("r.html"), 1 << 20);
    for (const char* part :
         {"SQNR", "Layer by layer", "Ranges of activations", "<svg", "--mode static", "Every node"})
        EXPECT_NE(page.find(part), std::string::npos) << part;
    EXPECT_EQ(page.find("<script"), std::string::npos);
    const CommandOutcome text = run({"quantize", model_file(), "--mode", "static", "--data",
                                     data_folder(20), "--layers", "--labels", file("labels.csv")});
    EXPECT_NE(text.out.find("top-1 on 4 labels: float"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("\"first\""), std::string::npos) << text.out;
}

TEST_F(QuantizeCommand, WhatCannotBeJudgedIsReportedBeforeOrWritten) {
    const std::string data = data_folder(10);
    std::ofstream(file("few.csv")) << "1\n2\n3\n";
    const CommandOutcome few = run({"quantize", model_file(), "-o", file("q.onnx"), "--data", data,
                                    "--labels", file("few.csv")});
    expect_error(few, 3, {"3 labels for 10 samples"});
    EXPECT_FALSE(std::filesystem::exists(file("q.onnx"))) << "refused before anything was made";
    std::ofstream(file("others.csv")) << "other.npz,1\n";
    const CommandOutcome others =
        run({"quantize", model_file(), "-o", file("q.onnx"), "--data", data, "--labels",
             file("others.csv"), "--sensitivity", "--keep-float", "MatMul"});
    EXPECT_EQ(others.code, 0) << others.err;
    EXPECT_NE(others.out.find("no answer was compared with a label"), std::string::npos)
        << others.out;
    EXPECT_NE(others.out.find("no node was quantized"), std::string::npos) << others.out;
    EXPECT_TRUE(std::filesystem::exists(file("q.onnx")));
    const std::string archive = file("data/0.npz");
    expect_error(run({"quantize", model_file(), "-o", archive, "--data", archive}), 3,
                 {"read as an input"});
}

TEST_F(QuantizeCommand, AutoKeepsTheBetterOfTwoModes) {
    const CommandOutcome outcome =
        run({"quantize", model_file(), "-o", file("q.onnx"), "--mode", "auto", "--data",
             data_folder(20), "--budget", "0", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    const Json& trials = json.at("trials");
    const auto tried = [&](const std::string& mode) {
        return std::ranges::count_if(trials, [&](const Json& trial) {
            return trial.at("name").get<std::string>().starts_with(mode + ": ");
        });
    };
    EXPECT_GE(tried("static"), 6);
    EXPECT_GE(tried("dynamic"), 4);
    EXPECT_EQ(static_cast<std::size_t>(tried("static") + tried("dynamic")), trials.size());
    const std::string best = trials.at(json.at("best_trial").get<std::size_t>()).at("name");
    EXPECT_TRUE(best.starts_with(json.at("mode").get<std::string>() + ": ")) << best;
    EXPECT_NE(json.at("notes").dump().find("both modes were searched: static"), std::string::npos);
    EXPECT_EQ(run({"run", file("q.onnx")}).code, 0);
}

TEST_F(QuantizeCommand, TakesLinesOfText) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(
        "(input_ids: i64[n,s]) -> (y)\ne = Gather(t: f32[16,64], input_ids)\ny = MatMul(e, w: "
        "f32[64,16])");
    save_model(model, file("words.onnx"));
    std::ofstream(file("v.txt")) << "[UNK]\n[CLS]\n[SEP]\nred\ngreen\nblue\n";
    std::ofstream lines(file("lines.txt"));
    for (int i = 0; i < 20; ++i) lines << (i % 2 == 0 ? "red green\n" : "blue, blue red\n");
    lines.close();
    const CommandOutcome outcome =
        run({"quantize", file("words.onnx"), "--mode", "static", "--data", file("lines.txt"),
             "--vocabulary", file("v.txt"), "--tokens", "8", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("samples"), 4);
    expect_error(
        run({"quantize", file("words.onnx"), "--data", file("lines.txt"), "--tokens", "8"}), 2,
        {"--vocabulary"});
}

TEST(QuantizeWarnings, SlowerThanFloatIsOnTop) {
    cli::QuantizeOutcome outcome;
    outcome.accuracy.outputs = {{"y", 40, 1, 0, 0, 0}};
    outcome.accuracy.samples = 4;
    outcome.bytes_before = 400;
    outcome.bytes_after = 100;
    const auto warnings = [&] { return cli::verdict_of({}, outcome).warnings; };
    EXPECT_TRUE(warnings().empty()) << "nothing was measured";
    const auto estimate = [](double median, double low, double high) {
        return MedianEstimate{median, low, high, 9};
    };
    outcome.times =
        QuantizedTimes{estimate(4, 3.9, 4.1), estimate(9, 8.8, 9.2), estimate(2.25, 2.1, 2.4)};
    ASSERT_EQ(warnings().size(), 1u);
    const std::string text =
        "slower than the original here: 9 ms against 4 ms a run, 2.25 times (2.10 to 2.40)";
    EXPECT_EQ(warnings()[0], text);
    std::ostringstream printed;
    cli::print_quantized(printed, {}, outcome);
    EXPECT_TRUE(
        printed.str().starts_with("warning  " + text + "\nverdict  very good: SQNR 40.0 dB"))
        << printed.str();
    const Json json = nlohmann::json::parse(cli::quantize_json({}, outcome).dump());
    EXPECT_EQ(json.at("warnings").at(0), text);
    EXPECT_EQ(json.at("notes").at(0), text);
    outcome.times->ratio = estimate(1.2, 0.9, 1.5);
    EXPECT_TRUE(warnings().empty()) << "within noise";
}

TEST_F(QuantizeCommand, PointsOfTheFrontAreMadeAgainFromTheirOptions) {
    const std::string data = data_folder(20);
    const CommandOutcome outcome = run({"quantize", model_file(), "--mode", "static", "--data",
                                        data, "--pareto", "--budget", "0", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json reported = outcome.json();
    ASSERT_FALSE(reported.at("front").empty());
    for (const Json& point : reported.at("front")) {
        std::vector<std::string> words{"quantize", model_file(), "-o",    file("again.onnx"),
                                       "--data",   data,         "--json"};
        std::istringstream options(point.at("options").get<std::string>());
        for (std::string word; options >> std::quoted(word, '\'');) words.push_back(word);
        const CommandOutcome again = run(words);
        ASSERT_EQ(again.code, 0) << again.err;
        EXPECT_EQ(again.json().at("constant_bytes").at("after"), point.at("constant_bytes"))
            << point;
        const Json& trial = reported.at("trials").at(point.at("trial").get<std::size_t>());
        if (trial.at("splits") == 1) {  // others are means over several splits
            EXPECT_EQ(again.json().at("sqnr_db"), point.at("sqnr_db")) << point;
        }
    }
}

TEST_F(QuantizeCommand, PatternsThatNoNodeFitsAreReportedAsTextAndJson) {
    const std::vector<std::string> words{
        "quantize",     model_file(), "--mode",       "weights8",
        "--block",      "16",         "--weights-of", std::string(50'000, 'x') + "=s4",
        "--keep-float", "absent"};
    const CommandOutcome text = run(words);
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("no node fits the pattern \"absent\""), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("which was to give weights a type of their own"), std::string::npos);
    EXPECT_LT(text.out.size(), 10'000u);
    std::vector<std::string> json = words;
    json.push_back("--json");
    const CommandOutcome reported = run(json);
    ASSERT_EQ(reported.code, 0) << reported.err;
    const Json notes = reported.json().at("notes");
    EXPECT_EQ(std::ranges::count_if(notes,
                                    [](const Json& note) {
                                        return note.get<std::string>().starts_with(
                                            "no node fits the pattern");
                                    }),
              2);
}

TEST_F(QuantizeCommand, TakesTheRangesAndPlacementOfOnnxRuntime) {
    const std::string data = data_folder(20);
    const CommandOutcome outcome =
        run({"quantize", model_file(), "-o", file("q.onnx"), "--mode", "static", "--placement",
             "onnxruntime", "--range", "minmax", "--no-bias-correction", "--every-sample", "--data",
             data, "--explain"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("3 of 3 nodes quantized"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("input and result quantized"), std::string::npos) << outcome.out;
    EXPECT_EQ(run({"run", file("q.onnx")}).code, 0);
}

TEST_F(QuantizeCommand, SmoothsEachInputByItself) {
    const std::string data = data_folder(20);
    const CommandOutcome outcome =
        run({"quantize", model_file(), "--data", data, "--smooth", "auto"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(" inputs of products"), std::string::npos) << outcome.out;
    expect_error(run({"quantize", model_file(), "--data", data, "--smooth", "1.5"}), 2,
                 {"--smooth", "0.99"});
}

TEST_F(QuantizeCommand, AMissedFloorIsExitCode1AndTheFileIsWritten) {
    const CommandOutcome outcome = run(
        {"quantize", model_file(), "-o", file("q.onnx"), "--mode", "weights4", "--floor", "90"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("the floor of 90 dB was not reached"), std::string::npos)
        << outcome.out;
    EXPECT_TRUE(std::filesystem::exists(file("q.onnx")));
}

/// A model of columns of very different scale, and rows for it.
class QuantizeTable : public QuantizeCommand {
protected:
    QuantizeTable() {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(
            "(x: f32[n,16]) -> (y)\ns = MatMul(x, d: f32[16,32])\nb = Relu(s)\n"
            "c = MatMul(b, v: f32[32,32])\nr = Relu(c)\ny = MatMul(r, u: f32[32,4])");
        for (const ValueId id : model.graph.initializers()) {
            if (model.graph.value(id).name != "d") continue;
            const auto from = model.graph.value(id).constant->data<float>();
            std::vector<float> weights(from.begin(), from.end());
            for (std::size_t i = 0; i < weights.size(); ++i)
                weights[i] *= i / 32 % 8 == 0 ? 0.001f : 20.0f;
            GraphEdit edit(model.graph, "scale the columns");
            edit.set_constant(id, Tensor::of<float>({16, 32}, weights));
            edit.finish();
            break;
        }
        save_model(model, model_file());
        std::filesystem::create_directory(folder_ / "rows");
        for (std::size_t i = 0; i < 40; ++i) {
            std::vector<float> values(16);
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = (static_cast<float>((i * 37 + k * 11 + i * i % 7) % 19) - 9) *
                            (k % 8 == 0 ? 200.0f : 0.01f);
            save_npz(folder_ / ("rows/" + std::to_string(i) + ".npz"),
                     {{"x", Tensor::of<float>({1, 16}, values)}});
        }
    }
};

TEST_F(QuantizeTable, IsRepairedAutomaticallyOrTheCheckFails) {
    for (const char* mode : {"dynamic", "static"}) {
        const std::vector<std::string> words{"quantize",     model_file(), "-o",
                                             file("q.onnx"), "--mode",     mode,
                                             "--data",       file("rows"), "--json"};
        const CommandOutcome mended = run(words);
        EXPECT_EQ(mended.code, 0) << mended.out << mended.err;
        const Json json = mended.json();
        EXPECT_GE(json.at("sqnr_db").get<double>(), 20);
        EXPECT_TRUE(json.at("verdict").at("usable"));
        EXPECT_TRUE(json.at("floor_reached"));
        EXPECT_LT(json.at("repaired").at("sqnr_db_before").get<double>(), 20);
        EXPECT_NE(json.at("notes").dump().find("as asked for, outputs were far off"),
                  std::string::npos);
        EXPECT_EQ(json.at("notes").dump().find("read back"), std::string::npos) << json.at("notes");
        // Made again from its options, with nothing to repair.
        std::vector<std::string> again{"quantize",   model_file(), "--data",
                                       file("rows"), "--json",     "--as-asked"};
        std::istringstream options(json.at("repaired").at("options").get<std::string>());
        for (std::string word; options >> std::quoted(word, '\'');) again.push_back(word);
        EXPECT_EQ(run(again).json().at("sqnr_db"), json.at("sqnr_db"));

        std::vector<std::string> as_asked = words;
        as_asked.push_back("--as-asked");
        const CommandOutcome plain = run(as_asked);
        EXPECT_EQ(plain.code, 1) << plain.out;
        EXPECT_FALSE(plain.json().at("verdict").at("usable"));
        EXPECT_EQ(plain.json().at("verdict").at("quality"), "poor");
        EXPECT_NE(
            plain.json().at("warnings").at(0).get<std::string>().find("outputs are far off: SQNR"),
            std::string::npos);
        EXPECT_TRUE(std::filesystem::exists(file("q.onnx"))) << "it is written all the same";
        std::erase(as_asked, "--json");
        const CommandOutcome text = run(as_asked);
        EXPECT_EQ(text.code, 1);
        EXPECT_TRUE(text.out.starts_with("warning  outputs are far off: SQNR")) << text.out;
        std::vector<std::string> wanted = as_asked;
        wanted.insert(wanted.end(), {"--floor", "sqnr=-100"});
        EXPECT_EQ(run(wanted).code, 0) << "the floor is the user's";
    }
}

TEST_F(QuantizeCommand, JudgesTheFileAtBothLevels) {
    const CommandOutcome outcome =
        run({"quantize", model_file(), "--data", data_folder(20), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json json = outcome.json();
    EXPECT_EQ(json.at("levels").at("worse"), "all");
    EXPECT_EQ(json.at("levels").at("all").at("sqnr_db"), json.at("sqnr_db"));
    EXPECT_NEAR(json.at("levels").at("disabled").at("sqnr_db").get<double>(),
                json.at("sqnr_db").get<double>(), 1);
    const Json& interval = json.at("verdict").at("sqnr_interval");
    EXPECT_LT(interval.at(0).get<double>(), json.at("sqnr_db").get<double>());
    EXPECT_GT(interval.at(1).get<double>(), json.at("sqnr_db").get<double>());
}

TEST_F(QuantizeCommand, TheSameTwiceGivesTheSameBytes) {
    const std::string data = data_folder(20);
    for (const char* name : {"a.onnx", "b.onnx"})
        ASSERT_EQ(run({"quantize", model_file(), "-o", file(name), "--mode", "static", "--data",
                       data, "--compensate"})
                      .code,
                  0);
    EXPECT_EQ(load_text(file("a.onnx"), 1 << 22), load_text(file("b.onnx"), 1 << 22));
    EXPECT_EQ(print_graph(load_model(file("a.onnx")).graph, {.printed_elements = 10000}),
              print_graph(load_model(file("b.onnx")).graph, {.printed_elements = 10000}));
}

TEST_F(QuantizeCommand, MistakesAreOneSentence) {
    expect_error(run({"quantize", model_file(), "--data", file("nowhere")}), 3, {"nowhere"});
    std::filesystem::create_directory(folder_ / "empty");
    expect_error(run({"quantize", model_file(), "--mode", "static", "--data", file("empty")}), 3,
                 {"empty", "no sample"});
    expect_error(run({"quantize", model_file(), "-o", model_file()}), 3, {"--overwrite"});
    expect_error(run({"quantize", model_file(), "--mode", "int3"}), 2, {"--mode"});
    expect_error(run({"quantize", model_file(), "--block", "20"}), 2, {"--block"});
    expect_error(run({"quantize", model_file(), "--weights", "s3"}), 2, {"--weights"});
    expect_error(run({"quantize", model_file(), "--labels", file("none.csv")}), 2,
                 {"--labels", "--data"});
    expect_error(
        run({"quantize", model_file(), "--data", data_folder(4), "--labels", file("none.csv")}), 3,
        {"none.csv"});
}

}  // namespace
}  // namespace lapidary
