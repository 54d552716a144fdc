// SPDX-License-Identifier: Apache-2.0
#include "report/html_writer.h"

#include <nlohmann/json.hpp>

namespace lapidary::html {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Length of the well-formed UTF-8 sequence at the front; 0: there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF)
        return follows(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && follows(2)
                   ? 3
                   : 0;
    if (first >= 0xF0 && first <= 0xF4)
        return follows(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && follows(2) &&
                       follows(3)
                   ? 4
                   : 0;
    return 0;
}

}  // namespace

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0 || (first < 0x20 && first != '\n' && first != '\t') || first == 0x7F)
            out += replacement;
        else if (first == '&') out += "&amp;";
        else if (first == '<') out += "&lt;";
        else if (first == '>') out += "&gt;";
        else if (first == '"') out += "&quot;";
        else if (first == '\'') out += "&#39;";
        else out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string script_json(const nlohmann::ordered_json& json) {
    const std::string plain =
        json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
    std::string out;
    out.reserve(plain.size());
    for (const char c : plain) {  // outside of strings JSON has none of these
        if (c == '<') out += "\\u003c";
        else if (c == '>') out += "\\u003e";
        else if (c == '&') out += "\\u0026";
        else out += c;
    }
    return out;
}

Writer& Writer::raw(std::string_view markup) {
    out_ << markup;
    return *this;
}

Writer& Writer::text(std::string_view text) { return raw(escaped(text)); }

Writer& Writer::open(std::string_view tag, Attributes attributes) {
    out_ << '<' << tag;
    for (const auto& [name, value] : attributes)
        out_ << ' ' << name << "=\"" << escaped(value) << '"';
    out_ << '>';
    return *this;
}

Writer& Writer::close(std::string_view tag) {
    out_ << "</" << tag << ">";
    return *this;
}

Writer& Writer::element(std::string_view tag, std::string_view content, Attributes attributes) {
    return open(tag, attributes).text(content).close(tag);
}

}  // namespace lapidary::html
