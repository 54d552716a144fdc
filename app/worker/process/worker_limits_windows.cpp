// SPDX-License-Identifier: Apache-2.0
#include "worker/process/worker_limits.h"

#include <windows.h>

#include <system_error>

#include <lapidary/base/error.h>

#include "worker/process/serve.h"

namespace lapidary::app {

// A job around this process alone, which lives as long as it.
void limit_this_process(std::uint64_t memory_bytes) {
    ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);  // no dialog after a crash
    if (memory_bytes == 0) return;
    if (memory_bytes < least_memory_limit)
        fail_input("the memory limit must be at least " + std::to_string(least_memory_limit) +
                   " bytes, found " + std::to_string(memory_bytes));
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit{};
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY;
    limit.ProcessMemoryLimit = static_cast<SIZE_T>(memory_bytes);
    const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
    if (job == nullptr ||
        !::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit) ||
        !::AssignProcessToJobObject(job, ::GetCurrentProcess())) {
        const std::error_code error(static_cast<int>(::GetLastError()), std::system_category());
        fail(ErrorCode::io_failure, "the memory limit cannot be set: " + error.message());
    }
}

}  // namespace lapidary::app
