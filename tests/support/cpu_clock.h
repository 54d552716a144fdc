// SPDX-License-Identifier: Apache-2.0
// Processor time, which tests bound instead of the time on the wall: others may be using the
// machine.
#pragma once

#include <ctime>

namespace lapidary::test {

inline double cpu_seconds(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
inline double thread_cpu_seconds() { return cpu_seconds(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace lapidary::test
