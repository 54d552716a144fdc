// SPDX-License-Identifier: Apache-2.0
// What the kernels for products of one row share: adding the sums of a warp, and the operands of
// the epilogue, which are loaded before the sums are complete.
#pragma once

#include "kernels/elementwise/activation.cuh"
#include "kernels/product/product_parts.cuh"

namespace lapidary::cuda {

/// Calls `tile` for each matrix of the block.
template <typename T, typename Tile>
GPU_DEVICE void for_matrices(const ProductArgs& args, const Tile& tile) {
    for (int item = static_cast<int>(block_z()); item < args.batch;
         item += static_cast<int>(grid_z()))
        tile(part_of(args, item), matrices_of<T>(args, item));
}

inline unsigned blocks_for(int columns, int of_block) {
    return static_cast<unsigned>((columns - 1) / of_block + 1);
}

/// Adds the sums of threads of a warp whose numbers differ in the bits from `mask` down to `least`.
/// In each step a thread sends half of its sums to its partner and keeps the other half. In the end
/// it holds the sums from number `first` on.
template <int mask, int count, int all>
GPU_DEVICE void fold_sums(float (&v)[all], int lane, int least, int& first) {
    if constexpr (mask > 0) {
        if (mask < least) return;
        constexpr int half = count > 1 ? count / 2 : 1;
        if constexpr (count > 1) {
            const bool is_upper = (lane & mask) != 0;
            GPU_UNROLL for (int i = 0; i < half; ++i) {
                const float kept = is_upper ? v[i + half] : v[i],
                            given = is_upper ? v[i] : v[i + half];
                v[i] = kept + shuffle_xor(given, mask);
            }
            if (is_upper) first += half;
        } else {
            v[0] += shuffle_xor(v[0], mask);
        }
        fold_sums<mask / 2, half>(v, lane, least, first);
    }
}

template <typename T>
GPU_DEVICE bool is_at_piece(const T* p) {
    return reinterpret_cast<std::uintptr_t>(p) % sizeof(Piece) == 0;
}

/// Copies the first `count` elements of a row to shared memory as floats, followed by zeros. All
/// threads of the block see them after a barrier. `in_pieces`: the elements are contiguous, in
/// pieces of 16 bytes.
template <typename T, int threads, int most>
GPU_DEVICE void stage_row(float (&row)[most], const T* from, int step, int count, bool in_pieces) {
    constexpr int per = per_piece<T>;
    static_assert(most % threads == 0 && most % per == 0);
    const int thread = static_cast<int>(thread_index());
    if (in_pieces) {
        GPU_UNROLL for (int first = 0; first < most; first += threads * per) {
            const int at = first + thread * per;
            if (at >= most) continue;
            float x[per];
            elements_of<T>(at < count ? piece_at(from + at) : Piece{}, x);
            GPU_UNROLL for (int j = 0; j < per; ++j) row[at + j] = x[j];
        }
    } else {
        GPU_UNROLL for (int i = 0; i < most / threads; ++i) {
            const int at = thread + i * threads;
            row[at] = at < count ? load_element(from + static_cast<long long>(at) * step) : 0.0f;
        }
    }
}

/// The epilogue of one element of the only row.
template <typename T>
struct ElementEpilogue {
    float bias = 0, residual = 0;

    GPU_METHOD void load_bias(const Epilogue& e, int column) {
        if (e.bias)
            bias = e.beta * load_element(static_cast<const T*>(e.bias) +
                                         static_cast<long long>(column) * e.bias_column);
    }
    /// `at`: the place of the element in the output.
    GPU_METHOD void load_residual(const Epilogue& e, long long at) {
        if (e.residual) residual = load_element(static_cast<const T*>(e.residual) + at);
    }
    GPU_METHOD float finished(const Epilogue& e, float sum) const {
        float v[1] = {multiply_add(e.alpha, sum, bias)};
        if (!e.activates_before_residual) v[0] += residual;
        activate<T>(e, v);
        return e.activates_before_residual ? v[0] + residual : v[0];
    }
};

}  // namespace lapidary::cuda
