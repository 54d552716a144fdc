// SPDX-License-Identifier: Apache-2.0
// Recordings made by hand, against small models with faults.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/exec/session.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/inspect/inspect_values.h>
#include <lapidary/inspect/recording_check.h>
#include <lapidary/tensor/tensor_file.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

using Json = nlohmann::json;

constexpr const char* good_text = R"(
(x: f32[2,3]) -> (y)
a1 = Mul(x, ca: f32[3]{1.0, 2.0, 3.0}) as "/block/a/Mul"
a2 = Add(a1, cb: f32[3]{0.5, 0.25, 0.75}) as "/block/a/Add"
b1 = Abs(a2) as "/block/b/Abs"
c1 = Mul(b1, cc: f32[3]{2.0, 2.5, 3.0}) as "/c/Mul"
y = Sigmoid(c1) as "/c/Sigmoid"
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

ModelPtr model_of(const std::string& text) {
    Model model;
    model.opset_imports[""] = 17;
    model.graph = parse_graph(text);
    return std::make_shared<const Model>(std::move(model));
}

/// A file as record.py writes it.
class RecordingFile {
public:
    RecordingFile() {
        index = {{"format", "lapidary recording"}, {"version", 1},
                 {"framework", "by hand 1.0"},     {"model", "test.Net"},
                 {"inputs", Json::array()},        {"outputs", Json::array()},
                 {"modules", Json::array()}};
    }

    Json entry(const std::string& name, const Tensor& tensor, std::int64_t stride = 1) {
        const std::string array = "a" + std::to_string(arrays.size());
        Json shape = Json::array();
        for (const std::int64_t size : tensor.shape()) shape.push_back(size);
        Tensor kept = tensor;
        if (stride > 1) {
            std::vector<float> elements;
            for (std::int64_t i = 0; i < tensor.size(); i += stride)
                elements.push_back(tensor.data<float>()[static_cast<std::size_t>(i)]);
            kept = Tensor::of(Shape{static_cast<std::int64_t>(elements.size())}, elements);
        }
        arrays.emplace_back(array, kept);
        return {{"name", name},
                {"shape", shape},
                {"dtype", "float32"},
                {"stride", stride},
                {"array", array}};
    }

    void add_module(const std::string& path, const Tensor& output, std::int64_t stride = 1) {
        index["modules"].push_back({{"path", path},
                                    {"class", "torch.nn.modules.Layer"},
                                    {"call", 0},
                                    {"line", "net.py:7"},
                                    {"outputs", Json::array({entry("", output, stride)})}});
    }

    std::filesystem::path save() const {
        const std::string text = index.dump();
        NamedValues all{{"index", Tensor::of(Shape{static_cast<std::int64_t>(text.size())},
                                             std::vector<std::uint8_t>(text.begin(), text.end()))}};
        all.insert(all.end(), arrays.begin(), arrays.end());
        const auto path = *folder_ / "run.npz";
        save_npz(path, all);
        return path;
    }

    Json index;
    NamedValues arrays;

private:
    std::shared_ptr<TemporaryFolder> folder_ = std::make_shared<TemporaryFolder>();
};

/// What a run of the good model gives, as the framework would record it.
RecordingFile recorded_run(std::int64_t stride = 1) {
    const Tensor x = Tensor::of(Shape{2, 3}, std::vector<float>{-1, 0.5f, 0.25f, 2, -3, 0.125f});
    InspectOptions options;
    options.choice.values = {"*"};
    options.session.session_passes.set = SessionPasses::Set::none;
    options.keeps = true;
    const Inspection run = inspect_values(model_of(good_text), {{"x", x}}, options);
    const auto value = [&](const std::string& name) {
        for (const InspectedValue& found : run.values)
            if (found.name == name) return found.kept.tensor();
        ADD_FAILURE() << name;
        return Tensor();
    };
    RecordingFile file;
    file.index["inputs"].push_back(file.entry("x", x));
    file.add_module("block.a", value("a2"), stride);
    file.add_module("block.b", value("b1"), stride);
    file.add_module("block", value("b1"), stride);
    file.add_module("c", value("y"), stride);
    file.index["outputs"].push_back(file.entry("y", value("y")));
    return file;
}

RecordingCheck check(const std::string& text, const RecordingFile& file) {
    RecordingCheckOptions options;
    options.session.session_passes.set = SessionPasses::Set::none;
    return check_recording(model_of(text), load_recording(file.save()), options);
}

std::string first_module(const RecordingCheck& check, const RecordingFile& file) {
    if (!check.first) return {};
    return file.index["modules"][check.modules[*check.first].module]["path"];
}

TEST(Recording, AgreesWithTheRightModel) {
    for (const std::int64_t stride : {1, 2, 5}) {
        const RecordingCheck found = check(good_text, recorded_run(stride));
        EXPECT_TRUE(found.outputs_agree());
        ASSERT_EQ(found.outputs.size(), 1u);
        EXPECT_FALSE(found.first) << stride;
        ASSERT_EQ(found.modules.size(), 4u);
        for (const CheckedModule& module : found.modules)
            EXPECT_EQ(module.state, RecordedState::agrees) << module.module << " " << stride;
        EXPECT_TRUE(found.notes.empty());
    }
}

