// SPDX-License-Identifier: Apache-2.0
// C = activation(scale A B + bias + residual) in float, B usually in panels that were packed once:
// the basis of MatMul, Gemm, attention, convolutions over columns and recurrent operators.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"
#include "kernels/activation.h"
#include "kernels/vector/product/product.h"

namespace lapidary {

/// B [inner, columns] cut into panels of a few vectors' width, each panel row after row; the last
/// one is filled up to whole vectors with zeros. The order depends on active_isa(): pack and
/// multiply under the same one.
namespace packed_matrix {
std::int64_t panels(std::int64_t columns);
std::size_t bytes(std::int64_t inner, std::int64_t columns);
/// Panels [begin, end) of the matrix that starts at `to` (64-byte aligned): element (k, n) of B is
/// b[k * stride + n], or b[n * stride + k] when `transposed`.
void pack(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
          std::int64_t columns, std::int64_t begin, std::int64_t end, float* to);
/// Where a panel begins; for panels() that is the end.
std::int64_t panel_begin(std::int64_t columns, std::int64_t panel);
/// The `count` columns of one panel that starts at `to`; b is the first of them.
void pack_panel(const float* b, std::int64_t stride, bool transposed, std::int64_t inner,
                std::int64_t count, float* to);
/// The same for 16-bit floats; a panel has half_rows() rows.
void pack_half_panel(const std::uint16_t* b, std::int64_t stride, bool transposed,
                     HalfFormat format, std::int64_t inner, std::int64_t count, std::uint16_t* to);
/// Elements from row to row of a panel of `count` columns.
std::int64_t panel_stride(std::int64_t count);
/// Rows that `inner` of a matrix take: those of bfloat16 lie in pairs.
std::int64_t half_rows(HalfFormat format, std::int64_t inner);
/// Names the order for WeightStore::add.
const char* format();
}  // namespace packed_matrix

/// A source that computes parts of B when a product needs them: for weights that are stored in few
/// bits.
class PanelSource {
public:
    virtual ~PanelSource() = default;
    /// to[k * width + j] = element (first_k + k, column + j) of B for k < inner, j < columns; what
    /// stands in columns up to `width` does not matter. `column` and `width` are multiples of the
    /// vector length, `first_k` of depth_multiple.
    virtual void fill(std::int64_t column, std::int64_t columns, std::int64_t first_k,
                      std::int64_t inner, std::int64_t width, float* to) const = 0;
    static constexpr std::int64_t depth_multiple = 16;

    /// Values of k whose elements in a column have a factor in common that fill_apart() gives
    /// apart; 0: none.
    virtual std::int64_t factor_depth() const { return 0; }
    /// fill() without the factors, which are factors[k / factor_depth() * factors_width + j], and 0
    /// behind the columns. factor_depth() divides `first_k`; `inner` is at most most_apart.
    virtual void fill_apart(std::int64_t /*column*/, std::int64_t /*columns*/,
                            std::int64_t /*first_k*/, std::int64_t /*inner*/,
                            std::int64_t /*width*/, float* /*to*/, float* /*factors*/,
                            std::int64_t /*factors_width*/) const {}
    static constexpr std::int64_t most_apart = 512;
};

struct Product {
    std::int64_t rows = 0, inner = 0, columns = 0;
    // element (m, k) at m * a_stride + k, or at k * a_stride + m when transposed
    const float* a = nullptr;
    std::int64_t a_stride = 0;
    bool transposed_a = false;
    const float* packed_b = nullptr;
    // used when packed_b is null: the same panels, of 16-bit floats that the product widens
    const std::uint16_t* packed_half_b = nullptr;
    HalfFormat half_format = HalfFormat::binary16;
    // A may be rounded to that format, too, and multiplied in it where the CPU is faster so; sums
    // of float16 are then float16 over stretches of 32 terms, those of bfloat16 float32
    bool rounds_a = false;
    const PanelSource* source = nullptr;  // used when both are null
    // used when all are null: element (k, n) at k * b_stride + n, or at n * b_stride + k when
    const float* b = nullptr;
    std::int64_t b_stride = 0;  // transposed; packed into the workspace where that pays
    bool transposed_b = false;
    float* c = nullptr;  // row-major
    std::int64_t c_stride = 0;
    float scale = 1;
    const float* bias = nullptr;      // one per column
    const float* row_bias = nullptr;  // one per row
    // laid out as C; may be C itself: the product is then added to C
    const float* residual = nullptr;
    std::int64_t residual_stride = 0;
    Activation activation;
};

/// Bytes of workspace that multiply() needs for this many workers (0 is possible); 64-byte aligned.
std::size_t product_workspace(const Product& product, int workers);
/// With all workers of the pool. Sums run in ascending k and do not depend on the number of
/// threads, nor on whether packed B is stored in 16 bits or as the same floats; with `rounds_a`,
/// and in large products where the CPU has tile registers (split_product.h), they run in another
/// order. Throws cancelled.
void multiply(const Product& product, ThreadPool& pool, const CancelToken& cancel,
              std::byte* workspace);
/// On the calling thread, for kernels that are parallel on the outside: workspace for one worker.
/// Throws cancelled.
void multiply(const Product& product, const CancelToken& cancel, std::byte* workspace);

}  // namespace lapidary
