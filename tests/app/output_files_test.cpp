// SPDX-License-Identifier: Apache-2.0
// Every command and each of its outputs: none writes over what it reads, none waits at a FIFO, all
// that is printed is printable.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/output_file.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class OutputFiles : public ::testing::Test {
protected:
    void SetUp() override {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = 17;
        model.graph =
            parse_graph("(x: f32[2,64]) -> (y)\n y = MatMul(x, w: f32[64,64]" + weights() + ")");
        SaveOptions saving;
        saving.external_data_min_bytes = 1;
        save_model(model, folder_ / "m.onnx", saving);
        save_npz(folder_ / "in.npz",
                 {{"x", Tensor::of<float>({2, 64}, std::vector<float>(128, 1))}});
        std::ofstream(file("notes.txt")) << "notes";
        std::ofstream(file("recipe.json")) << R"({"level": "basic"})";
        fs::create_hard_link(file("m.onnx"), file("hard.onnx"));
        fs::create_symlink("m.onnx.data", file("link.data"));
        ::mkfifo(file("pipe").c_str(), 0600);
    }
    static std::string weights() {
        std::string text = "{0";
        for (int i = 1; i < 64 * 64; ++i) text += ",0";
        return text + "}";
    }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    std::string contents(const std::string& name) const {
        std::ifstream in(file(name), std::ios::binary);
        return {(std::istreambuf_iterator<char>(in)), {}};
    }
    TemporaryFolder folder_;
};

TEST_F(OutputFiles, NoOutputDestroysAnInput) {
    const std::string model = file("m.onnx"), archive = file("in.npz");
    const std::map<std::string, std::vector<std::string>> commands{
        {"run --outputs", {"run", model, "--inputs", archive, "--outputs"}},
        {"profile -o", {"profile", model, "--inputs", archive, "--runs", "1", "-o"}},
        {"profile --outputs", {"profile", model, "--inputs", archive, "--runs", "1", "--outputs"}},
        {"optimize -o", {"optimize", model, "-o"}},
        {"optimize --report", {"optimize", model, "--report"}},
        {"snippet -o", {"snippet", model, "--language", "python", "-o"}},
        {"report -o",
         {"report", model, "--inputs", archive, "--runs", "1", "--seconds", "0.01", "-o"}},
        {"compare -o",
         {"compare", model, model, "--inputs", archive, "--runs", "1", "--seconds", "0.01", "-o"}}};
    const std::string model_bytes = contents("m.onnx"), data = contents("m.onnx.data"),
                      inputs = contents("in.npz");
    ASSERT_FALSE(data.empty());
    for (const auto& [name, command] : commands)
        for (const std::string target :
             {"m.onnx", "hard.onnx", "m.onnx.data", "link.data", "in.npz", "pipe"}) {
            const bool reads_archive = std::ranges::find(command, archive) != command.end();
            if (target == "in.npz" && !reads_archive) continue;
            std::vector<std::string> arguments = command;
            arguments.push_back(file(target));
            SCOPED_TRACE(name + " " + target);
            expect_error(run(arguments), cli::exit_bad_input,
                         {target == "link.data" ? "m.onnx.data" : target});
            EXPECT_EQ(contents("m.onnx"), model_bytes);
            EXPECT_EQ(contents("m.onnx.data"), data);
            EXPECT_EQ(contents("in.npz"), inputs);
        }
    for (const std::string kind : {"csv", "json"}) {  // named outputs only
        fs::create_symlink("m.onnx", file("link." + kind));
        const CommandOutcome outcome = run({"bench", model, "--inputs", archive, "--runs", "1",
                                            "--" + kind, file("link." + kind)});
        EXPECT_EQ(outcome.code, cli::exit_bad_input);
        EXPECT_NE(outcome.err.find("read as an input"), std::string::npos) << outcome.err;
        EXPECT_EQ(contents("m.onnx"), model_bytes);
    }
    expect_error(
        run({"profile", model, "--runs", "1", "-o", file("new"), "--outputs", file("./new")}),
        cli::exit_bad_input, {"same file"});
    EXPECT_FALSE(fs::exists(file("new")));
}

