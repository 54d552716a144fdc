// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_async.cuh"

namespace lapidary::cuda {

void launch_async_floats(Queue& queue, const ProductArgs& args, AsyncSize size,
                         Arithmetic arithmetic) {
    if (arithmetic == Arithmetic::tf32x3)
        launch_async_size<float, MultiplyTf32x3>(queue, args, size);
    else launch_async_size<float, MultiplyTf32>(queue, args, size);
}

}  // namespace lapidary::cuda
