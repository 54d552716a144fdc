// SPDX-License-Identifier: Apache-2.0
#include "worker/process/running_process.h"

#include <windows.h>

namespace lapidary::app {
namespace {

constexpr UINT late_code = 142;

/// When a process that has not ended was started, in ticks of 100 ns; 0: there is none.
std::uint64_t start_of(std::int64_t process) {
    const HANDLE handle = ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE,
                                        static_cast<DWORD>(process));
    if (handle == nullptr) return 0;
    FILETIME created{}, ended, kernel, user;
    const bool is_known = ::WaitForSingleObject(handle, 0) == WAIT_TIMEOUT &&
                          ::GetProcessTimes(handle, &created, &ended, &kernel, &user);
    ::CloseHandle(handle);
    return is_known
               ? (static_cast<std::uint64_t>(created.dwHighDateTime) << 32) | created.dwLowDateTime
               : 0;
}

VOID CALLBACK end_process(PVOID, BOOLEAN) { ::TerminateProcess(::GetCurrentProcess(), late_code); }

}  // namespace

long this_process() { return static_cast<long>(::GetCurrentProcessId()); }
long parent_process() { return 0; }  // a closed pipe shows that it is gone

std::optional<std::uint64_t> process_start(std::int64_t process) {
    const std::uint64_t start = start_of(process);
    return start == 0 ? std::nullopt : std::optional(start);
}

bool is_process(std::int64_t process) { return start_of(process) != 0; }

std::string boot_name() { return {}; }

void end_process_after(unsigned seconds) {
    HANDLE timer = nullptr;  // lives as long as the process
    ::CreateTimerQueueTimer(&timer, nullptr, &end_process, nullptr, seconds * 1000, 0,
                            WT_EXECUTEONLYONCE);
}

bool was_ended_by_time(const std::string& end) {
    return end == "exit code " + std::to_string(late_code);
}

}  // namespace lapidary::app
