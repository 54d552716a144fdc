// SPDX-License-Identifier: Apache-2.0
// Strong 32-bit ids. An id names one slot of a graph's arena for as long as the document is open:
// slots of erased nodes and values stay in place and are never handed out again, so views, reports
// and selections hold ids, never pointers.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace lapidary {

template <typename Tag>
/// An index that does not mix with those of other arenas.
struct Id {
    static constexpr std::uint32_t none = 0xffffffffu;  // the index of an empty id
    std::uint32_t index = none;                         // of the slot

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t i) : index(i) {}                // of that slot
    constexpr explicit operator bool() const { return index != none; }  // false: empty
    friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

/// Of a node.
using NodeId = Id<struct NodeTag>;
/// Of a value.
using ValueId = Id<struct ValueTag>;

}  // namespace lapidary

template <typename Tag>
struct std::hash<lapidary::Id<Tag>> {
    /// By the index.
    std::size_t operator()(const lapidary::Id<Tag>& id) const noexcept {
        return std::hash<std::uint32_t>{}(id.index);
    }
};
