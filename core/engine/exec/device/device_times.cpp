// SPDX-License-Identifier: Apache-2.0
#include "exec/device/device_times.h"

#include <algorithm>
#include <cstdio>

namespace lapidary {

std::string report_device_times(const Profile& profile, std::int64_t launch_ns) {
    double spans_ns = 0;
    for (const Span& span : profile.kernels)
        if (profile.provider(span) != "CPU") spans_ns += static_cast<double>(span.duration_ns());
    const double runs = std::max(profile.runs, 1);
    char text[160];
    std::snprintf(text, sizeof(text),
                  "Devices worked %.3f ms a run by their spans, launches took the host %.3f ms",
                  spans_ns / runs / 1e6, static_cast<double>(launch_ns) / runs / 1e6);
    return text;
}

}  // namespace lapidary
