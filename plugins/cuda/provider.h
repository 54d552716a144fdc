// SPDX-License-Identifier: Apache-2.0
// The provider that a plugin of these kernels offers.
#pragma once

#include "plugin_abi.h"

namespace lapidary::cuda {

const LpProvider& provider();

}  // namespace lapidary::cuda
