// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool under_sanitizer = true;
#else
inline constexpr bool under_sanitizer = false;
#endif

/// Time limits of tests are for optimized builds; code under a sanitizer is many times slower.
inline constexpr double time_factor = under_sanitizer ? 15 : 1;

}  // namespace lapidary
