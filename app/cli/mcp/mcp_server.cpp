// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/mcp_server.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/base/failure.h>
#include <lapidary/internal/parse_json.h>

#include "cli/command_list.h"
#include "cli/mcp/messages.h"
#include "cli/mcp/own_tools.h"
#include "cli/mcp/tool_arguments.h"
#include "cli/mcp/tool_calls.h"
#include "cli/mcp/tool_list.h"
#include "cli/mcp/tool_schema.h"
#include "worker/process/line_reader.h"
#include "worker/process/running_process.h"
#include "worker/process/standard_streams.h"

namespace lapidary::cli::mcp {
namespace {

constexpr std::size_t longest_message = std::size_t{16} << 20;  // bytes
constexpr std::size_t most_in_batch = 1000;
constexpr std::chrono::milliseconds idle_poll{20};
constexpr std::string_view help_scheme = "lapidary://help/";

// Revisions of the protocol that are spoken, the newest first. What they differ in and servers of
// tools have to do is the same but for batches, which only one of them has and all get.
constexpr std::array<std::string_view, 4> protocol_versions{"2025-11-25", "2025-06-18",
                                                            "2025-03-26", "2024-11-05"};

/// What the id of a request, or a token of progress, may be.
bool is_id(const Json& id) { return id.is_string() || id.is_number(); }

std::string folder_list(const std::vector<std::filesystem::path>& folders) {
    std::string list;
    for (const std::filesystem::path& folder : folders)
        list += (list.empty() ? "" : ", ") + quote(folder.string(), 4096);
    return list;
}

class McpServer {
public:
    explicit McpServer(const McpOptions& options)
        : options_(options), stream_(options.out), calls_(stream_, options.folders) {}

    void run() {
        app::LineReader reader(options_.in, longest_message, [this] { return is_over(); });
        std::string line;
        for (;;) {
            const app::LineReader::Kind kind = reader.next(line);
            if (kind == app::LineReader::Kind::end) break;
            if (kind == app::LineReader::Kind::too_long)
                send_alone(rpc_error(
                    RpcCode::no_request,
                    "the line is longer than " + std::to_string(longest_message) + " bytes"));
            else take_line(line);
        }
        while (!calls_.is_idle() && !is_over()) std::this_thread::sleep_for(idle_poll);
        calls_.cancel_all();
    }

private:
    bool is_over() const {
        return !app::has_reader(options_.out) || app::parent_process() != parent_ ||
               options_.stop.is_cancelled();
    }

    void send_alone(Json error) { Replies(stream_, false).send(nullptr, std::move(error)); }

    void take_line(const std::string& line) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) return;
        Json message;
        try {
            message = parse_json(line, "a message");
        } catch (const Error& error) {
            return send_alone(rpc_error(RpcCode::no_json, error.message()));
        }
        const bool is_batch = message.is_array();
        if (is_batch && (message.empty() || message.size() > most_in_batch))
            return send_alone(rpc_error(RpcCode::no_request,
                                        "a batch has from 1 to " + std::to_string(most_in_batch) +
                                            " messages, found " + std::to_string(message.size())));
        const auto replies = std::make_shared<Replies>(stream_, is_batch);
        if (is_batch)
            for (const Json& one : message) take(one, replies);
        else take(message, replies);
        replies->close();
    }

    void take(const Json& message, const RepliesPtr& replies) {
        const auto refuse = [&](const std::string& why) {
            const bool has_id =
                message.is_object() && message.contains("id") && is_id(message["id"]);
            replies->send(has_id ? message["id"] : Json(), rpc_error(RpcCode::no_request, why));
        };
        if (!message.is_object())
            return refuse(std::string("a message is an object, found ") + message.type_name());
        const bool is_answer = message.contains("result") || message.contains("error");
        if (is_answer && !message.contains("method")) return;  // nothing was asked for
        if (!message.contains("jsonrpc") || message["jsonrpc"] != "2.0")
            return refuse("a message has the member \"jsonrpc\", which is \"2.0\"");
        if (!message.contains("method") || !message["method"].is_string())
            return refuse("a message has the member \"method\", a text");
        const auto& method = message["method"].get_ref<const std::string&>();
        const Json parameters = message.value("params", Json::object());
        if (!message.contains("id")) return notice(method, parameters);
        const Json& id = message["id"];
        if (!is_id(id)) return refuse("the id of a request is a text or a number");
        try {
            if (method == "tools/call") return call_tool(id, parameters, replies);
            replies->send(id, answer(method, parameters));
        } catch (const Error& error) {
            replies->send(id, rpc_error(RpcCode::wrong_parameters, error.what()));
        } catch (...) {
            replies->send(id, rpc_error(RpcCode::internal, error_in_flight("a request").what()));
        }
    }

    /// A message that is not answered. Those that are not known are passed over.
    void notice(const std::string& method, const Json& parameters) {
        if (method != "notifications/cancelled" || !parameters.is_object()) return;
        if (const auto at = parameters.find("requestId"); at != parameters.end())
            calls_.cancel(*at);
    }

    Json answer(const std::string& method, const Json& parameters) {
        if (!parameters.is_object())
            return rpc_error(RpcCode::wrong_parameters, std::string("the parameters are ") +
                                                            parameters.type_name() +
                                                            ", expected an object");
        if (method == "initialize") return initialize(parameters);
        if (method == "ping") return rpc_result(Json::object());
        if (method == "tools/list") return list_tools(parameters);
        if (method == "resources/list") return list_resources(parameters);
        if (method == "resources/templates/list") return rpc_result(one("resourceTemplates", {}));
        if (method == "resources/read") return read_resource(parameters);
        return rpc_error(RpcCode::no_method, "there is no method " + quote(method));
    }

