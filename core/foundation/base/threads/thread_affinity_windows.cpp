// SPDX-License-Identifier: Apache-2.0
// The processors of the process' own group: at most 64.
#include "base/threads/thread_affinity.h"

#include <windows.h>

namespace lapidary {

// Windows returns a thread's mask only from the call that sets another one.
std::optional<ProcessorSet> thread_processors() {
    DWORD_PTR process = 0, machine = 0;
    if (!::GetProcessAffinityMask(::GetCurrentProcess(), &process, &machine) || process == 0)
        return std::nullopt;
    const DWORD_PTR before = ::SetThreadAffinityMask(::GetCurrentThread(), process);
    if (before != 0) ::SetThreadAffinityMask(::GetCurrentThread(), before);
    ProcessorSet processors;
    processors.words()[0] = before != 0 ? before : process;
    return processors;
}

bool set_thread_processors(const ProcessorSet& processors) {
    const DWORD_PTR mask = static_cast<DWORD_PTR>(processors.words()[0]);
    return mask != 0 && ::SetThreadAffinityMask(::GetCurrentThread(), mask) != 0;
}

}  // namespace lapidary
