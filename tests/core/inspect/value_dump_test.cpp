// SPDX-License-Identifier: Apache-2.0
// Values that other engines dumped under the names of the model, read as recordings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inspect/difference_text.h>
#include <lapidary/inspect/recording_check.h>
#include <lapidary/internal/base64.h>
#include <lapidary/internal/text_file.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

constexpr const char* net_text = R"(
(x: f32[2]) -> (y)
a = Abs(x) as "first"
b = Neg(a) as "second"
y = Exp(b) as "third"
)";

ModelPtr model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return std::make_shared<const Model>(std::move(model));
}

Tensor floats(float a, float b) { return Tensor::of(Shape{2}, std::vector<float>{a, b}); }

RecordingCheck check(const Recording& recording, const NamedValues& inputs = {}) {
    RecordingCheckOptions options;
    options.session.session_passes.set = SessionPasses::Set::none;
    options.inputs = inputs;
    return check_recording(model_of(net_text), recording, options);
}

/// Titles and texts of the finding.
std::string text_of(const Recording& recording, const RecordingCheck& check) {
    std::string text;
    for (const FoundLine& line : lines_of(recording, check))
        text += line.title + " " + line.text + "\n";
    return text;
}

std::string to_base64(std::string_view bytes) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i < 3; ++i)
            word = word << 8 |
                   (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
        for (std::size_t i = 0; i < 4; ++i)
            text += at + i > bytes.size() ? '=' : alphabet[word >> (18 - 6 * i) & 63];
    }
    return text;
}

std::string array_json(const Tensor& tensor) {
    return R"({"array": ")" + to_base64(format_npy(tensor)) +
           R"(", "polygraphy_class": "ndarray"})";
}

std::string lazy_json(const std::string& values) {
    return R"({"values": )" + values + R"(, "polygraphy_class": "LazyArray"})";
}

/// Results as Polygraphy saves them.
std::string results_json(const std::string& outputs, const std::string& more_runners = {}) {
    return R"({"lst": [["onnxrt-runner", [{"outputs": {)" + outputs +
           R"(}, "runtime": 0.1, "runner_name": "onnxrt-runner",
           "polygraphy_class": "IterationResult"}]])" +
           more_runners + R"(], "polygraphy_class": "RunResults"})";
}

TEST(Base64, BytesComeBack) {
    for (std::size_t length = 0; length < 40; ++length) {
        std::string bytes;
        for (std::size_t i = 0; i < length; ++i) bytes += static_cast<char>(i * 37 + length);
        const std::vector<std::byte> found = from_base64(to_base64(bytes));
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(found.data()), found.size()), bytes);
    }
    for (const char* text : {"a", "abc", "ab=c", "a===", "ab d",
                             "ab\xff"
                             "d"})
        EXPECT_THROW(from_base64(text), Error) << text;
}

TEST(ValueDump, ResultsOfPolygraphyNameTheNode) {
    TemporaryFolder folder;
    const std::string a = R"("a": )" + lazy_json(array_json(floats(3, 4)));
    const std::string b = R"("b": )" + lazy_json(array_json(floats(-3, -4.5f)));
    save_text(folder / "run.json", results_json(b + ", " + a));
    const Recording recording = load_recording(folder / "run.json");
    EXPECT_TRUE(recording.is_by_value);
    EXPECT_EQ(recording.framework, "Polygraphy");
    const RecordingCheck found = check(recording, {{"x", floats(3, -4)}});
    ASSERT_EQ(found.modules.size(), 2u);
    EXPECT_EQ(found.modules[0].value, "a") << "in the order of the run";
    EXPECT_EQ(found.modules[0].state, RecordedState::agrees);
    ASSERT_TRUE(found.first);
    EXPECT_EQ(found.modules[*found.first].value, "b");
    EXPECT_EQ(found.suspects, std::vector<std::string>{"second"});
    EXPECT_EQ(found.unchecked, std::vector<std::string>{"y"});
}

