// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace lapidary {

/// Told, for each parallel call, of every worker that took part: its index, and when it began its
/// first task and ended its last, on the steady clock in ns.
using RangeObserver = std::function<void(int thread, std::int64_t begin_ns, std::int64_t end_ns)>;

}  // namespace lapidary
