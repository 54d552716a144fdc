// SPDX-License-Identifier: Apache-2.0
#include "base/threads/wait_for_change.h"

#include <windows.h>

namespace lapidary {
namespace {

template <typename Number>
void wait_on_address(const std::atomic<Number>& value, Number seen) {
    static_assert(sizeof(std::atomic<Number>) == sizeof(Number),
                  "what is looked at is the number alone");
    auto* const address = const_cast<std::atomic<Number>*>(&value);
    while (value.load() == seen) ::WaitOnAddress(address, &seen, sizeof seen, INFINITE);
}

}  // namespace

void wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t seen) {
    wait_on_address(value, seen);
}
void wait_for_change(const std::atomic<std::uint64_t>& value, std::uint64_t seen) {
    wait_on_address(value, seen);
}
void wake_waiters(std::atomic<std::uint32_t>& value) { ::WakeByAddressAll(&value); }
void wake_waiters(std::atomic<std::uint64_t>& value) { ::WakeByAddressAll(&value); }

}  // namespace lapidary
