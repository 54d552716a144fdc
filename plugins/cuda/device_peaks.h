// SPDX-License-Identifier: Apache-2.0
// The peak rates of a device, measured by kernels made for that (kernels/peak.h) and kept in a file
// for each device and driver.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>

#include "kernels/peak.h"
#include "plugin_abi.h"

namespace lapidary::cuda {

inline constexpr PeakKind peak_kinds[] = {PeakKind::float32, PeakKind::tf32, PeakKind::float16,
                                          PeakKind::bfloat16, PeakKind::int8};
const char* name_of(PeakKind kind);

struct DevicePeaks {
    double gb_per_s = 0;
    double gops[std::size(peak_kinds)] = {};  // parallel to peak_kinds; 1e9 per second
    friend bool operator==(const DevicePeaks&, const DevicePeaks&) = default;
};

/// Takes some 0.2 s. Throws DeviceError.
DevicePeaks measure_peaks(std::uint32_t device, const LpHost& host);

/// The peaks from the file; where there is none, measures them now and writes the file. Nothing is
/// written where `path` is empty. Throws DeviceError where the file does not fit: another device,
/// driver or version, or an impossible number.
DevicePeaks known_peaks(std::uint32_t device, const LpHost& host, const std::string& path);

}  // namespace lapidary::cuda
