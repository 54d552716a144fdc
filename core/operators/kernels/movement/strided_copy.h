// SPDX-License-Identifier: Apache-2.0
// Fills contiguous memory with the elements of a strided view: the common core of Transpose, Slice,
// Expand, Tile, DepthToSpace and others. Uses no heap memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"

namespace lapidary {

inline constexpr std::int64_t grain_bytes = 1 << 17;  // bytes of work for which another thread pays

/// Dimensions in the order of the output with the input's stride of each. Dimensions of 1 are
/// dropped and neighbours that step together merged as they are added.
class StridedView {
public:
    static constexpr int max_rank = 16;

    /// Adds the next inner dimension; the stride may be 0 or negative. False when there are too
    /// many.
    bool add(std::int64_t size, std::int64_t stride);
    /// The same without merging or dropping the dimension.
    bool append(std::int64_t size, std::int64_t stride);
    int rank() const { return rank_; }
    std::int64_t size(int axis) const { return sizes_[axis]; }
    std::int64_t stride(int axis) const { return strides_[axis]; }
    std::int64_t elements() const { return elements_; }
    /// True when the view is contiguous, so that a plain copy is enough.
    bool is_contiguous() const { return elements_ <= 1 || (rank_ == 1 && strides_[0] == 1); }

private:
    void count(std::int64_t size);

    int rank_ = 0;
    std::int64_t sizes_[max_rank], strides_[max_rank];
    std::int64_t elements_ = 1;
};

/// to[...] = from[sum of index * stride]; `width` is an element's bytes (1, 2, 4, 8, 16). The
/// caller guarantees that every element read lies within the input. Throws cancelled.
void copy_strided(const void* from, void* to, const StridedView& view, std::size_t width,
                  KernelContext& context);

}  // namespace lapidary
