// SPDX-License-Identifier: Apache-2.0
#include "base/threads/wait_for_change.h"

namespace lapidary {

void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t seen) {
    value.wait(seen);
}
void wait_for_change(const std::atomic<std::uint64_t>& value, std::uint64_t seen) {
    value.wait(seen);
}
void wake_waiters(std::atomic<std::uint32_t>& value) { value.notify_all(); }
void wake_waiters(std::atomic<std::uint64_t>& value) { value.notify_all(); }

}  // namespace lapidary
