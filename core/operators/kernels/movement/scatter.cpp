// SPDX-License-Identifier: Apache-2.0
// ScatterND and GatherND with whole slices: copies of stretches, without reduction.
#include <algorithm>
#include <cstring>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/movement/strided_copy.h"

namespace lapidary {
namespace {

/// Copies `count` slices of `bytes`: slice(i) gives source and target.
template <typename Slice>
void copy_slices(std::int64_t begin, std::int64_t end, std::int64_t bytes, const Slice& slice) {
    switch (bytes) {
    case 4:
        for (std::int64_t i = begin; i < end; ++i)
            slice(i, [](std::byte* to, const std::byte* from) { std::memcpy(to, from, 4); });
        return;
    case 8:
        for (std::int64_t i = begin; i < end; ++i)
            slice(i, [](std::byte* to, const std::byte* from) { std::memcpy(to, from, 8); });
        return;
    default:
        for (std::int64_t i = begin; i < end; ++i)
            slice(i, [bytes](std::byte* to, const std::byte* from) {
                std::memcpy(to, from, static_cast<std::size_t>(bytes));
            });
    }
}

/// Offset in bytes of the slice that one tuple of indices names; -1 when an index is out of range.
std::int64_t slice_offset(const std::int64_t* tuple, std::int64_t depth, const std::int64_t* dims,
                          const std::int64_t* strides) {
    std::int64_t offset = 0;
    for (std::int64_t d = 0; d < depth; ++d) {
        const std::int64_t dim = dims[d], index = tuple[d] < 0 ? tuple[d] + dim : tuple[d];
        if (index < 0 || index >= dim) return -1;
        offset += index * strides[d];
    }
    return offset;
}

class ScatterNdKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        const Tensor& indices = context.input(1);
        const Tensor& updates = context.input(2);
        std::int64_t strides[12];
        const auto leave = [&](FallbackReason why) {
            context.run_on_reference(reference::scatter_nd, why);
        };
        if (data.rank() == 0 || indices.rank() == 0 || !row_strides(data.shape(), strides))
            return leave(fallback::rank);
        if (indices.dtype() != DType::i64 || updates.dtype() != data.dtype())
            return leave(fallback::unlike_types);
        if (!is_plainly_copied(data.dtype())) return leave(fallback::element_type);
        const std::int64_t depth = indices.shape().back(),
                           width = static_cast<std::int64_t>(bit_width(data.dtype()) / 8);
        if (depth < 1 || depth > data.rank())
            return leave("an index has no or more numbers than the data has axes");
        Shape expected(indices.shape().begin(), indices.shape().end() - 1);
        expected.insert(expected.end(), data.shape().begin() + depth, data.shape().end());
        if (updates.shape() != expected) return leave(fallback::shapes);
        for (std::int64_t& s : strides) s *= width;
        const std::int64_t tuples = indices.size() / depth, bytes = strides[depth - 1];
        const auto* tuple = static_cast<const std::int64_t*>(indices.raw());
        for (std::int64_t i = 0; i < tuples; ++i)
            if (slice_offset(tuple + i * depth, depth, data.shape().data(), strides) < 0)
                return leave(fallback::index_outside);
        Tensor& y = context.output(0, data.dtype(), data.shape());
        if (y.size() == 0) return;
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const auto* from = static_cast<const std::byte*>(updates.raw());
        if (y.raw() != data.raw()) std::memcpy(to, data.raw(), data.byte_size());
        // In order on one thread: the last of equal indices stays.
        copy_slices(0, tuples, bytes, [&](std::int64_t i, auto copy) {
            copy(to + slice_offset(tuple + i * depth, depth, data.shape().data(), strides),
                 from + i * bytes);
        });
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }
};

class GatherNdKernel final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        const Tensor& indices = context.input(1);
        std::int64_t strides[12];
        const auto leave = [&](FallbackReason why) {
            context.run_on_reference(reference::gather_nd, why);
        };
        if (data.rank() == 0 || indices.rank() == 0 || !row_strides(data.shape(), strides))
            return leave(fallback::rank);
        if (indices.dtype() != DType::i64) return leave(fallback::unlike_types);
        if (!is_plainly_copied(data.dtype())) return leave(fallback::element_type);
        const std::int64_t depth = indices.shape().back(),
                           width = static_cast<std::int64_t>(bit_width(data.dtype()) / 8);
        if (depth < 1 || depth > data.rank())
            return leave("an index has no or more numbers than the data has axes");
        for (std::int64_t& s : strides) s *= width;
        const std::int64_t tuples = indices.size() / depth, bytes = strides[depth - 1];
        const auto* tuple = static_cast<const std::int64_t*>(indices.raw());
        const std::int64_t* dims = data.shape().data();
        for (std::int64_t i = 0; i < tuples; ++i)
            if (slice_offset(tuple + i * depth, depth, dims, strides) < 0)
                return leave(fallback::index_outside);
        Shape shape(indices.shape().begin(), indices.shape().end() - 1);
        shape.insert(shape.end(), data.shape().begin() + depth, data.shape().end());
        Tensor& y = context.output(0, data.dtype(), std::move(shape));
        if (y.size() == 0) return;
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const auto* from = static_cast<const std::byte*>(data.raw());
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            copy_slices(begin, end, bytes, [&](std::int64_t i, auto copy) {
                copy(to + i * bytes, from + slice_offset(tuple + i * depth, depth, dims, strides));
            });
        };
        if (tuples * (bytes + 16) <= grain_bytes) body(0, tuples);
        else
            context.threads().parallel_for(
                tuples, std::max<std::int64_t>(1, grain_bytes / (bytes + 16)), body);
    }
};

}  // namespace

std::unique_ptr<Kernel> make_scatter_nd(const KernelRequest& request, std::string& reason) {
    if (request.node.string_attribute("reduction", "none") != "none") {
        reason = "reductions are served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<ScatterNdKernel>();
}

std::unique_ptr<Kernel> make_gather_nd(const KernelRequest& request, std::string& reason) {
    if (request.node.int_attribute("batch_dims", 0) != 0) {
        reason = "batch dimensions are served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<GatherNdKernel>();
}

}  // namespace lapidary
