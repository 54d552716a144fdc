// SPDX-License-Identifier: Apache-2.0
// What tools of `lapidary-cli mcp` find and do, how they report, are cut and cancelled.
#include <string>

#include <lapidary/graph/graph_text.h>

#include "app/command_runner.h"
#include "app/mcp_fixture.h"

namespace lapidary {
namespace {

class McpTools : public McpTest {};

TEST_F(McpTools, GiveWhatTheCommandGives) {
    const std::string model = (models_ / "net.onnx").string();
    const McpJson found = result_of("open", {{"model", model}});
    EXPECT_EQ(found, run({"info", model, "--json"}).json());
    const McpJson passes = call("passes", McpJson::object());
    EXPECT_EQ(McpJson::parse(passes["content"].back()["text"].get<std::string>()),
              passes["structuredContent"]);
}

TEST_F(McpTools, FindAPlantedBottleneck) {
    Model model;
    model.opset_imports = {{"", 17}};
    model.graph = parse_graph(
        "(x: f32[128,512]) -> (y)\na = Relu(x)\n"
        "b = MatMul(a, w: f32[512,512])\ny = Neg(b)");
    save_model(model, models_ / "slow.onnx");
    const McpJson profile =
        result_of("profile", {{"model", "slow.onnx"}, {"level", "disabled"}, {"runs", 3}});
    ASSERT_FALSE(profile.value("nodes", McpJson::array()).empty()) << profile;
    EXPECT_EQ(profile["nodes"][0]["operator"], "MatMul") << profile["verdict"];
}

TEST_F(McpTools, NameNearMissesMemoryAndDifferences) {
    EXPECT_TRUE(
        result_of("near_misses", {{"model", "net.onnx"}})["report"].contains("near_misses"));
    EXPECT_FALSE(result_of("memory", {{"model", "net.onnx"}}).empty());
    EXPECT_FALSE(result_of("summarize", {{"model", "net.onnx"}}).empty());
    const McpJson same = {{"models", {"net.onnx", "net.onnx"}}};
    EXPECT_FALSE(result_of("diverge", same).empty());
}

TEST_F(McpTools, EditDryAndWritten) {
    const McpJson lines = {"rename node * -> my/*", "metadata made = \"by a test\""};
    const McpJson dry =
        result_of("edit", {{"model", "net.onnx"}, {"edit", lines}, {"dry_run", true}});
    EXPECT_EQ(dry.value("written", true), false);
    const McpJson done =
        result_of("edit", {{"model", "net.onnx"}, {"edit", lines}, {"output", "edited.onnx"}});
    EXPECT_EQ(done.value("written", false), true);
    EXPECT_EQ(done["guard"]["matches"], true);
    EXPECT_TRUE(std::filesystem::exists(models_ / "edited.onnx"));
    const std::string refused =
        refusal("edit", {{"model", "net.onnx"}, {"edit", "delete op:Nothing"}, {"dry_run", true}});
    EXPECT_NE(refused.find("line 1"), std::string::npos) << refused;
}

TEST_F(McpTools, SayFirstWhereOutputsDiffer) {
    const McpJson change = {{"model", "net.onnx"}, {"edit", "delete op:Relu"}};
    McpJson written = change, dry = change;
    written["output"] = "edited.onnx";
    dry["dry_run"] = true;
    const auto first_text = [&](const std::string& tool, const McpJson& arguments) {
        const McpJson result = call(tool, arguments);
        EXPECT_FALSE(result.value("isError", true)) << result;
        return result["content"][0].value("text", "");
    };
    EXPECT_TRUE(
        first_text("edit", written)
            .starts_with("\"edited.onnx\" was written all the same, but its outputs differ"))
        << "such edits may change results";
    EXPECT_TRUE(first_text("edit", dry).starts_with("Nothing was written"));
    const std::string note = first_text("summarize", {{"model", "net.onnx"}});
    EXPECT_NE(note.find("No tool runs these, a person may: "), std::string::npos) << note;
}

TEST_F(McpTools, NameTheArgumentThatWasMeant) {
    const std::string edit = refusal("edit", {{"model", "net.onnx"}, {"edits", "delete op:Relu"}});
    EXPECT_NE(edit.find("overwrite; did you mean \"edit\"?"), std::string::npos) << edit;
    EXPECT_NE(refusal("help", {{"command", "edit"}}).find("known: tool"), std::string::npos);
    save_model(build_sample("mlp"), models_ / "there.onnx");
    EXPECT_NE(refusal("export", {{"model", "net.onnx"}, {"output", "there.onnx"}})
                  .find("\"overwrite\": true"),
              std::string::npos);
}

TEST_F(McpTools, QuantizeAndSayWhatItCosts) {
    const McpJson done = result_of(
        "quantize", {{"model", "net.onnx"}, {"mode", "dynamic"}, {"output", "small.onnx"}});
    EXPECT_FALSE(done.empty());
    EXPECT_TRUE(std::filesystem::exists(models_ / "small.onnx"));
}

TEST_F(McpTools, CutLongAnswersAndGiveTheRest) {
    const McpJson result = call("inspect", {{"model", "sample:squeezenet"}, {"value", "*"}});
    ASSERT_FALSE(result.value("isError", true)) << result;
    const std::string note = result["content"][0]["text"];
    ASSERT_NE(note.find("\"result\": 1"), std::string::npos) << note.substr(0, 500);
    EXPECT_LT(result["structuredContent"].dump().size(), 50'000u);
    const std::size_t at = note.find("{\"result\"");
    const McpJson asked = McpJson::parse(note.substr(at, note.find('}', at) + 1 - at));
    McpJson more = call("result", asked);
    ASSERT_FALSE(more.value("isError", true)) << more;
    const McpJson part = McpJson::parse(more["content"][0]["text"].get<std::string>());
    EXPECT_EQ(part["from"], asked["from"]);
    EXPECT_FALSE(part["value"].empty());
    EXPECT_NE(refusal("result", {{"result", 7}}).find("kept are 1"), std::string::npos);
    EXPECT_NE(refusal("result", {{"result", 1}, {"part", "/nothing"}}).find("/nothing"),
              std::string::npos);
    for (const McpJson& wrong :
         {McpJson{{"result", "1"}}, McpJson{{"result", -1}}, McpJson{{"result", 1.5}},
          McpJson{{"result", 18446744073709551615ull}}, McpJson{{"part", "/x"}},
          McpJson{{"result", 1}, {"part", 5}}, McpJson{{"result", 1}, {"part", "no pointer"}}})
        EXPECT_FALSE(refusal("result", wrong).empty()) << wrong;
}

TEST_F(McpTools, ReportProgressAndAreCancelled) {
    const int long_call =
        send("tools/call",
             {{"name", "inspect"},
              {"arguments", {{"model", "sample:squeezenet"}, {"value", "*"}, {"runs", 100'000}}},
              {"_meta", {{"progressToken", "p"}}}});
    const int waiting =
        send("tools/call", {{"name", "open"}, {"arguments", {{"model", "net.onnx"}}}});
    double last = 0;
    for (int reports = 0; reports < 2; ++reports) {
        const McpJson message = next();
        ASSERT_EQ(message.value("method", ""), "notifications/progress") << message;
        EXPECT_EQ(message["params"]["progressToken"], "p");
        EXPECT_GT(message["params"]["progress"].get<double>(), last);
        last = message["params"]["progress"];
    }
    EXPECT_TRUE(ask("ping", McpJson::object()).contains("result")) << "while a call runs";
    for (const int id : {long_call, waiting})
        server_->send(McpJson{{"jsonrpc", "2.0"},
                              {"method", "notifications/cancelled"},
                              {"params", {{"requestId", id}, {"reason", "enough"}}}}
                          .dump());
    EXPECT_FALSE(result_of("open", {{"model", "net.onnx"}}).empty())
        << "neither of the cancelled calls is answered before";
}

}  // namespace
}  // namespace lapidary
