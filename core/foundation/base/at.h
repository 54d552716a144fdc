// SPDX-License-Identifier: Apache-2.0
// Elements by a signed index, as axes and counts of ONNX are, or by an enum that numbers them.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "base/assert.h"

namespace lapidary {

/// values[index]. In builds for development an index outside throws Error{internal}.
template <typename Values, typename Index>
requires(std::integral<Index> || std::is_enum_v<Index>) constexpr decltype(auto)
    at(Values&& values, Index index) {
    // a negative index becomes a large one
    const auto place = static_cast<std::size_t>(index);
    LAPIDARY_ASSERT(place < std::size(values));
    return values[place];
}

}  // namespace lapidary
