// SPDX-License-Identifier: Apache-2.0
#include "passes/user/rule_parser.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <lapidary/base/error.h>

#include "passes/user/rule_check.h"
#include "passes/user/rule_lexer.h"

namespace lapidary::user {

using Kind = Expression::Kind;

bool names_operators(const std::string& text) {
    return text == "*" || text.find("::") != std::string::npos ||
           (!text.empty() && text[0] >= 'A' && text[0] <= 'Z');
}

namespace {

constexpr int deepest = 64;  // of brackets and signs in one expression

/// Gives each call inside of a call a line and a name of its own: `y = Mul(x, Sigmoid(x))` becomes
/// `Sigmoid#1 = Sigmoid(x)` and `y = Mul(x, Sigmoid#1)`.
class NestedCalls {
public:
    std::vector<Statement> lines;

    void add(Statement line) {
        line.value = flat(line.value);
        lines.push_back(std::move(line));
    }

private:
    ExpressionPtr flat(const ExpressionPtr& call) {
        if (call->kind != Kind::call) return call;
        auto copy = std::make_shared<Expression>(*call);
        for (ExpressionPtr& part : copy->parts)
            if (part->kind == Kind::call && names_operators(part->text)) part = named(part);
        return copy;
    }

    ExpressionPtr named(const ExpressionPtr& call) {
        Statement line;
        line.place = call->place;
        line.value = flat(call);
        line.outputs = {call->text + "#" + std::to_string(++count_)};
        auto name = std::make_shared<Expression>();
        name->kind = Kind::name;
        name->place = call->place;
        name->text = line.outputs.front();
        name->source = call->source;
        lines.push_back(std::move(line));
        return name;
    }

    int count_ = 0;
};

std::vector<Statement> without_nested_calls(std::vector<Statement> lines) {
    NestedCalls calls;
    for (Statement& line : lines) calls.add(std::move(line));
    return std::move(calls.lines);
}

class RuleParser {
public:
    RuleParser(const std::string& file, std::string_view text)
        : file_(file), text_(text), tokens_(rule_tokens(file, text)) {}

    std::vector<RewriteRule> all() {
        std::vector<RewriteRule> rules;
        while (skip_line_ends(), now().kind != Token::Kind::file_end) rules.push_back(rule());
        if (rules.empty()) expected("a rule");
        return rules;
    }

private:
    const Token& now() const { return tokens_[at_]; }
    const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    Token take() {
        const Token& token = tokens_[at_];
        if (at_ + 1 < tokens_.size()) ++at_;
        return token;
    }
    bool take_if(std::string_view sign) {
        if (!now().is(sign)) return false;
        take();
        return true;
    }
    void skip_line_ends() {
        while (now().kind == Token::Kind::line_end) take();
    }
    [[noreturn]] void expected(const std::string& what) const {
        const Token& t = now();
        const std::string found = t.kind == Token::Kind::file_end   ? "the end of the file"
                                  : t.kind == Token::Kind::line_end ? "the end of the line"
                                                                    : quote(t.text);
        fail_at(file_, t.place, "expected " + what + ", found " + found);
    }
    void require(std::string_view sign, const std::string& why) {
        if (!take_if(sign)) expected(quote(sign) + " " + why);
    }
    static bool is_section(const Token& t) {
        return t.is("match") || t.is("where") || t.is("replace") || t.is("rule");
    }
    bool at_end_of_section() const {
        return now().kind == Token::Kind::file_end || is_section(now());
    }

    RewriteRule rule() {
        RewriteRule rule;
        rule.file = file_;
        rule.place = now().place;
        require("rule", "at the beginning of a rule");
        if (now().kind != Token::Kind::name || is_section(now())) expected("the name of the rule");
        rule.name = take().text;
        if (now().kind == Token::Kind::text) rule.summary = take().text;
        end_of_line();
        require("match", "behind the first line of rule " + quote(rule.name));
        section(rule.match, false);
        rule.match = without_nested_calls(rule.match);
        if (take_if("where")) section(rule.where, true);
        require("replace", "at the end of rule " + quote(rule.name));
        section(rule.replace, false);
        check_rule(rule);
        return rule;
    }

