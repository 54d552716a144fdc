// SPDX-License-Identifier: Apache-2.0
#include "kernels/integer/byte_pack.h"

#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

GPU_DEVICE void pack_piece(const BytePack& pack, long long i) {
    const int pieces = pack.pitch / 16;
    const long long line = i / pieces;
    const int column = static_cast<int>(i - line * pieces) * 16,
              row = static_cast<int>(line % pack.rows);
    int batch = static_cast<int>(line / pack.rows);
    const std::uint8_t* from = pack.from + static_cast<long long>(row) * pack.row;
    for (int axis = pack.batch_rank - 1; axis >= 0; --axis) {
        from += static_cast<long long>(batch % pack.batch_dims[axis]) * pack.batch_strides[axis];
        batch /= pack.batch_dims[axis];
    }
    Piece piece;
    GPU_UNROLL for (int w = 0; w < 4; ++w) {
        std::uint32_t word = 0;
        GPU_UNROLL for (int e = 0; e < 4; ++e) {
            const int at = column + w * 4 + e;
            if (at < pack.columns)
                word |= static_cast<std::uint32_t>(from[static_cast<long long>(at) * pack.column])
                        << (8 * e);
        }
        piece.words[w] = word;
    }
    *reinterpret_cast<Piece*>(pack.to + i * 16) = piece;
}

GPU_GLOBAL void pack_bytes(BytePack first, BytePack second, long long of_first,
                           long long of_second) {
    kernel_begin();
    for (long long i = global_thread(); i < of_first + of_second; i += all_threads()) {
        if (i < of_first) pack_piece(first, i);
        else pack_piece(second, i - of_first);
    }
}

}  // namespace

void launch_byte_packs(Queue& queue, const BytePack& first, const BytePack& second) {
    const long long of_first = first.bytes() / 16, of_second = second.bytes() / 16;
    if (of_first + of_second == 0) return;
    const Grid grid = grid_for(of_first + of_second);
    GPU_LAUNCH_FREE(pack_bytes, grid, free_threads, queue, first, second, of_first, of_second);
}

}  // namespace lapidary::cuda