TEST(ValueDump, InputsBesideTheResultsAreRead) {
    TemporaryFolder folder;
    save_text(folder / "outputs.json",
              results_json(R"("y": )" + lazy_json(array_json(floats(1, 1)))));
    save_text(folder / "inputs.json", R"([{"x": )" + array_json(floats(0, 0)) + "}]");
    const RecordingCheck found = check(load_recording(folder.path()));
    EXPECT_TRUE(found.outputs_agree());
    EXPECT_EQ(found.outputs.size(), 1u);
    EXPECT_FALSE(found.first);
    EXPECT_TRUE(found.suspects.empty());
}

TEST(ValueDump, FolderOfTensorsIsRead) {
    TemporaryFolder folder;
    save_tensor_proto(folder / "x.pb", "x", floats(1, -2));
    save_tensor_proto(folder / "first_output.tensorproto", "a", floats(1, 2));
    save_npy(folder / "b.npy", floats(-1, 2));
    save_text(folder / "y.tensorproto", "damaged");
    save_text(folder / "notes.txt", "not read");
    save_text(folder / "more.npz", "damaged");
    const Recording recording = load_recording(folder.path());
    EXPECT_EQ(recording.modules.size(), 4u);
    const RecordingCheck found = check(recording);
    ASSERT_TRUE(found.first);
    EXPECT_EQ(found.modules[*found.first].value, "b");
    EXPECT_EQ(found.suspects, std::vector<std::string>{"second"});
    std::size_t left_out = 0;
    for (const CheckedModule& module : found.modules)
        left_out += module.state == RecordedState::left_out;
    EXPECT_EQ(left_out, 1u);
    ASSERT_FALSE(found.notes.empty());
    EXPECT_NE(found.notes[0].find("more.npz is not read"), std::string::npos) << found.notes[0];
}

TEST(ValueDump, ArchiveOfValuesIsComparedByNameAlone) {
    TemporaryFolder folder;
    // "b" has the elements of "a": at another name they count for nothing.
    save_npz(folder / "run.npz",
             {{"b", floats(1, 2)}, {"x", floats(1, -2)}, {"more", floats(7, 8)}});
    const RecordingCheck found = check(load_recording(folder / "run.npz"));
    ASSERT_TRUE(found.first);
    EXPECT_EQ(found.modules[*found.first].value, "b");
    EXPECT_EQ(found.suspects, (std::vector<std::string>{"first", "second"}));
    const auto more =
        std::ranges::find(found.modules, RecordedState::unmatched, &CheckedModule::state);
    ASSERT_NE(more, found.modules.end());
    EXPECT_EQ(found.modules.size(), 2u) << "without the input";
    ASSERT_FALSE(found.notes.empty());
    EXPECT_NE(found.notes[0].find("1 recorded value is not compared, \"more\": no value"),
              std::string::npos)
        << found.notes[0];
    EXPECT_NE(more->reason.find("name"), std::string::npos) << more->reason;
}

TEST(ValueDump, SeveralRunsAreSaid) {
    TemporaryFolder folder;
    const std::string y = R"("y": )" + lazy_json(array_json(floats(1, 1)));
    save_text(folder / "run.json", results_json(y, R"(, ["other", []])"));
    const Recording recording = load_recording(folder / "run.json");
    ASSERT_EQ(recording.notes.size(), 1u);
    EXPECT_NE(recording.notes[0].find("2 runners"), std::string::npos);
    const RecordingCheck found = check(recording, {{"x", floats(0, 0)}});
    EXPECT_EQ(found.notes.at(0), recording.notes[0]);
}

TEST(ValueDump, WhatCannotBeReadIsLeftOut) {
    TemporaryFolder folder;
    save_text(
        folder / "run.json",
        results_json(R"("y": )" + lazy_json(array_json(floats(1, 1))) +
                     R"(, "a": {"values": {"array": "@@@@"}}, "b": {"values": {"tensor": ""}})"));
    const RecordingCheck found = check(load_recording(folder / "run.json"), {{"x", floats(0, 0)}});
    EXPECT_TRUE(found.outputs_agree());
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_NE(found.notes[0].find("2 recorded values are left out"), std::string::npos);
}

