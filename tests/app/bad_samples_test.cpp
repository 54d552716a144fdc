// SPDX-License-Identifier: Apache-2.0
// quantize on samples that do not fit, cannot be read, or have no labels.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

#include "app/quantize_command_fixture.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

class BadSamples : public QuantizeCommand {
protected:
    /// Twenty good samples; the fourth and fifth are `odd`. The fifth is among the samples by which
    /// the result is judged.
    std::string folder_with(const NamedValues& odd) const {
        const std::string data = data_folder(0);
        for (std::size_t i = 0; i < 20; ++i)
            save_npz(sample(i), i == 3 || i == 4 ? odd : NamedValues{{"x", row(i, 64)}});
        return data;
    }
    std::filesystem::path sample(std::size_t i) const {
        return folder_ / ("data/" + std::to_string(100 + i) + ".npz");
    }
    static Tensor row(std::size_t i, std::int64_t size) {
        std::vector<float> values(static_cast<std::size_t>(size));
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<float>((i * 37 + k * 11) % 19) - 9;
        return Tensor::of<float>({1, size}, values);
    }
    static bool is_noted(const Json& json, const std::string& part) {
        return std::ranges::any_of(json.at("notes"), [&](const Json& note) {
            return note.get<std::string>().find(part) != std::string::npos;
        });
    }
    CommandOutcome quantized(const std::string& data,
                             const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"quantize", model_file(), "--mode", "static",
                                       "--data",   data,         "--json"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
};

TEST_F(BadSamples, OfAnotherShapeAreLeftOutByName) {
    const CommandOutcome some = quantized(folder_with({{"x", row(0, 63)}}));
    ASSERT_EQ(some.code, 0) << some.err;
    EXPECT_EQ(some.json().at("samples"), 3);
    for (const char* name : {"103.npz", "104.npz"})
        EXPECT_TRUE(is_noted(some.json(), std::string(name) + " was left out"))
            << some.json().at("notes");
    EXPECT_TRUE(is_noted(some.json(), "expected f32[n,64], found f32[1,63]"))
        << some.json().at("notes");
    for (std::size_t i = 0; i < 20; ++i) save_npz(sample(i), {{"x", row(i, 63)}});
    expect_error(run({"quantize", model_file(), "--mode", "static", "--data", file("data")}), 3,
                 {"no sample could be run", ".npz", "expected f32[n,64], found f32[1,63]"});
}

TEST_F(BadSamples, OfAnotherNameOrTypeAreReported) {
    const CommandOutcome renamed = quantized(folder_with({{"z", row(0, 64)}}));
    ASSERT_EQ(renamed.code, 0) << renamed.err;
    EXPECT_TRUE(is_noted(renamed.json(), "there is no array \"x\", there are z"))
        << renamed.json().at("notes");
    const CommandOutcome typed = quantized(
        folder_with({{"x", Tensor::of<std::int64_t>({1, 64}, std::vector<std::int64_t>(64, 1))}}));
    ASSERT_EQ(typed.code, 0) << typed.err;
    EXPECT_TRUE(is_noted(typed.json(), "expected f32[n,64], found i64[1,64]"))
        << typed.json().at("notes");
}

TEST_F(BadSamples, ThatCannotBeReadAreLeftOutByName) {
    const std::string data = folder_with({{"x", row(0, 64)}});
    for (std::size_t i : {3, 4}) std::ofstream(sample(i)) << "no archive";
    std::ofstream(folder_ / "data/notes.txt") << "no sample";
    const CommandOutcome outcome = quantized(data);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("samples"), 3);
    for (const char* name : {"103.npz", "104.npz"})
        EXPECT_TRUE(is_noted(outcome.json(), std::string(name) + " was left out"))
            << outcome.json().at("notes");
    EXPECT_FALSE(is_noted(outcome.json(), "notes.txt")) << outcome.json().at("notes");
}

TEST_F(BadSamples, ThatAreNotNumbersLoseTheirElementsAlone) {
    std::vector<float> values(64, 1);
    values[7] = std::nanf("");
    const CommandOutcome some = quantized(folder_with({{"x", Tensor::of<float>({1, 64}, values)}}));
    ASSERT_EQ(some.code, 0) << some.err;
    EXPECT_EQ(some.json().at("samples"), 4);
    EXPECT_EQ(some.json().at("quantized_nodes"), 2);
    EXPECT_TRUE(is_noted(some.json(), "value \"x\" had elements that are not finite"))
        << some.json().at("notes");
    EXPECT_TRUE(
        is_noted(some.json(), "output \"y\" of the original was not finite in 10 of 40 elements"))
        << some.json().at("notes");
    for (std::size_t i = 0; i < 20; ++i)
        save_npz(sample(i),
                 {{"x", Tensor::of<float>({1, 64}, std::vector<float>(64, std::nanf("")))}});
    const CommandOutcome all = quantized(file("data"));
    ASSERT_EQ(all.code, 0) << all.err;
    EXPECT_EQ(all.json().at("quantized_nodes"), 0);
    EXPECT_TRUE(is_noted(all.json(), "value \"x\" stays float: no sample gave it finite values"))
        << all.json().at("notes");
}

