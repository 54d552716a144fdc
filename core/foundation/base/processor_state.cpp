// SPDX-License-Identifier: Apache-2.0
#include "base/processor_state.h"

#include <algorithm>

namespace lapidary {

double joules_between(const std::vector<EnergyMeter>& before,
                      const std::vector<EnergyMeter>& after) {
    double sum = 0;
    for (const EnergyMeter& end : after) {
        const auto begin = std::ranges::find(before, end.name, &EnergyMeter::name);
        if (begin == before.end()) continue;
        const double joules = end.joules - begin->joules;
        // a meter whose range is not known adds nothing where it began again
        sum += joules < 0 ? std::max(0.0, joules + end.range) : joules;
    }
    return sum;
}

}  // namespace lapidary
