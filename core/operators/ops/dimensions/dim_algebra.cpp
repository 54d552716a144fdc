// SPDX-License-Identifier: Apache-2.0
#include "ops/dimensions/dim_algebra.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"
#include "ops/dimensions/polynomial.h"

namespace lapidary {
namespace {

constexpr std::size_t max_dim_text = 240;
constexpr int max_reasoning_depth = 6;

Polynomial polynomial_of(const Dim& dim) {
    return dim.is_known() ? Polynomial::constant(dim.value()) : polynomial_from_text(dim.symbol());
}

Dim dim_from(const Polynomial& polynomial) {
    if (const auto constant = polynomial.as_constant()) return dim_of(*constant);
    std::string text = to_text(polynomial);
    return text.size() > max_dim_text ? Dim() : Dim::symbolic(std::move(text));
}

Dim dim_from(const std::optional<Polynomial>& polynomial) {
    return polynomial ? dim_from(*polynomial) : Dim();
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) {  // b > 0
    return a / b - (a % b < 0 ? 1 : 0);
}

bool not_negative(const Polynomial& p, int depth);

bool atom_not_negative(const Atom& atom, int depth) {
    if (!atom.is_function) return true;
    if (depth > max_reasoning_depth) return false;
    const FunctionTerm term = function_of(atom);
    const bool first = not_negative(term.first, depth + 1),
               second = not_negative(term.second, depth + 1);
    return term.name == "max" ? first || second : first && second;
}

bool not_negative(const Polynomial& p, int depth) {
    for (const auto& [monomial, coefficient] : p.terms()) {
        if (coefficient < 0) return false;
        for (const auto& [atom, power] : monomial) {
            if (power % 2 != 0 && !atom_not_negative(atom, depth)) return false;
        }
    }
    return true;
}

std::optional<Polynomial> divide_by_constant(const Polynomial& p, std::int64_t divisor, int depth);

/// floor(r / divisor) for coefficients in [0, divisor) and at least one name.
std::optional<Polynomial> remainder_quotient(Polynomial r, std::int64_t divisor, int depth) {
    std::int64_t shared = divisor;
    for (const auto& [monomial, coefficient] : r.terms()) {
        if (!monomial.empty()) shared = std::gcd(shared, coefficient);
    }
    if (shared > 1) {  // floor((g*x + c) / (g*m)) = floor((x + floor(c/g)) / m)
        Polynomial reduced;
        for (const auto& [monomial, coefficient] : r.terms()) {
            if (!reduced.add_term(monomial, coefficient / shared)) return std::nullopt;
        }
        r = std::move(reduced);
        divisor /= shared;
    }
    if (divisor == 1) return r;
    // floor((floor(n/a) + b) / c) = floor((n + a*b) / (a*c)) for positive a and c.
    const auto& [monomial, coefficient] = *r.terms().begin();
    const bool single = coefficient == 1 && monomial.size() == 1 && monomial[0].second == 1 &&
                        monomial[0].first.is_function;
    if (single && depth < max_reasoning_depth &&
        (r.terms().size() == 1 || (r.terms().size() == 2 && r.terms().rbegin()->first.empty()))) {
        const FunctionTerm inner = function_of(monomial[0].first);
        const std::int64_t inner_divisor =
            inner.name == "floor" ? inner.second.as_constant().value_or(0) : 0;
        const std::int64_t offset = r.terms().size() == 2 ? r.terms().rbegin()->second : 0;
        if (inner_divisor > 0) {
            const auto scaled_offset = checked_multiply(inner_divisor, offset);
            const auto combined = checked_multiply(inner_divisor, divisor);
            if (!scaled_offset || !combined) return std::nullopt;
            const auto numerator = add(inner.first, Polynomial::constant(*scaled_offset));
            if (!numerator) return std::nullopt;
            return divide_by_constant(*numerator, *combined, depth + 1);
        }
    }
    return Polynomial::atom(make_function("floor", r, Polynomial::constant(divisor)));
}

std::optional<Polynomial> divide_by_constant(const Polynomial& p, std::int64_t divisor, int depth) {
    Polynomial whole, rest;
    for (const auto& [monomial, coefficient] : p.terms()) {
        const std::int64_t quotient = floor_of(coefficient, divisor);
        if (!whole.add_term(monomial, quotient) ||
            !rest.add_term(monomial, coefficient - quotient * divisor))
            return std::nullopt;
    }
    if (rest.as_constant()) return whole;  // 0 <= constant < divisor
    const auto tail = remainder_quotient(std::move(rest), divisor, depth);
    return tail ? add(whole, *tail) : std::nullopt;
}

std::optional<Polynomial> floor_quotient(const Polynomial& a, const Polynomial& b) {
    if (const auto divisor = b.as_constant()) {
        if (*divisor == 0 || *divisor == INT64_MIN) return std::nullopt;
        if (*divisor > 0) return divide_by_constant(a, *divisor, 0);
        const auto negated = subtract(Polynomial(), a);
        return negated ? divide_by_constant(*negated, -*divisor, 0) : std::nullopt;
    }
    if (auto exact = exact_divide(a, b)) return exact;
    return Polynomial::atom(make_function("floor", a, b));
}

Dim extreme(const Dim& a, const Dim& b, bool largest) {
    if (a.is_unknown() || b.is_unknown()) return {};
    const Polynomial first = polynomial_of(a), second = polynomial_of(b);
    const auto ahead = subtract(first, second), behind = subtract(second, first);
    if (!ahead || !behind) return {};
    if (not_negative(*ahead, 0)) return largest ? dim_from(first) : dim_from(second);
    if (not_negative(*behind, 0)) return largest ? dim_from(second) : dim_from(first);
    const bool in_order = to_text(first) <= to_text(second);
    return dim_from(Polynomial::atom(make_function(
        largest ? "max" : "min", in_order ? first : second, in_order ? second : first)));
}

}  // namespace

Dim dim_of(std::int64_t value) {
    if (value >= 0) return value;
    return value == INT64_MIN ? Dim() : Dim::symbolic(std::to_string(value));
}

std::optional<std::int64_t> constant_of(const Dim& dim) {
    if (dim.is_known()) return dim.value();
    const std::string& text = dim.symbol();
    if (text.size() < 2 || text[0] != '-' || text[1] < '0' || text[1] > '9') return std::nullopt;
    return polynomial_from_text(text).as_constant();
}

Dim dim_from_name(std::string_view name) {
    for (std::string_view unknown : {"", "?", "*", "None", "none", "unknown"}) {
        if (name == unknown) return {};
    }
    const Polynomial p = polynomial_from_text(name);
    if (const auto constant = p.as_constant()) return *constant >= 0 ? Dim(*constant) : Dim();
    return Dim::symbolic(std::string(name));
}

Dim add(const Dim& a, const Dim& b) {
    if (a.is_unknown() || b.is_unknown()) return {};
    if (a.is_known() && b.is_known()) {
        const auto sum = checked_add(a.value(), b.value());
        return sum ? Dim(*sum) : Dim();
    }
    return dim_from(add(polynomial_of(a), polynomial_of(b)));
}

Dim subtract(const Dim& a, const Dim& b) {
    if (a.is_unknown() || b.is_unknown()) return {};
    // both >= 0: no overflow
    if (a.is_known() && b.is_known()) return dim_of(a.value() - b.value());
    return dim_from(subtract(polynomial_of(a), polynomial_of(b)));
}

Dim multiply(const Dim& a, const Dim& b) {
    if (a == Dim(0) || b == Dim(0)) return 0;  // nothing of an unknown size is still nothing
    if (a.is_unknown() || b.is_unknown()) return {};
    if (a.is_known() && b.is_known()) {
        const auto product = checked_multiply(a.value(), b.value());
        return product ? Dim(*product) : Dim();
    }
    return dim_from(multiply(polynomial_of(a), polynomial_of(b)));
}

Dim floor_divide(const Dim& a, const Dim& b) {
    if (a.is_unknown() || b.is_unknown()) return {};
    if (a.is_known() && b.is_known()) return b.value() == 0 ? Dim() : Dim(a.value() / b.value());
    return dim_from(floor_quotient(polynomial_of(a), polynomial_of(b)));
}

Dim ceil_divide(const Dim& a, const Dim& b) {
    if (a.is_unknown() || b.is_unknown()) return {};
    const Polynomial numerator = polynomial_of(a), denominator = polynomial_of(b);
    const auto negated = subtract(Polynomial(), numerator);
    const auto quotient = negated ? floor_quotient(*negated, denominator) : std::nullopt;
    if (!denominator.as_constant()) {  // symbolic: -floor(-a/b) unless it divides
        return quotient ? dim_from(subtract(Polynomial(), *quotient)) : Dim();
    }
    const auto divisor = denominator.as_constant();
    if (*divisor <= 0) return quotient ? dim_from(subtract(Polynomial(), *quotient)) : Dim();
    const auto raised = add(numerator, Polynomial::constant(*divisor - 1));
    return raised ? dim_from(floor_quotient(*raised, denominator)) : Dim();
}

Dim modulo(const Dim& a, const Dim& b) { return subtract(a, multiply(b, floor_divide(a, b))); }

Dim maximum(const Dim& a, const Dim& b) { return extreme(a, b, true); }
Dim minimum(const Dim& a, const Dim& b) { return extreme(a, b, false); }

std::optional<Dim> exact_divide(const Dim& a, const Dim& b) {
    if (a.is_unknown() || b.is_unknown()) return std::nullopt;
    const auto quotient = exact_divide(polynomial_of(a), polynomial_of(b));
    if (!quotient) return std::nullopt;
    return dim_from(*quotient);
}

Dim product(std::span<const Dim> dims) {
    Dim result = 1;
    for (const Dim& dim : dims) result = multiply(result, dim);
    return result;
}

DimRelation relate(const Dim& a, const Dim& b) {
    if (a.is_unknown() || b.is_unknown()) return DimRelation::undecided;
    if (a.is_known() && b.is_known())
        return a.value() == b.value() ? DimRelation::equal : DimRelation::different;
    if (a.is_symbolic() && b.is_symbolic() && a.symbol() == b.symbol()) return DimRelation::equal;
    const Polynomial first = polynomial_of(a), second = polynomial_of(b);
    const auto ahead = subtract(first, second), behind = subtract(second, first);
    if (!ahead || !behind) return DimRelation::undecided;
    if (ahead->is_zero()) return DimRelation::equal;
    const auto above = subtract(*ahead, Polynomial::constant(1)),
               below = subtract(*behind, Polynomial::constant(1));
    if ((above && not_negative(*above, 0)) || (below && not_negative(*below, 0)))
        return DimRelation::different;
    return DimRelation::undecided;
}

bool surely_not_negative(const Dim& dim) {
    if (dim.is_known()) return true;
    return dim.is_symbolic() && not_negative(polynomial_of(dim), 0);
}

bool is_capped(const Dim& a, const Dim& b) {
    if (!a.is_symbolic() || !b.is_symbolic()) return false;
    const Polynomial capped = polynomial_of(a);
    const Atom* atom = capped.as_atom();
    if (!atom || !atom->is_function) return false;
    const FunctionTerm term = function_of(*atom);
    const Polynomial whole = polynomial_of(b);
    return term.name == "min" &&
           ((term.first.as_constant().value_or(0) >= 2 && term.second == whole) ||
            (term.second.as_constant().value_or(0) >= 2 && term.first == whole));
}

namespace {

std::optional<Polynomial> substituted(const Polynomial& p,
                                      const std::map<std::string, std::int64_t>& values, int depth);

std::optional<Polynomial> substituted(const Atom& atom,
                                      const std::map<std::string, std::int64_t>& values,
                                      int depth) {
    if (!atom.is_function) {
        const auto found = values.find(atom.text);
        return found == values.end() ? Polynomial::atom(atom) : Polynomial::constant(found->second);
    }
    if (depth > 2 * max_reasoning_depth) return std::nullopt;
    const FunctionTerm term = function_of(atom);
    const auto first = substituted(term.first, values, depth + 1),
               second = substituted(term.second, values, depth + 1);
    if (!first || !second) return std::nullopt;
    if (term.name == "floor") return floor_quotient(*first, *second);
    const Dim decided = extreme(dim_from(*first), dim_from(*second), term.name == "max");
    if (decided.is_unknown()) return std::nullopt;
    return polynomial_of(decided);
}

std::optional<Polynomial> substituted(const Polynomial& p,
                                      const std::map<std::string, std::int64_t>& values,
                                      int depth) {
    Polynomial total;
    for (const auto& [monomial, coefficient] : p.terms()) {
        std::optional<Polynomial> piece = Polynomial::constant(coefficient);
        for (const auto& [atom, power] : monomial) {
            const auto value = substituted(atom, values, depth);
            for (int i = 0; i < power && piece; ++i)
                piece = value ? multiply(*piece, *value) : std::nullopt;
        }
        auto sum = piece ? add(total, *piece) : std::nullopt;
        if (!sum) return std::nullopt;
        total = std::move(*sum);
    }
    return total;
}

void collect_names(const Polynomial& p, std::vector<std::string>& names, int depth) {
    for (const auto& [monomial, coefficient] : p.terms()) {
        for (const auto& [atom, power] : monomial) {
            if (!atom.is_function) {
                if (std::find(names.begin(), names.end(), atom.text) == names.end())
                    names.push_back(atom.text);
            } else if (depth < 2 * max_reasoning_depth) {
                const FunctionTerm term = function_of(atom);
                collect_names(term.first, names, depth + 1);
                collect_names(term.second, names, depth + 1);
            }
        }
    }
}

}  // namespace

std::vector<std::string> names_in(const Dim& dim) {
    std::vector<std::string> names;
    if (dim.is_symbolic()) collect_names(polynomial_of(dim), names, 0);
    return names;
}

Dim substitute(const Dim& dim, const std::map<std::string, std::int64_t>& values) {
    if (!dim.is_symbolic() || values.empty()) return dim;
    return dim_from(substituted(polynomial_of(dim), values, 0));
}

}  // namespace lapidary
