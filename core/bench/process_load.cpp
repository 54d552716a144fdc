// SPDX-License-Identifier: Apache-2.0
#include "bench/process_load.h"

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
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

/// Of one thread up to this moment. The clock of the process and /proc count running threads up to their last tick
/// only.
double thread_cpu_ms(pid_t thread) {
    constexpr unsigned per_thread = 4, scheduler_time = 2;
    return clock_ms(static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | per_thread | scheduler_time));
}

template <typename F>
void for_each_thread(const F& f) {
    std::error_code status;
    for (std::filesystem::directory_iterator at("/proc/self/task", status), end; !status && at != end;
         at.increment(status))
        f(static_cast<pid_t>(std::atol(at->path().filename().c_str())), at->path());
}

/// What the threads other than the caller's are at.
struct Others {
    double cpu_ms = 0;
    bool want_to_run = false;  // one is on a core or waits for one
};

Others other_threads() {
    Others others;
    for_each_thread([&, self = ::gettid()](pid_t thread, const std::filesystem::path& folder) {
        if (thread == self) return;
        others.cpu_ms += thread_cpu_ms(thread);
        if (std::FILE* file = std::fopen((folder / "stat").c_str(), "r")) {
            char state = 0;  // after the name in parentheses
            if (std::fscanf(file, "%*d (%*[^)]) %c", &state) == 1)
                others.want_to_run = others.want_to_run || state == 'R';
            std::fclose(file);
        }
    });
    return others;
}

}  // namespace

ProcessLoad process_load() {
    ProcessLoad load;
    for_each_thread([&](pid_t thread, const std::filesystem::path& folder) {
        // Nanoseconds on a core, nanoseconds in a run queue, turns.
        if (std::FILE* file = std::fopen((folder / "schedstat").c_str(), "r")) {
            unsigned long long ran = 0, waited = 0;
            if (std::fscanf(file, "%llu %llu", &ran, &waited) == 2) load.waited_ms += static_cast<double>(waited) / 1e6;
            std::fclose(file);
        }
        load.cpu_ms += thread_cpu_ms(thread);
    });
    return load;
}

void wait_for_rest(std::chrono::milliseconds longest) {
    using Clock = std::chrono::steady_clock;
    constexpr auto look = std::chrono::microseconds(150);
    constexpr double resting_ms = 0.02;  // of two looks: the kernel's own bookkeeping
    const auto end = Clock::now() + longest;
    int calm = 0;
    for (double before = other_threads().cpu_ms; calm < 2 && Clock::now() < end;) {
        std::this_thread::sleep_for(look);
        const Others now = other_threads();
        calm = !now.want_to_run && now.cpu_ms - before < resting_ms ? calm + 1 : 0;
        before = now.cpu_ms;
    }
}

double peak_memory_mb() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (unsigned long long kib = 0; std::sscanf(line.c_str(), "VmHWM: %llu", &kib) == 1)
            return static_cast<double>(kib) * 1024 / 1e6;
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace lapidary
