// SPDX-License-Identifier: Apache-2.0
// Kernels of a plan that work on a device: those of providers (DeviceProvider::make_kernel()) and
// copies.
#pragma once

#include "exec/provider.h"

namespace lapidary {

/// Inputs that the kernel of a device reads in host memory; null: it is none.
const std::vector<std::size_t>* host_inputs_of(const KernelChoice& choice);

KernelChoice make_copy_kernel(const DeviceProvider& device, CopyDirection direction);

}  // namespace lapidary
