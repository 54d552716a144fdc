// SPDX-License-Identifier: Apache-2.0
#include "kernels/normalized_product.h"

#include "kernels/one_row_along_n.cuh"

namespace lapidary::cuda {

bool is_for_normalized_product(const NormalizeArgs& norm, const ProductArgs& product) {
    const int per = elements_in_piece(norm.type);
    if (norm.rows != 1 || product.m != 1 || product.batch != 1 || product.k != norm.width) return false;
    if (product.type != norm.type || norm.mean || norm.inverse_deviation || !are_rows_of_pieces(norm)) return false;
    if (product.b_column != 1 || (product.n | product.b_row) % per != 0 || !begin_pieces({product.b})) return false;
    return product.k <= along_n_ahead * static_cast<int>(AlongN(product, per).threads);
}

void launch_normalized_product(Queue& queue, const NormalizeArgs& norm, const ProductArgs& product) {
    with_float_type(norm.type, [&]<typename T>() { launch_one_row_along_n<T, true>(queue, product, norm); });
}

}  // namespace lapidary::cuda
