// SPDX-License-Identifier: Apache-2.0
#include "base/process_memory.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "base/page_memory.h"

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
        if (unsigned long long kib = 0; std::sscanf(line.c_str(), "VmHWM: %llu", &kib) == 1) return kib * 1024;
    return std::nullopt;
}

}  // namespace lapidary
