// SPDX-License-Identifier: Apache-2.0
// Pools of 8-bit tensors [N, C, spatial...]; the callers in byte_pool.cpp check the request.
#pragma once

#include <memory>
#include <string>

#include "kernels/kernel.h"

namespace lapidary {

/// QLinearAveragePool; null with the reason when the window has other than 1 to 3 axes.
std::unique_ptr<Kernel> make_average_of_planes(const KernelRequest& request, std::string& reason);
/// QLinearGlobalAveragePool.
std::unique_ptr<Kernel> make_mean_of_planes();

}  // namespace lapidary
