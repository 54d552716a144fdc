// SPDX-License-Identifier: Apache-2.0
// Linux shows them under /sys: cpufreq, thermal_throttle, and powercap for the meters that Intel
// calls RAPL, which processors of AMD have too.
#include "base/processor_state.h"

#if defined(__linux__)
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#endif

namespace lapidary {

#if defined(__linux__)
namespace {

namespace fs = std::filesystem;

std::optional<double> number_in(const fs::path& file) {
    std::ifstream in(file);
    double value = 0;
    if (!(in >> value)) return std::nullopt;
    return value;
}

/// "cpu0" and the like, not "cpufreq".
bool is_core(const std::string& name) {
    return name.starts_with("cpu") && name.size() > 3 &&
           std::ranges::all_of(name.substr(3), [](char c) { return c >= '0' && c <= '9'; });
}

/// "intel-rapl:0", not its parts such as "intel-rapl:0:1".
bool is_package(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (!name.starts_with("intel-rapl:") || std::ranges::count(name, ':') != 1) return false;
    std::ifstream in(folder / "name");
    std::string of;
    return in >> of && of.starts_with("package");
}

template <typename F>
void for_each_entry(const char* folder, const F& f) {
    std::error_code status;
    for (fs::directory_iterator at(folder, status), end; !status && at != end; at.increment(status))
        f(at->path());
}

}  // namespace

ProcessorState processor_state() {
    constexpr double khz_per_ghz = 1e6, uj_per_j = 1e6;
    ProcessorState state;
    const fs::path cores = "/sys/devices/system/cpu";
    const fs::path own =
        cores / ("cpu" + std::to_string(std::max(0, ::sched_getcpu()))) / "cpufreq";
    state.ghz = number_in(own / "scaling_cur_freq").value_or(0) / khz_per_ghz;
    state.highest_ghz = number_in(own / "cpuinfo_max_freq").value_or(0) / khz_per_ghz;
    for_each_entry("/sys/devices/system/cpu", [&](const fs::path& core) {
        if (!is_core(core.filename().string())) return;
        if (const auto times = number_in(core / "thermal_throttle" / "core_throttle_count"))
            state.throttled = state.throttled.value_or(0) + static_cast<std::uint64_t>(*times);
    });
    for_each_entry("/sys/class/powercap", [&](const fs::path& package) {
        if (!is_package(package)) return;
        const auto energy = number_in(package / "energy_uj"),
                   range = number_in(package / "max_energy_range_uj");
        if (energy)
            state.meters.push_back(
                {package.filename().string(), *energy / uj_per_j, range.value_or(0) / uj_per_j});
        else state.energy_is_forbidden = true;
    });
    return state;
}

#else

ProcessorState processor_state() { return {}; }

#endif

}  // namespace lapidary
