// SPDX-License-Identifier: Apache-2.0
// GatherElements, and ScatterElements without a reduction: an index per element, walked a line of
// the last axis at a time.
#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"

namespace lapidary {
namespace {

/// The lines of `indices` and where in the data they point.
struct ElementLines {
    std::int64_t strides[12];  // of the data
    std::size_t rank = 0, axis = 0;
    const Shape* shape = nullptr;  // of the indices
    std::int64_t dim = 0;          // of the data along the axis

    /// False when the shapes do not fit.
    bool prepare(const Tensor& data, const Tensor& indices, std::int64_t along) {
        rank = data.shape().size();
        const std::int64_t at = along < 0 ? along + static_cast<std::int64_t>(rank) : along;
        if (at < 0 || at >= static_cast<std::int64_t>(rank) || indices.shape().size() != rank ||
            !row_strides(data.shape(), strides))
            return false;
        axis = static_cast<std::size_t>(at);
        shape = &indices.shape();
        dim = data.shape()[axis];
        for (std::size_t i = 0; i < rank; ++i)
            if (i != axis && (*shape)[i] > data.shape()[i]) return false;
        return true;
    }
    /// True when all are positions along the axis, counted from its begin or its end.
    template <typename Index>
    bool are_inside(const Index* positions, std::int64_t count) const {
        // Modulo 2^64: the highest bit of a or of last - a is set unless a is one of 0 to last.
        const auto shift = static_cast<std::uint64_t>(dim), last = 2 * shift - 1;
        std::uint64_t first = 0, second = 0;
        std::int64_t i = 0;
        for (; i + 2 <= count; i += 2) {
            const std::uint64_t a = static_cast<std::uint64_t>(positions[i]) + shift,
                                b = static_cast<std::uint64_t>(positions[i + 1]) + shift;
            first |= a | (last - a);
            second |= b | (last - b);
        }
        if (i < count) {
            const std::uint64_t a = static_cast<std::uint64_t>(positions[i]) + shift;
            first |= a | (last - a);
        }
        return (first | second) >> 63 == 0;
    }
    std::int64_t length() const { return shape->back(); }

    /// body(element of the indices, element of the data) for those of lines [begin, end), in order.
    /// False, and what is left of them undone, at a line with an index outside.
    template <typename Index, typename Body>
    bool walk(const Index* positions, std::int64_t begin, std::int64_t end,
              const Body& body) const {
        std::int64_t place[12], offset = 0;
        std::int64_t left = begin;
        for (std::size_t d = rank - 1; d-- > 0; left /= (*shape)[d]) {
            place[d] = left % (*shape)[d];
            if (d != axis) offset += place[d] * strides[d];
        }
        const std::int64_t step = strides[axis], count = length();
        const auto place_of = [this](std::int64_t index) { return index + (index >> 63 & dim); };
        for (std::int64_t line = begin; line < end; ++line) {
            const Index* row = positions + line * count;
            if (!are_inside(row, count)) return false;
            if (axis + 1 == rank)
                for (std::int64_t i = 0; i < count; ++i)
                    body(line * count + i, offset + place_of(row[i]));
            else
                for (std::int64_t i = 0; i < count; ++i)
                    body(line * count + i, offset + place_of(row[i]) * step + i);
            for (std::size_t d = rank - 1; d-- > 0;) {
                if (d != axis) offset += strides[d];
                if (++place[d] < (*shape)[d]) break;
                if (d != axis) offset -= place[d] * strides[d];
                place[d] = 0;
            }
        }
        return true;
    }
};

/// f.template operator()<unsigned type of that many bytes>().
template <typename F>
void by_width(std::size_t bytes, const F& f) {
    if (bytes == 1) f.template operator()<std::uint8_t>();
    else if (bytes == 2) f.template operator()<std::uint16_t>();
    else if (bytes == 4) f.template operator()<std::uint32_t>();
    else f.template operator()<std::uint64_t>();
}

class GatherElementsKernel final : public Kernel {
public:
    explicit GatherElementsKernel(std::int64_t axis) : axis_(axis) {}

