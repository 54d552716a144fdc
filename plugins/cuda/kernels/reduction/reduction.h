// SPDX-License-Identifier: Apache-2.0
// Reductions along axes, softmax, and positions of extremes.
#pragma once

#include <cstdint>

#include "kernels/elementwise/elementwise.h"
#include "kernels/pieces.h"

namespace lapidary::cuda {

enum class Reduction : std::int32_t {
    sum,
    mean,
    max,
    min,
    prod,
    l1,
    l2,
    log_sum,
    log_sum_exp,
    sum_square
};

inline constexpr int reduce_axes = 8;

struct ReduceArgs {
    const void* input = nullptr;
    void* output = nullptr;
    std::int32_t type = 1;  // of both
    Domain domain = Domain::floats;
    Reduction reduction = Reduction::sum;
    std::int32_t outputs = 0, reduced = 0;  // elements
    std::int32_t kept_axes = 0, reduced_axes = 0;
    std::int32_t kept_dims[reduce_axes] = {}, kept_strides[reduce_axes] = {};
    std::int32_t reduced_dims[reduce_axes] = {}, reduced_strides[reduce_axes] = {};
};
void launch_reduce(Queue& queue, const ReduceArgs& args);

/// Whether kernels can reduce the floats in pieces of 16 bytes, where reduced elements are
/// neighbours.
inline bool are_lines_of_pieces(const ReduceArgs& args) {
    const int per = args.domain == Domain::floats ? elements_in_piece(args.type) : 0;
    if (per == 0 || args.reduction == Reduction::log_sum_exp || args.reduced_axes != 1 ||
        args.kept_axes > 1)
        return false;
    return args.reduced_strides[0] == 1 && args.reduced % per == 0 &&
           (args.kept_axes == 0 || args.kept_strides[0] % per == 0) && begin_pieces({args.input});
}
/// The same where reduced elements are equally far apart: a piece of neighbouring results at once.
inline bool are_columns_of_pieces(const ReduceArgs& args) {
    const int per = args.domain == Domain::floats ? elements_in_piece(args.type) : 0;
    if (per == 0 || args.reduction == Reduction::log_sum_exp || args.reduced_axes != 1)
        return false;
    if (args.kept_axes < 1 || args.kept_axes > 2) return false;
    const int last = args.kept_axes - 1;
    return args.kept_strides[last] == 1 && args.kept_dims[last] % per == 0 &&
           args.reduced_strides[0] % per == 0 && (last == 0 || args.kept_strides[0] % per == 0) &&
           begin_pieces({args.input, args.output});
}
void launch_reduce_pieces(Queue& queue, const ReduceArgs& args);

/// Lines of `extent` elements, `inner` apart.
struct LineArgs {
    const void* input = nullptr;
    void* output = nullptr;
    std::int32_t type = 1;
    std::int32_t outer = 0, extent = 0, inner = 1;
};
inline constexpr std::int32_t softmax_warp_extent = 1024;  // longer lines take a block
void launch_softmax(Queue& queue, const LineArgs& args, bool is_log);
/// Positions, as i64.
void launch_arg_extreme(Queue& queue, const LineArgs& args, bool is_max, bool takes_last);
void launch_cumulative_sum(Queue& queue, const LineArgs& args, Domain domain, bool is_exclusive,
                           bool is_reversed);
/// The k largest or smallest of each line, in order; positions as i64. Lines have at most
/// top_k_extent elements.
inline constexpr std::int32_t top_k_extent = 4096;
void launch_top_k(Queue& queue, const LineArgs& args, void* positions, std::int32_t k,
                  bool is_largest);

}  // namespace lapidary::cuda
