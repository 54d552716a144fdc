// SPDX-License-Identifier: Apache-2.0
// `lapidary-cli mcp` by its protocol: versions, lists, batches, and what is no message.
#include <string>

#include "app/mcp_fixture.h"
#include "cli/mcp/bounded_answer.h"
#include "cli/mcp/tool_list.h"

namespace lapidary {
namespace {

class McpProtocol : public McpTest {
protected:
    int error_of_line(const std::string& line) {
        server_->send(line);
        const McpJson found = answer();
        EXPECT_TRUE(found.contains("error")) << line.substr(0, 200) << ' ' << found;
        return found.contains("error") ? found["error"].value("code", 0) : 0;
    }
    bool answers_ping() { return ask("ping", McpJson::object()).contains("result"); }
};

TEST_F(McpProtocol, NegotiatesTheVersion) {
    const auto version_for = [&](const char* asked) {
        const McpJson found = ask("initialize", {{"protocolVersion", asked}});
        return found["result"].value("protocolVersion", "");
    };
    for (const char* known : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
        EXPECT_EQ(version_for(known), known);
    EXPECT_EQ(version_for("1999-01-01"), "2025-11-25");
    const McpJson hello = ask("initialize", {{"protocolVersion", "2025-06-18"}})["result"];
    EXPECT_EQ(hello["serverInfo"]["name"], "lapidary");
    EXPECT_TRUE(hello["capabilities"].contains("tools"));
    EXPECT_NE(hello.value("instructions", "").find(models_.filename().string()), std::string::npos);
    EXPECT_EQ(ask("initialize", McpJson::object())["error"]["code"], -32602);
    EXPECT_EQ(ask("initialize", {{"protocolVersion", 5}})["error"]["code"], -32602);
}

TEST_F(McpProtocol, RefusesWhatIsNoMessageAndGoesOn) {
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    EXPECT_EQ(error_of_line("hello"), -32700);
    EXPECT_EQ(error_of_line("{\"jsonrpc\":"), -32700);
    EXPECT_EQ(error_of_line(std::string("\x01\xff\xfe{}", 5)), -32700);
    EXPECT_EQ(error_of_line(deep), -32700);
    EXPECT_EQ(error_of_line(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":)" + deep + "}"),
              -32700);
    EXPECT_EQ(error_of_line(std::string((16u << 20) + 100, 'x')), -32600);
    for (const char* line :
         {"5", "null", "\"ping\"", "{}", "[]", R"({"id":1,"method":"ping"})",
          R"({"jsonrpc":"1.0","id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1})",
          R"({"jsonrpc":"2.0","id":1,"method":7})", R"({"jsonrpc":"2.0","id":{},"method":"ping"})",
          R"({"jsonrpc":"2.0","id":[1],"method":"ping"})",
          R"({"jsonrpc":"2.0","id":true,"method":"ping"})",
          R"({"jsonrpc":"2.0","id":null,"method":"ping"})"})
        EXPECT_EQ(error_of_line(line), -32600) << line;
    EXPECT_EQ(error_of_line(R"({"jsonrpc":"2.0","id":1,"method":"dance"})"), -32601);
    for (const char* parameters :
         {"5", "[]", R"({"name":7})", R"({})", R"({"name":"dance"})", R"({"name":["open"]})"})
        EXPECT_EQ(error_of_line(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" +
                                std::string(parameters) + "}"),
                  -32602)
            << parameters;
    EXPECT_TRUE(answers_ping());
}

TEST_F(McpProtocol, PassesOverNoticesAndAnswersOfOthers) {
    for (const char* line :
         {"", "  ", R"({"jsonrpc":"2.0","method":"notifications/dance"})",
          R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":7})",
          R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}})",
          R"({"jsonrpc":"2.0","id":9,"result":{}})",
          R"({"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}})"})
        server_->send(line);
    EXPECT_TRUE(answers_ping());
}

TEST_F(McpProtocol, EchoesIdsAndAnswersBatchesTogether) {
    for (const char* id : {"\"a\\u0000b\"", "-7", "1.5", "18446744073709551615", "\"\""}) {
        server_->send(R"({"jsonrpc":"2.0","method":"ping","id":)" + std::string(id) + "}");
        EXPECT_EQ(next()["id"], McpJson::parse(id));
    }
    server_->send(
        R"([{"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},)"
        R"({"jsonrpc":"2.0","id":"t","method":"tools/call","params":{"name":"open",)"
        R"("arguments":{"model":"net.onnx"}}},{"jsonrpc":"2.0","id":"d","method":"dance"},3])");
    const McpJson batch = next();
    ASSERT_TRUE(batch.is_array()) << batch;
    ASSERT_EQ(batch.size(), 4u);
    EXPECT_EQ(batch.back()["id"], "t") << "it takes longest";
    EXPECT_FALSE(batch.back()["result"].value("isError", true));
}