void expect_refusal(const std::filesystem::path& path, const std::string& words) {
    try {
        check(load_recording(path));
        ADD_FAILURE() << words;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST(ValueDump, FaultsAreOneSentence) {
    TemporaryFolder folder;
    save_npz(folder / "other.npz", {{"weights", floats(1, 2)}});
    expect_refusal(folder / "other.npz", "no recording of this model");
    save_npz(folder / "a.npz", {{"a", floats(1, 2)}});
    expect_refusal(folder / "a.npz", "no input for \"x\"");
    save_npz(folder / "shape.npz", {{"x", Tensor::of(Shape{3}, std::vector<float>{1, 2, 3})}});
    expect_refusal(folder / "shape.npz", "\"x\" is f32[3]; the model takes");
    for (const auto& [text, words] :
         {std::pair("{", "recording"), std::pair("{\"lst\": []}", "lst"), std::pair("[]", "no run"),
          std::pair("[3]", "by name"), std::pair("{}", "no tensor")}) {
        save_text(folder / "bad.json", text);
        expect_refusal(folder / "bad.json", words);
        expect_refusal(folder / "bad.json", "bad.json");
    }
    std::filesystem::create_directory(folder / "empty");
    expect_refusal(folder / "empty", "no file with values");
}

TEST(ValueDump, LargeFilesAreNotReadToTheirEnd) {
    TemporaryFolder folder;
    // Ten gigabytes that take no room on the disk.
    for (const char* name : {"huge.npz", "huge.json"}) {
        save_text(folder / name, "{");
        std::filesystem::resize_file(folder / name, 10'000'000'000);
        EXPECT_THROW(load_recording(folder / name), Error) << name;
    }
    const Recording recording = [&] {
        save_npz(folder / "run.npz", {{"x", floats(0, 0)}, {"y", floats(1, 1)}});
        return load_recording(folder / "run.npz", 8);
    }();
    EXPECT_TRUE(recording.inputs[0].left_out.empty());
    EXPECT_NE(recording.inputs[1].left_out.find("larger"), std::string::npos);
    EXPECT_TRUE(check(recording).outputs.empty());
}

TEST(ValueDump, AnInputAloneIsNoEvidence) {
    TemporaryFolder folder;
    save_npz(folder / "run.npz", {{"x", floats(1, -2)}});
    RecordingCheck found = check(load_recording(folder / "run.npz"));
    EXPECT_TRUE(found.modules.empty());
    EXPECT_FALSE(found.has_compared());
    EXPECT_NE(found.nothing_compared().find("nothing but inputs"), std::string::npos);
    // What else there would have been is said.
    std::filesystem::create_directory(folder / "dump");
    save_npy(folder / "dump" / "x.npy", floats(1, -2));
    save_text(folder / "dump" / "outputs.json", "{\"lst\": []}");
    found = check(load_recording(folder / "dump"));
    EXPECT_FALSE(found.has_compared());
    EXPECT_NE(found.nothing_compared().find("outputs.json is not read"), std::string::npos)
        << found.nothing_compared();
}

TEST(ValueDump, OtherInputsThanRecordedAreSaid) {
    TemporaryFolder folder;
    save_npz(folder / "run.npz", {{"x", floats(0, 0)}, {"y", floats(1, 1)}});
    const Recording recording = load_recording(folder / "run.npz");
    EXPECT_TRUE(check(recording, {{"x", floats(0, 0)}}).notes.empty());
    const RecordingCheck found = check(recording, {{"x", floats(1, 2)}});
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_NE(found.notes[0].find("\"x\" that was given"), std::string::npos) << found.notes[0];
}

TEST(ValueDump, TheFirstOfTwoFilesCounts) {
    TemporaryFolder folder;
    save_npy(folder / "x.npy", floats(0, 0));
    save_npy(folder / "y.npy", floats(1, 1));
    save_tensor_proto(folder / "z.pb", "y", floats(5, 6));
    const RecordingCheck found = check(load_recording(folder.path()));
    EXPECT_TRUE(found.outputs_agree());
    EXPECT_FALSE(found.first);
    ASSERT_EQ(found.notes.size(), 1u);
    for (const char* part : {"\"y\" is in y.npy and in z.pb", "the first file"})
        EXPECT_NE(found.notes[0].find(part), std::string::npos) << found.notes[0];
}

TEST(ValueDump, AnotherShapeBlamesNoNode) {
    TemporaryFolder folder;
    save_npz(folder / "run.npz",
             {{"x", floats(0, 0)}, {"y", Tensor::of(Shape{1, 2}, std::vector<float>{1, 1})}});
    const Recording recording = load_recording(folder / "run.npz");
    const RecordingCheck found = check(recording);
    EXPECT_FALSE(found.outputs_agree());
    EXPECT_TRUE(found.has_compared());
    EXPECT_FALSE(found.first);
    EXPECT_TRUE(found.suspects.empty());
    const std::string text = text_of(recording, found);
    EXPECT_NE(text.find("the output y has another type or shape"), std::string::npos) << text;
    EXPECT_EQ(text.find("every module"), std::string::npos) << text;
}

TEST(ValueDump, ADifferenceThatReachesNoOutputIsSaid) {
    TemporaryFolder folder;
    save_npz(folder / "run.npz", {{"x", floats(0, 0)}, {"a", floats(0, 3)}, {"y", floats(1, 1)}});
    const Recording recording = load_recording(folder / "run.npz");
    const RecordingCheck found = check(recording);
    EXPECT_TRUE(found.outputs_agree());
    EXPECT_EQ(found.suspects, std::vector<std::string>{"first"});
    const std::string text = text_of(recording, found);
    for (const char* part : {"recorded values by name", "2 recorded outputs: 1 agrees, 1 differs",
                             "the difference does not reach them"})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(ValueDump, NoElementsAreNoEvidence) {
    TemporaryFolder folder;
    const Tensor empty(DType::f32, {0});
    save_npz(folder / "run.npz", {{"x", empty}, {"a", empty}, {"y", empty}});
    RecordingCheckOptions options;
    options.session.session_passes.set = SessionPasses::Set::none;
    std::string text = net_text;
    text.replace(text.find("f32[2]"), 6, "f32[n]");
    const RecordingCheck found =
        check_recording(model_of(text), load_recording(folder / "run.npz"), options);
    EXPECT_FALSE(found.has_compared());
    EXPECT_NE(found.nothing_compared().find("0 elements"), std::string::npos);
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_NE(found.notes[0].find("\"y\" has 0 elements"), std::string::npos);
}

TEST(ValueDump, NaNComeFirstInTheOrderOfTheRun) {
    TemporaryFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    save_npz(folder / "run.npz",
             {{"y", floats(nan, 1)}, {"b", floats(nan, 1)}, {"x", floats(0, nan)}});
    const RecordingCheck found = check(load_recording(folder / "run.npz"));
    ASSERT_EQ(found.notes.size(), 2u);
    EXPECT_NE(found.notes[0].find("input \"x\" holds NaN"), std::string::npos);
    EXPECT_NE(found.notes[1].find("NaN come first from \"b\""), std::string::npos);
}

TEST(ValueDump, NaNAreAValue) {
    TemporaryFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    save_npz(folder / "run.npz", {{"x", floats(0, 1)}, {"a", floats(0, nan)}});
    const RecordingCheck found = check(load_recording(folder / "run.npz"));
    ASSERT_TRUE(found.first);
    EXPECT_EQ(found.modules[*found.first].value, "a");
    ASSERT_EQ(found.notes.size(), 2u) << "NaN, and that no output was recorded";
    EXPECT_NE(found.notes[0].find("NaN come first from \"a\""), std::string::npos);
}

}  // namespace
}  // namespace lapidary
