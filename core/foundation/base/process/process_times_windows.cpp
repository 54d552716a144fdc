// SPDX-License-Identifier: Apache-2.0
// Windows does not say how long a thread waited.
#include "base/process/process_times.h"

#include <windows.h>
#include <tlhelp32.h>

#include <cstdint>

namespace lapidary {
namespace {

double seconds_of(const FILETIME& time) {
    return static_cast<double>((static_cast<std::uint64_t>(time.dwHighDateTime) << 32) |
                               time.dwLowDateTime) /
           1e7;
}

double seconds_of_thread(DWORD number) {
    const HANDLE thread = ::OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, number);
    if (thread == nullptr) return 0;
    FILETIME created, ended, kernel, user;
    const bool known = ::GetThreadTimes(thread, &created, &ended, &kernel, &user);
    ::CloseHandle(thread);
    return known ? seconds_of(kernel) + seconds_of(user) : 0;
}

}  // namespace

const std::chrono::milliseconds processor_time_tick{16};

OtherThreads other_threads() {
    OtherThreads others;
    const HANDLE all = ::CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    if (all == INVALID_HANDLE_VALUE) return others;
    THREADENTRY32 entry{};
    entry.dwSize = sizeof entry;
    for (BOOL more = ::Thread32First(all, &entry); more; more = ::Thread32Next(all, &entry))
        if (entry.th32OwnerProcessID == ::GetCurrentProcessId() &&
            entry.th32ThreadID != ::GetCurrentThreadId())
            others.cpu_ms += 1e3 * seconds_of_thread(entry.th32ThreadID);
    ::CloseHandle(all);
    return others;
}

ProcessLoad process_load() { return {1e3 * processor_seconds(), 0}; }

double processor_seconds() {
    FILETIME created, ended, kernel, user;
    if (!::GetProcessTimes(::GetCurrentProcess(), &created, &ended, &kernel, &user)) return 0;
    return seconds_of(kernel) + seconds_of(user);
}

std::optional<SystemTimes> system_times() {
    FILETIME idle, kernel, user;  // kernel includes idle
    if (!::GetSystemTimes(&idle, &kernel, &user)) return std::nullopt;
    SystemTimes times;
    times.all = seconds_of(kernel) + seconds_of(user);
    times.busy = times.all - seconds_of(idle);
    return times;
}

}  // namespace lapidary
