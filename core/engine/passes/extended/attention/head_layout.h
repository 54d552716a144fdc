// SPDX-License-Identifier: Apache-2.0
// How the axes of a tensor hold batch, heads, rows and items of attention. It is followed through
// Transpose, Reshape, Slice, Split and Gather by the order of elements, however shapes are written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lapidary/graph/type.h>

#include "base/at.h"

namespace lapidary::attention {

enum class Role : std::uint8_t { outer, row, item };  // outer: batch and heads together

/// One place value of an axis: an atom (a run of indices), or a fixed index.
struct Digit {
    int atom = -1;            // -1: fixed at `offset`
    std::int64_t offset = 0;  // first index of the atom
    Dim size;                 // of the digit; larger than the atom's when only a part is read
};
using Axis = std::vector<Digit>;  // most significant first; empty: size 1

class HeadLayout {
public:
    HeadLayout() = default;
    /// [outer..., row, item], or with the last two swapped. Every dimension must be known or
    /// symbolic, else ok() is false.
    HeadLayout(const SymbolicShape& shape, bool last_two_swapped);
    bool ok() const { return ok_; }
    const std::vector<Axis>& axes() const { return axes_; }

    /// Each of these changes the layout of a result to that of the operator's input. False: that is
    /// not possible.
    bool undo_transpose(std::span<const std::int64_t> permutation);
    bool undo_window(std::int64_t axis, std::int64_t offset, const Dim& whole);
    bool undo_gather(std::int64_t axis, std::int64_t index, const Dim& whole);
    /// The same elements in another shape (either direction).
    bool regroup(const SymbolicShape& shape);
    bool transpose(std::span<const std::int64_t> permutation);

    /// True if the axis holds only the rows. with_rows() changes their number, for parts of a
    /// Concat.
    bool is_row_axis(std::int64_t axis) const;
    HeadLayout with_rows(const Dim& rows) const;

    /// The number of heads if the layout is [batch][row][heads items]. `columns_in_order`: the last
    /// axis must be head by head.
    std::optional<std::int64_t> flat_heads(bool columns_in_order) const;
    /// The number of heads if it is [batch][row][heads][items] or [batch][heads][row][items]
    /// (`row_axis` 1 or 2).
    std::optional<std::int64_t> split_heads(int row_axis) const;
    /// The first index if the layout is [one of two][batch][heads][row][items].
    std::optional<std::int64_t> half_of_pair() const;
    /// True if elements are in the order batch, row, heads, items, whatever the axes.
    bool rows_before_heads(std::int64_t heads) const;
    /// At [h * size + d]: index on the last axis of item d of head h. Nothing: the axis holds other
    /// atoms.
    std::optional<std::vector<std::int64_t>> columns(std::int64_t heads) const;
    /// Heads on the last axis; nothing when unknown.
    std::optional<std::int64_t> heads_on_last_axis() const;
    /// The layout of the input of a product with constant weights: the last axis becomes `features`
    /// without heads.
    HeadLayout before_projection(const Dim& features) const;
    Dim size_of(Role role) const;
    std::string text() const;  // "[batch·heads, rows, items]"

private:
    struct Atom {
        Role role;
        Dim size;
    };
    std::vector<int>& order(Role role) { return orders_[static_cast<int>(role)]; }
    const std::vector<int>& order(Role role) const { return orders_[static_cast<int>(role)]; }
    bool is_plain(const Digit& d) const {
        return d.atom >= 0 && d.offset == 0 && d.size == at(atoms_, d.atom).size;
    }
    bool holds(const Axis& axis, std::span<const int> atoms) const;
    bool regroup_in_place(const SymbolicShape& shape);
    int split(int atom, const Dim& high, const Dim& low);
    /// Outer atoms that make up the heads: the last ones whose sizes multiply to `heads`.
    std::optional<std::size_t> first_head(std::int64_t heads);
    std::optional<std::int64_t> number_of(std::span<const int> atoms) const;

    bool ok_ = false;
    std::vector<Atom> atoms_;
    std::vector<int> orders_[3];
    std::vector<Axis> axes_;
};

}  // namespace lapidary::attention
