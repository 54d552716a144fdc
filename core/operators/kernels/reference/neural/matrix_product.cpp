// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/neural/matrix_product.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/reference/neural/product_tile.h"

namespace lapidary::reference {
namespace {

// One packed block of B (block_k x block_columns) stays in the second-level cache while all rows
// pass over it.
constexpr std::int64_t block_k = 256;
constexpr std::int64_t block_panels = 12;
// Products below this many multiplications run on the calling thread.
constexpr std::int64_t parallel_threshold = 1 << 16;
// Row tiles against one packed block of B, some milliseconds.
constexpr std::int64_t tiles_per_look = 64;

/// rows x columns of C on the calling thread, columns counted from `first_column` of B and C.
template <typename T>
void multiply_range(const CancelToken& cancel, std::int64_t rows, std::int64_t first_column,
                    std::int64_t end_column, std::int64_t k_total, const T* a,
                    std::int64_t a_stride, const PanelSource<T>& b, T* c, std::int64_t c_stride) {
    constexpr std::int64_t width = panel_columns<T>;
    const auto& tile = product_tile<T>();
    const std::int64_t panels_at_once =
        std::min(block_panels, (end_column - first_column + width - 1) / width);
    const std::int64_t k_at_once = std::min(block_k, k_total);
    std::vector<T> packed(static_cast<std::size_t>(panels_at_once * k_at_once * width));
    T edge[tile_rows * width] = {};

    for (std::int64_t column = first_column; column < end_column;
         column += panels_at_once * width) {
        const std::int64_t panels =
            std::min(panels_at_once, (end_column - column + width - 1) / width);
        for (std::int64_t k = 0; k < k_total; k += k_at_once) {
            const std::int64_t k_count = std::min(k_at_once, k_total - k);
            for (std::int64_t p = 0; p < panels; ++p) {
                const std::int64_t j = column + p * width;
                b(k, k_count, j, std::min(width, end_column - j),
                  packed.data() + p * k_count * width);
            }
            for (std::int64_t r = 0, tiles = 0; r < rows; ++tiles) {
                if (tiles % tiles_per_look == 0) cancel.throw_if_cancelled();
                const std::int64_t step = rows - r >= tile_rows ? tile_rows : 1;
                const auto multiply = step == 1 ? tile.row : tile.rows;
                for (std::int64_t p = 0; p < panels; ++p) {
                    const std::int64_t j = column + p * width,
                                       columns = std::min(width, end_column - j);
                    const T* panel = packed.data() + p * k_count * width;
                    T* to = c + r * c_stride + j;
                    if (columns == width) {
                        multiply(k_count, a + r * a_stride + k, a_stride, panel, to, c_stride);
                        continue;
                    }
                    for (std::int64_t i = 0; i < step; ++i)
                        std::copy_n(to + i * c_stride, columns, edge + i * width);
                    multiply(k_count, a + r * a_stride + k, a_stride, panel, edge, width);
                    for (std::int64_t i = 0; i < step; ++i)
                        std::copy_n(edge + i * width, columns, to + i * c_stride);
                }
                r += step;
            }
        }
    }
}

/// Few rows against a row-major B: reads B once, unpacked.
template <typename T>
void multiply_few_rows(const CancelToken& cancel, std::int64_t rows, std::int64_t first_column,
                       std::int64_t end_column, std::int64_t k_total, const T* a,
                       std::int64_t a_stride, const T* b, std::int64_t b_stride, T* c,
                       std::int64_t c_stride) {
    constexpr std::int64_t block = 512;
    for (std::int64_t column = first_column; column < end_column; column += block) {
        cancel.throw_if_cancelled();
        const std::int64_t count = std::min(block, end_column - column);
        for (std::int64_t r = 0; r < rows; ++r) {
            T* to = c + r * c_stride + column;
            for (std::int64_t k = 0; k < k_total; ++k) {
                const T left = a[r * a_stride + k];
                const T* from = b + k * b_stride + column;
                for (std::int64_t j = 0; j < count; ++j) to[j] += left * from[j];
            }
        }
    }
}

std::int64_t share(std::int64_t count, int threads) {
    const std::int64_t chunks = 2 * static_cast<std::int64_t>(threads);
    return std::max<std::int64_t>(1, (count + chunks - 1) / chunks);
}

bool is_worth_threads(ThreadPool* pool, std::int64_t rows, std::int64_t columns, std::int64_t k) {
    if (!pool || pool->threads() < 2) return false;
    return static_cast<double>(rows) * static_cast<double>(columns) * static_cast<double>(k) >=
           parallel_threshold;
}

}  // namespace

template <typename T>
void DensePanels<T>::operator()(std::int64_t first_k, std::int64_t k_count,
                                std::int64_t first_column, std::int64_t columns, T* panel) const {
    constexpr std::int64_t width = panel_columns<T>;
    if (matrix.transposed) {
        for (std::int64_t j = 0; j < columns; ++j) {
            const T* from = matrix.data + (first_column + j) * matrix.row_stride + first_k;
            for (std::int64_t k = 0; k < k_count; ++k) panel[k * width + j] = from[k];
        }
        return;
    }
    for (std::int64_t k = 0; k < k_count; ++k) {
        const T* from = matrix.data + (first_k + k) * matrix.row_stride + first_column;
        if (columns == width) std::memcpy(panel + k * width, from, sizeof(T) * width);
        else std::copy_n(from, columns, panel + k * width);
    }
}

template <typename T>
void multiply_add(ThreadPool* pool, const CancelToken& cancel, std::int64_t rows,
                  std::int64_t columns, std::int64_t k, const T* a, std::int64_t a_stride,
                  const PanelSource<T>& b, T* c, std::int64_t c_stride) {
    if (rows == 0 || columns == 0 || k == 0) return;
    if (!is_worth_threads(pool, rows, columns, k)) {
        multiply_range<T>(cancel, rows, 0, columns, k, a, a_stride, b, c, c_stride);
        return;
    }
    constexpr std::int64_t width = panel_columns<T>;
    const std::int64_t panels = (columns + width - 1) / width,
                       tiles = (rows + tile_rows - 1) / tile_rows;
    // Splitting columns packs nothing twice; rows are split where the columns are too few.
    if (panels >= 2 * pool->threads() || panels >= tiles) {
        pool->parallel_for(
            panels, share(panels, pool->threads()), [&](std::int64_t begin, std::int64_t end) {
                multiply_range<T>(cancel, rows, begin * width, std::min(columns, end * width), k, a,
                                  a_stride, b, c, c_stride);
            });
        return;
    }
    pool->parallel_for(tiles, share(tiles, pool->threads()),
                       [&](std::int64_t begin, std::int64_t end) {
                           const std::int64_t first = begin * tile_rows,
                                              count = std::min(rows, end * tile_rows) - first;
                           multiply_range<T>(cancel, count, 0, columns, k, a + first * a_stride,
                                             a_stride, b, c + first * c_stride, c_stride);
                       });
}

template <typename T>
void multiply_add(ThreadPool* pool, const CancelToken& cancel, std::int64_t rows,
                  std::int64_t columns, std::int64_t k, const T* a, std::int64_t a_stride,
                  DenseMatrix<T> b, T* c, std::int64_t c_stride) {
    if (rows == 0 || columns == 0 || k == 0) return;
    if (rows < tile_rows && !b.transposed) {
        const auto range = [&](std::int64_t begin, std::int64_t end) {
            multiply_few_rows<T>(cancel, rows, begin, end, k, a, a_stride, b.data, b.row_stride, c,
                                 c_stride);
        };
        if (is_worth_threads(pool, rows, columns, k))
            pool->parallel_for(columns, std::max<std::int64_t>(64, share(columns, pool->threads())),
                               range);
        else range(0, columns);
        return;
    }
    const DensePanels<T> panels{b};
    multiply_add<T>(pool, cancel, rows, columns, k, a, a_stride, PanelSource<T>(panels), c,
                    c_stride);
}

template <typename T>
void transpose_matrix(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
    constexpr std::int64_t block = 32;
    for (std::int64_t r0 = 0; r0 < rows; r0 += block)
        for (std::int64_t c0 = 0; c0 < columns; c0 += block)
            for (std::int64_t r = r0; r < std::min(rows, r0 + block); ++r)
                for (std::int64_t c = c0; c < std::min(columns, c0 + block); ++c)
                    to[c * rows + r] = from[r * columns + c];
}

#define LAPIDARY_INSTANTIATE(T)                                                                    \
    template struct DensePanels<T>;                                                                \
    template void multiply_add<T>(ThreadPool*, const CancelToken&, std::int64_t, std::int64_t,     \
                                  std::int64_t, const T*, std::int64_t, const PanelSource<T>&, T*, \
                                  std::int64_t);                                                   \
    template void multiply_add<T>(ThreadPool*, const CancelToken&, std::int64_t, std::int64_t,     \
                                  std::int64_t, const T*, std::int64_t, DenseMatrix<T>, T*,        \
                                  std::int64_t);                                                   \
    template void transpose_matrix<T>(const T*, std::int64_t, std::int64_t, T*);
LAPIDARY_INSTANTIATE(float)
LAPIDARY_INSTANTIATE(double)
#undef LAPIDARY_INSTANTIATE

}  // namespace lapidary::reference
