// SPDX-License-Identifier: Apache-2.0
// Attention of float32 on tensor cores.
#include "kernels/attention/attention_tile.cuh"

namespace lapidary::cuda {

void launch_attention_tiles_tf32(Queue& queue, const AttentionArgs& args) {
    using Whole = AttentionTile<Tf32Operands, 64, 1, 32, 4, 1>;  // all keys at once
    const int size = args.size > args.value_size ? args.size : args.value_size;
    const long long tiles = (args.queries + 63) / 64;
    // a block at most for each multiprocessor: groups of warps share keys out
    const bool is_shared_out =
        args.keys > 32 && tiles * args.heads * args.batch * args.parts <= 132;
    if (size <= 32) launch_tiles<AttentionTile<Tf32Operands, 32, 1, 64>>(queue, args);
    else if (size <= 64 && is_shared_out && args.keys > 64 && args.keys <= Whole::all_keys)
        launch_tiles<Whole>(queue, args);
    else if (size <= 64 && is_shared_out)
        launch_tiles<AttentionTile<Tf32Operands, 64, 1, 32, 2>>(queue, args);
    else if (size <= 64) launch_tiles<AttentionTile<Tf32Operands, 64, 1, 64>>(queue, args);
    else launch_tiles<AttentionTile<Tf32Operands, 128, 1, 32>>(queue, args);
}

}  // namespace lapidary::cuda
