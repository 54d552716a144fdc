// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/tensor/tensor.h>

namespace lapidary {

/// Finite elements, not 0, that a narrower type of floats rounds to infinity or to 0.
struct BeyondType {
    std::int64_t too_large = 0, too_small = 0;  // elements
};

/// Statistics of the elements of a tensor.
struct TensorStatistics {
    std::int64_t elements = 0, nans = 0, infinities = 0, zeros = 0;  // counts
    /// of the finite elements; 0 without any
    double minimum = 0, maximum = 0, mean = 0, stddev = 0;
    BeyondType beyond_float16, beyond_bfloat16;  // when rounded to these types
    std::vector<std::int64_t> histogram;         // equal bins over [minimum, maximum]
};

/// Throws invalid_input for strings, complex numbers, the absent tensor, and less than one bin;
/// cancelled.
TensorStatistics statistics_of(const Tensor& tensor, int bins = 64, const CancelToken& cancel = {});

}  // namespace lapidary
