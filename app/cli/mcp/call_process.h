// SPDX-License-Identifier: Apache-2.0
// The process that runs one command for `lapidary-cli mcp`: one that crashes, hangs or takes too
// much memory ends alone, and it opens no file outside of the folders that it is given.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/base/progress.h>

#include "cli/mcp/tool_arguments.h"

namespace lapidary::cli::mcp {

/// What a command left behind.
struct CallOutcome {
    int code = 0;     // its exit code
    std::string out;  // what it printed
    std::string err;  // and on its error stream
};

/// Runs the request in a separate process, in the first of `folders`. `on_progress` gets the
/// stage and the part of it that is done, negative: not known. Throws cancelled; process_ended
/// where the process died; io_failure where it cannot be started.
CallOutcome call_in_process(
    const ToolRequest& request, const std::vector<std::filesystem::path>& folders,
    const CancelToken& cancel,
    const std::function<void(std::string_view stage, double fraction)>& on_progress);

/// The other side: reads one request from `in`, runs it and writes what comes of it to `out`. The
/// end of `in` cancels.
void serve_one_call(int in, int out);

}  // namespace lapidary::cli::mcp