    void run(KernelContext& context) const override {
        const DType type = context.input(1).dtype();
        if (type == DType::i64) gather<std::int64_t>(context);
        else if (type == DType::i32) gather<std::int32_t>(context);
        else context.run_on_reference(reference::gather_elements, fallback::index_type);
    }

private:
    template <typename Index>
    void gather(KernelContext& context) const {
        const Tensor &data = context.input(0), &indices = context.input(1);
        ElementLines lines;
        if (!is_plainly_copied(data.dtype()))
            return context.run_on_reference(reference::gather_elements, fallback::element_type);
        if (!lines.prepare(data, indices, axis_))
            return context.run_on_reference(reference::gather_elements, fallback::shapes);
        Tensor& y = context.output(0, data.dtype(), indices.shape());
        if (y.size() == 0) return;
        std::atomic<bool> are_inside{true};
        by_width(bit_width(data.dtype()) / 8, [&]<typename T>() {
            const auto* from = static_cast<const T*>(data.raw());
            auto* to = static_cast<T*>(y.mutable_raw());
            constexpr std::int64_t grain = 16384;  // elements
            context.threads().parallel_for(
                y.size() / lines.length(), std::max<std::int64_t>(1, grain / lines.length()),
                [&](std::int64_t begin, std::int64_t end) {
                    context.cancel().throw_if_cancelled();
                    if (!lines.walk(static_cast<const Index*>(indices.raw()), begin, end,
                                    [&](std::int64_t i, std::int64_t at) { to[i] = from[at]; }))
                        are_inside = false;
                });
        });
        if (!are_inside)
            context.run_on_reference(reference::gather_elements, fallback::index_outside);
    }

    std::int64_t axis_;
};

class ScatterElementsKernel final : public Kernel {
public:
    explicit ScatterElementsKernel(std::int64_t axis) : axis_(axis) {}

    void run(KernelContext& context) const override {
        const DType type = context.input(1).dtype();
        if (type == DType::i64) scatter<std::int64_t>(context);
        else if (type == DType::i32) scatter<std::int32_t>(context);
        else context.run_on_reference(reference::scatter_elements, fallback::index_type);
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

private:
    template <typename Index>
    void scatter(KernelContext& context) const {
        const Tensor &data = context.input(0), &indices = context.input(1),
                     &updates = context.input(2);
        ElementLines lines;
        if (const FallbackReason why =
                !is_plainly_copied(data.dtype())  ? fallback::element_type
                : updates.dtype() != data.dtype() ? fallback::unlike_types
                : updates.shape() != indices.shape() || !lines.prepare(data, indices, axis_)
                    ? fallback::shapes
                : !lines.are_inside(static_cast<const Index*>(indices.raw()), indices.size())
                    ? fallback::index_outside
                    : fallback::none)
            return context.run_on_reference(reference::scatter_elements, why);
        const std::size_t bytes = data.byte_size();
        const void* const from = data.raw();
        Tensor& y = context.output(0, data.dtype(), data.shape());
        if (bytes > 0 && y.mutable_raw() != from) std::memcpy(y.mutable_raw(), from, bytes);
        if (indices.size() == 0) return;
        // On one thread: of updates with one place the last one stays.
        by_width(bit_width(data.dtype()) / 8, [&]<typename T>() {
            const auto* values = static_cast<const T*>(updates.raw());
            auto* to = static_cast<T*>(y.mutable_raw());
            lines.walk(static_cast<const Index*>(indices.raw()), 0, indices.size() / lines.length(),
                       [&](std::int64_t i, std::int64_t at) { to[at] = values[i]; });
        });
    }

    std::int64_t axis_;
};

bool copies_plainly(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype == DType::undefined || is_plainly_copied(dtype)) return true;
    reason = "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
    return false;
}

}  // namespace

std::unique_ptr<Kernel> make_gather_elements(const KernelRequest& request, std::string& reason) {
    if (!copies_plainly(request, reason)) return nullptr;
    return std::make_unique<GatherElementsKernel>(request.node.int_attribute("axis", 0));
}

std::unique_ptr<Kernel> make_scatter_elements(const KernelRequest& request, std::string& reason) {
    const std::string reduction = request.node.string_attribute("reduction", "none");
    if (reduction != "none") {
        reason = "reduction " + quote(reduction) + " is served by the reference kernel";
        return nullptr;
    }
    if (!copies_plainly(request, reason)) return nullptr;
    return std::make_unique<ScatterElementsKernel>(request.node.int_attribute("axis", 0));
}

}  // namespace lapidary
