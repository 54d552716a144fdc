// SPDX-License-Identifier: Apache-2.0
// Frequency, throttling and energy of the processor, as the system shows them at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapidary {

/// A meter of a processor package that counts up and begins again at 0.
struct EnergyMeter {
    std::string name;   // "intel-rapl:0"
    double joules = 0;  // since some moment
    double range = 0;   // where it begins again, J
};

struct ProcessorState {
    double ghz = 0;          // of the core that asks, now; 0: not known
    double highest_ghz = 0;  // that the core can reach; 0: not known
    /// How often the cores slowed down because they were hot, since the start. Empty: not known.
    std::optional<std::uint64_t> throttled;
    std::vector<EnergyMeter> meters;
    bool energy_is_forbidden = false;  // there are meters, which this user may not read
};

/// Takes some milliseconds.
ProcessorState processor_state();

/// What the meters of `before` counted until `after`, J. Meters that one of them lacks do not
/// count.
double joules_between(const std::vector<EnergyMeter>& before,
                      const std::vector<EnergyMeter>& after);

}  // namespace lapidary
