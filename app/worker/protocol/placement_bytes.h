// SPDX-License-Identifier: Apache-2.0
// Where the nodes of a run were placed and which values were copied, as bytes.
#pragma once

#include <lapidary/exec/placement.h>

#include "worker/protocol/value_bytes.h"

namespace lapidary::app {

void write_placement(ByteWriter& out, const PlacementReport& placement);
/// Throws if the bytes are not those of write_placement().
PlacementReport read_placement(ByteReader& in);

}  // namespace lapidary::app
