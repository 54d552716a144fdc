// SPDX-License-Identifier: Apache-2.0
// Products of 16-bit floats and of floats in TF32 for compute capability 9.0: a variant of
// kernels/product/product.h. Its results differ only by the order of sums and the rounding to TF32.
#pragma once

#include "kernels/hopper/one_row_product.h"
#include "kernels/hopper/tf32_product.h"
#include "kernels/product/product.h"

namespace lapidary::cuda {

/// How b is stored, for copies of tiles.
enum class GroupOperand : std::uint8_t { none, along_n, along_k };
/// Elements in 16 bytes.
inline std::int32_t elements_of_piece(const ProductArgs& args) { return args.type == 1 ? 4 : 8; }
inline GroupOperand group_operand(const ProductArgs& args) {
    const std::int32_t per = elements_of_piece(args);
    if (args.b_column == 1 && args.b_row % per == 0) return GroupOperand::along_n;
    return args.b_row == 1 && args.b_column % per == 0 ? GroupOperand::along_k : GroupOperand::none;
}

/// Why launch_hopper_product() does not take the product. Null where it does. `arithmetic` counts
/// only for float32.
inline const char* hopper_refusal(const ProductArgs& args,
                                  Arithmetic arithmetic = Arithmetic::exact) {
    if (args.m == 1 && args.type != 1) return row_cluster_refusal(args);
    const std::int32_t per = elements_of_piece(args);
    const auto address =
        reinterpret_cast<std::uintptr_t>(args.a) | reinterpret_cast<std::uintptr_t>(args.b);
    const bool is_tf32 = args.type == 1 && arithmetic == Arithmetic::tf32;
    if (args.type != 10 && args.type != 16 && !is_tf32)
        return "it is neither of 16-bit floats nor in TF32";
    if (args.m < 8) return "it has fewer than 8 rows, an eighth of a tile";
    if (args.k == 0) return "it sums up nothing";
    if (args.a_column != 1 || args.a_row % per != 0)
        return "rows of a do not lie in pieces of 16 bytes";
    if (group_operand(args) == GroupOperand::none)
        return "neither rows nor columns of b lie in pieces of 16 bytes";
    if (address % 16 != 0) return "an operand does not begin at a multiple of 16 bytes";
    if (args.batch > 1 && args.batch_rank != 1) return "its batches lie along more than one axis";
    if (args.batch > 1 && (args.a_batch[0] | args.b_batch[0]) % per != 0)
        return "matrices of a batch do not begin at multiples of 16 bytes";
    return nullptr;
}

/// For a product of several rows that hopper_refusal() accepts: true where tiles of 128 x 128 fill
/// most of a device with many multiprocessors and lie mostly inside the result.
inline bool is_large_for_hopper(const ProductArgs& args) {
    constexpr long long tile = 128, least_tiles = 92;
    const long long tiles = ((args.m - 1) / tile + 1) * ((args.n - 1) / tile + 1) * args.batch;
    const long long results = static_cast<long long>(args.m) * args.n * args.batch;
    return tiles >= least_tiles && results * 10 >= tiles * tile * tile * 6 && args.k >= 128;
}

/// Whether tiles of 128 x 192 are faster than tiles of 128 x 128. The estimate counts clocks of the
/// multiprocessor with the most tiles: multiplications, and stores that do not overlap with
/// multiplications. Those are the stores of the last tile of 128 columns, and of every tile of 192.
inline bool takes_wide_tiles(const ProductArgs& args) {
    constexpr long long multiprocessors = 132, stored = 20;  // for each column of a tile
    const auto of_busiest = [&](long long columns) {
        const long long tiles =
            ((args.m - 1) / 128 + 1) * ((args.n - 1) / columns + 1) * args.batch;
        return (tiles - 1) / multiprocessors + 1;
    };
    const long long multiplied = args.k / 16;  // for each column
    return of_busiest(192) * 192 * (multiplied + stored) <
           of_busiest(128) * 128 * multiplied + 128 * stored;
}

/// For a product that hopper_refusal() accepts: true where it has at most two rounds of tiles of 64
/// x 64.
inline bool is_small_for_hopper(const ProductArgs& args) {
    constexpr long long tile = 64, most_tiles = 264;
    return ((args.m - 1) / tile + 1) * ((args.n - 1) / tile + 1) * args.batch <= most_tiles;
}

/// Whether tiles of 64 x 64 are used rather than larger ones.
inline bool takes_small_tiles(const ProductArgs& args, HopperUse use) {
    return args.m <= 64 || (use != HopperUse::of_all && !is_large_for_hopper(args));
}

inline bool is_for_hopper(const ProductArgs& args, HopperUse use,
                          Arithmetic arithmetic = Arithmetic::exact) {
    if (use == HopperUse::none || hopper_refusal(args, arithmetic) != nullptr) return false;
    if (args.m == 1) return use == HopperUse::of_all || is_for_row_clusters(args);
    if (args.type == 1) return use == HopperUse::of_all || is_worth_tf32_groups(args);
    return use == HopperUse::of_all || is_large_for_hopper(args) || is_small_for_hopper(args);
}

/// The split for launch_hopper_product().
ProductSplit hopper_split(const ProductArgs& args, HopperUse use);
/// args: split as hopper_split() says for queue.hopper.
void launch_hopper_product(Queue& queue, const ProductArgs& args);

}  // namespace lapidary::cuda
