// SPDX-License-Identifier: Apache-2.0
// Threads of the host on which the emulated device runs blocks.
#pragma once

#include <cstddef>
#include <functional>

namespace lapidary::cuda::emulated {

/// Calls `work` on the calling thread and, where there is more than one piece, on helper threads at
/// the same time. Rethrows what one of them throws.
void run_on_workers(const std::function<void()>& work, std::size_t pieces);

}  // namespace lapidary::cuda::emulated
