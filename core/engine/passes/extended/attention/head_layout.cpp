// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/attention/head_layout.h"

#include <algorithm>

#include "base/at.h"
#include "ops/dimensions/dim_algebra.h"

namespace lapidary::attention {
namespace {

bool is_one(const Dim& dim) { return dim.value() == 1; }

}  // namespace

HeadLayout::HeadLayout(const SymbolicShape& shape, bool last_two_swapped) {
    if (shape.size() < 2 || std::ranges::any_of(shape, &Dim::is_unknown)) return;
    const std::size_t row = shape.size() - (last_two_swapped ? 1 : 2),
                      item = shape.size() - (last_two_swapped ? 2 : 1);
    axes_.resize(shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (is_one(shape[i])) continue;  // an index that is always 0 lies anywhere
        const Role role = i == row ? Role::row : i == item ? Role::item : Role::outer;
        const int id = static_cast<int>(atoms_.size());
        atoms_.push_back({role, shape[i]});
        order(role).push_back(id);
        axes_[i].push_back({id, 0, shape[i]});
    }
    ok_ = true;
}

bool HeadLayout::undo_transpose(std::span<const std::int64_t> permutation) {
    if (permutation.size() != axes_.size()) return false;
    std::vector<Axis> before(axes_.size());
    for (std::size_t i = 0; i < axes_.size(); ++i) at(before, permutation[i]) = axes_[i];
    axes_ = std::move(before);
    return true;
}

bool HeadLayout::transpose(std::span<const std::int64_t> permutation) {
    if (permutation.size() != axes_.size()) return false;
    std::vector<Axis> after(axes_.size());
    for (std::size_t i = 0; i < axes_.size(); ++i) after[i] = at(axes_, permutation[i]);
    axes_ = std::move(after);
    return true;
}

bool HeadLayout::undo_window(std::int64_t axis, std::int64_t offset, const Dim& whole) {
    if (!whole.is_known()) return false;
    Axis& digits = at(axes_, axis);
    if (digits.empty()) digits.push_back({-1, 0, 1});
    std::int64_t rest = 1;
    for (std::size_t i = 1; i < digits.size(); ++i) {
        if (!digits[i].size.is_known()) return false;
        rest *= digits[i].size.value();
    }
    if (rest == 0 || offset % rest != 0 || whole.value() % rest != 0) return false;
    digits[0].offset += offset / rest;
    digits[0].size = whole.value() / rest;
    return true;
}

bool HeadLayout::undo_gather(std::int64_t axis, std::int64_t index, const Dim& whole) {
    if (axis < 0 || axis > static_cast<std::int64_t>(axes_.size()) || !whole.is_known())
        return false;
    Axis digits;
    if (!is_one(whole)) digits.push_back({-1, index < 0 ? index + whole.value() : index, whole});
    axes_.insert(axes_.begin() + axis, std::move(digits));
    return true;
}

int HeadLayout::split(int atom, const Dim& high, const Dim& low) {
    const int added = static_cast<int>(atoms_.size());
    const Role role = at(atoms_, atom).role;
    at(atoms_, atom).size = high;
    atoms_.push_back({role, low});
    auto& list = order(role);
    list.insert(std::ranges::find(list, atom) + 1, added);
    return added;
}

bool HeadLayout::regroup(const SymbolicShape& shape) {
    HeadLayout changed = *this;
    if (!changed.regroup_in_place(shape)) return false;
    *this = std::move(changed);
    return true;
}

bool HeadLayout::regroup_in_place(const SymbolicShape& shape) {
    if (std::ranges::any_of(shape, &Dim::is_unknown)) return false;
    Axis digits;
    for (const Axis& axis : axes_) digits.insert(digits.end(), axis.begin(), axis.end());
    std::vector<Axis> grouped;
    std::size_t next = 0;
    for (const Dim& dim : shape) {
        Axis axis;
        Dim left = dim;
        while (!is_one(left)) {
            if (next == digits.size()) return false;
            Digit& digit = digits[next];
            if (const auto quotient = exact_divide(left, digit.size)) {
                left = *quotient;
                axis.push_back(digit);
                ++next;
            } else if (const auto low = exact_divide(digit.size, left); low && is_plain(digit)) {
                const int added = split(digit.atom, left, *low);
                axis.push_back({digit.atom, 0, left});
                digit = {added, 0, *low};
                left = 1;
            } else {
                return false;
            }
        }
        grouped.push_back(std::move(axis));
    }
    if (next != digits.size()) return false;
    axes_ = std::move(grouped);
    return true;
}

bool HeadLayout::holds(const Axis& axis, std::span<const int> atoms) const {
    if (axis.size() != atoms.size()) return false;
    for (std::size_t i = 0; i < axis.size(); ++i)
        if (axis[i].atom != atoms[i] || !is_plain(axis[i])) return false;
    return true;
}

bool HeadLayout::is_row_axis(std::int64_t axis) const {
    return holds(at(axes_, axis), order(Role::row)) && order(Role::row).size() < 2;
}

HeadLayout HeadLayout::with_rows(const Dim& rows) const {
    HeadLayout other = *this;
    for (Axis& axis : other.axes_)
        if (axis.size() == 1 && axis[0].atom >= 0 && at(atoms_, axis[0].atom).role == Role::row) {
            axis[0].size = rows;
            at(other.atoms_, axis[0].atom).size = rows;
            if (is_one(rows)) {
                axis.clear();
                other.order(Role::row).clear();
            }
            return other;
        }
    other.ok_ = is_one(rows);
    return other;
}

std::optional<std::int64_t> HeadLayout::number_of(std::span<const int> atoms) const {
    std::int64_t n = 1;
    for (int a : atoms) {
        const Dim& size = at(atoms_, a).size;
        if (!size.is_known()) return std::nullopt;
        n *= size.value();
    }
    return n;
}

std::optional<std::int64_t> HeadLayout::flat_heads(bool columns_in_order) const {
    if (axes_.size() != 3 || !holds(axes_[1], order(Role::row))) return std::nullopt;
    const auto& outer = order(Role::outer);
    const std::size_t batch = axes_[0].size();
    if (batch > outer.size() || !holds(axes_[0], std::span(outer).first(batch)))
        return std::nullopt;
    if (columns_in_order) {
        std::vector<int> expected(outer.begin() + static_cast<std::ptrdiff_t>(batch), outer.end());
        expected.insert(expected.end(), order(Role::item).begin(), order(Role::item).end());
        if (!holds(axes_[2], expected)) return std::nullopt;
    }
    return number_of(std::span(outer).subspan(batch));
}

std::optional<std::int64_t> HeadLayout::split_heads(int row_axis) const {
    if (axes_.size() != 4 || !holds(at(axes_, row_axis), order(Role::row)) ||
        !holds(axes_[3], order(Role::item)))
        return std::nullopt;
    const auto& outer = order(Role::outer);
    const std::size_t batch = axes_[0].size();
    if (batch > outer.size() || !holds(axes_[0], std::span(outer).first(batch)))
        return std::nullopt;
    if (!holds(at(axes_, 3 - row_axis), std::span(outer).subspan(batch))) return std::nullopt;
    return number_of(std::span(outer).subspan(batch));
}

std::optional<std::int64_t> HeadLayout::half_of_pair() const {
    if (axes_.size() != 5 || axes_[0].size() != 1 || axes_[0][0].atom >= 0 ||
        axes_[0][0].size.value() != 2)
        return std::nullopt;
    HeadLayout one = *this;
    one.axes_.erase(one.axes_.begin());
    return one.split_heads(2) ? std::optional(axes_[0][0].offset) : std::nullopt;
}

std::optional<std::size_t> HeadLayout::first_head(std::int64_t heads) {
    const auto& outer = order(Role::outer);
    std::int64_t n = 1;
    std::size_t i = outer.size();
    while (n < heads) {
        if (i == 0 || !at(atoms_, outer[i - 1]).size.is_known()) return std::nullopt;
        n *= at(atoms_, outer[--i]).size.value();
    }
    return n == heads ? std::optional(i) : std::nullopt;
}

bool HeadLayout::rows_before_heads(std::int64_t heads) const {
    HeadLayout copy = *this;
    const auto first = copy.first_head(heads);
    if (!first) return false;
    const auto& outer = order(Role::outer);
    std::vector<int> expected(outer.begin(), outer.begin() + static_cast<std::ptrdiff_t>(*first));
    expected.insert(expected.end(), order(Role::row).begin(), order(Role::row).end());
    expected.insert(expected.end(), outer.begin() + static_cast<std::ptrdiff_t>(*first),
                    outer.end());
    expected.insert(expected.end(), order(Role::item).begin(), order(Role::item).end());
    Axis all;
    for (const Axis& axis : axes_) all.insert(all.end(), axis.begin(), axis.end());
    return holds(all, expected);
}

std::optional<std::vector<std::int64_t>> HeadLayout::columns(std::int64_t heads) const {
    if (axes_.empty()) return std::nullopt;
    HeadLayout copy = *this;
    const auto first = copy.first_head(heads);
    const auto items = number_of(order(Role::item));
    if (!first || !items) return std::nullopt;
    std::vector<int> wanted(order(Role::outer).begin() + static_cast<std::ptrdiff_t>(*first),
                            order(Role::outer).end());
    wanted.insert(wanted.end(), order(Role::item).begin(), order(Role::item).end());
    std::vector<std::int64_t> strides(wanted.size(), 0);
    std::int64_t stride = 1, base = 0;
    std::size_t seen = 0;
    for (std::size_t i = axes_.back().size(); i-- > 0;) {
        const Digit& digit = axes_.back()[i];
        base += digit.offset * stride;
        if (digit.atom >= 0) {
            const auto place = std::ranges::find(wanted, digit.atom);
            if (place == wanted.end()) return std::nullopt;
            at(strides, place - wanted.begin()) = stride;
            ++seen;
        }
        if (!digit.size.is_known()) return std::nullopt;
        stride *= digit.size.value();
    }
    if (seen != wanted.size()) return std::nullopt;
    std::vector<std::int64_t> out(static_cast<std::size_t>(heads * *items));
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::int64_t left = static_cast<std::int64_t>(i);
        out[i] = base;
        for (std::size_t a = wanted.size(); a-- > 0;) {
            const std::int64_t size = at(atoms_, wanted[a]).size.value();
            out[i] += left % size * strides[a];
            left /= size;
        }
    }
    return out;
}

