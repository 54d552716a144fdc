// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/parse_json.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr std::size_t longest_reason = 200;

/// The nesting depth of brackets outside of strings; correct for valid JSON.
int depth_of(std::string_view text) {
    int depth = 0, deepest = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < text.size() && deepest <= deepest_json; ++i) {
        const char c = text[i];
        if (in_text) {
            if (c == '\\') ++i;
            else if (c == '"') in_text = false;
        } else if (c == '"') {
            in_text = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

/// "parse error at line 1, column 2: ..." without the library's own number before it and the text
/// read after it.
std::string reason_of(const nlohmann::json::exception& problem) {
    std::string reason = problem.what();
    if (const std::size_t at = reason.find("] "); at != std::string::npos) reason.erase(0, at + 2);
    if (reason.size() > longest_reason) reason = reason.substr(0, reason.find("; last read"));
    if (reason.size() > longest_reason) reason.resize(longest_reason);
    return reason;
}

}  // namespace

nlohmann::json parse_json(std::string_view text, std::string_view what) {
    if (depth_of(text) > deepest_json)
        fail_input(std::string(what) + ": the JSON nests lists and objects more than " +
                   std::to_string(deepest_json) + " deep");
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& problem) {
        fail_input(std::string(what) + ": this is no JSON: " + reason_of(problem));
    }
}

}  // namespace lapidary
