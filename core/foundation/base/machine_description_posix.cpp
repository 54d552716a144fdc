// SPDX-License-Identifier: Apache-2.0
#include "base/machine_description.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "base/memory/page_memory.h"

namespace lapidary {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const std::size_t at = line.find(": "); at != std::string::npos)
                return line.substr(at + 2);
    utsname system{};
    return ::uname(&system) == 0 ? system.machine : "unknown";
}

std::string operating_system() {
    utsname system{};
    return ::uname(&system) == 0 ? std::string(system.sysname) + " " + system.release
                                 : std::string();
}

std::uint64_t installed_memory() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * page_size();
}

}  // namespace lapidary