std::optional<std::int64_t> HeadLayout::heads_on_last_axis() const {
    if (axes_.empty()) return std::nullopt;
    std::int64_t heads = 1;
    for (const Digit& digit : axes_.back()) {
        if (digit.atom < 0 || at(atoms_, digit.atom).role != Role::outer) continue;
        if (!at(atoms_, digit.atom).size.is_known()) return std::nullopt;
        heads *= at(atoms_, digit.atom).size.value();
    }
    return heads;
}

HeadLayout HeadLayout::before_projection(const Dim& features) const {
    HeadLayout other = *this;
    for (const Digit& digit : axes_.back())
        if (digit.atom >= 0) std::erase(other.order(at(atoms_, digit.atom).role), digit.atom);
    other.axes_.back().clear();
    other.order(Role::item).clear();
    if (!is_one(features)) {
        const int id = static_cast<int>(other.atoms_.size());
        other.atoms_.push_back({Role::item, features});
        other.order(Role::item).push_back(id);
        other.axes_.back().push_back({id, 0, features});
    }
    return other;
}

Dim HeadLayout::size_of(Role role) const {
    Dim size = 1;
    for (int a : order(role)) size = multiply(size, at(atoms_, a).size);
    return size;
}

std::string HeadLayout::text() const {
    static constexpr const char* names[] = {"batch or heads", "rows", "items"};
    std::string out = "[";
    for (const Axis& axis : axes_) {
        if (out.size() > 1) out += ", ";
        if (axis.empty()) out += "1";
        for (std::size_t i = 0; i < axis.size(); ++i)
            out += (i ? " x " : "") + (axis[i].atom < 0
                                           ? "one of " + to_string(axis[i].size)
                                           : std::string(at(names, at(atoms_, axis[i].atom).role)));
    }
    return out + "]";
}

}  // namespace lapidary::attention
