// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/score_mask.h"

#include <algorithm>
#include <cmath>

#include "ops/dim_algebra.h"
#include "passes/constant_math.h"

namespace lapidary::attention {
namespace {

/// What is added at this size hides a key as well as minus infinity does.
bool hides(double filler) { return filler <= -1000; }

/// A mask dimension under another name than the keys': it broadcast with them, so it is as long (or 1, which hides nothing).
bool may_be_keys(const Dim& dim, const ScoreSizes& sizes) {
    if (surely_equal(dim, sizes.keys)) return true;
    return dim.is_symbolic() && !surely_different(dim, sizes.keys);
}

std::vector<Dim> without_ones(const SymbolicShape& shape) {
    std::vector<Dim> out;
    std::ranges::copy_if(shape, std::back_inserter(out), [](const Dim& d) { return d.value() != 1; });
    return out;
}

/// m of (1 - m) * filler, or of m * filler (reversed).
std::optional<KeyMask> scaled_key_mask(const Scope& scope, const Node& node, const ScoreSizes& sizes) {
    for (std::size_t i = 0; i < 2; ++i) {
        const auto filler = scalar_of(scope.constant(node.inputs[1 - i]));
        if (!filler || !hides(*filler) || std::isinf(*filler)) continue;
        auto m = key_mask_of(scope, node.inputs[i], sizes);
        if (!m) continue;
        m->reversed = !m->reversed;
        m->filler = *filler;
        return m;
    }
    return std::nullopt;
}

/// condition of Where(condition, 0, filler) or Where(condition, filler, 0); Where(x != 0, filler, x) is of the second form.
std::optional<MaskTerm> chosen(const Scope& scope, const Node& node) {
    const auto yes = scalar_of(scope.constant(node.inputs[1]));
    auto no = scalar_of(scope.constant(node.inputs[2]));
    const Node* test = scope.producer(node.inputs[0]);
    if (test && test->op_type == "Cast" && test->domain.empty() && test->inputs[0] == node.inputs[2]) no = 0;
    if (!yes || !no) return std::nullopt;
    if (*yes == 0 && hides(*no)) return MaskTerm{MaskTerm::Kind::keep, node.inputs[0], *no, node.id};
    if (*no == 0 && hides(*yes)) return MaskTerm{MaskTerm::Kind::drop, node.inputs[0], *yes, node.id};
    return std::nullopt;
}

bool is_all_zero(const Tensor& t) {
    if (t.size() > (1 << 22)) return false;
    return std::ranges::all_of(to_doubles(t), [](double v) { return v == 0; });
}

/// A constant bias that is 0 in the lower triangle and hides everything else.
bool is_causal_bias(const Tensor& t, const ScoreSizes& sizes) {
    const auto rank = static_cast<std::size_t>(t.rank());
    if (rank < 2 || t.size() > (1 << 22) || !sizes.keys.is_known() || !sizes.queries.is_known()) return false;
    const std::int64_t rows = t.dim(rank - 2), columns = t.dim(rank - 1), diagonal = sizes.keys.value() - sizes.queries.value();
    if (rows * columns != t.size() || rows != sizes.queries.value() || columns != sizes.keys.value() || columns < 2) return false;
    const std::vector<double> values = to_doubles(t);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            const double v = values[static_cast<std::size_t>(r * columns + c)];
            if (c <= r + diagonal ? v != 0 : !hides(v)) return false;
        }
    return true;
}

/// Why a value cannot be added to scores [B,N,S,T] as a bias of the operators; empty: it can.
std::string bias_problem(const Scope& scope, const MaskTerm& term, const ScoreSizes& sizes) {
    const auto& shape = scope.type(term.value).shape;
    if (!shape) return "the rank of the mask is not known";
    if (shape->size() > 4) return "the mask has rank " + std::to_string(shape->size()) + ", needs at most 4";
    const auto dim = [&](std::size_t from_end) { return from_end < shape->size() ? (*shape)[shape->size() - 1 - from_end] : Dim(1); };
    const Dim heads = sizes.heads;
    // A table of masks cut to the sizes has rows like min(64, ..): it broadcast with the scores, so it is as long as they are.
    const auto is_cut = [](const Dim& a, const Dim& b) {
        if (!a.is_symbolic() || a.symbol().find("min(") == std::string::npos || surely_different(a, b)) return false;
        const auto names = names_in(a);
        return std::ranges::all_of(names_in(b), [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); });
    };
    const auto fits = [&](const Dim& a, const Dim& b, bool one) { return surely_equal(a, b) || (one && a.value() == 1) || is_cut(a, b); };
    if (!may_be_keys(dim(0), sizes) || !fits(dim(1), sizes.queries, true) || !fits(dim(2), heads, true) || !fits(dim(3), sizes.batch, true))
        return "the mask has the shape " + to_string(*shape) + ", needs [" + to_string(sizes.batch) + " or 1," + to_string(heads) + " or 1," + to_string(sizes.queries) +
               " or 1," + to_string(sizes.keys) + "]";
    return {};
}

}  // namespace

