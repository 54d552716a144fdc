// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <span>

#include <lapidary/bench/bench.h>

#include "base/cpu_features.h"
#include "base/machine_description.h"
#include "bench/statistics/median.h"
#include "base/threads/session_threads.h"

namespace lapidary {
namespace {

/// Universal time as "2025-01-31T23:59:59Z".
std::string date_of(std::chrono::system_clock::time_point moment) {
    using namespace std::chrono;
    const auto day = floor<days>(moment);
    const year_month_day date(day);
    const hh_mm_ss time(floor<seconds>(moment - day));
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ",
                  static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                  static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()));
    return text;
}

}  // namespace

MachineInfo machine_info() {
    MachineInfo info;
    info.cpu = cpu_name();
    info.isa = name_of(active_isa());
    info.cores = default_thread_count();
    info.memory_gb = static_cast<double>(installed_memory()) / 1e9;
    info.system = operating_system();
    info.date = date_of(std::chrono::system_clock::now());
    return info;
}

double geometric_mean_of_ratios(const std::vector<double>& ratios) {
    return geometric_mean(ratios);
}

}  // namespace lapidary
