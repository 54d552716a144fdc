// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/utf8.h>

#include <algorithm>

namespace lapidary::tokens {
namespace {

unsigned byte_of(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

struct Step {
    std::size_t length;
    bool is_valid;
};

/// The character at a byte, or as much of it as is there.
Step step_at(std::string_view text, std::size_t at) {
    const unsigned first = byte_of(text, at);
    if (first < 0x80) return {1, true};
    const std::size_t length = first < 0xC2   ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length == 0) return {1, false};
    // the second byte leaves out long forms, surrogates and numbers above 0x10FFFF
    unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i >= text.size() || byte_of(text, at + i) < lowest ||
            byte_of(text, at + i) > highest)
            return {i, false};
        lowest = 0x80;
        highest = 0xBF;
    }
    return {length, true};
}

}  // namespace

Character character_at(std::string_view text, std::size_t at) {
    const unsigned first = byte_of(text, at);
    const auto more = [&](std::size_t i) { return byte_of(text, at + i) & 0x3F; };
    if (first < 0x80) return {first, 1};
    if (first < 0xE0) return {(first & 0x1F) << 6 | more(1), 2};
    if (first < 0xF0) return {(first & 0x0F) << 12 | more(1) << 6 | more(2), 3};
    return {(first & 0x07) << 18 | more(1) << 12 | more(2) << 6 | more(3), 4};
}

Character character_before(std::string_view text, std::size_t end) {
    std::size_t at = end - 1;
    while (at > 0 && (byte_of(text, at) & 0xC0) == 0x80) --at;
    return character_at(text, at);
}

void append_character(std::string& text, char32_t code) {
    const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | code >> 6);
        add(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        add(0xE0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    } else {
        add(0xF0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3F));
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    }
}

std::size_t count_characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::size_t first_invalid_byte(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Step step = step_at(text, at);
        if (!step.is_valid) return at;
        at += step.length;
    }
    return std::string_view::npos;
}

std::string repaired_text(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const Step step = step_at(bytes, at);
        text += step.is_valid ? bytes.substr(at, step.length) : replacement_character;
        at += step.length;
    }
    return text;
}

}  // namespace lapidary::tokens
