// SPDX-License-Identifier: Apache-2.0
// Speaks with `lapidary-cli mcp` as a client does.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <lapidary/inputs/samples.h>
#include <lapidary/onnx_io/model_io.h>

#include "support/test_data.h"
#include "worker/process/worker_process.h"

namespace lapidary {

/// A server of the folder "models", with net.onnx in it, beside the folder "outside".
class McpTest : public testing::Test {
protected:
    using McpJson = nlohmann::json;

    void SetUp() override {
        for (const char* name : {"models", "outside"})
            std::filesystem::create_directories(folder_ / name);
        save_model(build_sample("mlp"), models_ / "net.onnx");
        save_model(build_sample("mlp"), outside_ / "secret.onnx");
        const std::vector<std::string> command{cli_program(), "mcp", "--folder", models_.string()};
        server_ = std::make_unique<app::WorkerProcess>(command);
        const McpJson hello = ask("initialize", {{"protocolVersion", "2025-06-18"},
                                                 {"capabilities", McpJson::object()},
                                                 {"clientInfo", {{"name", "test"}}}});
        ASSERT_TRUE(hello.contains("result")) << hello;
        server_->send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    }

    /// The next message; null at the end of the server.
    McpJson next() {
        const auto line = server_->read_line();
        return line ? McpJson::parse(*line) : McpJson();
    }
    /// Sends a request and returns its id.
    int send(const std::string& method, const McpJson& parameters) {
        server_->send(McpJson{
            {"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", parameters}}
                          .dump());
        return last_id_;
    }
    /// The answer to the newest request. Notifications before it are kept.
    McpJson answer() {
        for (;;) {
            McpJson message = next();
            if (message.is_null() || message.contains("id")) return message;
            notifications_.push_back(std::move(message));
        }
    }
    McpJson ask(const std::string& method, const McpJson& parameters) {
        const int id = send(method, parameters);
        McpJson found = answer();
        EXPECT_EQ(found.value("id", McpJson()), id) << found;
        return found;
    }
    McpJson call(const std::string& tool, const McpJson& arguments) {
        const McpJson found = ask("tools/call", {{"name", tool}, {"arguments", arguments}});
        EXPECT_TRUE(found.contains("result")) << found;
        return found.value("result", McpJson::object());
    }
    /// The sentence with which a tool refuses.
    std::string refusal(const std::string& tool, const McpJson& arguments) {
        const McpJson result = call(tool, arguments);
        EXPECT_TRUE(result.value("isError", false)) << tool << ' ' << arguments << ' ' << result;
        return result.contains("content") ? result["content"][0].value("text", "") : "";
    }
    McpJson result_of(const std::string& tool, const McpJson& arguments) {
        const McpJson result = call(tool, arguments);
        EXPECT_FALSE(result.value("isError", true)) << tool << ' ' << arguments << ' ' << result;
        return result.value("structuredContent", McpJson::object());
    }

    TemporaryFolder folder_;
    const std::filesystem::path models_ = folder_ / "models", outside_ = folder_ / "outside";
    std::unique_ptr<app::WorkerProcess> server_;
    std::vector<McpJson> notifications_;
    int last_id_ = 0;
};

}  // namespace lapidary
