// SPDX-License-Identifier: Apache-2.0
// Tools of `lapidary-cli mcp` use the files of their folders alone, and overwrite none unless
// asked.
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "app/mcp_fixture.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class McpFiles : public McpTest {
protected:
    void expect_outside(const std::string& tool, const McpJson& arguments) {
        const std::string text = refusal(tool, arguments);
        EXPECT_NE(text.find("outside"), std::string::npos)
            << tool << ' ' << arguments << ' ' << text;
    }
    /// False where the system makes no symbolic links.
    static bool link(const fs::path& to, const fs::path& at) {
        std::error_code failed;
        fs::create_symlink(to, at, failed);
        return !failed;
    }
    const std::string secret_ = (outside_ / "secret.onnx").string();
};

TEST_F(McpFiles, ReadsModelsOfItsFolderAlone) {
    const std::string inside = (models_ / "net.onnx").string();
    if (link(outside_ / "secret.onnx", models_ / "link.onnx") &&
        link(outside_, models_ / "folder") && link("net.onnx", models_ / "own_link.onnx")) {
        EXPECT_FALSE(call("open", {{"model", "own_link.onnx"}}).value("isError", true));
        for (const char* name : {"link.onnx", "folder/secret.onnx", "folder/../outside/none.onnx"})
            expect_outside("open", {{"model", name}});
    }
    fs::create_directories(folder_ / "models2");
    fs::copy_file(inside, folder_ / "models2/net.onnx");
    for (const std::string& name : {inside, std::string("net.onnx"),
                                    std::string("./../models/net.onnx"), std::string("sample:mlp")})
        EXPECT_FALSE(call("open", {{"model", name}}).value("isError", true)) << name;
    for (const std::string& name :
         {secret_, std::string("../outside/secret.onnx"), std::string("../models2/net.onnx"),
          std::string("/etc/passwd"), std::string("/nowhere/at/all")})
        expect_outside("open", {{"model", name}});
    EXPECT_NE(refusal("open", {{"model", "absent.onnx"}}).find("absent.onnx"), std::string::npos);
    EXPECT_NE(refusal("open", {{"model", std::string("net.onnx\0x", 10)}}).find("zero"),
              std::string::npos);
}

TEST_F(McpFiles, WhatModelsAndScriptsNameIsBoundedToo) {
    expect_outside("edit", {{"model", "net.onnx"},
                            {"dry_run", true},
                            {"edit", "join ../outside/secret.onnx prefix s/"}});
    std::ofstream(models_ / "script.txt") << "join " << secret_ << " prefix s/\n";
    expect_outside("edit", {{"model", "net.onnx"}, {"dry_run", true}, {"script", "script.txt"}});
    std::ofstream(outside_ / "own.rules") << "x\n";
    expect_outside("near_misses", {{"model", "net.onnx"}, {"rules", "../outside/own.rules"}});
    expect_outside("profile", {{"model", "net.onnx"}, {"inputs", secret_}});
    expect_outside("profile", {{"model", "net.onnx"}, {"input", {{"x", secret_}}}});
    SaveOptions saving;
    saving.external_data_min_bytes = 1;
    save_model(build_sample("mlp"), outside_ / "large.onnx", saving);
    fs::copy_file(outside_ / "large.onnx", models_ / "large.onnx");
    if (link(outside_ / "large.onnx.data", models_ / "large.onnx.data"))
        EXPECT_NE(refusal("open", {{"model", "large.onnx"}}).find("large.onnx.data"),
                  std::string::npos);
}

