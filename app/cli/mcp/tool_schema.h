// SPDX-License-Identifier: Apache-2.0
// JSON schemas of what tools take and give, made of the declared options and of resources/schemas.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "cli/mcp/tool_list.h"
#include "cli/options/option_list.h"

namespace lapidary::cli::mcp {

using Json = nlohmann::json;

/// The member that lets a tool replace files that exist.
inline constexpr std::string_view overwrite_member = "overwrite";

/// "disable_pass" of "--disable-pass".
std::string member_name(const OptionInfo& info);
/// The declared option of that name. Throws internal where the command has none.
const Option& option_of(const OptionList& declared, std::string_view name);

/// What a tool takes: an object with a member for each of its options.
Json input_schema(const Tool& tool, const OptionList& declared);
/// What the command prints, with all that its schema refers to. Throws internal for a command
/// without a schema.
Json output_schema(std::string_view command);

}  // namespace lapidary::cli::mcp
