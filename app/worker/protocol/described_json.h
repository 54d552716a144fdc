// SPDX-License-Identifier: Apache-2.0
// JSON between processes and in files, of structs that are described (lapidary/internal/members.h).
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <lapidary/internal/members_json.h>

namespace lapidary::app {

using Json = nlohmann::json;

/// details: with members that are left out of short texts.
template <typename T>
Json json_of(const T& value, bool details = true) {
    return MembersWriter<Json>{details, true}(value);
}

/// Throws invalid_input naming the member that is wrong or not known; `what` calls the value in the
/// message. `lenient`: members that are not known are passed over.
template <typename T>
T read_json(const Json& json, const std::string& what, bool lenient = false) {
    T value{};
    MembersReader<Json>{what, lenient}(json, value);
    return value;
}

/// One line without its end. Text that is not UTF-8 is repaired.
inline std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lapidary::app
