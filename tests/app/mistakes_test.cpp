// SPDX-License-Identifier: Apache-2.0
// Mistakes on the command line: each ends with its exit code and one sentence that says what was
// expected.
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

struct Mistake {
    const char* name;
    std::vector<std::string> arguments;  // "@name" is a file of the folder
    int code;
    std::vector<std::string> words;  // of the sentence
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const std::vector<Mistake>& mistakes() {
    constexpr int usage = cli::exit_usage, input = cli::exit_bad_input;
    static const std::vector<Mistake> list{
        // Commands and options.
        {"NoCommand", {}, usage, {"subcommand is required"}},
        {"BritishCommand",
         {"optimise", "@net.onnx"},
         usage,
         {"\"optimise\"", "did you mean \"optimize\"?"}},
        {"CommandWithATypo", {"porfile", "@net.onnx"}, usage, {"did you mean \"profile\"?"}},
        {"CommandInCapitals", {"RUN", "@net.onnx"}, usage, {"did you mean \"run\"?"}},
        {"CommandFarFromAny",
         {"frobnicate"},
         usage,
         {"there is no command \"frobnicate\"", "info, run, check"}},
        {"ModelWithoutCommand", {"@net.onnx"}, usage, {"there is no command"}},
        {"NoModel", {"run"}, usage, {"model is required"}},
        {"OptionWithATypo",
         {"optimize", "@net.onnx", "--levle", "all"},
         usage,
         {"\"--levle\"", "\"--level\""}},
        {"OptionOfAnother",
         {"info", "@net.onnx", "--guard"},
         usage,
         {"info has no option \"--guard\""}},
        {"OptionWithValueAttached",
         {"run", "@net.onnx", "--sede=4"},
         usage,
         {"\"--sede\"", "\"--seed\""}},
        {"OptionWithoutValue", {"run", "@net.onnx", "--seed"}, usage, {"--seed"}},
        {"TwoModels", {"run", "@net.onnx", "@net.onnx"}, usage, {"not expected"}},
        // Levels and passes.
        {"LevelWithATypo",
         {"optimize", "@net.onnx", "--level", "basci"},
         usage,
         {"\"basci\"", "\"basic\""}},
        {"LevelOfOrtWithATypo",
         {"optimize", "@net.onnx", "--level", "ORT_ENABLE_BASICS"},
         usage,
         {"\"ORT_ENABLE_BASIC\""}},
        {"LevelAsANumber",
         {"optimize", "@net.onnx", "--level", "2"},
         usage,
         {"expected disabled, basic, extended"}},
        {"LevelTwice", {"bench", "@net.onnx", "--level", "all,fast"}, usage, {"\"fast\""}},
        {"PassWithATypo",
         {"optimize", "@net.onnx", "--disable-pass", "fuse_geluu"},
         usage,
         {"\"fuse_gelu\""}},
        {"PassOfNobody",
         {"optimize", "@net.onnx", "--only-pass", "x"},
         usage,
         {"there is no pass \"x\"", "passes"}},
        {"PassOfARun",
         {"run", "@net.onnx", "--level", "all", "--disable-pass", "nothing"},
         usage,
         {"\"nothing\""}},
        {"PassOfAReport",
         {"report", "@net.onnx", "-o", "@r.html", "--disable-pass", "nothing"},
         usage,
         {"\"nothing\""}},
        {"LevelAndRecipe",
         {"run", "@net.onnx", "--level", "all", "--recipe", "{}"},
         usage,
         {"excludes"}},
        {"RecipeThatIsNone", {"run", "@net.onnx", "--recipe", "{\"level\": 7}"}, input, {"level"}},
        {"RecipeThatIsAbsent",
         {"run", "@net.onnx", "--recipe", "@none.json"},
         input,
         {"none.json"}},
        {"TargetOfNobody",
         {"optimize", "@net.onnx", "--target", "tpu"},
         usage,
         {"tpu", "portable"}},
        // Numbers.
        {"NegativeThreads", {"run", "@net.onnx", "--intra", "-3"}, usage, {"--intra", "0 to 1024"}},
        {"ManyThreads",
         {"run", "@net.onnx", "--intra", "99999999999999999999"},
         usage,
         {"--intra", "0 to 1024"}},
        {"ThreadsInWords", {"run", "@net.onnx", "--intra", "two"}, usage, {"--intra", "two"}},
        {"NoRuns", {"profile", "@net.onnx", "--runs", "0"}, usage, {"--runs", "1 to 1000000"}},
        {"NegativeSeed", {"run", "@net.onnx", "--seed", "-1"}, usage, {"--seed"}},
        {"NegativeTolerance",
         {"optimize", "@net.onnx", "--guard", "--rtol", "-1"},
         usage,
         {"--rtol"}},
        {"NegativeSeconds", {"bench", "@net.onnx", "--seconds", "-1"}, usage, {"--seconds"}},
        {"NegativeBudget",
         {"quantize", "@net.onnx", "--budget", "-1"},
         usage,
         {"from 0 on, found -1"}},
        {"FloorThatIsNoNumber",
         {"quantize", "@net.onnx", "--floor", "nan"},
         usage,
         {"--floor", "found \"nan\""}},
        {"PercentileThatIsNoNumber",
         {"quantize", "@net.onnx", "--percentile", "nan"},
         usage,
         {"found nan"}},
        {"NoSeeds",
         {"optimize", "@net.onnx", "--guard", "--seeds", "0"},
         usage,
         {"--seeds", "1 to 1000"}},
        {"BatchOfNothing",
         {"optimize", "@net.onnx", "--static-batch", "0"},
         usage,
         {"--static-batch"}},
        {"OpsetInTheFuture", {"optimize", "@net.onnx", "--opset", "999"}, input, {"999"}},
        {"OpsetInThePast", {"optimize", "@net.onnx", "--opset", "3"}, input, {"the oldest is 7"}},
        {"StepBeyondTheLast", {"memory", "@net.onnx", "--step", "4000"}, input, {"4000"}},
        {"ChannelBlockOfNobody", {"run", "@net.onnx", "--channel-block", "9"}, usage, {"8", "16"}},
        // Dimensions, inputs, settings.
        {"DimensionOfNobody",
         {"run", "@net.onnx", "--dim", "batsh=4"},
         usage,
         {"\"batsh\"", "\"batch\"?"}},
        {"DimensionOfNobodyForMemory",
         {"memory", "@net.onnx", "--dim", "batsh=4"},
         usage,
         {"\"batsh\"", "\"batch\"?"}},
        {"DimensionOfNobodyForOptimize",
         {"optimize", "@net.onnx", "--dim", "batsh=4"},
         input,
         {"\"batsh\"", "\"batch\"?"}},
        {"DimensionWithoutSize", {"run", "@net.onnx", "--dim", "batch"}, usage, {"NAME=N"}},
        {"DimensionInWords", {"run", "@net.onnx", "--dim", "batch=many"}, usage, {"batch=many"}},
        {"NegativeDimension", {"run", "@net.onnx", "--dim", "batch=-4"}, usage, {"from 0 on"}},
        {"DimensionBeyondMemory",
         {"run", "@net.onnx", "--dim", "batch=4611686018427387904"},
         input,
         {"input"}},
        {"InputOfNobody",
         {"run", "@net.onnx", "--input", "picture=@x.npy"},
         usage,
         {"\"picture\"", "\"x\""}},
        {"InputWithoutFile", {"run", "@net.onnx", "--input", "x"}, usage, {"NAME=VALUE"}},
        {"InputOfAnotherShape",
         {"run", "@net.onnx", "--input", "x=@long.npy"},
         input,
         {"f32[batch,2]", "f32[1,7]"}},
        {"InputOfAnotherType",
         {"run", "@net.onnx", "--input", "x=@ints.npy"},
         input,
         {"f32[batch,2]", "i64[1,2]"}},
        {"InputOfAnotherFormat",
         {"run", "@net.onnx", "--input", "x=@words.txt"},
         input,
         {".npy, .npz, .pb"}},
        {"InputThatIsAbsent", {"run", "@net.onnx", "--input", "x=@none.npy"}, input, {"none.npy"}},
        {"InputTwice",
         {"run", "@net.onnx", "--input", "x=@x.npy", "--inputs", "@x.npz"},
         input,
         {"given twice"}},
        {"ArchiveOfAnother",
         {"run", "@net.onnx", "--inputs", "@other.npz"},
         input,
         {"\"other\"", "no input"}},
        {"SettingOfNobody",
         {"run", "@net.onnx", "--config", "intra_op_threads=2"},
         usage,
         {"\"intra_op_num_threads\"?"}},
        {"SettingWithoutValue",
         {"run", "@net.onnx", "--config", "intra_op_num_threads"},
         usage,
         {"KEY=VALUE"}},
        {"SettingInWords",
         {"run", "@net.onnx", "--config", "intra_op_num_threads=two"},
         input,
         {"number", "two"}},
        {"ImageWithoutDeviation", {"run", "@net.onnx", "--std", "0"}, usage, {"other than 0"}},
        {"ImageOfTwoMeans", {"run", "@net.onnx", "--mean", "1,2"}, usage, {"one number or three"}},
        {"CheckWithoutReference", {"check", "@net.onnx"}, usage, {"--inputs with --expected"}},
        {"SampleOfNobody", {"sample", "lennet", "-o", "@s.onnx"}, input, {"lennet", "lenet"}},
        {"ReportWithoutPlace", {"report", "@net.onnx"}, usage, {"-o F.html"}},
        // Files.
        {"ModelThatIsAbsent", {"run", "@none.onnx"}, input, {"none.onnx"}},
        {"ModelIsAFolder", {"run", "@"}, input, {"is a folder"}},
        {"ModelIsText", {"info", "@words.txt"}, input, {"not an ONNX model but a text file"}},
        {"ModelIsAnImage", {"info", "@picture.onnx"}, input, {"not an ONNX model but a PNG image"}},
        {"ModelIsAScript", {"info", "@script.onnx"}, input, {"not an ONNX model but a script"}},
        {"ModelIsAPickle", {"info", "@net.pth"}, input, {"pickle"}},
        {"ModelIsOrtsOwn",
         {"info", "@net.ort"},
         input,
         {"ONNX Runtime's own format", "damaged", "12"}},
        {"ModelIsEmpty", {"info", "@empty.onnx"}, input, {"empty"}},
        {"WritesOverTheModel",
         {"optimize", "@net.onnx", "-o", "@net.onnx"},
         input,
         {"the model itself", "--overwrite"}},
        {"WritesOrtsOwn",
         {"quantize", "@net.onnx", "-o", "@net2.ort"},
         input,
         {"optimize", ".onnx"}},
        {"WritesOrtsOwnFromNowhere",
         {"optimize", "@net.onnx", "-o", "@net2.ort", "--onnxruntime", "@words.txt"},
         cli::exit_not_supported,
         {"net2.ort", "your own ONNX Runtime", "words.txt"}},
        {"WritesOrtsOwnWithData",
         {"optimize", "@net.onnx", "-o", "@net2.ort", "--external-data", "0"},
         usage,
         {"--external-data", ".ort"}},
        {"NamesOnnxRuntimeForNothing",
         {"optimize", "@net.onnx", "-o", "@net2.onnx", "--onnxruntime", "@words.txt"},
         usage,
         {"--onnxruntime", ".ort"}},
        {"WritesIntoNowhere",
         {"optimize", "@net.onnx", "-o", "@no/where.onnx"},
         input,
         {"where.onnx"}},
        {"OutputsToAnotherFormat", {"run", "@net.onnx", "--outputs", "@o.csv"}, usage, {".npz"}},
        {"TwoOutputsToOneArray",
         {"run", "@two.onnx", "--outputs", "@o.npy"},
         usage,
         {"2 outputs", ".npz"}},
        {"TraceOverTheModel", {"profile", "@net.onnx", "-o", "@net.onnx"}, input, {"net.onnx"}},
        {"BaselineThatIsAbsent",
         {"bench", "@net.onnx", "--baseline", "@none.json"},
         input,
         {"none.json"}},
        {"RegressionOfNothing",
         {"bench", "@net.onnx", "--max-regress", "3"},
         input,
         {"--baseline"}},
    };
    return list;
}

class Mistakes : public testing::TestWithParam<Mistake> {
protected:
    void SetUp() override {
        write("words.txt", "These are words.\n");
        write("picture.onnx", "\x89PNG\r\n\x1a\n picture");
        write("script.onnx", "#!/bin/sh\necho\n");
        write("net.pth", std::string("\x80\x02}q", 4));
        write("net.ort", std::string("\x20\0\0\0ORTM....", 12));
        write("empty.onnx", "");
        save("net.onnx", "(x: f32[batch,2]) -> (y)\n y = Relu(x)");
        save("two.onnx", "(x: f32[2]) -> (y, z)\n y = Relu(x)\n z = Neg(x)");
        save_npy(file("x.npy"), Tensor(DType::f32, {1, 2}));
        save_npy(file("long.npy"), Tensor(DType::f32, {1, 7}));
        save_npy(file("ints.npy"), Tensor(DType::i64, {1, 2}));
        save_npz(file("x.npz"), {{"x", Tensor(DType::f32, {1, 2})}});
        save_npz(file("other.npz"), {{"other", Tensor(DType::f32, {1, 2})}});
    }
    void write(const std::string& name, const std::string& bytes) {
        std::ofstream(file(name), std::ios::binary) << bytes;
    }
    void save(const std::string& name, const std::string& text) {
        Model model;
        model.opset_imports[""] = 17;
        model.ir_version = 8;
        model.graph = parse_graph(text);
        save_model(model, file(name));
    }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    TemporaryFolder folder_;
};

TEST_P(Mistakes, EndWithOneSentence) {
    std::vector<std::string> arguments = GetParam().arguments;
    for (std::string& argument : arguments)
        if (const std::size_t at = argument.find('@'); at != std::string::npos)
            argument = argument.substr(0, at) + file(argument.substr(at + 1));
    expect_error(run(arguments), GetParam().code, GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(CommandLine, Mistakes, testing::ValuesIn(mistakes()),
                         [](const testing::TestParamInfo<Mistake>& info) {
                             return std::string(info.param.name);
                         });

}  // namespace
}  // namespace lapidary
