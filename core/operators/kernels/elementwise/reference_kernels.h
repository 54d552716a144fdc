// SPDX-License-Identifier: Apache-2.0
// Reference kernels to which the fast kernels of this folder leave unusual element types and shapes
// that are known only in a run.
#pragma once

#include "kernels/kernel.h"

namespace lapidary::reference {

#define LAPIDARY_KERNEL(domain, op, min_version, max_version, name, function) \
    void function(KernelContext&);
#define LAPIDARY_KERNEL_FACTORY(domain, op, min_version, max_version, name, function)
#include "kernels/reference/contrib.inc"
#include "kernels/reference/elementwise.inc"
#include "kernels/reference/movement.inc"
#include "kernels/reference/quantization.inc"
#include "kernels/reference/reduction.inc"
#include "kernels/reference/selection.inc"
#undef LAPIDARY_KERNEL
#undef LAPIDARY_KERNEL_FACTORY

}  // namespace lapidary::reference
