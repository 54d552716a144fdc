// SPDX-License-Identifier: Apache-2.0
#include <lapidary/machine_noise.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "bench/canary.h"

namespace lapidary {
namespace {

constexpr int bursts = 5;  // the best of them: one may be interrupted on the quietest of machines

/// Processor time of everything since the start, in seconds over all cores.
struct SystemTimes {
    double busy = 0, stolen = 0, all = 0;
};

std::optional<SystemTimes> system_times() {
    std::ifstream file("/proc/stat");
    std::string name;
    std::array<double, 8> ticks{};  // user nice system idle iowait irq softirq steal
    if (!(file >> name) || name != "cpu") return std::nullopt;
    for (double& tick : ticks)
        if (!(file >> tick)) return std::nullopt;
    const double per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
    if (per_second <= 0) return std::nullopt;
    SystemTimes times;
    times.busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / per_second;
    times.stolen = ticks[7] / per_second;
    times.all = times.busy + times.stolen + (ticks[3] + ticks[4]) / per_second;
    return times;
}

/// Of this process and of children that ended.
double own_seconds() {
    double seconds = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        if (::getrusage(who, &usage) != 0) continue;
        for (const timeval& time : {usage.ru_utime, usage.ru_stime})
            seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
    return seconds;
}

}  // namespace

struct NoiseProbe::State {
    Canary canary{1};
    std::optional<SystemTimes> before;
    double own = 0;
};

NoiseProbe::NoiseProbe() : state_(std::make_unique<State>()) { skip(); }
NoiseProbe::~NoiseProbe() = default;

void NoiseProbe::skip() {
    state_->before = system_times();
    state_->own = own_seconds();
}

MachineNoise NoiseProbe::look() {
    MachineNoise noise;
    noise.speed = 0;
    for (int burst = 0; burst < bursts; ++burst) noise.speed = std::max(noise.speed, state_->canary.speed());
    const auto now = system_times();
    const double own = own_seconds();
    if (now && state_->before) {
        const double all = now->all - state_->before->all;
        if (all > 0) {
            noise.others = std::clamp((now->busy - state_->before->busy - (own - state_->own)) / all, 0.0, 1.0);
            noise.stolen = std::clamp((now->stolen - state_->before->stolen) / all, 0.0, 1.0);
        }
    }
    state_->before = now;
    state_->own = own;
    return noise;
}

Quietness quietness_of(const MachineNoise& noise) {
    const double taken = noise.others.value_or(0) + noise.stolen.value_or(0);
    if (taken >= 0.10 || noise.speed < 0.90) return Quietness::loud;
    if (taken >= 0.02 || noise.speed < 0.97) return Quietness::some;
    return Quietness::quiet;
}

}  // namespace lapidary