    void end_of_line() {
        if (now().kind != Token::Kind::line_end && now().kind != Token::Kind::file_end)
            expected("the end of the line");
        skip_line_ends();
    }

    void section(std::vector<Statement>& statements, bool conditions) {
        skip_line_ends();
        while (!at_end_of_section()) {
            do {
                skip_line_ends();
                statements.push_back(statement(conditions));
            } while (conditions && take_if(","));
            end_of_line();
        }
    }

    Statement statement(bool conditions) {
        Statement s;
        s.place = now().place;
        if (now().kind == Token::Kind::name &&
            (next().is("=") || (!conditions && next().is(",")))) {
            do {
                if (now().kind != Token::Kind::name) expected("the name of a value");
                s.outputs.push_back(take().text);
            } while (take_if(","));
            require("=", "between a name and what it is");
        } else if (!conditions) {
            expected("NAME = OPERATOR(...)");
        }
        s.value = expression();
        if (conditions && s.outputs.empty() && take_if("else")) {
            if (now().kind != Token::Kind::text) expected("a reason in quotes behind else");
            s.reason = take().text;
        }
        return s;
    }

    // ---- expressions, from the loosest sign to the tightest
    std::shared_ptr<Expression> make(Kind kind, const Token& token) const {
        auto e = std::make_shared<Expression>();
        e->kind = kind;
        e->place = token.place;
        e->text = token.text;
        return e;
    }
    ExpressionPtr finished(std::shared_ptr<Expression> e, std::size_t first) const {
        const std::size_t begin = tokens_[first].begin, end = tokens_[at_ > 0 ? at_ - 1 : 0].end;
        e->source = std::string(text_.substr(begin, std::min<std::size_t>(end - begin, 200)));
        return e;
    }
    ExpressionPtr expression() {
        if (++depth_ > deepest) fail_at(file_, now().place, "this expression is nested too deeply");
        ExpressionPtr e = binary(0);
        --depth_;
        return e;
    }

    /// The sign of that tightness that comes next; empty: none.
    std::string sign_of(std::size_t tightness) const {
        static const std::array<std::vector<std::string>, 5> signs{
            {{"or"},
             {"and"},
             {"==", "!=", "<", "<=", ">", ">=", "in"},
             {"+", "-"},
             {"*", "/", "//", "%"}}};
        for (const std::string& sign : signs.at(tightness))
            if (now().is(sign)) return sign;
        if (tightness == 2 && now().is("not") && next().is("in")) return "not in";
        return {};
    }

    ExpressionPtr binary(std::size_t tightness) {
        if (tightness == 5) return unary();
        const std::size_t first = at_;
        if (tightness == 2 && now().is("not")) {
            auto e = make(Kind::unary, take());
            if (++depth_ > deepest)
                fail_at(file_, now().place, "this expression is nested too deeply");
            e->parts = {binary(2)};
            --depth_;
            return finished(std::move(e), first);
        }
        ExpressionPtr left = binary(tightness + 1);
        for (std::string sign; !(sign = sign_of(tightness)).empty();) {
            auto e = make(Kind::binary, take());
            if (sign == "not in") take();
            e->text = sign;
            e->parts = {std::move(left), binary(tightness + 1)};
            left = finished(std::move(e), first);
            if (tightness == 2) break;  // comparisons do not chain
        }
        return left;
    }

    ExpressionPtr unary() {
        const std::size_t first = at_;
        if (!now().is("-") && !now().is("const")) return postfix();
        const bool minus = now().is("-");
        auto e = make(minus ? Kind::unary : Kind::constant, take());
        if (++depth_ > deepest) fail_at(file_, now().place, "this expression is nested too deeply");
        e->parts = {minus ? unary() : postfix()};
        --depth_;
        if (minus && e->parts[0]->kind == Kind::integer) {
            auto number = std::make_shared<Expression>(*e->parts[0]);
            number->integer = -number->integer;
            return finished(std::move(number), first);
        }
        return finished(std::move(e), first);
    }