TEST_F(McpFiles, WritesIntoItsFolderAndOverwritesOnlyWhereAsked) {
    for (const std::string& name :
         {std::string("../outside/new.onnx"), (outside_ / "new.onnx").string(), secret_})
        expect_outside("export", {{"model", "net.onnx"}, {"output", name}, {"overwrite", true}});
    if (link(outside_ / "new.onnx", models_ / "dangling.onnx"))
        expect_outside("export", {{"model", "net.onnx"}, {"output", "dangling.onnx"}});
    EXPECT_FALSE(fs::exists(outside_ / "new.onnx"));

    const McpJson first = {{"model", "net.onnx"}, {"output", "fast.onnx"}};
    const McpJson done = result_of("export", first);
    EXPECT_EQ(done.value("written", false), true);
    EXPECT_EQ(done["guard"]["matches"], true);
    EXPECT_TRUE(fs::exists(models_ / "fast.onnx"));
    EXPECT_NE(refusal("export", first).find("exists already"), std::string::npos);
    McpJson again = first;
    again["overwrite"] = true;
    EXPECT_EQ(result_of("export", again).value("written", false), true);
    const McpJson itself = {{"model", "net.onnx"}, {"output", "net.onnx"}};
    EXPECT_FALSE(refusal("export", itself).empty());
    EXPECT_NE(refusal("export", {{"model", "net.onnx"}}).find("\"output\""), std::string::npos);
    EXPECT_NE(refusal("open", {{"model", "net.onnx"}, {"overwrite", true}}).find("overwrite"),
              std::string::npos);
}

TEST_F(McpFiles, ArgumentsAreChecked) {
    EXPECT_NE(refusal("open", McpJson::object()).find("\"model\""), std::string::npos);
    EXPECT_NE(refusal("open", {{"modle", "net.onnx"}}).find("channel_block"), std::string::npos);
    for (const McpJson& arguments :
         {McpJson::array({1}), McpJson(5), McpJson{{"model", {{"a", 1}}}},
          McpJson{{"model", "net.onnx"}, {"plugin", "/tmp/x.so"}},
          McpJson{{"model", "net.onnx"}, {"--custom-ops", "/tmp/x.so"}}})
        EXPECT_FALSE(refusal("open", arguments).empty()) << arguments;
    for (const McpJson& arguments : {McpJson{{"model", "net.onnx"}, {"runs", "many"}},
                                     McpJson{{"model", "net.onnx"}, {"runs", -1}},
                                     McpJson{{"model", "net.onnx"}, {"roofline", "yes"}},
                                     McpJson{{"model", "net.onnx"}, {"level", "--output=x"}},
                                     McpJson{{"model", "--output=x.json"}}})
        EXPECT_FALSE(refusal("profile", arguments).empty()) << arguments;
}

TEST_F(McpFiles, NoTextOfACallBecomesAnOption) {
    const std::string library = "--custom-ops=" + (outside_ / "evil.so").string();
    for (const McpJson& arguments :
         {McpJson{{"models", {"net.onnx", "net.onnx", library}}, {"of_output", ""}},
          McpJson{{"models", {"net.onnx", library}}, {"of_output", ""}},
          McpJson{{"models", {"net.onnx", library}}, {"level", "all"}},
          McpJson{{"models", {library, "net.onnx"}}, {"level", {"all", "basic"}}}}) {
        const std::string text = refusal("diverge", arguments);
        EXPECT_EQ(text.find("library of custom operators"), std::string::npos) << text;
    }
    for (const char* tool : {"export", "quantize"})
        EXPECT_NE(refusal(tool, {{"model", "net.onnx"}, {"output", ""}}).find("an empty text"),
                  std::string::npos);
    EXPECT_NE(refusal("open", {{"model", ""}}).find("an empty text"), std::string::npos);
    EXPECT_FALSE(fs::exists(models_ / "--"));
    fs::copy_file(models_ / "net.onnx", models_ / "-net.onnx");
    EXPECT_FALSE(call("open", {{"model", "-net.onnx"}}).value("isError", true));
}

TEST_F(McpFiles, TheProcessOfACallRefusesOptionsThatTheToolLacks) {
    for (const char* option : {"--custom-ops=none.so", "--plugin=none.so", "--on=elsewhere"}) {
        app::WorkerProcess process({cli_program(), "mcp", "--call"});
        process.send(McpJson{
            {"tool", "profile"},
            {"arguments", {"profile", "--json", "--quiet", option, "--runs=1", "--", "net.onnx"}},
            {"may_replace", false},
            {"folders", McpJson::array({models_.string()})}}
                         .dump());
        McpJson last;
        while (const auto line = process.read_line()) last = McpJson::parse(*line);
        const std::string name = std::string(option).substr(0, std::string(option).find('='));
        EXPECT_NE(last.value("code", 0), 0) << last;
        EXPECT_NE(last.value("err", "").find("does not take the option"), std::string::npos)
            << name << ": " << last;
    }
}

}  // namespace
}  // namespace lapidary
