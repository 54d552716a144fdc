// SPDX-License-Identifier: Apache-2.0
// Constant weights of few bits with scales per block of k, as MatMulNBits has them, packed for
// products.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/kernel.h"
#include "kernels/product/task_runs.h"
#include "kernels/vector/product/block_weight.h"

namespace lapidary {

struct BlockWeightMatrix {
    const BlockWeightKernels* kernels = nullptr;
    std::int64_t inner = 0, columns = 0, blocks = 0, block = 0;
    int bits = 4;
    std::shared_ptr<const PackedWeight> words, scales, zeros;
    bool has_byte_zeros = false;
    float zero = 0;  // where `zeros` is none

    std::int64_t padded_inner() const { return blocks * block; }
    std::int64_t words_per_column() const { return padded_inner() * bits / 32; }
    std::int64_t groups() const { return (columns + kernels->group - 1) / kernels->group; }
    BlockWeightGroup group(std::int64_t index) const;
};

/// The output of A [..., inner] (input 0) times the matrix plus the bias (input 5). Throws
/// invalid_input for inputs that are not of `dtype` or do not fit.
Tensor& block_weight_output(KernelContext& context, const BlockWeightMatrix& matrix, DType dtype);

/// body(group) for each group of columns, by all threads when the product is worth it:
/// `microseconds` is about what one needs.
template <typename Body>
void for_each_group(KernelContext& context, const BlockWeightMatrix& matrix, double microseconds,
                    const Body& body) {
    const std::int64_t groups = matrix.groups();
    const int threads = context.threads().threads();
    if (threads == 1 || microseconds < 3) {
        for (std::int64_t g = 0; g < groups; ++g) {
            context.cancel().throw_if_cancelled();
            body(g);
        }
        return;
    }
    const std::int64_t each = std::max<std::int64_t>(1, groups / (8 * threads)),
                       tasks = (groups + each - 1) / each;
    TaskRuns runs(tasks, 1, threads);  // the same weights for a worker each time
    context.threads().parallel_tasks(tasks, [&](std::int64_t, int worker) {
        context.cancel().throw_if_cancelled();
        const std::int64_t task = runs.take(worker);
        for (std::int64_t g = task * each; g < std::min(groups, (task + 1) * each); ++g) body(g);
    });
}

/// What one call of a kernel multiplies: rows from `row` on with vectors of a group, which are
/// columns from `column` on.
struct BlockWeightPart {
    std::int64_t row;
    int rows, first_vector, vectors;
    std::int64_t column, columns;
};

/// body(part) for the parts of a group. Tiles of rows are of nearly equal height; the halves of the
/// group follow one another where a tile takes no whole one.
template <typename Kernels, typename Body>
void for_each_part(const Kernels& kernels, const BlockWeightMatrix& matrix, std::int64_t group,
                   std::int64_t rows, const Body& body) {
    const std::int64_t first = group * kernels.group,
                       columns = std::min(kernels.group, matrix.columns - first),
                       tiles = (rows + kernels.most_rows - 1) / kernels.most_rows;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        BlockWeightPart p{};
        p.row = rows * tile / tiles;
        p.rows = static_cast<int>(rows * (tile + 1) / tiles - p.row);
        p.vectors = p.rows <= kernels.few_rows ? 4 : 2;
        for (; p.first_vector * kernels.vector < columns; p.first_vector += p.vectors) {
            const std::int64_t skipped = p.first_vector * kernels.vector;
            p.column = first + skipped;
            p.columns = std::min(columns - skipped, p.vectors * kernels.vector);
            body(p);
        }
    }
}

/// Inputs 1 to 3 of MatMulNBits packed for this node; nothing, with `reason`, for what the kernel
/// leaves to the reference.
std::unique_ptr<BlockWeightMatrix> pack_block_weight(const KernelRequest& request,
                                                     std::string& reason);

}  // namespace lapidary