TEST(Recording, NamesTheModuleThatTheExportBroke) {
    const RecordingFile file = recorded_run();
    const auto expect_first = [&](const std::string& from, const std::string& to,
                                  const std::string& module, const std::string& node) {
        const RecordingCheck found = check(replaced(good_text, from, to), file);
        EXPECT_FALSE(found.outputs_agree()) << to;
        ASSERT_TRUE(found.first) << to;
        EXPECT_EQ(first_module(found, file), module) << to;
        EXPECT_NE(found.modules[*found.first].node.find(node), std::string::npos) << to;
        EXPECT_FALSE(found.modules[*found.first].comparison.reason.empty());
    };
    expect_first("0.5, 0.25, 0.75", "0.5, 1.25, 0.75", "block.a", "/block/a/Add");
    expect_first("Add(a1", "Sub(a1", "block.a", "/block/a/Add");
    expect_first("Abs(a2)", "Relu(a2)", "block.b", "/block/b/Abs");
    expect_first("2.0, 2.5, 3.0", "2.0, 2.5, 0.5", "c", "/c/Sigmoid");
}

TEST(Recording, FindsModulesBehindAWrapperAndWithoutScopes) {
    const RecordingFile file = recorded_run();
    std::string wrapped = good_text, bare = good_text;
    for (const char* scope :
         {"/block/a/Mul", "/block/a/Add", "/block/b/Abs", "/c/Mul", "/c/Sigmoid"}) {
        wrapped = replaced(wrapped, scope, "/net" + std::string(scope));
        bare = replaced(bare, std::string(" as \"") + scope + "\"", "");
    }
    RecordingCheck found = check(replaced(wrapped, "Abs(a2)", "Relu(a2)"), file);
    EXPECT_EQ(first_module(found, file), "block.b");
    // by shape and values alone: what agrees is known, the rest has no place
    found = check(bare, file);
    for (const CheckedModule& module : found.modules)
        EXPECT_EQ(module.state, RecordedState::agrees);
    found = check(replaced(bare, "Abs(a2)", "Relu(a2)"), file);
    EXPECT_FALSE(found.first);
    EXPECT_FALSE(found.outputs_agree());
    EXPECT_EQ(found.modules[0].state, RecordedState::agrees);
    EXPECT_EQ(found.modules[1].state, RecordedState::unmatched);
    EXPECT_FALSE(found.modules[1].reason.empty());
}

TEST(Recording, ModulesThatTheExportMergedAreNotBlamed) {
    // The nodes of a give what b gave: a value that is a's alone is nowhere.
    const RecordingFile file = recorded_run();
    const RecordingCheck found = check(R"(
(x: f32[2,3]) -> (y)
a1 = Mul(x, ca: f32[3]{-1.0, -2.0, -3.0}) as "/block/a/Mul"
a2 = Add(a1, cb: f32[3]{-0.5, -0.25, -0.75}) as "/block/a/Add"
b1 = Abs(a2) as "/block/a/Abs"
c1 = Mul(b1, cc: f32[3]{2.0, 2.5, 3.0}) as "/c/Mul"
y = Sigmoid(c1) as "/c/Sigmoid"
)",
                                       file);
    EXPECT_FALSE(found.first);
    EXPECT_TRUE(found.outputs_agree());
    for (const CheckedModule& module : found.modules)
        EXPECT_NE(module.state, RecordedState::differs) << module.module;
    EXPECT_EQ(found.modules[0].state, RecordedState::merged);
}

TEST(Recording, CallsInALoopAreItsIterations) {
    const auto net = [](const std::string& op) {
        return "(n: i64[], x: f32[2]) -> (y)\ny = Loop(n, _, x) {body: graph {\n"
               "(i: i64[], go: bool[], c: f32[2]) -> (go_on, d)\ngo_on = Identity(go)\n"
               "e = Add(c, x) as \"/sum/Add\"\nd = " +
               op + "(e) as \"/step/" + op + "\"\n}} as \"again\"";
    };
    const std::vector<float> x{0.5f, -0.25f};
    std::vector<float> carried = x;
    RecordingFile file;
    file.index["inputs"].push_back(file.entry("n", Tensor::scalar<std::int64_t>(2)));
    file.index["inputs"].push_back(file.entry("x", Tensor::of(Shape{2}, x)));
    for (int call = 0; call < 2; ++call) {
        for (const char* path : {"sum", "step"}) {
            for (std::size_t k = 0; k < 2; ++k)
                carried[k] = path[1] == 'u' ? carried[k] + x[k] : std::sin(carried[k]);
            file.add_module(path, Tensor::of(Shape{2}, carried));
            file.index["modules"].back()["call"] = call;
        }
    }
    file.index["outputs"].push_back(file.entry("y", Tensor::of(Shape{2}, carried)));
    const RecordingCheck good = check(net("Sin"), file);
    EXPECT_TRUE(good.outputs_agree());
    EXPECT_FALSE(good.first);
    for (const CheckedModule& module : good.modules)
        EXPECT_EQ(module.state, RecordedState::agrees) << module.module << module.reason;
    EXPECT_TRUE(good.suspects.empty());
    const RecordingCheck bad = check(net("Tan"), file);
    ASSERT_TRUE(bad.first);
    EXPECT_EQ(bad.modules[*bad.first].module, 1u);
    EXPECT_EQ(bad.modules[*bad.first].value, "again/body/d");
    EXPECT_EQ(bad.suspects, std::vector<std::string>{"/step/Tan"});
}

