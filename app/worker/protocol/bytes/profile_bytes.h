// SPDX-License-Identifier: Apache-2.0
// A profile as bytes: its texts, its labels and its spans, each as it lies in memory.
#pragma once

#include <lapidary/profile/profile.h>

#include "worker/protocol/bytes/byte_stream.h"

namespace lapidary::app {

void write_profile(ByteWriter& out, const Profile& profile);
/// Throws io_failure where the bytes are no profile.
Profile read_profile(ByteReader& in);

}  // namespace lapidary::app
