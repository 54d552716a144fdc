// SPDX-License-Identifier: Apache-2.0
// Windows gives its counters to drivers and administrators alone.
#include "base/process/hardware_counters.h"

namespace lapidary {

HardwareCounters::HardwareCounters() : problem_(Problem::absent) {}
HardwareCounters::~HardwareCounters() = default;
void HardwareCounters::close() {}
void HardwareCounters::start() {}
CounterValues HardwareCounters::stop() { return {}; }
std::optional<int> counter_restriction() { return std::nullopt; }

}  // namespace lapidary
