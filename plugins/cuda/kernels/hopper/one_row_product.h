// SPDX-License-Identifier: Apache-2.0
// Products of one row of 16-bit floats with a matrix of few columns, for compute capability 9.0.
// Each block reads whole lines of 128 bytes. To have enough blocks, the blocks of a cluster share k
// and send their sums to the first one.
#pragma once

#include "kernels/product/product.h"

namespace lapidary::cuda {
namespace row_cluster {

// columns of a cluster: a line of 128 bytes
inline constexpr std::int32_t per = 8, lanes = 8, columns = lanes * per;
inline constexpr std::int32_t most_parts = 8, most_threads = 512, enough_blocks = 96;

}  // namespace row_cluster

/// Why launch_one_row_clusters() does not take the product. Null where it does.
inline const char* row_cluster_refusal(const ProductArgs& args) {
    using row_cluster::per;
    const auto address =
        reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    if ((args.type != 10 && args.type != 16) || args.m != 1)
        return "it is not of one row of 16-bit floats";
    if (args.batch != 1) return "it is one row of a batch";
    if (args.k == 0) return "it sums up nothing";
    if (args.a_column != 1 || args.k % per != 0)
        return "the row does not lie in pieces of 16 bytes";
    if (args.b_column != 1 || (args.n | args.b_row) % per != 0)
        return "rows of b do not lie in pieces of 16 bytes";
    return address % 16 == 0 ? nullptr : "an operand does not begin at a multiple of 16 bytes";
}

/// Splits the row into parts of whole pieces: the fewest parts that give enough blocks.
inline ProductSplit row_cluster_split(const ProductArgs& args) {
    using namespace row_cluster;
    const std::int32_t clusters = (args.n - 1) / columns + 1,
                       wanted = (enough_blocks - 1) / clusters + 1;
    const std::int32_t parts = wanted < most_parts ? wanted : most_parts;
    const std::int32_t depth = ((args.k - 1) / parts / per + 1) * per;
    return {(args.k - 1) / depth + 1, depth, 0};
}

/// True where blocks of the portable kernel would read only 16 bytes of each line, so that the
/// number of requests limits it.
inline bool is_for_row_clusters(const ProductArgs& args) {
    using namespace row_cluster;
    return row_cluster_refusal(args) == nullptr && args.n < 2 * per * enough_blocks &&
           args.n >= 4 * columns && args.k >= 2048;
}

/// args: split as row_cluster_split() says.
void launch_one_row_clusters(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
