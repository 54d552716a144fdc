// SPDX-License-Identifier: Apache-2.0
// Photographs through real models by the command line: the answer must be what a person sees on
// them.
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/tensor/tensor_file.h>

#include "cli/command_line.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class ImageInput : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(test_data() / "models" / "inputs"))
            GTEST_SKIP() << "no photographs in " << test_data();
    }

    /// Runs the model on a photograph and returns all values of an output.
    std::vector<double> answer(const std::string& model, const std::string& input,
                               const std::string& photo, const std::string& output,
                               const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {
            "lapidary-cli",
            "run",
            (test_data() / "models/real" / model).string(),
            "--input",
            input + "=" + (test_data() / "models/inputs" / photo).string(),
            "--outputs",
            (folder_ / "out.npz").string()};
        words.insert(words.end(), more.begin(), more.end());
        std::vector<const char*> argv;
        for (const std::string& word : words) argv.push_back(word.c_str());
        std::ostringstream out, err;
        const int code =
            cli::run_command_line(static_cast<int>(argv.size()), argv.data(), out, err);
        EXPECT_EQ(code, 0) << err.str();
        if (code != 0) return {};
        const NamedValues values = load_npz(folder_ / "out.npz");
        const RuntimeValue* value = find(values, output);
        EXPECT_TRUE(value);
        return value ? to_doubles(value->tensor()) : std::vector<double>{};
    }

    TemporaryFolder folder_;
};

std::ptrdiff_t largest(const std::vector<double>& values) {
    return std::max_element(values.begin(), values.end()) - values.begin();
}

TEST_F(ImageInput, DigitsAreRead) {
    EXPECT_EQ(largest(answer("mnist-8.onnx", "Input3", "digit7.jpg", "Plus214_Output_0")), 7);
    EXPECT_EQ(largest(answer("mnist-8.onnx", "Input3", "digit3.jpg", "Plus214_Output_0")), 3);
}

TEST_F(ImageInput, FacesAreFound) {
    // [anchors, (background, face)]; pixels (x - 127) / 128, red green blue, channels first
    const auto scores = answer("ultraface-rfb-320.onnx", "input", "faces.jpg", "scores",
                               {"--mean", "127", "--std", "128"});
    double face = 0;
    for (std::size_t i = 1; i < scores.size(); i += 2) face = std::max(face, scores[i]);
    EXPECT_GT(face, 0.7);
}

TEST_F(ImageInput, ChannelsLastIsDerivedFromTheShape) {
    // [1,144,256,1] share of the person per pixel; pixels / 255, channels last
    const auto person = answer("selfie-seg-landscape.onnx", "input_1:0", "face1.jpg",
                               "segment_back", {"--std", "255,255,255"});
    ASSERT_EQ(person.size(), 144u * 256u);
    double centre = 0, corner = 0;
    for (std::size_t y = 0; y < 16; ++y)
        for (std::size_t x = 0; x < 16; ++x) {
            centre += person[(64 + y) * 256 + 120 + x] / 256;
            corner += person[y * 256 + x] / 256;
        }
    EXPECT_GT(centre, corner);
}

}  // namespace
}  // namespace lapidary
