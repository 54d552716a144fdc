// SPDX-License-Identifier: Apache-2.0
// Canonical text of polynomials and its parser.
#include <charconv>

#include "ops/dimensions/polynomial.h"

namespace lapidary {
namespace {

constexpr std::size_t max_text = 1024;
constexpr int max_depth = 8;

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
    return is_name_start(c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '#' ||
           c == '$' || c == '@';
}

bool is_plain_name(std::string_view name) {
    if (name.empty() || !is_name_start(name[0])) return false;
    for (char c : name) {
        if (!is_name_part(c)) return false;
    }
    return true;
}

std::string atom_text(const Atom& atom) {
    if (atom.is_function || is_plain_name(atom.text)) return atom.text;
    std::string text = "`";
    for (char c : atom.text) {
        text += c;
        if (c == '`') text += c;
    }
    return text + "`";
}

std::string sum_text(const Polynomial& polynomial) {
    if (polynomial.is_zero()) return "0";
    std::string text;
    for (const auto& [monomial, coefficient] : polynomial.terms()) {
        const std::uint64_t size = coefficient < 0 ? 0 - static_cast<std::uint64_t>(coefficient)
                                                   : static_cast<std::uint64_t>(coefficient);
        if (text.empty()) text += coefficient < 0 ? "-" : "";
        else text += coefficient < 0 ? " - " : " + ";
        std::string factors;
        for (const auto& [atom, power] : monomial) {
            for (int i = 0; i < power; ++i)
                factors += (factors.empty() ? "" : "*") + atom_text(atom);
        }
        if (factors.empty()) text += std::to_string(size);
        else text += (size == 1 ? "" : std::to_string(size) + "*") + factors;
    }
    return text;
}

/// An operand of a quotient: sums in parentheses.
std::string operand_text(const Polynomial& polynomial) {
    std::string text = sum_text(polynomial);
    return polynomial.terms().size() > 1 || text[0] == '-' ? "(" + text + ")" : text;
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::optional<Polynomial> whole() {
        auto result = sum(0);
        return at_ == text_.size() ? result : std::nullopt;
    }
    std::optional<FunctionTerm> whole_function() {
        FunctionTerm term;
        if (!function(term, 0) || at_ != text_.size()) return std::nullopt;
        return term;
    }

private:
    bool take(std::string_view token) {
        if (!text_.substr(at_).starts_with(token)) return false;
        at_ += token.size();
        return true;
    }

    std::optional<Polynomial> sum(int depth) {
        if (depth > max_depth) return std::nullopt;
        Polynomial total;
        bool negative = take("-");
        for (;;) {
            auto piece = term(depth);
            if (!piece) return std::nullopt;
            auto next = negative ? subtract(total, *piece) : add(total, *piece);
            if (!next) return std::nullopt;
            total = std::move(*next);
            if (take(" + ")) negative = false;
            else if (take(" - ")) negative = true;
            else return total;
        }
    }

    std::optional<Polynomial> term(int depth) {
        Polynomial result = Polynomial::constant(1);
        do {
            auto next = factor(depth);
            if (!next) return std::nullopt;
            auto product = multiply(result, *next);
            if (!product) return std::nullopt;
            result = std::move(*product);
        } while (take("*"));
        return result;
    }

    std::optional<Polynomial> factor(int depth) {
        if (at_ >= text_.size()) return std::nullopt;
        const char c = text_[at_];
        if (c >= '0' && c <= '9') {
            std::int64_t value = 0;
            const auto [end, error] =
                std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
            if (error != std::errc()) return std::nullopt;
            at_ = static_cast<std::size_t>(end - text_.data());
            return Polynomial::constant(value);
        }
        if (c == '`') return quoted_name();
        const std::size_t start = at_;
        FunctionTerm ignored;
        if (function(ignored, depth))
            return Polynomial::atom({std::string(text_.substr(start, at_ - start)), true});
        at_ = start;
        if (!is_name_start(c)) return std::nullopt;
        while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
        return Polynomial::atom({std::string(text_.substr(start, at_ - start)), false});
    }

    std::optional<Polynomial> quoted_name() {
        std::string name;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == '`') {
                ++at_;
                if (at_ >= text_.size() || text_[at_] != '`')
                    return Polynomial::atom({std::move(name), false});
            }
            name += text_[at_];
        }
        return std::nullopt;
    }

    bool function(FunctionTerm& term, int depth) {
        const bool quotient = take("floor(");
        if (quotient) term.name = "floor";
        else if (take("max(")) term.name = "max";
        else if (take("min(")) term.name = "min";
        else return false;
        auto first = quotient ? operand(depth + 1) : sum(depth + 1);
        if (!first || !take(quotient ? "/" : ",")) return false;
        auto second = quotient ? operand(depth + 1) : sum(depth + 1);
        if (!second || !take(")")) return false;
        term.first = std::move(*first);
        term.second = std::move(*second);
        return true;
    }

    std::optional<Polynomial> operand(int depth) {
        if (!take("(")) return depth > max_depth ? std::nullopt : term(depth);
        auto inner = sum(depth);
        if (!inner || !take(")")) return std::nullopt;
        return inner;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::string to_text(const Polynomial& polynomial) {
    if (const Atom* atom = polynomial.as_atom()) return atom->text;
    return sum_text(polynomial);
}

Polynomial polynomial_from_text(std::string_view text) {
    if (text.size() <= max_text) {
        if (auto parsed = Parser(text).whole(); parsed && to_text(*parsed) == text) return *parsed;
    }
    return Polynomial::atom({std::string(text), false});
}

FunctionTerm function_of(const Atom& atom) {
    if (auto term = Parser(atom.text).whole_function()) return *term;
    return {};
}

Atom make_function(std::string_view name, const Polynomial& first, const Polynomial& second) {
    std::string text(name);
    if (name == "floor") text += "(" + operand_text(first) + "/" + operand_text(second) + ")";
    else text += "(" + sum_text(first) + "," + sum_text(second) + ")";
    return {std::move(text), true};
}

}  // namespace lapidary
