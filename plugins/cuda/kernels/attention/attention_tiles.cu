// SPDX-License-Identifier: Apache-2.0
// Attention of 16-bit floats on tensor cores.
#include "kernels/attention/attention_tile.cuh"

namespace lapidary::cuda {
namespace {

constexpr int narrow_queries = 64, wide_queries = 128;  // of a block

int size_of(const AttentionArgs& args) {
    return args.size > args.value_size ? args.size : args.value_size;
}

/// Wide tiles read keys and values half as often: where there are keys enough to win by that, and
/// blocks enough for all multiprocessors. Of the sizes that most heads have.
bool is_wide(const AttentionArgs& args) {
    constexpr long long enough_blocks = 132;
    constexpr int enough_keys = 256;
    const int size = size_of(args);
    const long long tiles = (args.queries + wide_queries - 1) / wide_queries;
    return args.type != 1 && args.keys >= enough_keys && ((size > 48 && size <= 64) || size > 96) &&
           tiles * args.heads * args.batch * args.parts >= enough_blocks;
}

/// A block at most for each multiprocessor: two groups of warps share keys out.
bool is_shared_out(const AttentionArgs& args) {
    constexpr long long most_blocks = 132;
    const long long tiles = (args.queries + narrow_queries - 1) / narrow_queries;
    return args.keys > 64 && tiles * args.heads * args.batch * args.parts <= most_blocks;
}

template <typename Operands, int size>
using Narrow = AttentionTile<Operands, size, 1, 64>;

template <typename Operands>
void launch_of(Queue& queue, const AttentionArgs& args) {
    const int size = size_of(args);
    if (is_wide(args)) {
        if (size <= 64) launch_tiles<AttentionTile<Operands, 64, 2, 64>>(queue, args);
        else launch_tiles<AttentionTile<Operands, 128, 2, 32>>(queue, args);
    } else if (size <= 32) {
        launch_tiles<Narrow<Operands, 32>>(queue, args);
    } else if (size <= 48) {
        launch_tiles<Narrow<Operands, 48>>(queue, args);
    } else if (size <= 64 && is_shared_out(args)) {
        launch_tiles<AttentionTile<Operands, 64, 1, 64, 2>>(queue, args);
    } else if (size <= 64) {
        launch_tiles<Narrow<Operands, 64>>(queue, args);
    } else if (size <= 80) {
        launch_tiles<Narrow<Operands, 80>>(queue, args);
    } else if (size <= 96) {
        launch_tiles<Narrow<Operands, 96>>(queue, args);
    } else {
        launch_tiles<Narrow<Operands, 128>>(queue, args);
    }
}

}  // namespace

bool is_for_tiles(const AttentionArgs& args) {
    return (args.type != 1 || args.in_tf32) && args.size <= 128 && args.value_size <= 128 &&
           args.queries >= few_attention_rows;
}

std::int32_t tile_queries_of(const AttentionArgs& args) {
    return is_wide(args) ? wide_queries : narrow_queries;
}

void launch_attention_tiles(Queue& queue, const AttentionArgs& args) {
    if (args.type == 1) launch_attention_tiles_tf32(queue, args);
    else if (args.type == 10) launch_of<HalfOperands<half_t, MultiplyF16>>(queue, args);
    else launch_of<HalfOperands<bfloat_t, MultiplyBf16>>(queue, args);
}

}  // namespace lapidary::cuda
