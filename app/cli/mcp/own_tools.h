// SPDX-License-Identifier: Apache-2.0
// Tools that are no commands: help, and what answers left out. They answer at once.
#pragma once

#include <optional>
#include <string>

#include "cli/mcp/tool_calls.h"
#include "cli/mcp/tool_schema.h"

namespace lapidary::cli::mcp {

/// As tools/list describes them.
Json own_tool_descriptions();
/// The result of such a tool; nothing where `name` is none of them.
std::optional<Json> call_own_tool(const std::string& name, const Json& arguments, ToolCalls& calls);
/// What `lapidary-cli COMMAND --help` prints.
std::string command_help(const std::string& command);

}  // namespace lapidary::cli::mcp
