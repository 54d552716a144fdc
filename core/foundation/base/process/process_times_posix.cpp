// SPDX-License-Identifier: Apache-2.0
#include "base/process/process_times.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lapidary {
namespace {

double clock_ms(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// Processor time of one thread up to this moment. The clock of the process and /proc count running
/// threads only up to their last tick.
double thread_cpu_ms(pid_t thread) {
    constexpr unsigned per_thread = 4, scheduler_time = 2;
    return clock_ms(static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | per_thread |
                                           scheduler_time));
}

template <typename F>
void for_each_thread(const F& f) {
    std::error_code status;
    for (std::filesystem::directory_iterator at("/proc/self/task", status), end;
         !status && at != end; at.increment(status))
        f(static_cast<pid_t>(std::atol(at->path().filename().c_str())), at->path());
}

}  // namespace

const std::chrono::milliseconds processor_time_tick{0};

OtherThreads other_threads() {
    OtherThreads others;
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

ProcessLoad process_load() {
    ProcessLoad load;
    for_each_thread([&](pid_t thread, const std::filesystem::path& folder) {
        // Nanoseconds on a core, nanoseconds in a run queue, turns.
        if (std::FILE* file = std::fopen((folder / "schedstat").c_str(), "r")) {
            unsigned long long ran = 0, waited = 0;
            if (std::fscanf(file, "%llu %llu", &ran, &waited) == 2)
                load.waited_ms += static_cast<double>(waited) / 1e6;
            std::fclose(file);
        }
        load.cpu_ms += thread_cpu_ms(thread);
    });
    return load;
}

double processor_seconds() {
    double seconds = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        if (::getrusage(who, &usage) != 0) continue;
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
    return seconds;
}

std::optional<SystemTimes> system_times() {
    std::ifstream file("/proc/stat");
    std::string name;
    std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
    if (!(file >> name) || name != "cpu") return std::nullopt;
    for (double& tick : ticks)
        if (!(file >> tick)) return std::nullopt;
    const double per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    if (per_second <= 0) return std::nullopt;
    SystemTimes times;
    times.busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / per_second;
    times.stolen = ticks[7] / per_second;
    times.all = times.busy + times.stolen + (ticks[3] + ticks[4]) / per_second;
    return times;
}

}  // namespace lapidary
