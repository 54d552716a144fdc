// SPDX-License-Identifier: Apache-2.0
// Gather, GatherElements and GatherND.
#include <algorithm>

#include "kernels/reference/movement/element_copy.h"
#include "kernels/text_room.h"
#include "ops/geometry/broadcast.h"

namespace lapidary::reference {

void gather(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const int axis = normalize_axis(context.node().int_attribute("axis", 0), data.rank());
    const auto at = static_cast<std::size_t>(axis);
    Shape shape(data.shape().begin(), data.shape().begin() + axis);
    shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
    shape.insert(shape.end(), data.shape().begin() + axis + 1, data.shape().end());
    std::vector<std::int64_t> rows = to_int64s(indices);
    for (auto& row : rows) row = checked_index(row, axis, data);
    const Tensor source = byte_wide(context, data);
    ByteWideOutput out(context, 0, data.dtype(), std::move(shape));
    if (out.tensor().size() == 0) return;
    const std::int64_t outer = dim_product(data.shape(), 0, at),
                       inner = dim_product(data.shape(), at + 1, data.shape().size());
    const std::int64_t dim = data.dim(at), count = indices.size();
    TextRoom room(context);
    dispatch_by_width(source.dtype(), [&]<typename T>() {
        const T* in = elements<T>(source);
        T* to = elements<T>(out.tensor());
        context.threads().parallel_for(outer * count, std::max<std::int64_t>(1, 16384 / inner),
                                       [&](std::int64_t begin, std::int64_t end) {
                                           for (std::int64_t i = begin; i < end; ++i) {
                                               const std::int64_t row =
                                                   i / count * dim +
                                                   rows[static_cast<std::size_t>(i % count)];
                                               room.take(in + row * inner, inner);
                                               std::copy_n(in + row * inner, inner, to + i * inner);
                                           }
                                       });
    });
    out.finish();
}

void gather_elements(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const auto rank = static_cast<std::size_t>(data.rank());
    const auto axis = static_cast<std::size_t>(
        normalize_axis(context.node().int_attribute("axis", 0), data.rank()));
    bool fits = indices.rank() == data.rank();
    for (std::size_t i = 0; fits && i < rank; ++i)
        fits = i == axis || indices.dim(i) <= data.dim(i);
    if (!fits)
        context.fail("indices " + describe(indices) + " do not fit " + describe(data) +
                     " with axis " + std::to_string(axis));
    std::vector<std::int64_t> positions = to_int64s(indices);
    for (auto& position : positions)
        position = checked_index(position, static_cast<std::int64_t>(axis), data);
    const Tensor source = byte_wide(context, data);
    ByteWideOutput out(context, 0, data.dtype(), indices.shape());
    const Shape strides = strides_of(data.shape());
    TextRoom room(context);
    dispatch_by_width(source.dtype(), [&]<typename T>() {
        const T* in = elements<T>(source);
        T* to = elements<T>(out.tensor());
        context.threads().parallel_for(
            indices.size(), 4096, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t position = positions[static_cast<std::size_t>(i)];
                    std::int64_t rest = i, offset = 0;
                    for (std::size_t d = rank; d-- > 0;) {
                        offset += (d == axis ? position : rest % indices.dim(d)) * strides[d];
                        rest /= indices.dim(d);
                    }
                    room.take(in[offset]);
                    to[i] = in[offset];
                }
            });
    });
    out.finish();
}

void gather_nd(KernelContext& context) {
    const Tensor& data = context.input(0);
    const Tensor& indices = context.input(1);
    const std::int64_t batch_dims = context.node().int_attribute("batch_dims", 0);
    if (data.rank() == 0 || indices.rank() == 0) {
        context.fail("data " + describe(data) + " and indices " + describe(indices) +
                     " must have at least one dimension");
    }
    if (batch_dims < 0 || batch_dims >= std::min(data.rank(), indices.rank())) {
        context.fail("batch_dims " + std::to_string(batch_dims) + " does not fit " +
                     describe(data) + " and indices " + describe(indices));
    }
    const auto batch_rank = static_cast<std::size_t>(batch_dims);
    const std::int64_t depth = indices.shape().back();
    if (depth < 1 || depth > data.rank() - batch_dims) {
        context.fail("indices " + describe(indices) + " address " + std::to_string(depth) +
                     " axes where " + describe(data) + " has " +
                     std::to_string(data.rank() - batch_dims) + " behind the batch");
    }
    for (std::size_t i = 0; i < batch_rank; ++i) {
        if (indices.dim(i) != data.dim(i))
            context.fail("batch dimensions of " + describe(data) + " and indices " +
                         describe(indices) + " differ");
    }
    const std::size_t slice_axis = batch_rank + static_cast<std::size_t>(depth);
    Shape shape(indices.shape().begin(), indices.shape().end() - 1);
    shape.insert(shape.end(), data.shape().begin() + static_cast<std::ptrdiff_t>(slice_axis),
                 data.shape().end());
    const Shape strides = strides_of(data.shape());
    const std::vector<std::int64_t> positions = to_int64s(indices);
    const std::int64_t tuples = indices.size() / depth;
    const std::int64_t batches = dim_product(data.shape(), 0, batch_rank);
    const std::int64_t batch_size = dim_product(data.shape(), batch_rank, data.shape().size());
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(tuples));
    for (std::int64_t t = 0; t < tuples; ++t) {
        std::int64_t offset = t / (tuples / batches) * batch_size;
        for (std::int64_t d = 0; d < depth; ++d) {
            const std::size_t axis = batch_rank + static_cast<std::size_t>(d);
            offset += checked_index(positions[static_cast<std::size_t>(t * depth + d)],
                                    static_cast<std::int64_t>(axis), data) *
                      strides[axis];
        }
        offsets[static_cast<std::size_t>(t)] = offset;
    }
    const Tensor source = byte_wide(context, data);
    ByteWideOutput out(context, 0, data.dtype(), std::move(shape));
    const std::int64_t block = dim_product(data.shape(), slice_axis, data.shape().size());
    if (block == 0) return;
    TextRoom room(context);
    dispatch_by_width(source.dtype(), [&]<typename T>() {
        for (std::int64_t t = 0; t < tuples; ++t) {
            const T* from = elements<T>(source) + offsets[static_cast<std::size_t>(t)];
            room.take(from, block);
            std::copy_n(from, block, elements<T>(out.tensor()) + t * block);
        }
    });
    out.finish();
}

}  // namespace lapidary::reference
