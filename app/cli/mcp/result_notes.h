// SPDX-License-Identifier: Apache-2.0
// Sentences in front of a result, which say what a reader of its first lines has to know.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace lapidary::cli::mcp {

/// Where outputs differ from the original's: by what, and whether the file was written all the
/// same. Empty: they agree, or the result is not of a command that compares them.
std::string difference_note(const nlohmann::json& result);

/// Of a checklist: which tools run the commands that it names, and which commands no tool runs.
/// Empty: it names none.
std::string commands_note(const nlohmann::json& result);

}  // namespace lapidary::cli::mcp
