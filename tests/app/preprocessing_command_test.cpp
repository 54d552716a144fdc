// SPDX-License-Identifier: Apache-2.0
// What accuracy and quantize say of pixels, of the float model's own answers and of labels.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "app/command_runner.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

/// Five classes of brightness, of pixels from -1 to 1, and grey pictures of them in bytes.
class PreprocessingCommand : public ::testing::Test {
protected:
    PreprocessingCommand() {
        Model model;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(
            "(x: f32[n,1,8,8]) -> (y)\nm = GlobalAveragePool(x)\nf = Flatten(m)\n"
            "p = MatMul(f, w: f32[1,5]{-2, -1, 0, 1, 2})\ny = Add(p, b: f32[5]{-1, -0.25, 0, "
            "-0.25, -1})");
        save_model(model, folder_ / "m.onnx");
        constexpr std::int64_t count = 100;
        std::vector<std::uint8_t> bytes;
        std::vector<std::int64_t> labels;
        for (std::int64_t i = 0; i < count; ++i) {
            bytes.insert(bytes.end(), 64, static_cast<std::uint8_t>(255 * (i / 5 % 5) / 4));
            labels.push_back(i / 5 % 5);
        }
        save_npz(folder_ / "d.npz", {{"images", Tensor::of<std::uint8_t>({count, 1, 8, 8}, bytes)},
                                     {"labels", Tensor::of<std::int64_t>({count}, labels)}});
        labels.resize(40);
        save_npz(folder_ / "few.npz", {{"labels", Tensor::of<std::int64_t>({40}, labels)}});
    }
    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    CommandOutcome call(const std::string& command, const std::vector<std::string>& more) const {
        std::vector<std::string> words{command, file("m.onnx"), "--data",
                                       file("d.npz") + (command == "quantize" ? ":images" : "")};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    TemporaryFolder folder_;
};

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(PreprocessingCommand, BytesBecomeWhatLabelsShow) {
    const std::vector<std::string> labels{"--labels", file("d.npz") + ":labels"};
    const CommandOutcome accuracy = call("accuracy", labels);
    EXPECT_EQ(accuracy.code, 0) << accuracy.err;
    EXPECT_TRUE(holds(accuracy.out, "top-1  1.0000")) << accuracy.out;
    EXPECT_TRUE(
        accuracy.out.starts_with("note  bytes are fed as -1 to 1 (--mean 127.5 --std 127.5)"))
        << accuracy.out;
    const CommandOutcome quantize = call("quantize", labels);
    EXPECT_TRUE(holds(quantize.err, "float model: top-1 100.0 %"))
        << "before it is quantized: " << quantize.err;
    EXPECT_TRUE(holds(quantize.out, "--std 1 leaves them as they are")) << quantize.out;
    EXPECT_TRUE(holds(quantize.out, "float 100.0 %")) << quantize.out;
    const Json json = call("quantize", {"--labels", file("d.npz") + ":labels", "--json"}).json();
    EXPECT_EQ(json.at("preprocessing").at("guessed"), true);
    EXPECT_EQ(json.at("preprocessing").at("candidates").at(0).at("options"),
              "--mean 127.5 --std 127.5");
    EXPECT_EQ(json.at("preprocessing").at("candidates").at(0).at("top1"), 1);
}

TEST_F(PreprocessingCommand, WithoutLabelsAWarningIsOnTop) {
    const CommandOutcome quantize = call("quantize", {});
    EXPECT_TRUE(quantize.out.starts_with("warning  bytes are fed as 0 to 255")) << quantize.out;
    EXPECT_TRUE(holds(quantize.out, "-1 to 1 (--mean 127.5 --std 127.5)")) << quantize.out;
    EXPECT_FALSE(holds(call("quantize", {"--std", "1"}).out, "bytes are fed")) << "it was chosen";
}

// Readers copy options from it.
TEST_F(PreprocessingCommand, TheWarningIsPrintedWhole) {
    for (const char* command : {"accuracy", "quantize"}) {
        std::vector<std::string> words{"--labels", file("d.npz") + ":labels", "--std", "1"};
        const std::string text = call(command, words).out;
        words.push_back("--json");
        const Json json = call(command, words).json();
        std::size_t found = 0;
        for (const Json& entry : json.at("warnings")) {
            const std::string warning = entry.get<std::string>();
            if (!holds(warning, "what was meant may be")) continue;
            EXPECT_TRUE(holds(text, "warning  " + warning + "\n")) << warning << " in\n" << text;
            ++found;
        }
        EXPECT_EQ(found, 1u) << command;
    }
}

TEST_F(PreprocessingCommand, AFloatModelThatDoesBadlyIsOnTop) {
    for (const char* command : {"accuracy", "quantize"}) {
        const CommandOutcome outcome =
            call(command, {"--labels", file("d.npz") + ":labels", "--std", "1", "--json"});
        const std::string warnings = outcome.json().at("warnings").dump();
        EXPECT_TRUE(holds(warnings, "the float model itself agrees with")) << command << warnings;
        EXPECT_TRUE(holds(warnings, "what was meant may be -1 to 1 (--mean 127.5 --std 127.5)"))
            << command << warnings;
    }
}

TEST_F(PreprocessingCommand, LabelsOfAnotherCountAreRefused) {
    for (const char* command : {"accuracy", "quantize"})
        expect_error(call(command, {"--labels", file("few.npz")}), 3, {"40 labels", "100 samples"});
}

}  // namespace
}  // namespace lapidary
