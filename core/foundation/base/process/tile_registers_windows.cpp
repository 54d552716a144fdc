// SPDX-License-Identifier: Apache-2.0
#include "base/process/tile_registers.h"

namespace lapidary {

bool may_use_tile_registers() { return false; }

}  // namespace lapidary
