// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/shown_text.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

/// Decodes one UTF-8 sequence at `i`; returns its length, or 0 when it is not valid.
std::size_t decode(std::string_view text, std::size_t i, char32_t& out) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return 0;
    out = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xc0u) != 0x80u) return 0;
        out = (out << 6) | (byte(i + k) & 0x3fu);
    }
    const bool overlong = (length == 3 && out < 0x800) || (length == 4 && out < 0x10000);
    return overlong || out > 0x10ffff || (out >= 0xd800 && out < 0xe000) ? 0 : length;
}

bool is_hidden(char32_t c) {  // control, bidirectional, zero-width
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff;
}

std::size_t length_at(std::string_view text, std::size_t i) {
    char32_t c = 0;
    return std::max<std::size_t>(decode(text, i, c), 1);
}

/// The start of the character that ends before `end`.
std::size_t previous(std::string_view text, std::size_t end) {
    char32_t c = 0;
    for (std::size_t length = 1; length <= 4 && length <= end; ++length)
        if (decode(text, end - length, c) == length) return end - length;
    return end - 1;
}

/// What is shown of a text: all of it, or its beginning and its end.
struct Parts {
    std::string_view head, tail;
    bool is_whole = true;
};

Parts parts_of(std::string_view text, std::size_t most) {
    if (text.size() <= most) return {text, {}, true};
    const std::size_t kept_at_end = most / 3;
    std::size_t shown = 0, end = 0, head_end = 0;
    for (; end < text.size() && shown <= most; ++shown) {
        if (shown + kept_at_end + 1 == most) head_end = end + length_at(text, end);
        end += length_at(text, end);
    }
    if (shown <= most) return {text, {}, true};
    std::size_t tail = text.size();
    for (std::size_t i = 0; i < kept_at_end; ++i) tail = previous(text, tail);
    return {text.substr(0, head_end), text.substr(tail), false};
}

enum class Style { plain, lines, quoted };

void append(std::string& out, std::string_view text, Style style) {
    char buffer[16];
    for (std::size_t i = 0; i < text.size();) {
        char32_t c = 0;
        const std::size_t length = decode(text, i, c);
        const bool is_kept_control = style == Style::lines && (c == U'\n' || c == U'\t');
        if (length == 0) {
            std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned char>(text[i]));
            out += buffer;
        } else if (style == Style::quoted &&
                   (c == U'\n' || c == U'\t' || c == U'"' || c == U'\\')) {
            out += '\\';
            out += c == U'\n' ? 'n' : c == U'\t' ? 't' : static_cast<char>(c);
        } else if (is_hidden(c) && !is_kept_control) {
            std::snprintf(buffer, sizeof buffer,
                          c < 0x20 && style != Style::quoted ? "\\x%02x" : "\\u%04x",
                          static_cast<unsigned>(c));
            out += buffer;
        } else {
            out += text.substr(i, length);
        }
        i += std::max<std::size_t>(length, 1);
    }
}

std::string shown(std::string_view text, std::size_t most, Style style) {
    const Parts parts = parts_of(text, std::max<std::size_t>(most, 1));
    std::string out;
    append(out, parts.head, style);
    if (!parts.is_whole) out += "…";
    append(out, parts.tail, style);
    return out;
}

bool is_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && status != std::errc::invalid_argument &&
           end == text.data() + text.size();
}

}  // namespace

std::string elided(std::string_view text, std::size_t most) {
    const Parts parts = parts_of(text, std::max<std::size_t>(most, 1));
    std::string out(parts.head);
    if (!parts.is_whole) (out += "…") += parts.tail;
    return out;
}

std::string printable(std::string_view text, std::size_t most) {
    return shown(text, most, Style::plain);
}

std::string printable_lines(std::string_view text) {
    std::string out;
    append(out, text, Style::lines);
    return out;
}

std::string quote(std::string_view text, std::size_t max_length) {
    return '"' + shown(text, max_length, Style::quoted) + '"';
}

std::string csv_field(std::string_view text) {
    static constexpr std::string_view formula_starts = "=+-@\t\r";
    const bool is_formula = text.size() > 1 &&
                            formula_starts.find(text.front()) != std::string_view::npos &&
                            !is_number(text);
    if (!is_formula && text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string out = is_formula ? "\"'" : "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

}  // namespace lapidary
