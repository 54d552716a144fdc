// SPDX-License-Identifier: Apache-2.0
// Building blocks of kernels that move elements without looking at them.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/dispatch.h"
#include "kernels/kernel.h"

namespace lapidary::reference {

/// "f32[3,4]": how messages name a tensor.
std::string describe(const Tensor& tensor);

/// Elements as T whatever the element type is called; T must have its width (dispatch_by_width).
template <typename T>
const T* elements(const Tensor& tensor) {
    return static_cast<const T*>(tensor.raw());
}
template <typename T>
T* elements(Tensor& tensor) {
    return static_cast<T*>(tensor.mutable_raw());
}

/// The tensor with at least one byte per element: types of 4 and 2 bits become u8 with one element
/// each, all others are returned as they are.
Tensor byte_wide(KernelContext& context, const Tensor& tensor);

/// A tensor that is written with at least one byte per element: types of 4 and 2 bits go to working
/// memory first and finish() packs them; without it those stay unwritten. `target` must outlive
/// this.
class ByteWideTarget {
public:
    ByteWideTarget(KernelContext& context, Tensor& target);
    Tensor& tensor() { return packed_ ? unpacked_ : target_; }
    void finish();

private:
    Tensor& target_;
    Tensor unpacked_;
    bool packed_;
};

/// The same for output `index`, which it allocates.
class ByteWideOutput : public ByteWideTarget {
public:
    ByteWideOutput(KernelContext& context, std::size_t index, DType dtype, Shape shape)
        : ByteWideTarget(context, context.output(index, dtype, std::move(shape))) {}
};

/// A part of `data` in fresh memory: elements [start, start + count) of `axis`.
Tensor take_range(KernelContext& context, const Tensor& data, std::size_t axis, std::int64_t start,
                  std::int64_t count);
/// Element `index` of `axis` in fresh memory, without that axis.
Tensor take_slice(KernelContext& context, const Tensor& data, std::size_t axis, std::int64_t index);
/// Tensors of one type put one after the other along `axis` of `target`, whose shape fits. A part
/// may lack the axis: it then is one step along it.
void join_into(KernelContext& context, const std::vector<Tensor>& parts, std::size_t axis,
               Tensor& target);

/// Fills `out` (row-major) with in[offset + sum of index * stride]; strides in elements, 0 and
/// negative ones allowed. The caller guarantees that every element read lies within `in`.
void copy_strided(KernelContext& context, const Tensor& in, std::int64_t offset,
                  const Shape& strides, Tensor& out);

/// Fills `out` through one source table per axis: table[position] is the input's position or -1 for
/// `fill` (one element of the same type; may be null when no table holds -1). `in` must have out's
/// rank.
void copy_mapped(KernelContext& context, const Tensor& in,
                 const std::vector<std::vector<std::int64_t>>& tables, const Tensor* fill,
                 Tensor& out);

/// Copies `count` elements between tensors of one element type (byte-wide).
void copy_elements(const Tensor& in, std::int64_t in_offset, Tensor& out, std::int64_t out_offset,
                   std::int64_t count);

/// `index` in [-dim, dim-1] made non-negative, else invalid_input: "index 99 is out of range [-3,
/// 2] for axis 0 of f32[3,4]".
std::int64_t checked_index(std::int64_t index, std::int64_t axis, const Tensor& tensor);

/// One integer from a tensor of one element; throws invalid_input naming `what` otherwise.
std::int64_t single_int(const Tensor& tensor, std::string_view what);
/// The integers of a 0-D or 1-D tensor of at most `most` elements; throws invalid_input naming
/// `what` otherwise.
std::vector<std::int64_t> int_list(const Tensor& tensor, std::string_view what, std::size_t most);

/// Product of dims [begin, end) of a tensor that exists.
std::int64_t dim_product(const Shape& shape, std::size_t begin, std::size_t end);

}  // namespace lapidary::reference
