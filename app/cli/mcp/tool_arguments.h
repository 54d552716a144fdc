// SPDX-License-Identifier: Apache-2.0
// What a tool is asked for, as the words of a command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/mcp/tool_schema.h"

namespace lapidary::cli::mcp {

/// A command line that a separate process runs.
struct ToolRequest {
    std::string tool;                    // "profile"
    std::vector<std::string> arguments;  // "profile", "--json", "--runs=3", "--", "net.onnx"
    bool may_replace = false;            // files that exist
};

/// Checks the arguments of a tool and the files that they name. Relative names are below the first
/// of `folders`. Throws invalid_input with a sentence for a member that the tool does not have or
/// of another type, and for a file outside of the folders.
ToolRequest tool_request(const Tool& tool, const OptionList& declared, const Json& given,
                         const std::vector<std::filesystem::path>& folders);

/// For the process that runs the command line, after it was parsed. Throws invalid_input where it
/// gives an option that the tool does not have, such as one that loads code: whatever words a
/// client sends, no more is run than the tool offers.
void require_own_options(const std::string& tool, const OptionList& parsed);

}  // namespace lapidary::cli::mcp