TEST_F(OutputFiles, AModelReplacesItselfWhenAllowedTo) {
    expect_error(run({"optimize", file("m.onnx"), "-o", file("m.onnx")}), cli::exit_bad_input,
                 {"--overwrite"});
    const CommandOutcome outcome =
        run({"optimize", file("m.onnx"), "-o", file("m.onnx"), "--overwrite"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(run({"run", file("m.onnx")}).code, 0);
    expect_error(run({"optimize", file("m.onnx"), "-o", file("m.onnx"), "--overwrite", "--report",
                      file("m.onnx")}),
                 cli::exit_bad_input, {"m.onnx"});
}

TEST_F(OutputFiles, WeightsThatChangedMeanwhileAreNotWritten) {
    const InputProtection command;
    const Model model = load_model(file("m.onnx"));
    fs::last_write_time(file("m.onnx.data"),
                        fs::last_write_time(file("m.onnx.data")) + std::chrono::seconds(2));
    try {
        save_model(model, folder_ / "out.onnx");
        ADD_FAILURE() << "written";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("changed after it was loaded"), std::string::npos)
            << error.what();
    }
    EXPECT_FALSE(fs::exists(file("out.onnx")));
}

TEST_F(OutputFiles, FifosFoldersAndDevicesAreRefusedAtOnce) {
    const std::string model = file("m.onnx");
    for (const std::string& odd :
         {file("pipe"), folder_.path().string(), std::string("/dev/zero")}) {
        SCOPED_TRACE(odd);
        for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
                 {"info", odd},
                 {"run", odd},
                 {"optimize", odd},
                 {"run", model, "--inputs", odd},
                 {"run", model, "--recipe", odd},
                 {"check", model, "--inputs", odd, "--expected", odd},
                 {"bench", model, "--baseline", odd},
                 {"bench", odd},
                 {"snippet", odd, "--language", "c"},
                 {"report", odd, "-o", file("r.html")},
                 {"memory", odd}})
            expect_error(run(command), cli::exit_bad_input, {"expected a regular file"});
        expect_error(run({"run", model, "--outputs", odd}), cli::exit_bad_input, {"expected a"});
    }
    for (const std::string name : {"x.npy", "x.npz", "x.pb", "x.png", "x.jpg"}) {
        ASSERT_EQ(::mkfifo(file(name).c_str(), 0600), 0);
        expect_error(run({"run", model, "--input", "x=" + file(name)}), cli::exit_bad_input,
                     {name});
    }
}

TEST_F(OutputFiles, WhatIsPrintedIsPrintable) {
    Model model;
    model.ir_version = 8;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[2]) -> (y)\n y = Abs(x) as \"node\"");
    GraphEdit edit(model.graph);
    const std::string odd = "a\u009b31m\u202eb\x1b" + std::string(1'000'000, 'n');
    edit.set_doc(model.graph.inputs()[0], odd);
    edit.rename(model.graph.inputs()[0], odd);
    model.producer_name = odd;
    model.metadata = {{odd, odd}};
    save_model(model, folder_ / "odd.onnx");
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"info"},
                                               {"run"},
                                               {"profile", "--runs", "1"},
                                               {"memory"},
                                               {"optimize", "--explain"},
                                               {"info", "--json"},
                                               {"run", "--json"}}) {
        std::vector<std::string> arguments = command;
        arguments.insert(arguments.begin() + 1, file("odd.onnx"));
        const CommandOutcome outcome = run(arguments);
        SCOPED_TRACE(arguments[0] + (arguments.size() > 2 ? " " + arguments[2] : ""));
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        for (const std::string hidden : {"\u009b", "\u202e", "\x1b"})
            EXPECT_EQ(outcome.out.find(hidden), std::string::npos);
        if (arguments.back() == "--json")
            EXPECT_NE(outcome.json().dump().find("\u202e"), std::string::npos) << "the name itself";
        else EXPECT_LT(outcome.out.size(), 30'000u);
    }
}

}  // namespace
}  // namespace lapidary
