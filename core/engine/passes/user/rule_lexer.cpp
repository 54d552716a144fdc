// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_lexer.h"

#include <array>

#include <lapidary/base/error.h>

namespace lapidary::user {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class RuleLexer {
public:
    RuleLexer(const std::string& file, std::string_view text) : file_(file), text_(text) {}

    std::vector<Token> all() {
        while (at_ < text_.size()) step();
        if (depth_ > 0) fail_at(file_, opened_, "this bracket is not closed; expected its end");
        end_line();
        add(Token::Kind::file_end, "", at_);
        return std::move(tokens_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    Place place_of(std::size_t offset) const {
        return {line_, static_cast<int>(offset - line_begin_) + 1};
    }
    void add(Token::Kind kind, std::string text, std::size_t begin) {
        tokens_.push_back({kind, std::move(text), place_of(begin), begin, at_});
    }
    void end_line() {
        if (depth_ > 0 || tokens_.empty() || tokens_.back().kind == Token::Kind::line_end ||
            tokens_.back().is(","))
            return;
        add(Token::Kind::line_end, "", at_);
    }

    void step() {
        const char c = peek();
        const std::size_t begin = at_;
        if (c == '\n') {
            end_line();
            ++at_;
            ++line_;
            line_begin_ = at_;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == '#') {
            while (at_ < text_.size() && peek() != '\n') ++at_;
        } else if (is_letter(c)) {
            read_name(begin);
        } else if (is_digit(c)) {
            read_number(begin);
        } else if (c == '"') {
            read_text(begin);
        } else {
            read_sign(begin);
        }
    }

    void read_name(std::size_t begin) {
        const auto word = [&] {
            while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && is_letter(peek(1))))
                ++at_;
        };
        word();
        if (peek() == ':' && peek(1) == ':' && is_letter(peek(2))) {
            at_ += 2;
            word();
        }
        add(Token::Kind::name, std::string(text_.substr(begin, at_ - begin)), begin);
    }

    void read_number(std::size_t begin) {
        bool decimal = false;
        while (is_digit(peek())) ++at_;
        if (peek() == '.' && is_digit(peek(1))) {
            decimal = true;
            ++at_;
            while (is_digit(peek())) ++at_;
        }
        const std::size_t sign = peek(1) == '-' || peek(1) == '+' ? 1 : 0;
        if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
            decimal = true;
            at_ += 1 + sign;
            while (is_digit(peek())) ++at_;
        }
        if (is_letter(peek()))
            fail_at(file_, place_of(at_), "expected the end of a number, found a letter");
        add(decimal ? Token::Kind::decimal : Token::Kind::integer,
            std::string(text_.substr(begin, at_ - begin)), begin);
    }

    void read_text(std::size_t begin) {
        std::string contents;
        for (++at_; peek() != '"'; ++at_) {
            if (at_ >= text_.size() || peek() == '\n')
                fail_at(file_, place_of(begin), "this text does not end; expected \" on its line");
            if (peek() == '\\' && (peek(1) == '"' || peek(1) == '\\')) ++at_;
            contents += peek();
        }
        ++at_;
        add(Token::Kind::text, std::move(contents), begin);
    }

    void read_sign(std::size_t begin) {
        static constexpr std::array<std::string_view, 7> longer{
            "...", "==", "!=", "<=", ">=", "//", "->"};
        static constexpr std::string_view single = "()[]=,|?+-*/%<>";
        for (const std::string_view sign : longer)
            if (text_.substr(at_, sign.size()) == sign) {
                at_ += sign.size();
                return add(Token::Kind::sign, std::string(sign), begin);
            }
        const char c = peek();
        if (single.find(c) == std::string_view::npos)
            fail_at(
                file_, place_of(begin),
                "expected a name, a number, a text or a sign, found " + quote(std::string(1, c)));
        if (c == '(' || c == '[') {
            if (depth_++ == 0) opened_ = place_of(begin);
        } else if (c == ')' || c == ']') {
            if (depth_-- == 0)
                fail_at(file_, place_of(begin), "this bracket closes none that is open");
        }
        ++at_;
        add(Token::Kind::sign, std::string(1, c), begin);
    }

    const std::string& file_;
    std::string_view text_;
    std::size_t at_ = 0, line_begin_ = 0;
    int line_ = 1, depth_ = 0;
    Place opened_;
    std::vector<Token> tokens_;
};

}  // namespace

void fail_at(const std::string& file, Place place, const std::string& what) {
    fail_input(file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": " +
               what);
}

std::vector<Token> rule_tokens(const std::string& file, std::string_view text) {
    return RuleLexer(file, text).all();
}

}  // namespace lapidary::user
