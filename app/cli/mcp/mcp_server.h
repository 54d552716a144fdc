// SPDX-License-Identifier: Apache-2.0
// A server of the Model Context Protocol (https://modelcontextprotocol.io/specification/2025-11-25)
// over standard streams: a line of JSON-RPC each way.
//
// Tools are commands of this program (tool_list.h). Each call runs in a separate process, which
// opens files below the given folders alone. Resources are the help of these commands.
#pragma once

#include <filesystem>
#include <vector>

#include <lapidary/base/progress.h>

namespace lapidary::cli::mcp {

struct McpOptions {
    std::vector<std::filesystem::path> folders;  // that tools may use; at least one, absolute
    int in = 0, out = 1;                         // descriptors
    CancelToken stop;                            // ends the server and what it runs
};

/// Returns when the input has ended and the calls are done, or when nothing reads the answers any
/// more, the parent process is gone, or McpOptions::stop is cancelled; calls are cancelled then.
void serve_mcp(const McpOptions& options);

}  // namespace lapidary::cli::mcp
