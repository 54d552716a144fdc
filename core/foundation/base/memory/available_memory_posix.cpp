// SPDX-License-Identifier: Apache-2.0
#include "base/memory/available_memory.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number that a file of the kernel holds; nothing for "max", another text or no file.
std::optional<std::uint64_t> number_in(const fs::path& path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

/// The number after `key` in a file of lines "key number ...".
std::optional<std::uint64_t> number_after(const fs::path& path, const std::string& key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        std::uint64_t number = 0;
        if (words >> word >> number && word == key) return number;
    }
    return std::nullopt;
}

struct GroupFiles {
    const char *limit, *usage, *cache;  // the last a key of memory.stat
};

enum class Count { left, whole };

/// What the control group in `folder` and its parents leave free, or allow in all.
std::uint64_t left_by_groups(const fs::path& mount, const fs::path& group, const GroupFiles& files,
                             Count count) {
    std::uint64_t left = unlimited;
    for (fs::path inside = group.relative_path();; inside = inside.parent_path()) {
        const fs::path folder = mount / inside;
        const auto limit = number_in(folder / files.limit), usage = number_in(folder / files.usage);
        if (limit && count == Count::whole) {
            left = std::min(left, *limit);
        } else if (limit && usage) {
            const std::uint64_t cache =
                std::min(number_after(folder / "memory.stat", files.cache).value_or(0), *usage);
            const std::uint64_t used = *usage - cache;
            left = std::min(left, *limit > used ? *limit - used : 0);
        }
        if (inside.empty()) return left;
    }
}

std::uint64_t left_by_all_groups(const fs::path& root, Count count) {
    static constexpr GroupFiles second{"memory.max", "memory.current", "inactive_file"};
    static constexpr GroupFiles first{"memory.limit_in_bytes", "memory.usage_in_bytes",
                                      "total_inactive_file"};
    std::uint64_t left = unlimited;
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {  // "0::/path" or "5:cpu,memory:/path"
        const std::size_t controllers = line.find(':'), path = line.find(':', controllers + 1);
        if (controllers == std::string::npos || path == std::string::npos) continue;
        const std::string names = "," + line.substr(controllers + 1, path - controllers - 1) + ",";
        const fs::path group = line.substr(path + 1);
        if (names == ",,")
            left = std::min(left, left_by_groups(root / "sys/fs/cgroup", group, second, count));
        else if (names.find(",memory,") != std::string::npos)
            left =
                std::min(left, left_by_groups(root / "sys/fs/cgroup/memory", group, first, count));
    }
    return left;
}

std::uint64_t left_by_limit(decltype(RLIMIT_AS) resource,
                            std::optional<std::uint64_t> used_kilobytes) {
    struct rlimit limit;
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    const std::uint64_t used = used_kilobytes.value_or(0) << 10;
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

}  // namespace

std::uint64_t available_memory(const fs::path& root) {
    std::uint64_t left = unlimited;
    if (const auto kilobytes = number_after(root / "proc/meminfo", "MemAvailable:"))
        left = *kilobytes << 10;
    else if (const long pages = ::sysconf(_SC_AVPHYS_PAGES); pages > 0)
        left =
            static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    left = std::min(left, left_by_all_groups(root, Count::left));
    const fs::path status = root / "proc/self/status";
    left = std::min(left, left_by_limit(RLIMIT_AS, number_after(status, "VmSize:")));
    return std::min(left, left_by_limit(RLIMIT_DATA, number_after(status, "VmData:")));
}

std::uint64_t machine_memory(const fs::path& root) {
    std::uint64_t whole = unlimited;
    if (const auto kilobytes = number_after(root / "proc/meminfo", "MemTotal:"))
        whole = *kilobytes << 10;
    else if (const long pages = ::sysconf(_SC_PHYS_PAGES); pages > 0)
        whole =
            static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    whole = std::min(whole, left_by_all_groups(root, Count::whole));
    return std::min({whole, left_by_limit(RLIMIT_AS, 0), left_by_limit(RLIMIT_DATA, 0)});
}

}  // namespace lapidary