    static Json one(const std::string& name, Json::array_t items) {
        Json object = Json::object();
        object[name] = std::move(items);
        return object;
    }

    static std::string text_of_parameter(const Json& parameters, const char* name) {
        const auto at = parameters.find(name);
        if (at == parameters.end() || !at->is_string())
            fail_input("the parameters have the member " + quote(name) + ", a text");
        return at->get<std::string>();
    }

    Json initialize(const Json& parameters) const {
        const std::string asked = text_of_parameter(parameters, "protocolVersion");
        const bool is_known =
            std::ranges::find(protocol_versions, asked) != protocol_versions.end();
        return rpc_result(
            {{"protocolVersion", is_known ? asked : std::string(protocol_versions.front())},
             {"capabilities", {{"tools", Json::object()}, {"resources", Json::object()}}},
             {"serverInfo",
              {{"name", "lapidary"}, {"title", "Lapidary"}, {"version", LAPIDARY_VERSION}}},
             {"instructions",
              "Tools for ONNX models: what is in them, where their time and memory go, what would "
              "make them faster or smaller, and changes that are checked against the original. "
              "Files are read and written below these folders alone, relative names below the "
              "first: " +
                  folder_list(options_.folders) +
                  ". Begin with open; profile finds bottlenecks; near_misses says which "
                  "optimizations almost apply; export writes a file only where its outputs agree "
                  "with the original's. The model sample:mlp is always there to try."}});
    }

    /// There is one page of each list.
    static void refuse_cursor(const Json& parameters) {
        const auto at = parameters.find("cursor");
        if (at != parameters.end() && !at->is_null())
            fail_input("there is no further page: lists come whole");
    }

    Json list_tools(const Json& parameters) const {
        refuse_cursor(parameters);
        Json::array_t list;
        for (const Tool& tool : tools()) {
            const OptionList& declared = *declared_command(tool.command).options;
            list.push_back({{"name", tool.name},
                            {"description", tool.description},
                            {"inputSchema", input_schema(tool, declared)},
                            {"outputSchema", output_schema(tool.command)},
                            {"annotations",
                             {{"readOnlyHint", !tool.writes()},
                              {"destructiveHint", tool.writes()},
                              {"openWorldHint", false}}}});
        }
        for (Json& own : own_tool_descriptions()) list.push_back(std::move(own));
        return rpc_result(one("tools", std::move(list)));
    }

    const DeclaredCommand& declared_command(std::string_view name) const {
        const auto at = std::ranges::find(program_.commands, name, &DeclaredCommand::name);
        if (at == program_.commands.end())
            fail(ErrorCode::internal, "there is no command " + quote(name));
        return *at;
    }

    void call_tool(const Json& id, const Json& parameters, const RepliesPtr& replies) {
        if (!parameters.is_object()) fail_input("the parameters of tools/call are an object");
        const std::string name = text_of_parameter(parameters, "name");
        Json arguments = parameters.value("arguments", Json::object());
        if (arguments.is_null()) arguments = Json::object();
        const Tool* const tool = find_tool(name);
        try {
            if (const auto own = call_own_tool(name, arguments, calls_))
                return replies->send(id, rpc_result(*own));
            if (!tool) {
                return replies->send(id, rpc_error(RpcCode::wrong_parameters,
                                                   "there is no tool " + quote(name) +
                                                       "; tools/list names those there are"));
            }
            const OptionList& declared = *declared_command(tool->command).options;
            calls_.add({id, progress_token(parameters),
                        tool_request(*tool, declared, arguments, options_.folders), replies});
        } catch (const Error& error) { replies->send(id, rpc_result(error_result(error))); }
    }

    /// Null where no progress is wanted.
    static Json progress_token(const Json& parameters) {
        const auto meta = parameters.find("_meta");
        if (meta == parameters.end() || !meta->is_object()) return nullptr;
        const auto token = meta->find("progressToken");
        return token != meta->end() && is_id(*token) ? *token : Json();
    }

    static std::vector<std::string> commands_with_help() {
        std::vector<std::string> names;
        for (const Tool& tool : tools())
            if (std::ranges::find(names, tool.command) == names.end())
                names.emplace_back(tool.command);
        return names;
    }

    Json list_resources(const Json& parameters) const {
        refuse_cursor(parameters);
        Json::array_t list;
        for (const std::string& command : commands_with_help())
            list.push_back({{"uri", std::string(help_scheme) + command},
                            {"name", "help of " + command},
                            {"description", declared_command(command).text.summary},
                            {"mimeType", "text/plain"}});
        return rpc_result(one("resources", std::move(list)));
    }

    static Json read_resource(const Json& parameters) {
        const std::string uri = text_of_parameter(parameters, "uri");
        for (const std::string& command : commands_with_help()) {
            if (uri != std::string(help_scheme) + command) continue;
            Json::array_t contents;
            contents.push_back(
                {{"uri", uri}, {"mimeType", "text/plain"}, {"text", command_help(command)}});
            return rpc_result(one("contents", std::move(contents)));
        }
        return rpc_error(RpcCode::no_resource,
                         "there is no resource " + quote(uri) + "; resources/list names all");
    }

    const McpOptions& options_;
    const long parent_ = app::parent_process();
    const Program program_;
    MessageStream stream_;
    ToolCalls calls_;
};

}  // namespace

void serve_mcp(const McpOptions& options) { McpServer(options).run(); }

}  // namespace lapidary::cli::mcp
