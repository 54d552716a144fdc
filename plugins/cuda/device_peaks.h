// SPDX-License-Identifier: Apache-2.0
// What a device reaches at most, measured by kernels made for it (kernels/peak.h) and kept in a
// file by device and driver.
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

/// What the file has, or what is measured now and then kept there; never kept where `path` is
/// empty. Throws DeviceError where the file does not fit: another device or driver, another
/// version, a figure that can be none.
DevicePeaks known_peaks(std::uint32_t device, const LpHost& host, const std::string& path);

}  // namespace lapidary::cuda
