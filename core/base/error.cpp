// SPDX-License-Identifier: Apache-2.0
#include <lapidary/error.h>

#include <cstdio>

namespace lapidary {

std::string_view name_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_model: return "invalid_model";
        case ErrorCode::invalid_input: return "invalid_input";
        case ErrorCode::not_supported: return "not_supported";
        case ErrorCode::limit_exceeded: return "limit_exceeded";
        case ErrorCode::cancelled: return "cancelled";
        case ErrorCode::io_failure: return "io_failure";
        case ErrorCode::check_failed: return "check_failed";
        case ErrorCode::internal: return "internal";
    }
    return "unknown";
}

Error::Error(ErrorCode code, std::string message) : std::runtime_error(""), code_(code), message_(std::move(message)) {
    compose();
}

Error& Error::at(std::string place) {
    where_.insert(where_.begin(), std::move(place));
    compose();
    return *this;
}

void Error::compose() {
    full_.clear();
    for (const auto& place : where_) full_ += place + ": ";
    full_ += message_;
}

void fail(ErrorCode code, std::string message) { throw Error(code, std::move(message)); }

namespace {

// Decodes one UTF-8 sequence at `i`; returns its length, or 0 when it is not valid.
int decode(std::string_view text, std::size_t i, char32_t& out) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    int length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
    if (length == 0 || i + static_cast<std::size_t>(length) > text.size()) return 0;
    out = length == 1 ? lead : lead & (0x7fu >> length);
    for (int k = 1; k < length; ++k) {
        if ((byte(i + static_cast<std::size_t>(k)) & 0xc0u) != 0x80u) return 0;
        out = (out << 6) | (byte(i + static_cast<std::size_t>(k)) & 0x3fu);
    }
    const bool overlong = (length == 3 && out < 0x800) || (length == 4 && out < 0x10000);
    return overlong || out > 0x10ffff || (out >= 0xd800 && out < 0xe000) ? 0 : length;
}

bool is_hidden(char32_t c) {  // control, bidirectional, zero-width
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2060 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace

std::string quote(std::string_view text, std::size_t max_length) {
    std::string out = "\"";
    std::size_t shown = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (shown++ >= max_length) {
            out += "…";
            break;
        }
        char32_t c = 0;
        const int length = decode(text, i, c);
        char buffer[16];
        if (length == 0) {
            std::snprintf(buffer, sizeof buffer, "\\x%02x", static_cast<unsigned char>(text[i]));
            out += buffer;
            ++i;
            continue;
        }
        if (c == U'\n') out += "\\n";
        else if (c == U'\t') out += "\\t";
        else if (c == U'"' || c == U'\\') (out += '\\') += static_cast<char>(c);
        else if (is_hidden(c)) {
            std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(c));
            out += buffer;
        } else out += text.substr(i, static_cast<std::size_t>(length));
        i += static_cast<std::size_t>(length);
    }
    return out + '"';
}

}  // namespace lapidary
