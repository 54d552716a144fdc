// SPDX-License-Identifier: Apache-2.0
#include "kernels/product/normalized_product.h"

#include "kernels/product/one_row_along_n.cuh"

namespace lapidary::cuda {
namespace {

constexpr unsigned most_threads = 512;  // with more, scale and bias do not fit into shared memory

}  // namespace

bool is_for_normalized_product(const NormalizeArgs& norm, const ProductArgs& product) {
    const int per = elements_in_piece(norm.type);
    if (norm.rows != 1 || product.m != 1 || product.batch != 1 || product.k != norm.width)
        return false;
    if (product.type != norm.type || norm.mean || norm.inverse_deviation ||
        !are_rows_of_pieces(norm))
        return false;
    if (product.b_column != 1 || (product.n | product.b_row) % per != 0 ||
        !begin_pieces({product.b}))
        return false;
    const AlongN in(product, per);
    return in.threads <= most_threads && product.k <= along_n_ahead * static_cast<int>(in.threads);
}

void launch_normalized_product(Queue& queue, const NormalizeArgs& norm,
                               const ProductArgs& product) {
    with_float_type(norm.type, [&]<typename T>() {
        const AlongN in(product, per_piece<T>);
        with_pieces<128, 256, most_threads>(static_cast<int>(in.threads), [&]<int threads>() {
            GPU_LAUNCH((one_row_along_n<T, threads, true>), in.grid, threads, queue, product, norm,
                       in.lanes);
        });
    });
}

}  // namespace lapidary::cuda
