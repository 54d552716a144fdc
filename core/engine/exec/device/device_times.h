// SPDX-License-Identifier: Apache-2.0
// How long devices worked in a profiled run, and how long the host took to launch their steps.
// Profiling waits for every step.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/profile/profile.h>

namespace lapidary {

/// "Devices worked 2.310 ms a run by their spans, launches took the host 0.410 ms". `launch_ns`:
/// the sum over all runs of the profile.
std::string report_device_times(const Profile& profile, std::int64_t launch_ns);

}  // namespace lapidary
