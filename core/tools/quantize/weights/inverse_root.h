// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"

namespace lapidary {

/// Upper triangle U [n, n] of a symmetric positive matrix's inverse, inverse = U^T U; the lower
/// triangle of `matrix` is given. `damping`: share of the mean of its diagonal that is added to the
/// diagonal first. Nothing where the matrix is not positive. The work grows with the cube of n and
/// is spread over `threads`, whose number does not change the result. Throws cancelled.
std::optional<std::vector<double>> inverse_root(std::vector<double> matrix, std::size_t n,
                                                double damping, ThreadPool& threads,
                                                const CancelToken& cancel = {});

}  // namespace lapidary
