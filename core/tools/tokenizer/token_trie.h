// SPDX-License-Identifier: Apache-2.0
// Texts of tokens by their bytes, for all that begin at a place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tokenizer/key_table.h>

namespace lapidary::tokens {

class TokenTrie {
public:
    /// The value of a text that is there already is replaced.
    void add(std::string_view text, std::uint32_t value) {
        std::uint64_t node = 0;
        for (const char c : text) {
            std::uint64_t& next = step(node, static_cast<unsigned char>(c));
            if ((next & child_bits) == 0) next |= ++nodes_;
            node = next & child_bits;
        }
        if (text.empty()) return;
        values_[node] = value + std::uint64_t{1};
    }

    /// Calls found(value, bytes) for each text that stands at this place, from the shortest on.
    template <typename Found>
    void find_at(std::string_view text, std::size_t at, Found found) const {
        std::uint64_t node = 0;
        for (std::size_t i = at; i < text.size(); ++i) {
            const auto c = static_cast<unsigned char>(text[i]);
            std::uint64_t next = 0;
            if (node == 0) {
                next = first_[c];
            } else if (const std::uint64_t* there = steps_.find(node << 8 | c)) {
                next = *there;
            }
            if (next == 0) return;
            node = next & child_bits;
            if (const std::uint64_t* value = values_.find(node))
                found(static_cast<std::uint32_t>(*value - 1), i + 1 - at);
        }
    }
    /// The value of a whole text.
    std::optional<std::uint32_t> find(std::string_view text) const {
        std::optional<std::uint32_t> found;
        find_at(text, 0, [&](std::uint32_t value, std::size_t length) {
            if (length == text.size()) found = value;
        });
        return found;
    }
    bool empty() const { return nodes_ == 0; }

private:
    static constexpr std::uint64_t child_bits = 0xFFFFFFFF;

    std::uint64_t& step(std::uint64_t node, unsigned char c) {
        return node == 0 ? first_[c] : steps_[node << 8 | c];
    }

    std::array<std::uint64_t, 256> first_{};  // nodes behind the first byte
    KeyTable steps_;                          // by node and byte
    KeyTable values_;                         // by node, one more
    std::uint64_t nodes_ = 0;
};

}  // namespace lapidary::tokens
