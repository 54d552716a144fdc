// SPDX-License-Identifier: Apache-2.0
// Products of at most 8 rows, as for new tokens or classifier heads. Their time is the time to read
// b once. Where tensor cores can read b in pieces, only products of one row come here: with more
// rows this kernel would load too many elements of a for each one of b.
#pragma once

#include "kernels/product/product.h"

namespace lapidary::cuda {

inline constexpr int most_few_rows = 8;

inline bool has_few_rows(const ProductArgs& args) { return args.m <= most_few_rows; }
/// For a product where is_for_async(): whether it comes here all the same.
inline bool is_for_one_row_loop(const ProductArgs& args) { return args.m == 1; }
/// How b is read. along_n and along_k: in pieces along its columns or along k. shifted: in pieces
/// along columns whose rows are not aligned to pieces. odd and odd_along_k: element by element.
enum class RowLoop : std::uint8_t { along_n, along_k, shifted, odd, odd_along_k };
/// Launches a product of one row with one of the first three loops.
void launch_one_row(Queue& queue, const ProductArgs& args, RowLoop loop);

/// The best split for launch_few_rows().
ProductSplit split_of_few_rows(const ProductArgs& args);
/// The kernel of launch_product() for products with has_few_rows(). The caller adds the sums of
/// parts.
void launch_few_rows(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
