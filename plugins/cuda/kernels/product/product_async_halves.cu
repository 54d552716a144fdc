// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/product_async.cuh"

namespace lapidary::cuda {

void launch_async_halves(Queue& queue, const ProductArgs& args, AsyncSize size) {
    if (args.type == 10) launch_async_size<half_t, MultiplyF16>(queue, args, size);
    else launch_async_size<bfloat_t, MultiplyBf16>(queue, args, size);
}

}  // namespace lapidary::cuda
