// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"

namespace lapidary {

/// The upper triangle U [n, n] with U^T U = inverse of a symmetric positive matrix, whose lower
/// triangle is in `matrix`. `damping`: added to the diagonal first, as a share of its mean. Empty
/// if the matrix is not positive. The work grows with the cube of n. It is spread over `threads`;
/// their number does not change the result. Throws cancelled.
std::optional<std::vector<double>> inverse_root(std::vector<double> matrix, std::size_t n,
                                                double damping, ThreadPool& threads,
                                                const CancelToken& cancel = {});

}  // namespace lapidary
