// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/integer/quantized.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// Call launch_integer_product() or launch_integer_convolution() with working memory from the run.
void launch_with_memory(KernelRun& run, const IntegerProductArgs& args);
void launch_with_memory(KernelRun& run, const IntegerConvolutionArgs& args);

}  // namespace lapidary::cuda
