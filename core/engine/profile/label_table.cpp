// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile/label_table.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

using Slots = std::vector<std::uint32_t>;

constexpr std::uint32_t free_slot = ~std::uint32_t{0};
constexpr std::size_t fewest_slots = 32;  // a power of two, as all sizes

std::uint64_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

std::uint64_t hash_of(const LabelTable::Label& label) {
    std::uint64_t hash = 0;
    for (const std::uint32_t word :
         {label.name, label.op, label.kernel, label.shapes, label.provider, label.fallback})
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/// The slot with the element that `is_same` accepts, or the free one where it belongs.
template <typename IsSame>
std::uint32_t& slot_of(Slots& slots, std::uint64_t hash, IsSame&& is_same) {
    const std::size_t mask = slots.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    while (slots[at] != free_slot && !is_same(slots[at])) at = (at + 1) & mask;
    return slots[at];
}

/// Slots for the elements and one more, half of them free.
template <typename List>
void make_room(Slots& slots, const List& list) {
    const std::size_t wanted = 2 * (list.size() + 1);
    if (slots.size() >= wanted) return;
    std::size_t size = fewest_slots;
    while (size < wanted) size *= 2;
    slots.assign(size, free_slot);
    std::uint32_t place = 0;
    for (const auto& element : list)
        slot_of(slots, hash_of(element), [](std::uint32_t) { return false; }) = place++;
}

}  // namespace

LabelTable::LabelTable() {
    words_.emplace_back();
    add({});
}

LabelTable::LabelTable(std::vector<std::string> words, std::vector<Label> labels)
    : words_(std::make_move_iterator(words.begin()), std::make_move_iterator(words.end())),
      labels_(std::move(labels)) {
    const auto is_known = [this](const Label& l) {
        return std::max({l.name, l.op, l.kernel, l.shapes, l.provider, l.fallback}) < words_.size();
    };
    if (!std::ranges::all_of(labels_, is_known)) fail_input("a label names a text that is missing");
    if (labels_.empty() || !words_.front().empty() || text(LabelId{}) != SpanText())
        fail_input("the first label is not the plain one");
}

std::uint32_t LabelTable::word(std::string_view text) {
    if (text.empty()) return 0;
    make_room(word_slots_, words_);
    std::uint32_t& slot = slot_of(word_slots_, hash_of(text),
                                  [&](std::uint32_t place) { return words_[place] == text; });
    if (slot == free_slot) {
        slot = static_cast<std::uint32_t>(words_.size());
        words_.emplace_back(text);
    }
    return slot;
}

LabelId LabelTable::add(const SpanText& text) {
    const Label label{word(text.name),   word(text.op),       word(text.kernel),
                      word(text.shapes), word(text.provider), word(text.fallback)};
    make_room(label_slots_, labels_);
    std::uint32_t& slot = slot_of(label_slots_, hash_of(label),
                                  [&](std::uint32_t place) { return labels_[place] == label; });
    if (slot == free_slot) {
        slot = static_cast<std::uint32_t>(labels_.size());
        labels_.push_back(label);
    }
    return LabelId{slot};
}

SpanText LabelTable::text(LabelId id) const {
    return {name(id), op(id), kernel(id), shapes(id), provider(id), fallback(id)};
}

}  // namespace lapidary
