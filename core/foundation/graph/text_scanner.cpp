// SPDX-License-Identifier: Apache-2.0
#include "graph/text_scanner.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '/';
}

}  // namespace

void TextScanner::skip() {
    while (at_ < text_.size()) {
        if (std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
        else if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
        else return;
    }
}

bool TextScanner::accept(std::string_view symbol) {
    skip();
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    const bool word = is_name_character(symbol.back());
    if (word && at_ + symbol.size() < text_.size() && is_name_character(text_[at_ + symbol.size()]))
        return false;
    at_ += symbol.size();
    return true;
}

void TextScanner::expect(std::string_view symbol) {
    if (!accept(symbol)) fail("expected \"" + std::string(symbol) + "\"");
}

bool TextScanner::at_name() {
    const char c = peek();
    return c == '"' || std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '/' ||
           c == '.';
}

bool TextScanner::at_number_word() {
    const std::size_t begin = at_;
    const bool found = accept("nan") || accept("inf");
    at_ = begin;
    return found;
}

std::string TextScanner::name() {
    if (peek() == '"') return quoted_string();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
    if (at_ == begin) fail("expected a name");
    return std::string(text_.substr(begin, at_ - begin));
}

std::string TextScanner::quoted_string() {
    expect("\"");
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
        char c = text_[at_++];
        if (c == '\\' && at_ < text_.size()) {
            c = text_[at_++];
            if (c == 'n') c = '\n';
            else if (c == 'x') {
                unsigned value = 0;
                const std::string_view digits = text_.substr(at_, 2);
                const auto [end, error] =
                    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
                if (error != std::errc{} || digits.size() != 2 || end != digits.data() + 2)
                    fail("\\x needs two hexadecimal digits behind it");
                c = static_cast<char>(value);
                at_ += 2;
            }
        }
        out += c;
    }
    if (at_ >= text_.size()) fail("the string has no end");
    ++at_;
    return out;
}

std::string TextScanner::number() {
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                  text_[at_] == '.' || text_[at_] == '-' || text_[at_] == '+'))
        ++at_;
    if (at_ == begin) fail("expected a number");
    return std::string(text_.substr(begin, at_ - begin));
}

std::string TextScanner::until_comma_or_close() {
    skip();
    const std::size_t begin = at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
        const char c = text_[at_];
        if (depth == 0 && (c == ',' || c == ']' || c == ')')) break;
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
    }
    std::size_t end = at_;
    while (end > begin && std::isspace(static_cast<unsigned char>(text_[end - 1]))) --end;
    return std::string(text_.substr(begin, end - begin));
}

void TextScanner::fail(const std::string& message) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column =
        before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
    std::string found(text_.substr(at_, 20));
    throw Error(ErrorCode::invalid_input,
                message + ", found " + (found.empty() ? "the end" : quote(found)))
        .at("line " + std::to_string(line) + ", column " + std::to_string(column));
}

}  // namespace lapidary
