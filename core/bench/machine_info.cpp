// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <span>

#include <lapidary/bench.h>

#include "base/cpu_features.h"
#include "bench/median.h"
#include "exec/parallel.h"

namespace lapidary {
namespace {

std::string cpu_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const std::size_t at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
    utsname system{};
    return ::uname(&system) == 0 ? system.machine : "unknown";
}

}  // namespace

MachineInfo machine_info() {
    MachineInfo info;
    info.cpu = cpu_name();
    info.isa = name_of(active_isa());
    info.cores = default_thread_count();
    info.memory_gb =
        static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e9;
    if (utsname system{}; ::uname(&system) == 0) info.system = std::string(system.sysname) + " " + system.release;
    const std::time_t now = std::time(nullptr);
    char text[32] = {};
    if (std::tm parts{}; ::gmtime_r(&now, &parts)) std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    info.date = text;
    return info;
}

double geometric_mean_of_ratios(const std::vector<double>& ratios) { return geometric_mean(ratios); }

}  // namespace lapidary
