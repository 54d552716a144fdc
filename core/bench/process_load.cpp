// SPDX-License-Identifier: Apache-2.0
#include "bench/process_load.h"

#include <time.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace lapidary {
namespace {

double clock_ms(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// CPU time of the other threads.
double others_cpu_ms() { return clock_ms(CLOCK_PROCESS_CPUTIME_ID) - clock_ms(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace

ProcessLoad process_load() {
    ProcessLoad load;
    std::error_code status;
    for (std::filesystem::directory_iterator at("/proc/self/task", status), end; !status && at != end; at.increment(status)) {
        // Nanoseconds on a core, nanoseconds in a run queue, turns.
        std::FILE* file = std::fopen((at->path() / "schedstat").c_str(), "r");
        if (!file) continue;
        unsigned long long ran = 0, waited = 0;
        if (std::fscanf(file, "%llu %llu", &ran, &waited) == 2) load.waited_ms += static_cast<double>(waited) / 1e6;
        std::fclose(file);
    }
    load.cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
    return load;
}

void wait_for_rest(std::chrono::milliseconds longest) {
    using Clock = std::chrono::steady_clock;
    constexpr auto look = std::chrono::microseconds(150);
    constexpr double resting_ms = 0.02;  // of two looks: the kernel's own bookkeeping
    const auto end = Clock::now() + longest;
    int calm = 0;
    for (double before = others_cpu_ms(); calm < 2 && Clock::now() < end;) {
        std::this_thread::sleep_for(look);
        const double now = others_cpu_ms();
        calm = now - before < resting_ms ? calm + 1 : 0;
        before = now;
    }
}

double peak_memory_mb() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (unsigned long long kib = 0; std::sscanf(line.c_str(), "VmHWM: %llu", &kib) == 1) return static_cast<double>(kib) * 1024 / 1e6;
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace lapidary
