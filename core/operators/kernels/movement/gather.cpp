// SPDX-License-Identifier: Apache-2.0
// Gather: rows picked along one axis, copied whole; one element per index in its simplest form.
#include <algorithm>
#include <cstring>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"

namespace lapidary {
namespace {

constexpr std::int64_t gather_grain_bytes = 1 << 16;

template <typename T>
void copy_one(const std::byte* from, std::byte* to) {
    std::memcpy(to, from, sizeof(T));
}

/// Picks one of each pair of elements, as channel shuffles do.
template <typename T>
void copy_of_pairs(const std::byte* from, std::byte* to, std::int64_t count) {
    const T* in = reinterpret_cast<const T*>(from);
    T* out = reinterpret_cast<T*>(to);
    for (std::int64_t i = 0; i < count; ++i) out[i] = in[2 * i];
}

class GatherKernel final : public Kernel {
public:
    explicit GatherKernel(std::int64_t axis) : axis_(axis) {}

    void run(KernelContext& context) const override {
        const Tensor& indices = context.input(1);
        if (indices.dtype() == DType::i64) gather<std::int64_t>(context, indices);
        else if (indices.dtype() == DType::i32) gather<std::int32_t>(context, indices);
        else context.run_on_reference(reference::gather, fallback::index_type);
    }

private:
    template <typename Index>
    void gather(KernelContext& context, const Tensor& indices) const {
        const Tensor& data = context.input(0);
        const auto rank = static_cast<std::int64_t>(data.shape().size());
        const std::int64_t axis = axis_ < 0 ? axis_ + rank : axis_;
        if (axis < 0 || axis >= rank)
            return context.run_on_reference(reference::gather, fallback::axis_outside);
        if (!is_plainly_copied(data.dtype()))
            return context.run_on_reference(reference::gather, fallback::element_type);
        const Shape& dims = data.shape();
        const auto* positions = static_cast<const Index*>(indices.raw());
        const std::int64_t count = indices.size(), dim = dims[static_cast<std::size_t>(axis)];
        for (std::int64_t i = 0; i < count; ++i)
            if (positions[i] < -dim || positions[i] >= dim)
                return context.run_on_reference(reference::gather, fallback::index_outside);
        Shape shape(dims.begin(), dims.begin() + axis);
        shape.insert(shape.end(), indices.shape().begin(), indices.shape().end());
        shape.insert(shape.end(), dims.begin() + axis + 1, dims.end());
        std::int64_t outer = 1, inner = static_cast<std::int64_t>(bit_width(data.dtype()) / 8);
        for (std::int64_t i = 0; i < axis; ++i) outer *= dims[static_cast<std::size_t>(i)];
        for (std::int64_t i = axis + 1; i < rank; ++i) inner *= dims[static_cast<std::size_t>(i)];
        Tensor& y = context.output(0, data.dtype(), std::move(shape));
        if (y.size() == 0) return;
        const auto* from = data.bytes().data();
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            if (count == 1 && dim == 2 && (inner == 1 || inner == 4)) {
                const std::byte* source = from + (2 * begin + (positions[0] & 1)) * inner;
                const auto copy =
                    inner == 1 ? copy_of_pairs<std::uint8_t> : copy_of_pairs<std::uint32_t>;
                return copy(source, to + begin * inner, end - begin);
            }
            std::int64_t o = begin / count, i = begin % count;
            const auto rows = [&](auto copy) {
                for (std::int64_t row = begin; row < end; ++row) {
                    const std::int64_t index = positions[i];
                    copy(from + (o * dim + (index < 0 ? index + dim : index)) * inner,
                         to + row * inner);
                    if (++i == count) {
                        i = 0;
                        ++o;
                    }
                }
            };
            switch (inner) {
            case 1: return rows(copy_one<std::uint8_t>);
            case 4: return rows(copy_one<std::uint32_t>);
            case 8: return rows(copy_one<std::uint64_t>);
            default:
                return rows([&](const std::byte* source, std::byte* target) {
                    std::memcpy(target, source, static_cast<std::size_t>(inner));
                });
            }
        };
        const std::int64_t total = outer * count;
        if (total * (inner + 8) <= gather_grain_bytes) body(0, total);
        else
            context.threads().parallel_for(
                total, std::max<std::int64_t>(1, gather_grain_bytes / (inner + 8)), body);
    }

    std::int64_t axis_;
};

}  // namespace

std::unique_ptr<Kernel> make_gather(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype != DType::undefined && !is_plainly_copied(dtype)) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<GatherKernel>(request.node.int_attribute("axis", 0));
}

}  // namespace lapidary