    ExpressionPtr postfix() {
        const std::size_t first = at_;
        ExpressionPtr e = primary();
        while (now().is("[")) {
            auto index = make(Kind::index, take());
            index->parts = {std::move(e), expression()};
            require("]", "behind an index");
            e = finished(std::move(index), first);
        }
        return e;
    }

    ExpressionPtr primary() {
        const std::size_t first = at_;
        const Token& t = now();
        switch (t.kind) {
        case Token::Kind::integer:
        case Token::Kind::decimal: return number();
        case Token::Kind::text: return finished(make(Kind::text, take()), first);
        case Token::Kind::name: return name();
        default: break;
        }
        if (t.is("...")) return finished(make(Kind::more, take()), first);
        if (t.is("*") && next().is("(")) {
            auto e = make(Kind::call, take());
            arguments(*e);
            return finished(std::move(e), first);
        }
        if (t.is("[")) return list("]");
        if (t.is("(")) {
            const std::size_t opened = at_;
            ExpressionPtr e = list(")");
            // one expression in parentheses is itself
            if (e->parts.size() == 1 && !tokens_[at_ - 2].is(",")) {
                auto same = std::make_shared<Expression>(*e->parts[0]);
                return finished(std::move(same), opened);
            }
            return e;
        }
        expected("a name, a number, a text or a list");
    }

    ExpressionPtr number() {
        const std::size_t first = at_;
        const Token t = take();
        auto e = make(t.kind == Token::Kind::integer ? Kind::integer : Kind::decimal, t);
        const char *begin = t.text.data(), *end = begin + t.text.size();
        const auto result = t.kind == Token::Kind::integer
                                ? std::from_chars(begin, end, e->integer)
                                : std::from_chars(begin, end, e->decimal);
        if (result.ec != std::errc())
            fail_at(file_, t.place, "the number " + quote(t.text) + " is too large");
        return finished(std::move(e), first);
    }

    ExpressionPtr list(std::string_view end) {
        const std::size_t first = at_;
        auto e = make(Kind::list, take());
        while (!now().is(end)) {
            e->parts.push_back(expression());
            if (!take_if(",") && !now().is(end)) expected("\",\" or " + quote(end) + " in a list");
        }
        take();
        return finished(std::move(e), first);
    }

    ExpressionPtr name() {
        const std::size_t first = at_;
        const Token t = take();
        if (t.text == "true" || t.text == "false") {
            auto e = make(Kind::boolean, t);
            e->integer = t.text == "true";
            return finished(std::move(e), first);
        }
        if (t.text == "none") return finished(make(Kind::none, t), first);
        if (t.text == "_") {
            auto e = make(Kind::anything, t);
            e->optional = take_if("?");
            return finished(std::move(e), first);
        }
        if (now().is("(") || now().is("|")) {
            auto e = make(Kind::call, t);
            while (take_if("|")) {
                if (now().kind != Token::Kind::name) expected("an operator behind \"|\"");
                e->text += "|" + take().text;
            }
            if (!now().is("(")) expected("\"(\" behind operators");
            arguments(*e);
            return finished(std::move(e), first);
        }
        if (const auto type = t.text == "double" ? DType::f64 : dtype_from_name(t.text)) {
            auto e = make(Kind::type, t);
            e->type = *type;
            return finished(std::move(e), first);
        }
        auto e = make(Kind::name, t);
        e->optional = take_if("?");
        return finished(std::move(e), first);
    }

    void arguments(Expression& call) {
        take();
        while (!now().is(")")) {
            if (now().kind == Token::Kind::name && next().is("=")) {
                const Token name = take();
                take();
                for (const NamedArgument& other : call.named)
                    if (other.name == name.text)
                        fail_at(file_, name.place,
                                "the attribute " + quote(name.text) + " is given twice");
                call.named.push_back({name.text, expression(), name.place});
            } else {
                call.parts.push_back(expression());
            }
            if (!take_if(",") && !now().is(")")) expected("\",\" or \")\" behind an argument");
        }
        take();
    }

    const std::string& file_;
    std::string_view text_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

std::vector<RewriteRule> parse_rules(const std::string& file, std::string_view text) {
    return RuleParser(file, text).all();
}

}  // namespace lapidary::user