TEST_F(BadSamples, OneSampleAloneGivesRangesButComparesNoRecipes) {
    const CommandOutcome outcome = quantized(data_folder(1));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(is_noted(outcome.json(), "ranges come from 1 sample: eight or more are advised"));
    EXPECT_TRUE(is_noted(outcome.json(), "it gave the ranges and is judged on too"));
    const std::vector<std::string> words{"quantize", model_file(), "--mode",
                                         "static",   "--data",     file("data")};
    for (const char* more : {"--search", "--sensitivity"}) {
        std::vector<std::string> all = words;
        all.emplace_back(more);
        expect_error(run(all), 3, {"at least 2 are needed"});
    }
}

TEST_F(BadSamples, PicturesOfOtherSizesAreMadeToFit) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph("(x: f32[n,3,8,8]) -> (y)\ny = Conv(x, w: f32[4,3,3,3])");
    save_model(model, folder_ / "pictures.onnx");
    std::filesystem::create_directory(folder_ / "pictures");
    for (std::size_t i = 0; i < 10; ++i)
        std::filesystem::copy_file(
            fixtures_folder() /
                (i % 2 == 0 ? "../../resources/screenshot.png" : "../../resources/optimize.png"),
            folder_ / ("pictures/" + std::to_string(i) + ".png"));
    std::ofstream(folder_ / "pictures/2.png") << "no picture";
    const CommandOutcome outcome = run({"quantize", file("pictures.onnx"), "--mode", "static",
                                        "--data", file("pictures"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("samples"), 2);
    EXPECT_TRUE(is_noted(outcome.json(), "2.png was left out")) << outcome.json().at("notes");
    EXPECT_FALSE(is_noted(outcome.json(), "3.png was left out")) << outcome.json().at("notes");
}

TEST_F(BadSamples, LabelsThatMissOrDisagreeAreReported) {
    const std::string data = data_folder(20);
    const auto judged = [&](const std::string& text) {
        std::ofstream(file("labels.csv")) << text;
        return run({"quantize", model_file(), "--mode", "static", "--data", data, "--labels",
                    file("labels.csv"), "--json"});
    };
    std::string most, far;  // the file named last judges, and has no label
    for (int i = 0; i < 20; ++i) {
        if (i != 9) most += std::to_string(i) + ".npz,0\n";
        far += std::to_string(i) + ".npz,10\n";
    }
    const CommandOutcome missing = judged(most);
    ASSERT_EQ(missing.code, 0) << missing.err;
    EXPECT_EQ(missing.json().at("labels").at("float").at("rows"), 3);
    EXPECT_TRUE(is_noted(missing.json(), "9.npz was left out: there is no label for it"))
        << missing.json().at("notes");
    const CommandOutcome beyond = judged(far);
    ASSERT_EQ(beyond.code, 0) << beyond.err;
    const char* reported =
        "4 of 4 labels are no class of the output, which has 10: counted as wrong, the first is "
        "10; do "
        "classes begin at 0?";
    EXPECT_TRUE(is_noted(beyond.json(), reported)) << beyond.json().at("notes");
    std::ofstream(file("labels.csv")) << "1\n2\n3\n";
    expect_error(run({"quantize", model_file(), "--mode", "static", "--data", data, "--labels",
                      file("labels.csv")}),
                 3, {"3 labels for 20 samples"});
    std::ofstream(file("labels.csv")) << "a.npz,1\nb.npz,cat\n";
    expect_error(run({"quantize", model_file(), "--mode", "static", "--data", data, "--labels",
                      file("labels.csv")}),
                 3, {"labels.csv", "line 2", "expected a class", "cat"});
    std::ofstream(file("labels.csv")) << "";
    expect_error(run({"quantize", model_file(), "--mode", "static", "--data", data, "--labels",
                      file("labels.csv")}),
                 3, {"labels.csv", "holds no label"});
}

}  // namespace
}  // namespace lapidary
