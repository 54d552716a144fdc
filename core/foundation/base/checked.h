// SPDX-License-Identifier: Apache-2.0
// Overflow-checked arithmetic for sizes that come from files.
#pragma once

#include <cstdint>
#include <optional>

namespace lapidary {

inline std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t r;
    return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}
inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
    std::int64_t r;
    return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}

}  // namespace lapidary
