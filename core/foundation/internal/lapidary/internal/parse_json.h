// SPDX-License-Identifier: Apache-2.0
// The one door for JSON text.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace lapidary {

/// What reads, copies or prints JSON goes down level by level: none of ours is deeper than some ten
/// levels.
constexpr int deepest_json = 100;

/// Throws Error{invalid_input} where `text` is no JSON or nests deeper than deepest_json: `what` it
/// is ("recipe") is where the message begins.
nlohmann::json parse_json(std::string_view text, std::string_view what);

}  // namespace lapidary
