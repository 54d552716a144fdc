// SPDX-License-Identifier: Apache-2.0
// The passport of exports: what it says, that the same source gives the same bytes, and what
// becomes of a layout for another CPU.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/export/passport.h>
#include <lapidary/export/requirement.h>

#include "base/files/checksum.h"
#include "ops/channel_block.h"
#include "support/pass_harness.h"
#include "support/test_data.h"

namespace lapidary {
namespace {

Model convolutions() {
    return test::model_of(R"((x: f32[1,16,16,16]) -> (y)
        a = Conv(x, w: f32[32,16,3,3], b: f32[32]) {pads: [1,1,1,1]}
        c = Relu(a)
        y = Conv(c, v: f32[32,32,3,3], d: f32[32]) {pads: [1,1,1,1]})");
}

Model gelu() {
    return test::model_of(R"((x: f32[batch,8]) -> (y)
        g = Sigmoid(x)
        h = Mul(x, g)
        y = Identity(h))",
                          12);
}

bool is_blocked(const Model& m) {
    return std::ranges::any_of(m.graph.nodes(),
                               [&](NodeId id) { return m.graph.node(id).domain == nchwc_domain; });
}

int other_block() { return cpu_channel_block() == 16 ? 8 : 16; }

Model laid_out_for_others(const Model& model) {
    ExportOptions options;
    options.target = ExportTarget::cpu;
    options.optimize.level = Level::all;
    options.optimize.channel_block = other_block();
    return export_model(model, options).model;
}

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Sha256, IsThatOfTheStandard) {
    const TemporaryFolder folder;
    const auto digest = [&](const std::string& text) {
        std::ofstream(folder / "f", std::ios::binary) << text;
        const std::filesystem::path files[] = {folder / "f"};
        return sha256_of_files(files).sha256;
    };
    EXPECT_EQ(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    std::ofstream(folder / "g", std::ios::binary) << "bc";
    std::ofstream(folder / "a", std::ios::binary) << "a";
    const std::filesystem::path both[] = {folder / "a", folder / "g"};
    EXPECT_EQ(sha256_of_files(both).sha256, digest("abc"));
    EXPECT_EQ(sha256_of_files(both).bytes, 3u);
    const std::filesystem::path gone[] = {folder / "gone"};
    EXPECT_THROW(sha256_of_files(gone), Error);
}

TEST(Passport, SaysHowAnExportCameAbout) {
    const TemporaryFolder folder;
    Model source = gelu();
    source.metadata = {{"author", "somebody"}, {"lapidary.level", "of an earlier export"}};
    save_model(source, folder / "source.onnx");
    const Model loaded = load_model(folder / "source.onnx");
    ExportOptions options;
    options.target = ExportTarget::portable;
    options.optimize.level = Level::extended;
    options.optimize.free_dimensions = {{"batch", 4}};
    options.optimize.disabled_passes = {"fold_constants"};
    const ExportResult result = export_model(loaded, options);
    save_model(result.model, folder / "out.onnx");
    const Model back = load_model(folder / "out.onnx");
    const auto passport = passport_of(back);
    ASSERT_TRUE(passport);
    EXPECT_TRUE(passport->engine.starts_with("Lapidary ")) << passport->engine;
    EXPECT_EQ(passport->level, "extended");
    EXPECT_EQ(passport->target, "portable");
    EXPECT_EQ(passport->needs, "ONNX Runtime on any platform");  // QuickGelu
    EXPECT_EQ(passport->source, "source.onnx");
    const std::filesystem::path files[] = {folder / "source.onnx"};
    EXPECT_EQ(passport->source_sha256, sha256_of_files(files).sha256);
    EXPECT_TRUE(passport->data_sha256.empty());
    EXPECT_EQ(nlohmann::json::parse(passport->options),
              nlohmann::json::parse(
                  R"({"dimensions": {"batch": 4}, "disabled_passes": ["fold_constants"]})"));
    for (const PassRun& run : result.report.passes)
        EXPECT_EQ(run.applied > 0,
                  (", " + passport->passes).find(", " + run.pass + " ") != std::string::npos)
            << run.pass << " in " << passport->passes;
    EXPECT_TRUE(passport->layout.empty());
    EXPECT_EQ(passport->needs, requirement_of(back).sentence);
    EXPECT_EQ(std::ranges::count(back.metadata, std::string("lapidary.level"),
                                 &std::pair<std::string, std::string>::first),
              1);
    EXPECT_TRUE(std::ranges::any_of(back.metadata, [](const auto& entry) {
        return entry.first == "author" && entry.second == "somebody";
    }));
    options.target = ExportTarget::plain;
    EXPECT_EQ(passport_of(export_model(loaded, options).model)->needs,
              "any ONNX implementation of opset " + std::to_string(loaded.opset()));
    EXPECT_FALSE(passport_of(gelu()));
}

// Portability follows from the operators, including those in bodies of control flow, but not in
// functions of the file.
TEST(Requirement, FollowsFromTheOperators) {
    Model model = convolutions();
    EXPECT_EQ(requirement_of(model).kind, Requirement::Kind::onnx);
    EXPECT_EQ(requirement_of(model).sentence,
              "any ONNX implementation of opset " + std::to_string(model.opset()));
    const Requirement laid_out = requirement_of(laid_out_for_others(model));
    EXPECT_EQ(laid_out.kind, Requirement::Kind::layout);
    EXPECT_NE(laid_out.sentence.find("in blocks of " + std::to_string(other_block())),
              std::string::npos)
        << laid_out.sentence;
    const Requirement runtime =
        requirement_of(test::model_of("(x: f32[2,8]) -> (y)\n y = com.microsoft::Gelu(x)", 13));
    EXPECT_EQ(runtime.kind, Requirement::Kind::onnxruntime);
    EXPECT_EQ(runtime.operators, (std::map<std::string, std::size_t>{{"com.microsoft::Gelu", 1}}));
    GraphEdit edit(model.graph);
    NodeSpec sparkle;
    sparkle.domain = "somebody.else";
    sparkle.op_type = "Sparkle";
    sparkle.inputs = {model.graph.inputs().front()};
    sparkle.outputs = {edit.add_value("sparkling")};
    edit.add_node(std::move(sparkle));
    edit.finish();
    const Requirement custom = requirement_of(model);
    EXPECT_EQ(custom.kind, Requirement::Kind::custom);
    EXPECT_NE(custom.sentence.find("\"somebody.else\""), std::string::npos) << custom.sentence;
    EXPECT_EQ(custom.operators,
              (std::map<std::string, std::size_t>{{"somebody.else::Sparkle", 1}}));
}

TEST(Passport, TheSameSourceAndOptionsGiveTheSameBytes) {
    const TemporaryFolder folder;
    save_model(convolutions(), folder / "source.onnx");
    for (const auto target : {std::optional<ExportTarget>(), std::optional(ExportTarget::portable),
                              std::optional(ExportTarget::cpu)}) {
        ExportOptions options;
        options.target = target;
        options.optimize.level = target == ExportTarget::cpu ? Level::all : Level::extended;
        for (const char* name : {"one.onnx", "two.onnx"})
            save_model(export_model(load_model(folder / "source.onnx"), options).model,
                       folder / name);
        EXPECT_EQ(bytes_of(folder / "one.onnx"), bytes_of(folder / "two.onnx"));
    }
}

TEST(Passport, AChangedSourceHasNoPassport) {
    const TemporaryFolder folder;
    save_model(gelu(), folder / "source.onnx");
    const Model loaded = load_model(folder / "source.onnx");
    std::ofstream(folder / "source.onnx", std::ios::app | std::ios::binary) << "more";
    const auto reported = [](const ExportResult& result, const char* what) {
        return std::ranges::any_of(result.notes, [&](const std::string& note) {
            return note.find("SHA-256") != std::string::npos &&
                   note.find(what) != std::string::npos;
        });
    };
    const ExportResult changed = export_model(loaded);
    EXPECT_TRUE(passport_of(changed.model)->source_sha256.empty());
    EXPECT_TRUE(reported(changed, "source.onnx"));
    std::filesystem::remove(folder / "source.onnx");
    const ExportResult gone = export_model(loaded);
    EXPECT_TRUE(passport_of(gone.model)->source_sha256.empty());
    EXPECT_EQ(passport_of(gone.model)->source, "source.onnx");
    EXPECT_TRUE(reported(gone, "source.onnx"));
}

TEST(Passport, CoversExternalData) {
    const TemporaryFolder folder;
    SaveOptions saving;
    saving.external_data_min_bytes = 16;
    save_model(convolutions(), folder / "source.onnx", saving);
    const std::string before =
        passport_of(export_model(load_model(folder / "source.onnx")).model)->data_sha256;
    const std::filesystem::path files[] = {folder / "source.onnx.data"};
    EXPECT_EQ(before, sha256_of_files(files).sha256);
}

TEST(Passport, ALayoutForAnotherCpuIsReportedAndReBlocked) {
    const Model model = convolutions();
    Model foreign = laid_out_for_others(model);
    ASSERT_TRUE(is_blocked(foreign));
    const auto passport = passport_of(foreign);
    EXPECT_EQ(passport->channel_block, std::to_string(other_block()));
    EXPECT_NE(passport->needs.find("in blocks of " + passport->channel_block), std::string::npos)
        << passport->needs;
    const std::string reported = foreign_layout(foreign);
    EXPECT_NE(reported.find("blocks of " + std::to_string(other_block()) +
                            " channels), this CPU has " + cpu_vector_instructions()),
              std::string::npos)
        << reported;
    const Model before = foreign;
    const std::string done = fit_layout(foreign);
    EXPECT_TRUE(done.starts_with("laid out for ") &&
                done.ends_with("re-blocked for " + cpu_vector_instructions()))
        << done;
    EXPECT_TRUE(is_blocked(foreign));
    EXPECT_EQ(channel_block_of(foreign), cpu_channel_block());
    EXPECT_EQ(foreign_layout(foreign), "");
    EXPECT_EQ(fit_layout(foreign), "");
    EXPECT_EQ(test::compare_runs(model, foreign, {1e-4, 1e-4}), "");
    EXPECT_EQ(test::compare_runs(before, foreign, {1e-4, 1e-4}), "");

    ExportOptions again;
    again.target = ExportTarget::cpu;
    again.optimize.level = Level::all;
    const ExportResult exported = export_model(before, again);
    EXPECT_TRUE(std::ranges::any_of(exported.notes, [](const std::string& note) {
        return note.find("laid out for ") != std::string::npos &&
               note.find("re-blocked for " + cpu_vector_instructions()) != std::string::npos;
    }));
    Model plain = model;
    EXPECT_EQ(fit_layout(plain), "");
}

TEST(Passport, ALayoutThatCannotBeReBlockedIsRefusedWithTheNode) {
    Model model = test::model_of(
        "(x: f32[1,32,8,8], w: f32[32,32,3,3]) -> (y)\n"
        "b = com.microsoft.nchwc::ReorderInput(x)\n"
        "c = com.microsoft.nchwc::Conv(b, w) {pads: [1,1,1,1], kernel_shape: [3,3]} as \"conv\"\n"
        "y = com.microsoft.nchwc::ReorderOutput(c) {channels: 32}");
    model.opset_imports["com.microsoft.nchwc"] = 1;
    model.metadata = {{"lapidary.channel_block", std::to_string(other_block())},
                      {"lapidary.layout", "cpu made_up"}};
    const Model before = model;
    try {
        fit_layout(model);
        ADD_FAILURE() << "its weights are no constants";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_supported);
        for (const std::string& part :
             {std::string("laid out for made_up"), cpu_vector_instructions(),
              std::string("cannot be re-blocked"), std::string("\"conv\"")})
            EXPECT_NE(error.message().find(part), std::string::npos)
                << part << " in " << error.message();
    }
    EXPECT_EQ(model.graph.node_count(), before.graph.node_count());
}

}  // namespace
}  // namespace lapidary
