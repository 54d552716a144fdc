// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

/// One operand's subscripts: letters before and after an ellipsis.
struct Term {
    std::string before, after;
    bool has_ellipsis = false;
    std::size_t letters() const { return before.size() + after.size(); }
};

Term parse_term(const InferenceContext& ctx, std::string_view text) {
    Term term;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '.') {
            if (term.has_ellipsis || !text.substr(i).starts_with("..."))
                ctx.fail(fmt::format("equation term {} is malformed", quote(text)));
            term.has_ellipsis = true;
            i += 2;
        } else if ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')) {
            (term.has_ellipsis ? term.after : term.before) += text[i];
        } else {
            ctx.fail(fmt::format("equation term {} has the character {}", quote(text),
                                 quote(text.substr(i, 1))));
        }
    }
    return term;
}

std::vector<Term> parse_operands(const InferenceContext& ctx, const std::string& left) {
    std::vector<Term> terms;
    for (std::size_t start = 0; start <= left.size();) {
        const std::size_t comma = std::min(left.find(',', start), left.size());
        terms.push_back(parse_term(ctx, std::string_view(left).substr(start, comma - start)));
        start = comma + 1;
    }
    return terms;
}

/// The output of an equation without an arrow: the ellipsis, then the letters that appear once, in
/// order.
Term implicit_output(const std::vector<Term>& operands, const std::map<char, int>& appearances) {
    Term output;
    output.has_ellipsis =
        std::any_of(operands.begin(), operands.end(), [](const Term& t) { return t.has_ellipsis; });
    for (const auto& [letter, count] : appearances) {
        if (count == 1) output.after += letter;
    }
    return output;
}

}  // namespace

void infer_einsum(InferenceContext& ctx) {
    std::string equation = ctx.node().string_attribute("equation", "");
    std::erase(equation, ' ');
    const std::size_t arrow = equation.find("->");
    if (arrow != std::string::npos && equation.find("->", arrow + 2) != std::string::npos)
        ctx.fail("the equation has more than one ->");
    const std::vector<Term> terms = parse_operands(ctx, equation.substr(0, arrow));
    if (terms.size() != ctx.input_count())
        ctx.fail(fmt::format("the equation has {} operands, the node {} inputs", terms.size(),
                             ctx.input_count()));

    std::map<char, Dim> sizes;
    std::map<char, int> appearances;
    SymbolicShape spread;  // dimensions of the ellipsis, broadcast
    bool ranks_known = true;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const Term& term = terms[i];
        for (char letter : term.before + term.after) ++appearances[letter];
        const InputShape* shape = ctx.input_shape(i);
        if (!shape) {
            ranks_known = ranks_known && !term.has_ellipsis;
            continue;
        }
        if (term.has_ellipsis ? shape->size() < term.letters() : shape->size() != term.letters()) {
            ctx.fail(fmt::format("operand {} has {} subscripts, but shape {}", i, term.letters(),
                                 to_string(*shape)));
        }
        const auto bind = [&](char letter, const Dim& dim) {
            Dim& size = sizes[letter];
            if (size.is_unknown() || size == Dim(1)) size = dim;
            else if (dim != Dim(1))
                size = same_dim(ctx, size, dim, fmt::format("subscript {}", letter));
        };
        for (std::size_t k = 0; k < term.before.size(); ++k) bind(term.before[k], (*shape)[k]);
        for (std::size_t k = 0; k < term.after.size(); ++k)
            bind(term.after[k], (*shape)[shape->size() - term.after.size() + k]);
        if (term.has_ellipsis) {
            spread = broadcast(
                ctx, spread,
                SymbolicShape(shape->begin() + static_cast<std::ptrdiff_t>(term.before.size()),
                              shape->end() - static_cast<std::ptrdiff_t>(term.after.size())));
        }
    }
    const Term output = arrow != std::string::npos
                            ? parse_term(ctx, std::string_view(equation).substr(arrow + 2))
                            : implicit_output(terms, appearances);
    SymbolicShape result;
    std::map<char, int> used;
    const auto append = [&](const std::string& letters) {
        for (char letter : letters) {
            if (!appearances.contains(letter))
                ctx.fail(fmt::format("the output subscript {} is in no operand", letter));
            if (++used[letter] > 1)
                ctx.fail(fmt::format("the output subscript {} appears twice", letter));
            result.push_back(sizes[letter]);
        }
    };
    append(output.before);
    if (output.has_ellipsis) result.insert(result.end(), spread.begin(), spread.end());
    append(output.after);
    if (ranks_known) ctx.set_output_shape(0, std::move(result));
}

}  // namespace lapidary
