// SPDX-License-Identifier: Apache-2.0
// Products of at most 8 rows, as new tokens and heads have them: what they take is the time to read
// b once. Where tensor cores can have b in pieces, this is for one row alone: more rows would read
// too many numbers of a for each of b.
#pragma once

#include "kernels/product/product.h"

namespace lapidary::cuda {

inline constexpr int most_few_rows = 8;

inline bool has_few_rows(const ProductArgs& args) { return args.m <= most_few_rows; }
/// Of a product that is_for_async().
inline bool is_by_few_rows(const ProductArgs& args) { return args.m == 1; }
/// How b is read: in pieces along its columns or along k, in pieces around columns that do not
/// begin with one, or element by element.
enum class RowLoop : std::uint8_t { along_n, along_k, shifted, odd, odd_along_k };
/// One row, by one of the first three.
void launch_one_row(Queue& queue, const ProductArgs& args, RowLoop loop);

/// How launch_few_rows() is best split.
ProductSplit split_of_few_rows(const ProductArgs& args);
/// The part of launch_product() for those; the sums of parts are added by the caller.
void launch_few_rows(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
