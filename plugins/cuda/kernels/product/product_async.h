// SPDX-License-Identifier: Apache-2.0
// Products on tensor cores whose operands lie in pieces of 16 bytes: the possible tiles and parts
// along k (product_plan.h chooses), and the launch.
#pragma once

#include "kernels/product/product.h"

namespace lapidary::cuda {

/// Results of a block.
enum class AsyncSize : std::uint8_t { of_32x32, of_64x64, of_128x64, of_128x128 };

struct AsyncPlan {
    AsyncSize size = AsyncSize::of_64x64;
    std::int32_t rows = 64, columns = 64;  // of a tile
    ProductSplit split;
};

/// Whether b lies along its columns, in rows of whole pieces of `per` elements.
inline bool is_along_n(const ProductArgs& args, int per) {
    return args.b_column == 1 && args.b_row >= (args.n + per - 1) / per * per;
}

/// The blocks add up their parts themselves, using args.counters.
void launch_async_halves(Queue& queue, const ProductArgs& args, AsyncSize size);
void launch_async_floats(Queue& queue, const ProductArgs& args, AsyncSize size,
                         Arithmetic arithmetic);

}  // namespace lapidary::cuda
