// SPDX-License-Identifier: Apache-2.0
#include "ops/dimensions/polynomial.h"

#include "base/checked.h"

namespace lapidary {
namespace {

constexpr std::size_t max_terms = 32;
constexpr int max_degree = 16;

std::optional<Monomial> multiply_monomials(const Monomial& a, const Monomial& b) {
    Monomial result;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (j == b.size() || (i < a.size() && a[i].first < b[j].first)) {
            result.push_back(a[i++]);
        } else if (i == a.size() || b[j].first < a[i].first) {
            result.push_back(b[j++]);
        } else {
            result.emplace_back(a[i].first, a[i].second + b[j].second);
            ++i, ++j;
        }
    }
    if (degree_of(result) > max_degree) return std::nullopt;
    return result;
}

std::optional<Monomial> divide_monomials(const Monomial& a, const Monomial& b) {
    Monomial result;
    std::size_t j = 0;
    for (const auto& [atom, power] : a) {
        int left = power;
        if (j < b.size() && b[j].first == atom) left -= b[j++].second;
        if (left < 0) return std::nullopt;
        if (left > 0) result.emplace_back(atom, left);
    }
    if (j < b.size()) return std::nullopt;
    return result;
}

}  // namespace

int degree_of(const Monomial& monomial) {
    int degree = 0;
    for (const auto& [atom, power] : monomial) degree += power;
    return degree;
}

bool MonomialOrder::operator()(const Monomial& a, const Monomial& b) const {
    const int degree_a = degree_of(a), degree_b = degree_of(b);
    if (degree_a != degree_b) return degree_a > degree_b;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (a[i].first != b[i].first) return a[i].first < b[i].first;
        if (a[i].second != b[i].second) return a[i].second > b[i].second;
    }
    return false;
}

Polynomial Polynomial::constant(std::int64_t value) {
    Polynomial p;
    if (value != 0) p.terms_.emplace(Monomial{}, value);
    return p;
}

Polynomial Polynomial::atom(Atom atom) {
    Polynomial p;
    p.terms_.emplace(Monomial{{std::move(atom), 1}}, 1);
    return p;
}

std::optional<std::int64_t> Polynomial::as_constant() const {
    if (terms_.empty()) return 0;
    if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
    return std::nullopt;
}

const Atom* Polynomial::as_atom() const {
    if (terms_.size() != 1 || terms_.begin()->second != 1) return nullptr;
    const Monomial& monomial = terms_.begin()->first;
    return monomial.size() == 1 && monomial[0].second == 1 ? &monomial[0].first : nullptr;
}

bool Polynomial::add_term(const Monomial& monomial, std::int64_t coefficient) {
    if (coefficient == 0) return true;
    if (coefficient == INT64_MIN) return false;  // could be neither negated nor read back
    const auto [place, inserted] = terms_.emplace(monomial, coefficient);
    if (!inserted) {
        const auto sum = checked_add(place->second, coefficient);
        if (!sum || *sum == INT64_MIN) return false;
        if (*sum == 0) terms_.erase(place);
        else place->second = *sum;
    }
    return terms_.size() <= max_terms;
}

std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b) {
    Polynomial sum = a;
    for (const auto& [monomial, coefficient] : b.terms()) {
        if (!sum.add_term(monomial, coefficient)) return std::nullopt;
    }
    return sum;
}

std::optional<Polynomial> subtract(const Polynomial& a, const Polynomial& b) {
    Polynomial difference = a;
    for (const auto& [monomial, coefficient] : b.terms()) {
        if (coefficient == INT64_MIN || !difference.add_term(monomial, -coefficient))
            return std::nullopt;
    }
    return difference;
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [monomial_a, coefficient_a] : a.terms()) {
        for (const auto& [monomial_b, coefficient_b] : b.terms()) {
            const auto coefficient = checked_multiply(coefficient_a, coefficient_b);
            const auto monomial = multiply_monomials(monomial_a, monomial_b);
            if (!coefficient || !monomial || !result.add_term(*monomial, *coefficient))
                return std::nullopt;
        }
    }
    return result;
}

std::optional<Polynomial> exact_divide(const Polynomial& a, const Polynomial& b) {
    if (b.is_zero()) return std::nullopt;
    const auto& [lead_monomial, lead_coefficient] = *b.terms().begin();
    Polynomial rest = a, quotient;
    // Each step removes the leading term, so the bound is only a guard against long fill-in.
    for (std::size_t step = 0; step < 4 * max_terms && !rest.is_zero(); ++step) {
        const auto& [monomial, coefficient] = *rest.terms().begin();
        const auto shared = divide_monomials(monomial, lead_monomial);
        if (!shared || (coefficient == INT64_MIN && lead_coefficient == -1) ||
            coefficient % lead_coefficient != 0) {
            return std::nullopt;
        }
        Polynomial piece;
        if (!piece.add_term(*shared, coefficient / lead_coefficient)) return std::nullopt;
        const auto product = multiply(piece, b);
        const auto sum = add(quotient, piece);
        if (!product || !sum) return std::nullopt;
        const auto difference = subtract(rest, *product);
        if (!difference) return std::nullopt;
        quotient = *sum;
        rest = *difference;
    }
    if (!rest.is_zero()) return std::nullopt;
    return quotient;
}

}  // namespace lapidary
