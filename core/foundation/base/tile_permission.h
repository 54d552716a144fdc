// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary {

/// Whether the CPU multiplies tiles of bytes and of bfloat16 (AMX), and the system lets this
/// process do so. Registers of tiles make the state of a thread 8 KB larger, so Linux has a process
/// ask for them first: this asks. False on other systems.
bool may_use_tiles();

}  // namespace lapidary
