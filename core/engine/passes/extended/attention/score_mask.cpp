// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/score_mask.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"
#include "rewrite/constant_math.h"
#include "passes/extended/attention/binary_values.h"

namespace lapidary::attention {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// An addend of this size masks a key like minus infinity.
bool hides(double filler) { return filler <= -1000; }

/// A filler so large that adding a score does not change it. Where(condition, scores, filler) then
/// equals an addition, also in a completely masked row. Not the lowest number, which ONNX Runtime's
/// operator uses for the triangle.
double absorbing_filler(DType dtype) { return dtype == DType::f16 ? -65504 : -1e30; }

/// One mask by itself, without regard to the others.
struct ReadMask {
    MaskTerm term;
    bool causal = false;  // hides exactly what lies above the diagonal
    std::optional<KeyMask> keys;
    bool replaces = false;  // Where(condition, scores, filler), no addition
    // value that it adds where it masks; `floor`: the least value that it adds elsewhere
    double filler = 0;
    // the least score that it may result in; -infinity: not known
    double floor = -infinity;
    double factor = 0;  // of an added product whose other factor may be anything
};

/// m of (1 - m) * filler, or of m * filler (reversed).
std::optional<KeyMask> scaled_key_mask(const Scope& scope, const Node& node,
                                       const ScoreSizes& sizes) {
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

/// condition of Where(condition, 0, filler) or Where(condition, filler, 0); Where(x != 0, filler,
/// x) is of the second form.
std::optional<MaskTerm> chosen(const Scope& scope, const Node& node) {
    const auto yes = scalar_of(scope.constant(node.inputs[1]));
    auto no = scalar_of(scope.constant(node.inputs[2]));
    const Node* test = scope.producer(node.inputs[0]);
    if (test && test->op_type == "Cast" && test->domain.empty() &&
        test->inputs[0] == node.inputs[2])
        no = 0;
    if (!yes || !no) return std::nullopt;
    if (*yes == 0 && hides(*no))
        return MaskTerm{MaskTerm::Kind::keep, node.inputs[0], *no, node.id};
    if (*no == 0 && hides(*yes))
        return MaskTerm{MaskTerm::Kind::drop, node.inputs[0], *yes, node.id};
    return std::nullopt;
}

bool is_all_zero(const Tensor& t) {
    if (t.size() > (1 << 22)) return false;
    return std::ranges::all_of(to_doubles(t), [](double v) { return v == 0; });
}

/// A constant bias that is 0 in the lower triangle and masks everything else.
bool is_causal_bias(const Tensor& t, const ScoreSizes& sizes) {
    const auto rank = static_cast<std::size_t>(t.rank());
    const std::int64_t rows = rank < 2 ? 1 : t.dim(rank - 2),
                       columns = rank < 1 ? 1 : t.dim(rank - 1);
    if (rows * columns != t.size() || rows != sizes.queries.value() ||
        columns != sizes.keys.value() || columns < 2 || t.size() > (1 << 22))
        return false;
    const std::int64_t diagonal = columns - rows;
    const std::vector<double> values = to_doubles(t);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c) {
            const double v = at(values, r * columns + c);
            if (c <= r + diagonal ? v != 0 : !hides(v)) return false;
        }
    return true;
}

double least_of(const Tensor& t) {
    if (t.size() > (1 << 22)) return -infinity;
    const auto values = to_doubles(t);
    return values.empty() || std::ranges::any_of(values, [](double v) { return std::isnan(v); })
               ? -infinity
               : std::ranges::min(values);
}

double greatest_below_zero(const Tensor& t) {
    double greatest = -infinity;
    for (double v : to_doubles(t))
        if (v < 0) greatest = std::max(greatest, v);
    return greatest;
}

/// Why a value cannot be added to scores [B,N,S,T] as a bias of the operators; empty: it can.
std::string bias_problem(const Scope& scope, const MaskTerm& term, const ScoreSizes& sizes) {
    const auto& shape = scope.type(term.value).shape;
    if (!shape) return "the rank of the mask is not known";
    if (shape->size() > 4)
        return "the mask has rank " + std::to_string(shape->size()) + ", needs at most 4";
    const auto dim = [&](std::size_t from_end) {
        return from_end < shape->size() ? (*shape)[shape->size() - 1 - from_end] : Dim(1);
    };
    const Dim heads = sizes.heads;
    // A table of masks that is cut to the sizes has dimensions like min(64, ..). Since it
    // broadcasts with the scores, it has their size.
    const auto is_cropped = [](const Dim& a, const Dim& b) {
        if (!a.is_symbolic() || a.symbol().find("min(") == std::string::npos ||
            surely_different(a, b))
            return false;
        const auto names = names_in(a);
        return std::ranges::all_of(names_in(b), [&](const std::string& name) {
            return std::ranges::find(names, name) != names.end();
        });
    };
    const auto fits = [&](const Dim& a, const Dim& b, bool one) {
        return surely_equal(a, b) || (one && a.value() == 1) || is_cropped(a, b);
    };
    if (!may_be_keys(dim(0), sizes) || !fits(dim(1), sizes.queries, true) ||
        !fits(dim(2), heads, true) || !fits(dim(3), sizes.batch, true))
        return "the mask has the shape " + to_string(*shape) + ", needs [" +
               to_string(sizes.batch) + " or 1," + to_string(heads) + " or 1," +
               to_string(sizes.queries) + " or 1," + to_string(sizes.keys) + "]";
    return {};
}

/// The properties of an added mask.
ReadMask read_addition(PassContext& context, const MaskTerm& term, const ScoreSizes& sizes,
                       bool by_heads) {
    const Scope& scope = context.scope();
    ReadMask read{.term = term};
    if (const Tensor* constant = scope.constant(term.value)) {
        read.causal = is_causal_bias(*constant, sizes);
        read.floor = least_of(*constant);
        read.filler = read.causal ? greatest_below_zero(*constant) : 0;
        return read;
    }
    const Node* node = scope.producer(term.value);
    if (!node || !node->domain.empty()) return read;
    if (node->op_type == "Mul")
        for (const ValueId input : node->inputs)
            read.factor = std::min(read.factor, scalar_of(scope.constant(input)).value_or(0));
    if (node->op_type == "Mul" && by_heads) read.keys = scaled_key_mask(scope, *node, sizes);
    if (read.keys) read.filler = read.floor = read.keys->filler;
    const auto choice = node->op_type == "Where" ? chosen(scope, *node) : std::nullopt;
    if (!choice) return read;
    read.filler = read.floor = choice->filler;
    read.causal = choice->kind == MaskTerm::Kind::keep && is_causal(context, choice->value, sizes);
    if (!read.causal && by_heads) read.keys = key_mask_of(scope, choice->value, sizes);
    if (read.keys) {
        read.keys->reversed ^= choice->kind == MaskTerm::Kind::drop;
        read.keys->filler = choice->filler;
    }
    return read;
}

ReadMask read_replacement(PassContext& context, const MaskTerm& term, const ScoreSizes& sizes,
                          bool by_heads) {
    ReadMask read{.term = term, .replaces = true, .filler = term.filler, .floor = term.filler};
    read.causal = term.kind == MaskTerm::Kind::keep && is_causal(context, term.value, sizes);
    if (!read.causal && by_heads) read.keys = key_mask_of(context.scope(), term.value, sizes);
    if (read.keys) {
        read.keys->reversed ^= term.kind == MaskTerm::Kind::drop;
        read.keys->filler = term.filler;
    }
    return read;
}

/// True if the triangle masks so much more strongly than the other masks that its keys also have no
/// weight in rows that the others mask completely.
bool dominates(const ReadMask& triangle, double floor) {
    return floor > -1e30 && triangle.filler <= 100 * std::min(floor, -10.0);
}

/// Removes the triangle from `masks` (innermost first) if unidirectional attention gives the same
/// result.
bool take_triangle(std::vector<ReadMask>& masks) {
    const auto triangle = std::ranges::find_if(masks, &ReadMask::causal);
    if (triangle == masks.end()) return false;
    double floor = 0;
    for (auto m = masks.begin(); m != masks.end(); ++m) {
        if (m == triangle) continue;
        // it also affects keys that the triangle masks
        if (m->replaces && (m > triangle || masks.size() > 2)) return false;
        floor += m->floor;
    }
    if (masks.size() > 1 && !dominates(*triangle, floor)) return false;
    masks.erase(triangle);
    return true;
}

/// Chooses a filler for replacements (Where) such that they equal additions. Returns why there is
/// none, or empty.
std::string make_additions(const Scope& scope, std::vector<ReadMask>& masks, DType dtype) {
    const double absorbing = absorbing_filler(dtype);
    double floor = 0;  // of the masks further in
    for (std::size_t i = 0; i < masks.size(); ++i) {
        ReadMask& m = masks[i];
        if (m.replaces && m.filler > absorbing) {
            const bool is_outermost = i + 1 == masks.size();
            if (!is_outermost || !(floor > -infinity && m.filler <= 100 * std::min(floor, -10.0)))
                if (masks.size() > 1) {
                    const ReadMask& other = masks[is_outermost ? i - 1 : i + 1];
                    return "scores that the mask \"" + scope.value(m.term.value).name +
                           "\" hides become " + std::to_string(m.filler) + ", and the mask \"" +
                           scope.value(other.term.value).name +
                           "\" may reach as far: a row that both hide is no addition of the two";
                }
            m.filler = m.term.filler = absorbing;
            if (m.keys) m.keys->filler = absorbing;
        }
        floor += m.floor;
    }
    return {};
}

/// True if sums with the mask's least addend are rounded to steps of 2^-9 or more in float32, and
/// not to that addend itself.
bool rounds_coarsely(const ReadMask& mask) {
    const double least = mask.floor > -infinity ? mask.floor : mask.factor;
    return least <= -16384 && least > -1e30;
}

/// Why the order of additions decides, or empty. The operators sum all masks by themselves. Where a
/// query sees no key, the model rounds the sum of score and inner masks once, to the steps of the
/// mask that hides, and the operators round each of them.
std::string order_problem(const Scope& scope, const std::vector<ReadMask>& masks) {
    for (std::size_t i = 1; i < masks.size(); ++i) {
        const ReadMask& m = masks[i];
        const auto inner_end = masks.begin() + static_cast<std::ptrdiff_t>(i);
        if (m.replaces || !rounds_coarsely(m)) continue;
        const auto other = std::find_if(masks.begin(), inner_end,
                                        [](const ReadMask& mask) { return !mask.replaces; });
        if (other == inner_end) continue;
        return "the mask \"" + scope.value(m.term.value).name +
               "\" adds a large number to scores that the mask \"" +
               scope.value(other->term.value).name +
               "\" was added to before: a query that sees no key would be rounded otherwise";
    }
    return {};
}

/// Why a term cannot be a bias, or empty.
std::string general_problem(const Scope& scope, const ScoreChain& chain, const MaskTerm& term,
                            const ScoreSizes& sizes) {
    if (chain.shape.size() != 4 && !scope.constant(term.value))
        return "the mask is added to scores of rank " + std::to_string(chain.shape.size()) +
               ", needs [batch, heads, queries, keys]";
    return bias_problem(scope, term, sizes);
}

}  // namespace

