// SPDX-License-Identifier: Apache-2.0
#include <tokenizer/characters.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <span>

#include <utf8proc.h>

#include <lapidary/base/error.h>

#include <tokenizer/regex.h>
#include <tokenizer/utf8.h>

namespace lapidary::tokens {
namespace {

utf8proc_category_t category(char32_t code) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

bool is_between(char32_t code, char32_t lowest, char32_t highest) {
    return lowest <= code && code <= highest;
}

struct CodeRange {
    char32_t first, last;
};
// Where the answer of Unicode 15 is another than that of the tables behind `tokenizers`, in order.
constexpr CodeRange other_punctuation[] = {
#include <tokenizer/other_punctuation.inc>
};
constexpr CodeRange other_accents[] = {
#include <tokenizer/other_accents.inc>
};
constexpr CodeRange other_marks[] = {
#include <tokenizer/other_marks.inc>
};

bool is_in(std::span<const CodeRange> ranges, char32_t code) {
    const auto after = std::ranges::upper_bound(ranges, code, {}, &CodeRange::first);
    return after != ranges.begin() && code <= std::prev(after)->last;
}

struct Freed {
    void operator()(utf8proc_uint8_t* text) const { std::free(text); }
};

}  // namespace

bool is_white_space(char32_t code) {
    if (code < 0x80) return code == 0x20 || is_between(code, 0x09, 0x0D);
    switch (code) {
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000: return true;
    default: return is_between(code, 0x2000, 0x200A);
    }
}

bool is_numeric(char32_t code) {
    if (code < 0x80) return is_between(code, '0', '9');
    const utf8proc_category_t kind = category(code);
    return kind == UTF8PROC_CATEGORY_ND || kind == UTF8PROC_CATEGORY_NL ||
           kind == UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t code) {
    if (code < 0x80)
        return is_between(code, 0x21, 0x2F) || is_between(code, 0x3A, 0x40) ||
               is_between(code, 0x5B, 0x60) || is_between(code, 0x7B, 0x7E);
    const utf8proc_category_t kind = category(code);
    const bool is = kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
    return is != is_in(other_punctuation, code);
}

bool is_mark(char32_t code) {
    if (code < 0x300) return false;
    const utf8proc_category_t kind = category(code);
    const bool is = kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
    return is != is_in(other_marks, code);
}

bool is_accent(char32_t code) {
    return code >= 0x300 && (category(code) == UTF8PROC_CATEGORY_MN) != is_in(other_accents, code);
}

bool is_other(char32_t code) {
    if (code < 0x80) return code < 0x20 || code == 0x7F;
    const utf8proc_category_t kind = category(code);
    if (kind != UTF8PROC_CATEGORY_CF)
        return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CO;
    const bool is_younger = code == 0x890 || code == 0x891 || code == 0x8E2 || code == 0x110CD ||
                            is_between(code, 0x13430, 0x1343F);
    return !is_younger;
}

bool is_word_character(char32_t code) {
    if (code < 0x80)
        return is_between(code, 'a', 'z') || is_between(code, 'A', 'Z') ||
               is_between(code, '0', '9') || code == '_';
    static const std::array<Property, 5> parts{Property("Alphabetic"), Property("M"),
                                               Property("Nd"), Property("Pc"),
                                               Property("Join_Control")};
    for (const Property& part : parts)
        if (part.is_of(code)) return true;
    return false;
}

bool is_chinese(char32_t code) {
    return code >= 0x3400 &&
           (is_between(code, 0x4E00, 0x9FFF) || is_between(code, 0x3400, 0x4DBF) ||
            is_between(code, 0x20000, 0x2A6DF) || is_between(code, 0x2A700, 0x2B73F) ||
            is_between(code, 0x2B740, 0x2B81F) || is_between(code, 0x2B920, 0x2CEAF) ||
            is_between(code, 0xF900, 0xFAFF) || is_between(code, 0x2F800, 0x2FA1F));
}

bool is_ascii(std::string_view text) {
    unsigned char all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80;
}

std::string lower_case(std::string_view text) {
    std::string lower;
    lower.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Character one = character_at(text, at);
        at += one.length;
        if (one.code < 0x80) {
            lower += is_between(one.code, 'A', 'Z') ? static_cast<char>(one.code + 0x20)
                                                    : static_cast<char>(one.code);
        } else if (one.code == 0x130) {  // the one whose lower case is two characters
            lower += "i\xCC\x87";
        } else {
            append_character(lower, static_cast<char32_t>(
                                        utf8proc_tolower(static_cast<utf8proc_int32_t>(one.code))));
        }
    }
    return lower;
}

std::string normal_form(std::string_view text, NormalForm form) {
    if (is_ascii(text)) return std::string(text);
    int options = UTF8PROC_STABLE;
    if (form == NormalForm::nfc || form == NormalForm::nfkc) options |= UTF8PROC_COMPOSE;
    else options |= UTF8PROC_DECOMPOSE;
    if (form == NormalForm::nfkc || form == NormalForm::nfkd) options |= UTF8PROC_COMPAT;
    utf8proc_uint8_t* made = nullptr;
    const utf8proc_ssize_t length = utf8proc_map(
        reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
        static_cast<utf8proc_ssize_t>(text.size()), &made, static_cast<utf8proc_option_t>(options));
    const std::unique_ptr<utf8proc_uint8_t, Freed> kept(made);
    if (length < 0)
        fail_input(std::string("a text cannot be normalized: ") + utf8proc_errmsg(length));
    return {reinterpret_cast<const char*>(made), static_cast<std::size_t>(length)};
}

std::size_t grapheme_length(std::string_view text, std::size_t at) {
    utf8proc_int32_t state = 0;
    Character last = character_at(text, at);
    std::size_t length = last.length;
    while (at + length < text.size()) {
        const Character next = character_at(text, at + length);
        if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last.code),
                                             static_cast<utf8proc_int32_t>(next.code), &state))
            break;
        length += next.length;
        last = next;
    }
    return length;
}

}  // namespace lapidary::tokens
