// SPDX-License-Identifier: Apache-2.0
#include "base/memory/process_memory.h"

#include <cstdio>
#include <fstream>
#include <string>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <lapidary/base/counted_memory.h>

#include "base/memory/page_memory.h"

namespace lapidary {

std::int64_t resident_bytes() {
    std::ifstream in("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    in >> size >> resident;
    return in ? resident * static_cast<std::int64_t>(page_size()) : 0;
}

std::optional<std::uint64_t> peak_resident_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (unsigned long long kib = 0; std::sscanf(line.c_str(), "VmHWM: %llu", &kib) == 1)
            return kib * 1024;
    return std::nullopt;
}

std::optional<CountedMemory> counted_memory() {
    std::ifstream status("/proc/self/status");
    unsigned long long anonymous = 0, file = 0, shared = 0;
    int found = 0;
    for (std::string line; found < 3 && std::getline(status, line);)
        found += std::sscanf(line.c_str(), "RssAnon: %llu", &anonymous) == 1 ||
                 std::sscanf(line.c_str(), "RssFile: %llu", &file) == 1 ||
                 std::sscanf(line.c_str(), "RssShmem: %llu", &shared) == 1;
    if (found < 3) return std::nullopt;
    return CountedMemory{(anonymous + shared) * 1024, file * 1024};
}

bool use_usual_pages() noexcept {
#if defined(__linux__) && defined(PR_SET_THP_DISABLE)
    return ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0;
#else
    return false;
#endif
}

}  // namespace lapidary