bool may_be_keys(const Dim& dim, const ScoreSizes& sizes) {
    if (surely_equal(dim, sizes.keys)) return true;
    // Different symbols of masks and caches often have the same size. A symbol next to a known size
    // may also be a broadcast 1.
    return dim.is_symbolic() && !sizes.keys.is_known() && !surely_different(dim, sizes.keys);
}

std::string read_masks(PassContext& context, const ScoreChain& chain, const ScoreSizes& sizes,
                       DType dtype, ScoreMask& mask) {
    const Scope& scope = context.scope();
    const bool by_heads = chain.shape.size() == 4;
    std::vector<ReadMask> masks;  // innermost first
    for (auto term = chain.masks.rbegin(); term != chain.masks.rend(); ++term) {
        if (term->kind == MaskTerm::Kind::add) {
            const Tensor* constant = scope.constant(term->value);
            if (!constant || !is_all_zero(*constant))
                masks.push_back(read_addition(context, *term, sizes, by_heads));
            continue;
        }
        if (!hides(term->filler))
            return "masked scores become " + std::to_string(term->filler) +
                   ", which does not hide them (needs -1000 or less)";
        if (!is_zero_or_one(scope, term->value))
            return "nothing proves that the mask \"" + scope.value(term->value).name +
                   "\", which scores are multiplied by, is 0 or 1";
        masks.push_back(read_replacement(context, *term, sizes, by_heads));
    }
    mask.causal = take_triangle(masks);
    if (std::string problem = make_additions(scope, masks, dtype); !problem.empty()) return problem;
    if (std::string problem = order_problem(scope, masks); !problem.empty()) return problem;
    // A replacement overrides inner masks: it can only become the operator's mask if there are no
    // others.
    const bool is_sum = masks.size() < 2 || std::ranges::none_of(masks, &ReadMask::replaces);
    for (ReadMask& m : masks) {
        if (is_sum && m.keys && !mask.keys) {
            mask.keys = m.keys;
            continue;
        }
        if (std::string problem = general_problem(scope, chain, m.term, sizes); !problem.empty())
            return problem;
        mask.biases.push_back(m.term);
    }
    return {};
}

}  // namespace lapidary::attention
