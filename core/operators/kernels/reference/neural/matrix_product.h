// SPDX-License-Identifier: Apache-2.0
// C += A * B, the loop nest under MatMul, Gemm, Einsum, Conv, the recurrent operators and
// Attention. Each element of C is one sum in ascending k, in T, whatever the tiling, the
// instruction set and the thread count.
#pragma once

#include <cstdint>

#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"

namespace lapidary::reference {

/// Columns in one packed panel of B: 64 bytes.
template <typename T>
inline constexpr std::int64_t panel_columns = 64 / static_cast<std::int64_t>(sizeof(T));

/// Where B comes from: fills panel[k * panel_columns + j] with B[first_k + k][first_column + j] for
/// k < k_count and j < columns; entries of further columns may hold anything finite. A borrowed
/// callable.
template <typename T>
class PanelSource {
public:
    template <typename F>
    PanelSource(const F& f)
        : object_(&f), call_([](const void* o, std::int64_t first_k, std::int64_t k_count,
                                std::int64_t first_column, std::int64_t columns, T* panel) {
              (*static_cast<const F*>(o))(first_k, k_count, first_column, columns, panel);
          }) {}
    void operator()(std::int64_t first_k, std::int64_t k_count, std::int64_t first_column,
                    std::int64_t columns, T* panel) const {
        call_(object_, first_k, k_count, first_column, columns, panel);
    }

private:
    const void* object_;
    void (*call_)(const void*, std::int64_t, std::int64_t, std::int64_t, std::int64_t, T*);
};

/// A dense matrix in row-major order: element (r, c) at data[r * row_stride + c], or at data[c *
/// row_stride + r] when `transposed`.
template <typename T>
struct DenseMatrix {
    const T* data = nullptr;
    std::int64_t row_stride = 0;
    bool transposed = false;
};

/// Panels of a dense matrix.
template <typename T>
struct DensePanels {
    DenseMatrix<T> matrix;
    void operator()(std::int64_t first_k, std::int64_t k_count, std::int64_t first_column,
                    std::int64_t columns, T* panel) const;
};

/// C[rows, columns] += A[rows, k] * B[k, columns]. A is row-major with k contiguous (`a_stride`
/// between rows); C has `c_stride` between rows. `pool` may be null: then on the calling thread.
/// Throws cancelled. T is float or double.
template <typename T>
void multiply_add(ThreadPool* pool, const CancelToken& cancel, std::int64_t rows,
                  std::int64_t columns, std::int64_t k, const T* a, std::int64_t a_stride,
                  const PanelSource<T>& b, T* c, std::int64_t c_stride);

/// The same with a dense B; few rows are multiplied without packing.
template <typename T>
void multiply_add(ThreadPool* pool, const CancelToken& cancel, std::int64_t rows,
                  std::int64_t columns, std::int64_t k, const T* a, std::int64_t a_stride,
                  DenseMatrix<T> b, T* c, std::int64_t c_stride);

/// to[c * rows + r] = from[r * columns + c].
template <typename T>
void transpose_matrix(const T* from, std::int64_t rows, std::int64_t columns, T* to);

}  // namespace lapidary::reference
