// SPDX-License-Identifier: Apache-2.0
// Multivariate polynomials with integer coefficients: what dim_algebra computes with.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapidary {

/// A factor of a monomial: a name, or the text of a function term such as "floor(seq/2)".
struct Atom {
    std::string text;
    bool is_function = false;
    friend auto operator<=>(const Atom&, const Atom&) = default;
};

/// Atoms in order with their powers (>= 1); empty: the constant.
using Monomial = std::vector<std::pair<Atom, int>>;

int degree_of(const Monomial& monomial);

/// Higher degree first, then the one with more of the first atom: an admissible order, so it serves
/// both printing and division.
struct MonomialOrder {
    bool operator()(const Monomial& a, const Monomial& b) const;
};

class Polynomial {
public:
    Polynomial() = default;  // zero
    static Polynomial constant(std::int64_t value);
    static Polynomial atom(Atom atom);

    const std::map<Monomial, std::int64_t, MonomialOrder>& terms() const { return terms_; }
    bool is_zero() const { return terms_.empty(); }
    /// The value when there are no atoms.
    std::optional<std::int64_t> as_constant() const;
    /// The atom when the polynomial is exactly one atom.
    const Atom* as_atom() const;
    /// Adds one term; false on overflow or when the polynomial would become too large.
    bool add_term(const Monomial& monomial, std::int64_t coefficient);

    friend bool operator==(const Polynomial&, const Polynomial&) = default;

private:
    std::map<Monomial, std::int64_t, MonomialOrder> terms_;  // no zero coefficients
};

// Nothing: overflow, or too large.
std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> subtract(const Polynomial& a, const Polynomial& b);
std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b);
/// The quotient when division leaves nothing over.
std::optional<Polynomial> exact_divide(const Polynomial& a, const Polynomial& b);

/// Canonical text; a lone name is printed bare.
std::string to_text(const Polynomial& polynomial);
/// The inverse for canonical text; any other text is one name.
Polynomial polynomial_from_text(std::string_view text);

/// The two operands of a function term: {"floor", numerator, denominator}, {"max", a, b}, {"min",
/// a, b}.
struct FunctionTerm {
    std::string name;
    Polynomial first, second;
};
FunctionTerm function_of(const Atom& atom);
Atom make_function(std::string_view name, const Polynomial& first, const Polynomial& second);

}  // namespace lapidary
