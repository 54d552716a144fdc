// SPDX-License-Identifier: Apache-2.0
// Parses all JSON text of the program.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

/// Code that reads, copies or prints JSON recurses by level, so the depth is limited. No JSON of
/// this program is deeper than about ten levels.
constexpr int deepest_json = 100;

/// Throws Error{invalid_input} where `text` is no JSON or nests deeper than deepest_json. The
/// message begins with `what` the text is ("recipe").
nlohmann::json parse_json(std::string_view text, std::string_view what);

}  // namespace lapidary
