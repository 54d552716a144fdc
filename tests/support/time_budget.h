// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

namespace lapidary {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool under_sanitizer = true;
#else
inline constexpr bool under_sanitizer = false;
#endif

/// Time limits of tests are for optimized builds; code under a sanitizer is many times slower.
inline constexpr double time_factor = under_sanitizer ? 15 : 1;

/// Factor for limits of wall time that only catch hangs, because other work may share the machine.
/// `packaging/test.sh --timed` sets LAPIDARY_TIMED to test the limits themselves.
inline const double wall_factor = time_factor * (std::getenv("LAPIDARY_TIMED") ? 1 : 5);

}  // namespace lapidary
