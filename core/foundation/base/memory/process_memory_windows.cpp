// SPDX-License-Identifier: Apache-2.0
#include "base/memory/process_memory.h"

#include <windows.h>
#include <psapi.h>

#include <lapidary/base/counted_memory.h>

namespace lapidary {

std::int64_t resident_bytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    if (!::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters)) return 0;
    return static_cast<std::int64_t>(counters.WorkingSetSize);
}

std::optional<std::uint64_t> peak_resident_bytes() {
    PROCESS_MEMORY_COUNTERS counters{};
    if (!::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters))
        return std::nullopt;
    return counters.PeakWorkingSetSize;
}

std::optional<CountedMemory> counted_memory() { return std::nullopt; }

bool use_usual_pages() noexcept { return false; }

}  // namespace lapidary
