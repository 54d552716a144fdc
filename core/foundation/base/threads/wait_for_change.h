// SPDX-License-Identifier: Apache-2.0
// A thread sleeps until a number is another one. std::atomic::wait does that where the standard
// library stands on a system call for it; that of GCC on Windows does not, and loses a wake-up that
// comes while a thread goes to sleep.
#pragma once

#include <atomic>
#include <cstdint>

namespace lapidary {

/// Returns when `value` is not `seen` any more, at once where it is not now. Who changes it calls
/// wake_waiters().
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t seen);
void wait_for_change(const std::atomic<std::uint64_t>& value, std::uint64_t seen);  // as above
/// All threads in wait_for_change() for the value look at it again.
void wake_waiters(std::atomic<std::uint32_t>& value);
void wake_waiters(std::atomic<std::uint64_t>& value);  // as above

}  // namespace lapidary
