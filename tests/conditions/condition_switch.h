// SPDX-License-Identifier: Apache-2.0
// The functions that instrument.py puts around every condition of the passes. One condition, by its
// number, can be dropped: LAPIDARY_DROP_CONDITION=n.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

namespace lapidary::conditions {

/// Records that condition n declined; false if that condition is dropped.
bool declined(unsigned n);

/// A condition that declines when true: never true when dropped.
constexpr bool declines(unsigned n, bool met) {
    if (std::is_constant_evaluated()) return met;
    return met && !declined(n);
}

/// A condition that declines when false: always true when dropped.
constexpr bool holds(unsigned n, bool met) {
    if (std::is_constant_evaluated()) return met;
    return met || declined(n);
}

/// A pattern's check, a bool or a sentence that is empty when it is met: always met when dropped.
template <typename Check>
auto droppable(unsigned n, Check check) {
    return [n, check = std::move(check)](const auto& subject) {
        auto answer = check(subject);
        if constexpr (std::is_same_v<decltype(answer), bool>) return holds(n, answer);
        else
            return std::string(answer).empty() || declined(n) ? std::string() : std::string(answer);
    };
}

}  // namespace lapidary::conditions
