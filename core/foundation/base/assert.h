// SPDX-License-Identifier: Apache-2.0
// Invariants of this program that only a bug can break. They are checked in builds for development
// (presets dev, asan, tsan), tests included. Builds with NDEBUG neither evaluate nor compile them
// in: the core is one library there, which tests share with the programs that are shipped.
//
// A failed assertion throws Error{internal}, as all broken invariants do: the run or job ends with
// the place in its message, its memory is released, and programs that hold other work go on. Where
// no exception may leave (destructors, noexcept functions) the program ends.
#pragma once

#include <string>

#include <lapidary/base/error.h>

namespace lapidary {

/// Throws Error{internal} with file, line and condition.
[[noreturn]] inline void assertion_failed(const char* condition, const char* file, int line) {
    fail(ErrorCode::internal,
         std::string(file) + ":" + std::to_string(line) + ": assertion failed: " + condition);
}

#ifdef NDEBUG
inline constexpr bool checks_assertions = false;
#define LAPIDARY_ASSERT(condition) static_cast<void>(sizeof(!(condition)))
#else
inline constexpr bool checks_assertions = true;
#define LAPIDARY_ASSERT(condition) \
    ((condition) ? void() : ::lapidary::assertion_failed(#condition, __FILE__, __LINE__))
#endif

}  // namespace lapidary
