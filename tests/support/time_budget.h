// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

/// Time limits of tests are for optimized builds; code under a sanitizer is many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double time_factor = 15;
#else
inline constexpr double time_factor = 1;
#endif

}  // namespace lapidary
