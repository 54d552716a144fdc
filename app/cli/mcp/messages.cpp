// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/messages.h"

#include <utility>

#include "worker/process/standard_streams.h"

namespace lapidary::cli::mcp {

Json rpc_result(Json result) {
    Json answer = Json::object();
    answer["result"] = std::move(result);
    return answer;
}

Json rpc_error(RpcCode code, const std::string& message) {
    return {{"error", {{"code", static_cast<int>(code)}, {"message", message}}}};
}

void MessageStream::send(const Json& message) {
    const std::string line = message.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    const std::lock_guard lock(mutex_);
    app::write_all(out_, line);  // a failure is ignored: without a reader the server ends too
}

void Replies::expect() {
    const std::lock_guard lock(mutex_);
    ++expected_;
}

void Replies::send(const Json& id, Json answer) {
    answer["jsonrpc"] = "2.0";
    answer["id"] = id;
    if (!is_batch_) return stream_.send(answer);
    const std::lock_guard lock(mutex_);
    batch_.push_back(std::move(answer));
}

void Replies::send_expected(const Json& id, Json answer) {
    send(id, std::move(answer));
    drop_expected();
}

void Replies::drop_expected() {
    const std::lock_guard lock(mutex_);
    --expected_;
    flush_batch();
}

void Replies::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    flush_batch();
}

void Replies::flush_batch() {
    if (!is_batch_ || !closed_ || expected_ > 0 || batch_.empty()) return;
    stream_.send(batch_);
    batch_.clear();
}

}  // namespace lapidary::cli::mcp
