// SPDX-License-Identifier: Apache-2.0
#include "base/memory/available_memory.h"

#include <windows.h>
#include <psapi.h>

#include <algorithm>
#include <limits>

namespace lapidary {
namespace {

/// What the system has, limited by the job object around this process.
std::uint64_t least_of(DWORDLONG MEMORYSTATUSEX::*physical, DWORDLONG MEMORYSTATUSEX::*promised,
                       std::uint64_t used) {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    if (::GlobalMemoryStatusEx(&memory))
        least = std::min<std::uint64_t>(memory.*physical, memory.*promised);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION job{};
    if (::QueryInformationJobObject(nullptr, JobObjectExtendedLimitInformation, &job, sizeof job,
                                    nullptr) &&
        (job.BasicLimitInformation.LimitFlags & JOB_OBJECT_LIMIT_PROCESS_MEMORY) != 0)
        least = std::min<std::uint64_t>(
            least, job.ProcessMemoryLimit > used ? job.ProcessMemoryLimit - used : 0);
    return least;
}

}  // namespace

std::uint64_t available_memory(const std::filesystem::path&) {
    PROCESS_MEMORY_COUNTERS counters{};
    const bool known = ::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
    return least_of(&MEMORYSTATUSEX::ullAvailPhys, &MEMORYSTATUSEX::ullAvailPageFile,
                    known ? counters.PagefileUsage : 0);
}

std::uint64_t machine_memory(const std::filesystem::path&) {
    return least_of(&MEMORYSTATUSEX::ullTotalPhys, &MEMORYSTATUSEX::ullTotalPageFile, 0);
}

}  // namespace lapidary
