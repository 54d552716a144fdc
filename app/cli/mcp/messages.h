// SPDX-License-Identifier: Apache-2.0
// Messages of JSON-RPC 2.0 that go to the client: https://www.jsonrpc.org/specification
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "cli/mcp/tool_schema.h"

namespace lapidary::cli::mcp {

/// Codes of errors, as JSON-RPC and the Model Context Protocol number them.
enum class RpcCode {
    no_json = -32700,
    no_request = -32600,
    no_method = -32601,
    wrong_parameters = -32602,
    internal = -32603,
    no_resource = -32002,
};

/// The end of an answer: {"result": ...} and {"error": {"code", "message"}}.
Json rpc_result(Json result);
Json rpc_error(RpcCode code, const std::string& message);

/// The stream of messages to the client, a whole line at a time. For all threads.
class MessageStream {
public:
    explicit MessageStream(int out) : out_(out) {}
    void send(const Json& message);

private:
    int out_;
    std::mutex mutex_;
};

/// Where the answers to the messages of one line go: each at once, or those of a batch together
/// when the last one is there. For all threads.
class Replies {
public:
    Replies(MessageStream& stream, bool is_batch) : stream_(stream), is_batch_(is_batch) {}
    /// A request whose answer comes later.
    void expect();
    /// An answer, with the id of its request and the members of rpc_result() or rpc_error().
    void send(const Json& id, Json answer);
    /// An expected answer: as send().
    void send_expected(const Json& id, Json answer);
    /// An expected answer that does not come, because its request was cancelled.
    void drop_expected();
    /// All messages of the line were taken.
    void close();

private:
    void flush_batch();

    MessageStream& stream_;
    const bool is_batch_;
    std::mutex mutex_;
    std::size_t expected_ = 0;
    bool closed_ = false;
    Json batch_ = Json::array();
};

using RepliesPtr = std::shared_ptr<Replies>;

}  // namespace lapidary::cli::mcp
