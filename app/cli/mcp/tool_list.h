// SPDX-License-Identifier: Apache-2.0
// The tools that `lapidary-cli mcp` offers: commands of this program with some of their options.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace lapidary::cli::mcp {

/// What a tool does with the file that an option names.
enum class Access { none, read, write };

/// An option of the command that the tool takes too, as a member of its arguments.
struct ToolOption {
    std::string_view option;  // "--level", or the name of a positional argument
    Access access = Access::none;
};

struct Tool {
    std::string_view name, command;
    std::string_view description;         // for an agent that chooses among tools
    std::string_view always = {};         // an option that is always given; empty: none
    std::vector<ToolOption> options;      // all that it takes; nothing else may be given
    std::string_view also_required = {};  // an option that the command does not require
    bool writes() const;                  // true where one of its options is of a written file
};

/// In the order in which they are listed.
std::span<const Tool> tools();
/// Null where there is none of that name.
const Tool* find_tool(std::string_view name);

}  // namespace lapidary::cli::mcp