TEST(Recording, MapsInputsByNameThenByOrder) {
    RecordingFile file = recorded_run();
    file.index["inputs"][0]["name"] = "pixels";
    file.index["outputs"][0]["name"] = "0";
    EXPECT_TRUE(check(good_text, file).outputs_agree());
    EXPECT_EQ(check(good_text, file).outputs.size(), 1u);
    file.index["inputs"] = Json::array();
    try {
        check(good_text, file);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input);
        EXPECT_NE(std::string(error.what()).find("\"x\""), std::string::npos) << error.what();
    }
}

TEST(Recording, ComparesWhatCanBeCompared) {
    RecordingFile file = recorded_run();
    file.index["modules"][0]["outputs"][0]["array"] = "missing";
    file.index["modules"][1]["outputs"][0]["shape"] = {3, 3};
    file.index["modules"][2]["path"] = "elsewhere";
    file.add_module("c", Tensor::of(Shape{4}, std::vector<float>{1, 2, 3, 4}));
    const RecordingCheck found = check(good_text, file);
    EXPECT_TRUE(found.outputs_agree());
    EXPECT_EQ(found.modules[0].state, RecordedState::left_out);
    EXPECT_NE(found.modules[0].reason.find("missing"), std::string::npos);
    EXPECT_EQ(found.modules[1].state, RecordedState::left_out);
    EXPECT_NE(found.modules[1].reason.find("[3,3]"), std::string::npos);
    EXPECT_EQ(found.modules[2].state, RecordedState::agrees) << "by shape and values";
    EXPECT_EQ(found.modules[3].state, RecordedState::agrees);
    EXPECT_EQ(found.modules[4].state, RecordedState::unmatched);
    EXPECT_NE(found.modules[4].reason.find("[4]"), std::string::npos);
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_NE(found.notes[0].find("2 recorded values are left out"), std::string::npos);
}

TEST(Recording, SaysWhereNaNComeFrom) {
    RecordingFile file = recorded_run();
    Tensor damaged = file.arrays[2].second.tensor().clone();
    damaged.mutable_data<float>()[1] = std::numeric_limits<float>::quiet_NaN();
    file.arrays[2].second = damaged;
    const RecordingCheck found = check(good_text, file);
    EXPECT_EQ(first_module(found, file), "block.b");
    ASSERT_EQ(found.notes.size(), 1u);
    EXPECT_NE(found.notes[0].find("NaN"), std::string::npos);
    EXPECT_NE(found.notes[0].find("block.b"), std::string::npos);
}

TEST(Recording, LeavesOutWhatIsTooLarge) {
    const RecordingFile file = recorded_run();
    const Recording recording = load_recording(file.save(), 3 * 6 * 4);
    std::size_t left_out = 0;
    for (const RecordedModule& module : recording.modules)
        left_out += module.outputs[0].left_out.find("larger") != std::string::npos;
    EXPECT_EQ(left_out, 2u);
    EXPECT_TRUE(recording.inputs[0].left_out.empty());
    EXPECT_FALSE(recording.outputs[0].left_out.empty());
}

TEST(Recording, RefusesWhatIsNone) {
    const auto expect_refusal = [](const RecordingFile& file, const std::string& words,
                                   ErrorCode code = ErrorCode::invalid_input) {
        try {
            load_recording(file.save());
            ADD_FAILURE() << words;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code);
            EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
        }
    };
    RecordingFile file;
    file.index["format"] = "something";
    expect_refusal(file, "is no recording");
    file = RecordingFile();
    file.index["version"] = 2;
    expect_refusal(file, "version 2", ErrorCode::not_supported);
    file.index["version"] = "x";
    expect_refusal(file, "\"version\"");
    file = RecordingFile();
    file.index["modules"] = 3;
    expect_refusal(file, "\"modules\" is no list");
    file.index["modules"] = {1, 2};
    expect_refusal(file, "\"modules\" holds");
    for (const Json& shape : {Json("x"), Json::array({-1}), Json::array({1.5})}) {
        file = recorded_run();
        file.index["modules"][0]["outputs"][0]["shape"] = shape;
        expect_refusal(file, "\"shape\"");
    }
    file = recorded_run();
    file.index["modules"][0]["outputs"][0]["stride"] = 0;
    expect_refusal(file, "\"stride\"");
    TemporaryFolder folder;
    EXPECT_THROW(load_recording(folder / "none.npz"), Error);
}

}  // namespace
}  // namespace lapidary
