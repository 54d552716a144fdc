// SPDX-License-Identifier: Apache-2.0
// How fast this machine multiplies by large constant weights, by the numbers that they are held in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <lapidary/base/progress.h>
#include <lapidary/exec/compute.h>

namespace lapidary {

/// Rates of products whose weights are float32 (exact), float16, bfloat16 or 8-bit integers, with
/// the quantization of the other operand there. Few rows are limited
/// by the reading of weights, many by arithmetic, so that each has its own rate.
struct ProductRoofs {
    /// The rows of the left operand that were measured.
    static constexpr std::array<std::int64_t, 5> rows{1, 4, 16, 64, 256};

    int threads = 1;                 // that they were measured with
    std::uint64_t weight_bytes = 0;  // of all weights in float32, which were read in turn
    /// 1e9 operations per second, a multiply-add counted as two: by Compute, then by `rows`. 0: not
    /// measured.
    std::array<std::array<double, rows.size()>, all_computes.size()> gflops{};

    /// How many times as fast as in float32 a product with so many rows is: that of the largest
    /// measured number of rows which is not above. 1 where nothing was measured.
    double gain(Compute compute, std::int64_t of_rows) const;
};

/// Measured with the kernels that sessions use, once per process for each number of threads and
/// size of weights (to the next power of two, 4 MiB to 256 MiB: smaller weights come from caches).
/// `threads` <= 0: one per core. Takes about half a second the first time. Throws cancelled.
ProductRoofs product_roofs(int threads, std::uint64_t weight_bytes, const CancelToken& cancel = {});

}  // namespace lapidary
