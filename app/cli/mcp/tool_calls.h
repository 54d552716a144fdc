// SPDX-License-Identifier: Apache-2.0
// Calls of tools, one at a time: what they measure would disturb each other.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/base/progress.h>
#include <lapidary/internal/joined_threads.h>

#include "cli/mcp/bounded_answer.h"
#include "cli/mcp/call_process.h"
#include "cli/mcp/messages.h"
#include "cli/mcp/tool_arguments.h"

namespace lapidary::cli::mcp {

/// A call that waits or runs.
struct ToolCall {
    Json id;              // of its request
    Json progress_token;  // null: no progress is wanted
    ToolRequest request;
    RepliesPtr replies;
    CancelToken cancel = {};
};

/// The result of a tool that says why it could not do what was asked: a sentence, and the error as
/// the command line prints it.
Json error_result(const Error& error);

class ToolCalls {
public:
    ToolCalls(MessageStream& stream, std::vector<std::filesystem::path> folders);

    /// Takes a call, which is answered when it has run. Throws invalid_input where a call with its
    /// id is there already, limit_exceeded where too many wait.
    void add(ToolCall call);
    /// Cancels a call, which is then not answered. Does nothing where there is none with that id.
    void cancel(const Json& id);
    /// Cancels all.
    void cancel_all();
    bool is_idle();
    /// KeptResults::part()
    Json part_of_result(std::int64_t number, const std::string& place, std::size_t from,
                        std::size_t count);

private:
    using CallPtr = std::shared_ptr<ToolCall>;
    void work();
    Json run(const ToolCall& call);
    Json result_of(const CallOutcome& outcome);
    void stop();

    MessageStream& stream_;
    const std::vector<std::filesystem::path> folders_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::deque<CallPtr> calls_;  // the first one runs
    KeptResults kept_;
    bool stopping_ = false;
    JoinedThreads worker_{[this] { stop(); }};  // last: it uses the rest
};

}  // namespace lapidary::cli::mcp
