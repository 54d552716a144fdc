// SPDX-License-Identifier: Apache-2.0
// Linux counts by perf_event_open(2). Other systems have no counters that a program may read.
#include "base/process/hardware_counters.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#endif

namespace lapidary {

#if defined(__linux__)
namespace {

using Problem = HardwareCounters::Problem;

constexpr std::array<std::uint64_t, 4> kinds{PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                             PERF_COUNT_HW_CACHE_MISSES,
                                             PERF_COUNT_HW_STALLED_CYCLES_FRONTEND};
constexpr std::size_t needed_kinds = 2;  // the first ones; others are left out where they fail

/// Negative: failed, with errno.
int open_counter(pid_t thread, std::uint64_t kind) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = kind;
    attributes.disabled = 1;
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    constexpr int any_processor = -1, no_group = -1;
    return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, any_processor,
                                      no_group, PERF_FLAG_FD_CLOEXEC));
}

std::vector<pid_t> threads_of_process() {
    std::vector<pid_t> threads;
    std::error_code status;
    for (std::filesystem::directory_iterator at("/proc/self/task", status), end;
         !status && at != end; at.increment(status))
        threads.push_back(static_cast<pid_t>(std::atol(at->path().filename().c_str())));
    return threads;
}

Problem problem_of(int error) {
    if (error == EACCES || error == EPERM) return Problem::forbidden;
    if (error == EMFILE || error == ENFILE || error == ENOMEM) return Problem::too_many_threads;
    return Problem::absent;
}

void close_all(std::vector<int>& files) {
    for (const int file : files) ::close(file);
    files.clear();
}

std::uint64_t sum_of(const std::vector<int>& files) {
    std::uint64_t sum = 0;
    for (const int file : files) {
        std::uint64_t values[3] = {};  // count, time enabled, time running
        if (::read(file, values, sizeof values) != sizeof values) continue;
        const auto [count, enabled, running] = values;
        sum += running == 0 || running >= enabled
                   ? count
                   : static_cast<std::uint64_t>(static_cast<double>(count) *
                                                static_cast<double>(enabled) /
                                                static_cast<double>(running));
    }
    return sum;
}

}  // namespace

HardwareCounters::HardwareCounters() {
    const std::vector<pid_t> threads = threads_of_process();
    if (threads.empty()) problem_ = Problem::absent;
    for (std::size_t kind = 0; kind < kinds.size() && problem_ == Problem::none; ++kind) {
        int failed = 0;
        for (const pid_t thread : threads) {
            const int file = open_counter(thread, kinds[kind]);
            if (file >= 0) {
                files_[kind].push_back(file);
                continue;
            }
            if (errno == ESRCH) continue;  // a thread that has ended
            failed = errno;
            break;
        }
        if (failed == 0) continue;
        close_all(files_[kind]);
        if (kind < needed_kinds) problem_ = problem_of(failed);
    }
    if (problem_ != Problem::none) close();
}

HardwareCounters::~HardwareCounters() { close(); }

void HardwareCounters::close() {
    for (std::vector<int>& files : files_) close_all(files);
}

void HardwareCounters::start() {
    for (const std::vector<int>& files : files_)
        for (const int file : files) {
            ::ioctl(file, PERF_EVENT_IOC_RESET, 0);
            ::ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
        }
}

CounterValues HardwareCounters::stop() {
    for (const std::vector<int>& files : files_)
        for (const int file : files) ::ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
    CounterValues values{sum_of(files_[0]), sum_of(files_[1]), {}, {}};
    if (!files_[2].empty()) values.cache_misses = sum_of(files_[2]);
    if (!files_[3].empty()) values.frontend_stalls = sum_of(files_[3]);
    return values;
}

std::optional<int> counter_restriction() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    int level = 0;
    if (!(file >> level)) return std::nullopt;
    return level;
}

#else

HardwareCounters::HardwareCounters() : problem_(Problem::absent) {}
HardwareCounters::~HardwareCounters() = default;
void HardwareCounters::close() {}
void HardwareCounters::start() {}
CounterValues HardwareCounters::stop() { return {}; }
std::optional<int> counter_restriction() { return std::nullopt; }

#endif

}  // namespace lapidary
