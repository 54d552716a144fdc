// SPDX-License-Identifier: Apache-2.0
#include "edit/edit_words.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>

namespace lapidary {
namespace {

constexpr std::string_view arrow = "\u2192";

bool is_blank_byte(char c) { return c == ' ' || c == '\t' || c == '\r'; }

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '\0'; }

/// The place behind the quoted text that begins at `at`; npos where it is not closed.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (text[i] == '\\') ++i;
        else if (text[i] == '"') return i + 1;
    }
    return std::string_view::npos;
}

/// Calls visit(position, character) outside of quotes and brackets, until it returns true.
template <typename Visit>
void each_outside(std::string_view text, const Visit& visit) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') {
            i = std::min(behind_quotes(text, i), text.size()) - 1;
            continue;
        }
        if (depth == 0 && visit(i, c)) return;
        if (closing(c) != '\0') ++depth;
        else if (depth > 0 && (c == ')' || c == ']' || c == '}')) --depth;
    }
}

/// Reads words one after another.
class WordReader {
public:
    explicit WordReader(std::string_view line) : line_(line) {}

    std::vector<std::string> read() {
        while (true) {
            while (at_ < line_.size() && is_blank_byte(line_[at_])) ++at_;
            if (at_ >= line_.size() || line_[at_] == '#') return std::move(words_);
            if (!read_sign()) read_word();
        }
    }

private:
    bool starts_with(std::string_view text) const { return line_.substr(at_).starts_with(text); }

    std::string_view sign_here() const {
        for (const std::string_view sign : {std::string_view("->"), arrow, std::string_view("="),
                                            std::string_view("&"), std::string_view(",")})
            if (starts_with(sign)) return sign;
        const bool colon = starts_with(":");
        if (colon && (at_ + 1 >= line_.size() || is_blank_byte(line_[at_ + 1]))) return ":";
        return {};
    }

    bool read_sign() {
        const std::string_view sign = sign_here();
        if (sign.empty()) return false;
        words_.emplace_back(sign == arrow ? std::string_view("->") : sign);
        at_ += sign.size();
        return true;
    }

    void read_word() {
        std::string word;
        while (at_ < line_.size() && !is_blank_byte(line_[at_]) && sign_here().empty()) {
            const char c = line_[at_];
            if (c == '"') read_quotes(word);
            else if (closing(c) != '\0') read_brackets(word);
            else {
                word += c;
                ++at_;
            }
        }
        words_.push_back(std::move(word));
    }

    void read_quotes(std::string& word) {
        const std::size_t end = behind_quotes(line_, at_);
        if (end == std::string_view::npos)
            fail_input("the quote before " + quote(line_.substr(at_ + 1), 40) + " is not closed");
        word += line_.substr(at_, end - at_);
        at_ = end;
    }

    /// Blanks are left out, but for one behind each comma of round brackets.
    void read_brackets(std::string& word) {
        const std::size_t begin = at_;
        std::string open;
        do {
            const char c = line_[at_];
            if (c == '"') {
                read_quotes(word);
                continue;
            }
            if (closing(c) != '\0') open += c;
            else if (c == closing(open.back())) open.pop_back();
            if (!is_blank_byte(c)) word += c;
            if (c == ',' && open.back() == '(') word += ' ';
            ++at_;
        } while (!open.empty() && at_ < line_.size());
        if (!open.empty())
            fail_input("the bracket in " + quote(line_.substr(begin), 40) + " is not closed");
    }

    std::string_view line_;
    std::size_t at_ = 0;
    std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> split_edit_words(std::string_view line) { return WordReader(line).read(); }

std::string join_edit_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty() && word != "," && word != ":") text += ' ';
        text += word;
    }
    return text;
}

bool is_quoted_word(std::string_view word) {
    return word.size() >= 2 && word.front() == '"' && behind_quotes(word, 0) == word.size();
}

std::string unquoted_word(std::string_view word) {
    std::string text;
    bool quoted = false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = word[i];
        if (c == '"') {
            quoted = !quoted;
        } else if (quoted && c == '\\' && i + 1 < word.size()) {
            const char escaped = word[++i];
            if (escaped == 'n') text += '\n';
            else if (escaped == 'r') text += '\r';
            else if (escaped == 't') text += '\t';
            else if (escaped == '"' || escaped == '\\') text += escaped;
            else text += {'\\', escaped};
        } else {
            text += c;
        }
    }
    return text;
}

std::pair<std::string, std::string> split_at_last_dot(std::string_view word) {
    std::size_t dot = std::string_view::npos;
    each_outside(word, [&](std::size_t at, char c) {
        if (c == '.') dot = at;
        return false;
    });
    if (dot == std::string_view::npos) return {std::string(word), {}};
    return {std::string(word.substr(0, dot)), std::string(word.substr(dot + 1))};
}

std::pair<std::string, std::vector<std::string>> split_brackets(std::string_view word, char open) {
    std::size_t begin = std::string_view::npos;
    each_outside(word, [&](std::size_t at, char c) {
        begin = c == open ? at : begin;
        return c == open;
    });
    if (begin == std::string_view::npos || word.back() != closing(open))
        return {std::string(word), {}};
    const std::string_view inner = word.substr(begin + 1, word.size() - begin - 2);
    std::vector<std::string> parts;
    std::size_t start = 0;
    const auto add = [&](std::size_t end) {
        std::string_view part = inner.substr(start, end - start);
        while (!part.empty() && is_blank_byte(part.front())) part.remove_prefix(1);
        while (!part.empty() && is_blank_byte(part.back())) part.remove_suffix(1);
        parts.emplace_back(part);
        start = end + 1;
    };
    each_outside(inner, [&](std::size_t at, char c) {
        if (c == ',') add(at);
        return false;
    });
    if (!inner.empty()) add(inner.size());
    return {std::string(word.substr(0, begin)), std::move(parts)};
}

std::pair<std::string, std::string> split_at_equals(std::string_view text) {
    std::size_t sign = std::string_view::npos;
    each_outside(text, [&](std::size_t at, char c) {
        sign = c == '=' ? at : sign;
        return c == '=';
    });
    if (sign == std::string_view::npos) return {std::string(text), {}};
    return {std::string(text.substr(0, sign)), std::string(text.substr(sign + 1))};
}

std::string edit_word(std::string_view name) {
    const auto plain_letter = [](char c) {
        return std::string_view(" \t\r\n\"\\()[]{},=&*?#!").find(c) == std::string_view::npos;
    };
    static constexpr std::string_view prefixes[] = {
        "op:", "scope:", "writes:", "reads:", "index:", "of:"};
    const bool plain =
        !name.empty() && std::ranges::all_of(name, plain_letter) && !name.ends_with(':') &&
        name.find("->") == std::string_view::npos && name.find(arrow) == std::string_view::npos &&
        std::ranges::none_of(prefixes, [&](std::string_view p) { return name.starts_with(p); });
    if (plain) return std::string(name);
    std::string word = "\"";
    for (const char c : name) {
        if (c == '\n') word += "\\n";
        else if (c == '\r') word += "\\r";
        else if (c == '\t') word += "\\t";
        else if (c == '"' || c == '\\') word += {'\\', c};
        else word += c;
    }
    return word + '"';
}

}  // namespace lapidary
