// SPDX-License-Identifier: Apache-2.0
// Constants of a plan in the memory of devices.
#pragma once

#include "exec/plan/placement.h"
#include "exec/plan/plan.h"

namespace lapidary {

/// Uploads the constants that device kernels read, except those that another session of this
/// process already has on the device. The steps no longer need them in host memory. Throws
/// limit_exceeded, cancelled.
void upload_constants(Plan& plan, const DevicePlacement& placement, const CancelToken& cancel);

}  // namespace lapidary
