// SPDX-License-Identifier: Apache-2.0
#include "patterns/formula.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace lapidary::pattern {
namespace {

constexpr int max_depth = 16, max_power = 4;
constexpr std::size_t max_operators = 32;

double rounding_of(DType dtype) {
    if (dtype == DType::f16) return 1.0 / 2048;
    if (dtype == DType::bf16) return 1.0 / 256;
    return 0;
}

bool is_float_type(DType t) {
    return t == DType::f32 || t == DType::f16 || t == DType::bf16 || t == DType::f64;
}

Polynomial sum(const Polynomial& a, const Polynomial& b, double sign) {
    Polynomial out = a;
    out.slack += b.slack;
    for (const auto& [power, coefficient] : b.terms) {
        double& c = out.terms[power];
        const double before = c;
        c += sign * coefficient;
        if (std::abs(c) <= 1e-9 * std::abs(before)) c = 0;
    }
    std::erase_if(out.terms, [](const auto& term) { return term.second == 0; });
    return out;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) {
    Polynomial out;
    out.slack = a.slack + b.slack;
    for (const auto& [p, x] : a.terms)
        for (const auto& [q, y] : b.terms) {
            const std::pair power{p.first + q.first, p.second + q.second};
            if (power.first > max_power || power.second > 1) return std::nullopt;
            out.terms[power] += x * y;
        }
    return out;
}

}  // namespace

bool is_arithmetic(const Node& node) {
    static constexpr std::array<std::string_view, 8> known = {"Add", "Sub", "Mul",  "Div",
                                                              "Neg", "Pow", "Cast", "Identity"};
    return node.domain.empty() && std::ranges::find(known, node.op_type) != known.end();
}

bool Polynomial::is_constant() const {
    return std::ranges::all_of(terms, [](const auto& term) {
        return term.first == std::pair{0, 0};
    });
}

double Polynomial::coefficient(int i, int j) const {
    const auto it = terms.find({i, j});
    return it == terms.end() ? 0 : it->second;
}

bool Polynomial::matches(const Polynomial& expected) const {
    const auto fits = [&](const auto& term) {
        const double want = expected.coefficient(term.first.first, term.first.second);
        return std::abs(coefficient(term.first.first, term.first.second) - want) <=
               1e-8 + (1e-5 + slack) * std::abs(want);
    };
    return std::ranges::all_of(terms, fits) && std::ranges::all_of(expected.terms, fits);
}

std::string to_string(const Polynomial& polynomial, const std::string& first,
                      const std::string& second) {
    std::string text;
    const auto power = [](const std::string& name, int n) {
        return n == 0 ? "" : n == 1 ? name : name + "^" + std::to_string(n);
    };
    for (const auto& [powers, coefficient] : polynomial.terms) {
        std::string factors = power(first, powers.first);
        if (powers.second) factors += (factors.empty() ? "" : "*") + power(second, powers.second);
        std::string term = factors;
        if (factors.empty() || coefficient != 1)
            term = fmt::format("{:.6g}", coefficient) + (factors.empty() ? "" : "*" + factors);
        text += (text.empty() ? "" : " + ") + term;
    }
    return text.empty() ? "0" : text;
}

std::optional<Polynomial> Formula::of(ValueId value) { return read(value, 0); }

std::optional<Polynomial> Formula::read(ValueId value, int depth) {
    if (!value || depth > max_depth || nodes_.size() > max_operators) return std::nullopt;
    if (value == first_) return Polynomial{{{{1, 0}, 1.0}}, 0};
    if (value == second_) return Polynomial{{{{0, 1}, 1.0}}, 0};
    if (const Tensor* t = scope_.constant(value)) {
        const auto number = scalar_of(t);
        const int rank = scope_.rank(first_);
        if (!number || static_cast<int>(t->rank()) > std::max(rank, 0)) return std::nullopt;
        Polynomial out;
        if (*number != 0) out.terms[{0, 0}] = *number;
        // Small integers and powers of two are exact in every float type.
        if (*number != std::ldexp(std::round(std::ldexp(*number, 6)), -6))
            out.slack = rounding_of(t->dtype());
        return out;
    }
    const Node* node = scope_.producer(value);
    if (!node || !is_arithmetic(*node)) return std::nullopt;
    auto out = read_operator(*node, depth + 1);
    if (out && std::ranges::find(nodes_, node->id) == nodes_.end()) nodes_.push_back(node->id);
    return out;
}

std::optional<Polynomial> Formula::read_operator(const Node& node, int depth) {
    const std::string& op = node.op_type;
    const auto a = read(node.inputs[0], depth);
    if (!a) return std::nullopt;
    if (op == "Identity") return a;
    if (op == "Cast") {
        if (!is_float_type(scope_.dtype(node.inputs[0])) ||
            !is_float_type(scope_.dtype(node.outputs[0])))
            return std::nullopt;
        Polynomial out = *a;
        if (out.is_constant()) out.slack += rounding_of(scope_.dtype(node.outputs[0]));
        return out;
    }
    if (op == "Neg") return sum({}, *a, -1);
    const auto b = read(node.inputs[1], depth);
    if (!b) return std::nullopt;
    if (op == "Add") return sum(*a, *b, 1);
    if (op == "Sub") return sum(*a, *b, -1);
    if (op == "Mul") return product(*a, *b);
    if (!b->is_constant() || b->terms.empty()) return std::nullopt;
    const double c = b->coefficient(0);
    if (op == "Div") return product(*a, {{{{0, 0}, 1 / c}}, b->slack});
    if (c != std::round(c) || c < 1 || c > max_power) return std::nullopt;  // Pow
    std::optional<Polynomial> out = a;
    for (int i = 1; out && i < static_cast<int>(c); ++i) out = product(*out, *a);
    return out;
}

}  // namespace lapidary::pattern
