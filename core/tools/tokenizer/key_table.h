// SPDX-License-Identifier: Apache-2.0
// Numbers by numbers, found in one or two cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapidary::tokens {

/// A hash table with open addressing. The key of all ones is not allowed.
class KeyTable {
public:
    KeyTable() { resize(16); }

    /// Space for as many keys.
    void reserve(std::size_t count) {
        std::size_t slots = slots_.size();
        while (slots < count * 2) slots *= 2;
        if (slots > slots_.size()) resize(slots);
    }
    /// The value of a key, 0 where it is new.
    std::uint64_t& operator[](std::uint64_t key) {
        if ((count_ + 1) * 2 > slots_.size()) resize(slots_.size() * 2);
        Slot& slot = slots_[place_of(key)];
        if (slot.key == none) {
            slot = {key, 0};
            ++count_;
        }
        return slot.value;
    }
    /// Null where the key is not there.
    const std::uint64_t* find(std::uint64_t key) const {
        const Slot& slot = slots_[place_of(key)];
        return slot.key == none ? nullptr : &slot.value;
    }

private:
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = none, value = 0;
    };

    std::size_t place_of(std::uint64_t key) const {
        // Fibonacci hashing, Knuth volume 3, 6.4
        std::size_t at = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15u >> shift_);
        while (slots_[at].key != none && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return at;
    }
    void resize(std::size_t slots) {
        std::vector<Slot> old(slots);
        old.swap(slots_);
        shift_ = 64;
        for (std::size_t size = slots; size > 1; size /= 2) --shift_;
        for (const Slot& slot : old)
            if (slot.key != none) slots_[place_of(slot.key)] = slot;
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
    unsigned shift_ = 60;
};

}  // namespace lapidary::tokens
