// SPDX-License-Identifier: Apache-2.0
#include "base/tile_permission.h"

namespace lapidary {

bool may_use_tiles() { return false; }

}  // namespace lapidary
