// SPDX-License-Identifier: Apache-2.0
// What a run measured about its devices, as bytes.
#pragma once

#include <optional>
#include <vector>

#include <lapidary/exec/device_peak.h>
#include <lapidary/proof/lowered_precision.h>

#include "worker/protocol/byte_stream.h"

namespace lapidary::app {

void write_device_peaks(ByteWriter& out, const std::vector<DevicePeak>& peaks);
std::vector<DevicePeak> read_device_peaks(ByteReader& in);

void write_lowered(ByteWriter& out, const std::optional<LoweredPrecision>& lowered);
std::optional<LoweredPrecision> read_lowered(ByteReader& in);

}  // namespace lapidary::app
