// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lapidary {

/// The elements start, start + step, ... (count of them) of one axis; all indices lie within the
/// axis.
struct SliceRange {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t count = 0;
};

/// ONNX Slice on an axis of `dim` elements: negative positions count from the back, positions
/// beyond either end are clamped (INT64_MIN and INT64_MAX included), a negative step walks
/// backwards. Throws invalid_input for step 0.
SliceRange resolve_slice(std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step);

}  // namespace lapidary