std::optional<KeyMask> key_mask_of(const Scope& scope, ValueId value, const ScoreSizes& sizes) {
    KeyMask mask;
    std::optional<KeyMask> best;  // the one furthest up saves most nodes
    for (int steps = 0; steps < 16; ++steps) {
        const auto& shape = scope.type(value).shape;
        if (!shape) return best;
        if (shape->size() == 2 && surely_equal((*shape)[0], sizes.batch) && may_be_keys((*shape)[1], sizes)) {
            mask.value = value;
            best = mask;
        }
        const Node* node = scope.producer(value);
        if (!node || !node->domain.empty() || node->inputs.empty()) return best;
        const std::string& op = node->op_type;
        const auto other_is = [&](std::size_t i, double c) { return scalar_of(scope.constant(node->inputs[i])) == c; };
        const bool counts = is_integer(scope.dtype(node->inputs[0])) || scope.dtype(node->inputs[0]) == DType::boolean;
        if (op == "Not") mask.reversed = !mask.reversed;
        else if (op == "Sub" && other_is(0, 1)) {
            mask.reversed = !mask.reversed;
            value = node->inputs[1];
            continue;
        } else if (op == "Equal" && counts && other_is(1, 0)) mask.reversed = !mask.reversed;
        else if (op == "Reshape" || op == "Squeeze" || op == "Unsqueeze") {
            const auto& before = scope.type(node->inputs[0]).shape;
            if (!before || without_ones(*before) != without_ones(*shape)) return best;
            // The keys must stay on the last axis, the batch on the first.
            if (shape->size() > 2 && !std::all_of(shape->begin() + 1, shape->end() - 1, [](const Dim& d) { return d.value() == 1; })) return best;
        } else if (op == "Expand") {
            const auto& before = scope.type(node->inputs[0]).shape;
            if (!before || before->size() != shape->size() || before->back() != shape->back() || before->front() != shape->front()) return best;
        } else if (op != "Cast" && op != "Identity" && !(op == "Equal" && counts && other_is(1, 1)) && !(op == "Greater" && counts && other_is(1, 0))) {
            return best;
        }
        value = node->inputs[0];
    }
    return best;
}

std::string read_masks(PassContext& context, const ScoreChain& chain, const ScoreSizes& sizes, ScoreMask& mask) {
    const Scope& scope = context.scope();
    const bool by_heads = chain.shape.size() == 4;
    for (const MaskTerm& found : chain.masks) {
        MaskTerm term = found;
        const Tensor* constant = scope.constant(term.value);
        const Node* node = scope.producer(term.value);
        const bool plain = node && node->domain.empty();
        if (term.kind == MaskTerm::Kind::add) {
            if (constant && is_all_zero(*constant)) continue;
            if (constant && is_causal_bias(*constant, sizes)) {
                mask.causal = true;
                continue;
            }
            if (plain && node->op_type == "Mul" && !mask.keys && by_heads)
                if (auto keys = scaled_key_mask(scope, *node, sizes)) {
                    mask.keys = keys;
                    continue;
                }
            if (plain && node->op_type == "Where")
                if (const auto choice = chosen(scope, *node)) {
                    if (choice->kind == MaskTerm::Kind::keep && is_causal(context, choice->value, sizes)) {
                        mask.causal = true;
                        continue;
                    }
                    if (auto keys = mask.keys || !by_heads ? std::nullopt : key_mask_of(scope, choice->value, sizes)) {
                        keys->reversed ^= choice->kind == MaskTerm::Kind::drop;
                        keys->filler = choice->filler;
                        mask.keys = keys;
                        continue;
                    }
                }
        } else {
            if (!hides(term.filler)) return "masked scores become " + std::to_string(term.filler) + ", which does not hide them (needs -1000 or less)";
            if (term.kind == MaskTerm::Kind::keep && is_causal(context, term.value, sizes)) {
                mask.causal = true;
                continue;
            }
            if (auto keys = mask.keys || !by_heads ? std::nullopt : key_mask_of(scope, term.value, sizes)) {
                keys->reversed ^= term.kind == MaskTerm::Kind::drop;
                keys->filler = term.filler;
                mask.keys = keys;
                continue;
            }
        }
        if (!by_heads && !constant) return "the mask is added to scores of rank " + std::to_string(chain.shape.size()) + ", needs [batch, heads, queries, keys]";
        if (std::string problem = bias_problem(scope, term, sizes); !problem.empty()) return problem;
        mask.biases.push_back(term);
    }
    return {};
}

}  // namespace lapidary::attention
