// SPDX-License-Identifier: Apache-2.0
// Attention of float32 on tensor cores.
#include "kernels/attention_tile.cuh"

namespace lapidary::cuda {

void launch_attention_tiles_tf32(Queue& queue, const AttentionArgs& args) {
    const int size = args.size > args.value_size ? args.size : args.value_size;
    if (size <= 32) launch_tiles<AttentionTile<Tf32Operands, 32, 1, 64>>(queue, args);
    else if (size <= 64) launch_tiles<AttentionTile<Tf32Operands, 64, 1, 64>>(queue, args);
    else launch_tiles<AttentionTile<Tf32Operands, 128, 1, 32>>(queue, args);
}

}  // namespace lapidary::cuda
