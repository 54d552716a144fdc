// SPDX-License-Identifier: Apache-2.0
// Strong 32-bit ids. An id names one slot of a graph's arena for as long as the document is open: slots of
// erased nodes and values stay in place and are never handed out again, so views, reports and selections
// hold ids, never pointers.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace lapidary {

template <typename Tag>
struct Id {
    static constexpr std::uint32_t none = 0xffffffffu;
    std::uint32_t index = none;

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t i) : index(i) {}
    constexpr explicit operator bool() const { return index != none; }
    friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using NodeId = Id<struct NodeTag>;
using ValueId = Id<struct ValueTag>;

}  // namespace lapidary

template <typename Tag>
struct std::hash<lapidary::Id<Tag>> {
    std::size_t operator()(const lapidary::Id<Tag>& id) const noexcept { return std::hash<std::uint32_t>{}(id.index); }
};
