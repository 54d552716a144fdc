// SPDX-License-Identifier: Apache-2.0
// What devices and the host, which launches their steps, took in a profiled run. Watching waits for
// every step.
#pragma once

#include <cstdint>
#include <string>

#include <lapidary/profile/profile.h>

namespace lapidary {

/// "Devices worked 2.310 ms a run by their spans, launches took the host 0.410 ms". `launch_ns` of
/// all runs of the profile.
std::string report_device_times(const Profile& profile, std::int64_t launch_ns);

}  // namespace lapidary
