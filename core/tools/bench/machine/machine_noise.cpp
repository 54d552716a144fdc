// SPDX-License-Identifier: Apache-2.0
#include <lapidary/bench/machine_noise.h>

#include <algorithm>

#include "base/process/process_times.h"
#include "bench/machine/canary.h"

namespace lapidary {
namespace {

constexpr int bursts = 5;  // the best of them: one may be interrupted on the quietest of machines

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
    state_->own = processor_seconds();
}

MachineNoise NoiseProbe::look() {
    MachineNoise noise;
    noise.speed = 0;
    for (int burst = 0; burst < bursts; ++burst)
        noise.speed = std::max(noise.speed, state_->canary.speed());
    const auto now = system_times();
    const double own = processor_seconds();
    if (now && state_->before) {
        const double all = now->all - state_->before->all;
        if (all > 0) {
            noise.others = std::clamp(
                (now->busy - state_->before->busy - (own - state_->own)) / all, 0.0, 1.0);
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
