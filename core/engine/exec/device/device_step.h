// SPDX-License-Identifier: Apache-2.0
// Kernels of a plan that work on a device: those of providers (DeviceProvider::make_kernel()) and
// copies.
#pragma once

#include "exec/provider.h"

namespace lapidary {

/// Indices of the inputs that a device's kernel reads in host memory; null for other kernels.
const std::vector<std::size_t>* host_inputs_of(const KernelChoice& choice);

KernelChoice make_copy_kernel(const DeviceProvider& device, CopyDirection direction);

}  // namespace lapidary
