// SPDX-License-Identifier: Apache-2.0
#include "worker/process/worker_limits.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <lapidary/base/error.h>

#include "worker/process/serve.h"

namespace lapidary::app {

void limit_this_process(std::uint64_t memory_bytes) {
    const rlimit no_image{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_image);
    std::ofstream("/proc/self/oom_score_adj") << 500;  // only Linux has it
    if (memory_bytes == 0) return;
    if (memory_bytes < least_memory_limit)
        fail_input("the memory limit must be at least " + std::to_string(least_memory_limit) +
                   " bytes, found " + std::to_string(memory_bytes));
#if defined(__linux__)
    constexpr int what =
        // heap and stacks; mapped weights and shared results are the system's to keep or drop
        RLIMIT_DATA;
#else
    constexpr int what = RLIMIT_AS;
#endif
    rlimit limit{};
    ::getrlimit(what, &limit);
    limit.rlim_cur = std::min<rlim_t>(memory_bytes, limit.rlim_max);
    if (::setrlimit(what, &limit) != 0)
        fail(ErrorCode::io_failure,
             std::string("the memory limit cannot be set: ") + std::strerror(errno));
}

}  // namespace lapidary::app
