// SPDX-License-Identifier: Apache-2.0
#include "passes/permuted_reshape.h"

#include <algorithm>
#include <numeric>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary {
namespace {

/// Axes [in, in_end) of the input become axes [out, out_end) of the output.
struct Run {
    std::size_t in = 0, in_end = 0, out = 0, out_end = 0;
};

/// Products that do not divide each other never become equal: the search for the end of a run then
/// runs out of axes.
std::optional<std::vector<Run>> runs_of(const SymbolicShape& from, const SymbolicShape& to) {
    std::vector<Run> runs;
    std::size_t i = 0, j = 0;
    while (i < from.size() && j < to.size()) {
        Run run{i, i + 1, j, j + 1};
        Dim a = from[i++], b = to[j++];
        while (!surely_equal(a, b)) {
            const bool numbers = a.is_known() && b.is_known();
            const bool wider_output =
                numbers ? b.value() < a.value() : exact_divide(a, b).has_value();
            if (wider_output ? j == to.size() : i == from.size()) return std::nullopt;
            if (wider_output) b = multiply(b, to[j++]);
            else a = multiply(a, from[i++]);
        }
        run.in_end = i;
        run.out_end = j;
        runs.push_back(run);
    }
    if (runs.empty()) return std::nullopt;
    // The shapes have equal products wherever the Reshape runs, so that what is left of either is
    // all ones, or both are empty.
    runs.back().in_end = from.size();
    runs.back().out_end = to.size();
    return runs;
}

/// The runs in the order of their axes in the carried tensor. Nothing: axes of several runs are
/// mixed there.
std::optional<std::vector<Run>> reordered(const std::vector<Run>& runs, const SymbolicShape& shape,
                                          bool is_output, const Ints& given) {
    struct Place {
        std::int64_t first, last;
        Run run;
    };
    std::vector<Place> places;
    for (const Run& run : runs) {
        const std::size_t begin = is_output ? run.out : run.in,
                          end = is_output ? run.out_end : run.in_end;
        Place place{-1, -1, run};
        for (std::size_t axis = begin; axis < end; ++axis) {
            if (shape[axis].value() == 1) continue;
            if (place.first < 0) place.first = given[axis];
            else if (given[axis] < place.last) return std::nullopt;
            place.last = given[axis];
        }
        if (place.first < 0) place.first = place.last = given[begin];
        places.push_back(place);
    }
    std::ranges::stable_sort(places, {}, &Place::first);
    std::vector<Run> out;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i > 0 && places[i].first < places[i - 1].last) return std::nullopt;
        out.push_back(places[i].run);
    }
    return out;
}

Ints permutation(const std::vector<Run>& order, std::size_t rank, bool is_output) {
    Ints p(rank);
    std::int64_t at = 0;
    for (const Run& run : order)
        for (std::size_t axis = is_output ? run.out : run.in;
             axis < (is_output ? run.out_end : run.in_end); ++axis)
            p[axis] = at++;
    return p;
}

/// Of shapes without zeros.
std::optional<Ints> target_of(const SymbolicShape& from, const SymbolicShape& to) {
    Ints target;
    bool open = false, positive = true;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].is_known()) {
            target.push_back(to[i].value());
        } else if (i < from.size() && surely_equal(from[i], to[i])) {
            target.push_back(0);
            positive = false;
        } else {
            if (open) return std::nullopt;
            open = true;
            target.push_back(-1);
        }
    }
    if (open && !positive) return std::nullopt;  // nothing fits -1 where a copied dimension is 0
    return target;
}

SymbolicShape carried_shape(const SymbolicShape& shape, const Ints& p) {
    if (p.empty()) return shape;
    SymbolicShape out(shape.size());
    for (std::size_t k = 0; k < shape.size(); ++k) at(out, p[k]) = shape[k];
    return out;
}

}  // namespace

std::optional<PermutedReshape> permuted_reshape(const SymbolicShape& from, const SymbolicShape& to,
                                                bool is_output, const Ints& given) {
    const auto zero = [](const Dim& d) { return d.value() == 0; };
    if (std::ranges::any_of(from, zero) || std::ranges::any_of(to, zero)) return std::nullopt;
    const auto runs = runs_of(from, to);
    if (!runs) return std::nullopt;
    const auto order = reordered(*runs, is_output ? to : from, is_output, given);
    if (!order) return std::nullopt;
    PermutedReshape result;
    result.input = is_output ? permutation(*order, from.size(), false) : given;
    result.output = is_output ? given : permutation(*order, to.size(), true);
    if (!permuted_target(from, to, result.input, result.output)) return std::nullopt;
    return result;
}

std::optional<Ints> permuted_target(const SymbolicShape& from, const SymbolicShape& to,
                                    const Ints& input, const Ints& output) {
    return target_of(carried_shape(from, input), carried_shape(to, output));
}

}  // namespace lapidary
