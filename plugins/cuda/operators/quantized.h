// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/integer/quantized.h"
#include "node_kernel.h"

namespace lapidary::cuda {

/// launch_integer_product() and launch_integer_convolution() with working memory of the run.
void launch_with_memory(KernelRun& run, const IntegerProductArgs& args);
void launch_with_memory(KernelRun& run, const IntegerConvolutionArgs& args);

}  // namespace lapidary::cuda
