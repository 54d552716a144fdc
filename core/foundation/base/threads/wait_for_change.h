// SPDX-License-Identifier: Apache-2.0
// Lets a thread sleep until a number changes. std::atomic::wait does that where the standard
// library stands on a system call for it; that of GCC on Windows does not, and loses a wake-up that
// comes while a thread goes to sleep.
#pragma once

#include <atomic>
#include <cstdint>

namespace lapidary {

/// Returns when `value` is no longer `seen`, at once if it already is not. Whoever changes the
/// value must call wake_waiters().
void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t seen);
void wait_for_change(const std::atomic<std::uint64_t>& value, std::uint64_t seen);  // as above
/// Wakes all threads in wait_for_change() for the value, which check it again.
void wake_waiters(std::atomic<std::uint32_t>& value);
void wake_waiters(std::atomic<std::uint64_t>& value);  // as above

}  // namespace lapidary
