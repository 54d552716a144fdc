// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit integers with packed weights, on all threads: the basis of integer MatMul, Gemm
// and Conv.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <lapidary/tensor/dtype.h>
#include <lapidary/base/progress.h>

#include "base/threads/thread_pool.h"
#include "kernels/vector/integer/byte_product.h"
#include "ops/byte_sum.h"

namespace lapidary {

/// The layout of packed B [taps * inner, columns]: panels, then the sums of its columns. It depends
/// on the instruction set that was active when it was made.
struct ByteLayout {
    const ByteProductKernels* kernels = nullptr;
    std::int64_t taps = 1, inner = 0, columns = 0;
    std::int64_t width = 0;  // of a panel

    static ByteLayout of(std::int64_t taps, std::int64_t inner, std::int64_t columns);
    std::int64_t padded_inner() const { return (inner + 3) / 4 * 4; }
    std::int64_t padded_columns() const {
        return (columns + kernels->lanes - 1) / kernels->lanes * kernels->lanes;
    }
    std::int64_t panels() const { return (columns + width - 1) / width; }
    std::size_t panel_bytes() const {
        return (static_cast<std::size_t>(taps * padded_inner() * padded_columns()) + 63) / 64 * 64;
    }
    /// Column sums are readable for 64 elements beyond the columns.
    std::size_t bytes() const {
        return panel_bytes() +
               std::max(static_cast<std::size_t>(padded_columns() + 64) * sizeof(std::int32_t),
                        static_cast<std::size_t>(kernels->bytes_behind));
    }
    const std::int8_t* data(const std::byte* packed) const {
        return reinterpret_cast<const std::int8_t*>(packed);
    }
    const std::int32_t* column_sums(const std::byte* packed) const {
        return reinterpret_cast<const std::int32_t*>(packed + panel_bytes());
    }
    /// Panels [begin, end): element (t, k, n) at b[t * strides.tap + k * strides.row + n *
    /// strides.column].
    void pack(const void* b, DType dtype, ByteStrides strides, std::int64_t begin, std::int64_t end,
              std::byte* to) const;
    /// Names the order for WeightStore::add.
    std::string format() const;
};

/// A borrowed callable that fills places[row - begin][tap] for rows [begin, end) of A; `buffer` is
/// memory of the worker for rows that have to be gathered.
class RowPlaces {
public:
    RowPlaces() = default;
    template <typename F>
    RowPlaces(const F& f)
        : object_(&f), call_([](const void* o, std::int64_t begin, std::int64_t end,
                                const void** places, std::byte* buffer) {
              (*static_cast<const F*>(o))(begin, end, places, buffer);
          }) {}
    void operator()(std::int64_t begin, std::int64_t end, const void** places,
                    std::byte* buffer) const {
        call_(object_, begin, end, places, buffer);
    }
    explicit operator bool() const { return call_ != nullptr; }

private:
    const void* object_ = nullptr;
    void (*call_)(const void*, std::int64_t, std::int64_t, const void**, std::byte*) = nullptr;
};

/// finish(A B), A in elements as ByteProductKernels::multiply reads them.
struct ByteProduct {
    std::int64_t rows = 0;
    ByteLayout layout;
    const std::byte* packed_b = nullptr;
    const void* a = nullptr;  // rows of padded_inner() elements, `a_stride` elements apart; or
    std::int64_t a_stride = 0;
    RowPlaces places;  // where each tap of each row is,
    // with this much memory for each row of a block, and 64 bytes more
    std::size_t buffer_per_row = 0;
    bool finds_runs = false;    // `places` makes that memory ByteBlock::runs
    std::int64_t run_step = 1;  // ByteBlock::run_step
    ByteFinish finish;          // its `out` is that of row 0; multiply() computes row_term where
                                // column_zero is given
    // used instead of the layout's kernel; null: not
    void (*multiply)(const ByteBlock& block) = nullptr;
};

/// Bytes of workspace that multiply() needs for this many workers.
std::size_t byte_product_workspace(const ByteProduct& product, int workers);
/// With all workers of the pool. Throws cancelled.
void multiply(const ByteProduct& product, ThreadPool& pool, const CancelToken& cancel,
              std::byte* workspace);
/// On the calling thread, with workspace for one worker.
void multiply(const ByteProduct& product, const CancelToken& cancel, std::byte* workspace);

/// column_offset of a product: bias (may be null) - a_zero * column sums + depth * a_zero *
/// column_zero, for the columns [0, padded) of arrays that long. `column_zero` may be null.
void byte_column_offsets(const ByteLayout& layout, const std::byte* packed, std::int32_t a_zero,
                         const std::int32_t* bias, const std::int32_t* column_zero,
                         std::int32_t* offsets);

}  // namespace lapidary
