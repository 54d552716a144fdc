// SPDX-License-Identifier: Apache-2.0
// CPU time, which tests limit instead of wall time because other programs may use the machine.
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