/// All references of a schema lead to one of its definitions.
void expect_resolved(const nlohmann::json& part, const nlohmann::json& root) {
    if (part.is_object() && part.contains("$ref")) {
        const std::string to = part["$ref"];
        ASSERT_TRUE(to.starts_with("#/$defs/")) << to;
        EXPECT_TRUE(root["$defs"].contains(to.substr(8))) << to;
    }
    if (part.is_structured())
        for (const auto& item : part) expect_resolved(item, root);
}

TEST_F(McpProtocol, ListsToolsWithSchemas) {
    const McpJson list = ask("tools/list", McpJson::object())["result"]["tools"];
    EXPECT_EQ(list.size(), cli::mcp::tools().size() + 2);
    for (const McpJson& tool : list) {
        const std::string name = tool.value("name", "");
        EXPECT_FALSE(tool.value("description", "").empty()) << name;
        const McpJson& input = tool["inputSchema"];
        EXPECT_EQ(input["type"], "object") << name;
        for (const McpJson& needed : input.value("required", McpJson::array()))
            EXPECT_TRUE(input["properties"].contains(needed.get<std::string>())) << name;
        const bool writes = input["properties"].contains("overwrite");
        EXPECT_EQ(tool["annotations"]["readOnlyHint"], !writes) << name;
        if (!cli::mcp::find_tool(name)) continue;
        EXPECT_EQ(tool["outputSchema"]["type"], "object") << name;
        expect_resolved(tool["outputSchema"], tool["outputSchema"]);
    }
    EXPECT_EQ(ask("tools/list", {{"cursor", "x"}})["error"]["code"], -32602);
}

TEST_F(McpProtocol, HelpIsAToolAndAResource) {
    const McpJson list = ask("resources/list", McpJson::object())["result"]["resources"];
    ASSERT_FALSE(list.empty());
    for (const McpJson& resource : list) {
        const McpJson read = ask("resources/read", {{"uri", resource["uri"]}});
        const std::string text = read["result"]["contents"][0]["text"];
        EXPECT_NE(text.find("Options:"), std::string::npos) << resource;
    }
    EXPECT_EQ(ask("resources/read", {{"uri", "file:///etc/passwd"}})["error"]["code"], -32002);
    const McpJson help = call("help", {{"tool", "edit"}});
    const std::string text = help["content"][0]["text"];
    EXPECT_NE(text.find("delete NODES"), std::string::npos);
    EXPECT_NE(refusal("help", {{"tool", "dance"}}).find("near_misses"), std::string::npos);
}

TEST_F(McpProtocol, EndsWithItsInput) {
    send("tools/call", {{"name", "open"}, {"arguments", {{"model", "net.onnx"}}}});
    server_->close_input();
    EXPECT_TRUE(next().contains("result")) << "what was asked for is answered";
    EXPECT_TRUE(next().is_null());
    EXPECT_EQ(server_->wait_for_end(), "exit code 0");
}

TEST(McpAnswers, AreCutToTheirBound) {
    using cli::mcp::bounded;
    nlohmann::json whole = {{"name", "x"}, {"interval", {1, 2}}, {"note", "kept"}};
    EXPECT_EQ(bounded(whole).value, whole);
    EXPECT_TRUE(bounded(whole).cuts.empty());
    for (int i = 0; i < 5000; ++i)
        whole["nodes"].push_back({{"a/b", std::string(100, 'x')}, {"i", i}});
    whole["text"] = std::string(100'000, '\xc3');
    const auto answer = bounded(whole);
    EXPECT_TRUE(answer.fits);
    ASSERT_EQ(answer.cuts.size(), 2u);
    EXPECT_EQ(answer.cuts[0].place, "/nodes");
    EXPECT_EQ(answer.cuts[0].all, 5000u);
    EXPECT_EQ(answer.value["nodes"].size(), answer.cuts[0].shown);
    EXPECT_EQ(answer.value["interval"], whole["interval"]);
    EXPECT_NE(cut_text(answer, 3).find("\"result\": 3"), std::string::npos);
    nlohmann::json wide;
    for (int i = 0; i < 20'000; ++i) wide["member" + std::to_string(i)] = i;
    EXPECT_FALSE(bounded(wide).fits);
}

}  // namespace
}  // namespace lapidary
