// SPDX-License-Identifier: Apache-2.0
// Compress: the items of a list of bool along an axis or of all elements; what does not fit is left
// to the reference kernel.
#include <algorithm>
#include <cstring>

#include "kernels/dispatch.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"

namespace lapidary {
namespace {

class CompressKernel final : public Kernel {
public:
    explicit CompressKernel(const Node& node)
        : has_axis_(node.has_attribute("axis")), axis_(node.int_attribute("axis", 0)) {}

    void run(KernelContext& context) const override {
        const Tensor &data = context.input(0), &condition = context.input(1);
        const std::int64_t axis = axis_ < 0 ? axis_ + data.rank() : axis_;
        if (const FallbackReason why =
                !is_plainly_copied(data.dtype()) ? fallback::element_type
                : condition.rank() != 1 || condition.dtype() != DType::boolean
                    ? FallbackReason("the condition is no list of booleans")
                : has_axis_ && (axis < 0 || axis >= data.rank()) ? fallback::axis_outside
                                                                 : fallback::none)
            return context.run_on_reference(reference::compress, why);
        Shape shape = has_axis_ ? data.shape() : Shape{data.size()};
        std::int64_t& size = shape[has_axis_ ? static_cast<std::size_t>(axis) : 0];
        const std::int64_t length = size, outer = has_axis_ ? product(data.shape(), 0, axis) : 1,
                           inner = has_axis_ ? product(data.shape(), axis + 1, data.rank()) : 1;
        if (condition.size() > length)
            return context.run_on_reference(reference::compress,
                                            "the condition is longer than the axis");
        const auto* wanted = static_cast<const bool*>(condition.raw());
        const std::int64_t count = std::count(wanted, wanted + condition.size(), true);
        size = count;
        const auto bytes = static_cast<std::int64_t>(bit_width(data.dtype()) / 8);
        const auto* from = static_cast<const std::byte*>(data.raw());
        auto* to = static_cast<std::byte*>(
            context.output(0, data.dtype(), std::move(shape)).mutable_raw());
        if (count * inner == 0) return;
        for (std::int64_t o = 0; o < outer;
             ++o, from += length * inner * bytes, to += count * inner * bytes) {
            if ((o & 1023) == 0) context.cancel().throw_if_cancelled();
            if (inner == 1)
                dispatch_by_width(data.dtype(),
                                  [&]<typename T>() { keep_elements<T>(from, wanted, to, count); });
            else keep_items(from, wanted, to, count, inner * bytes);
        }
    }

private:
    static std::int64_t product(const Shape& shape, std::int64_t begin, std::int64_t end) {
        std::int64_t size = 1;
        for (std::int64_t i = begin; i < end; ++i) size *= shape[static_cast<std::size_t>(i)];
        return size;
    }

    /// The first `count` wanted ones.
    template <typename T>
    static void keep_elements(const std::byte* from, const bool* wanted, std::byte* to,
                              std::int64_t count) {
        if constexpr (std::is_trivially_copyable_v<T>) {
            const T* source = reinterpret_cast<const T*>(from);
            T* target = reinterpret_cast<T*>(to);
            // Unwanted ones are written over by the next.
            for (std::int64_t i = 0, kept = 0; kept < count; ++i) {
                target[kept] = source[i];
                kept += wanted[i];
            }
        }
    }
    static void keep_items(const std::byte* from, const bool* wanted, std::byte* to,
                           std::int64_t count, std::int64_t bytes) {
        for (std::int64_t i = 0, kept = 0; kept < count; ++i) {
            if (!wanted[i]) continue;
            std::memcpy(to + kept++ * bytes, from + i * bytes, static_cast<std::size_t>(bytes));
        }
    }

    const bool has_axis_;
    const std::int64_t axis_;
};

}  // namespace

std::unique_ptr<Kernel> make_compress(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype != DType::undefined && !is_plainly_copied(dtype)) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<CompressKernel>(request.node);
}

}  // namespace lapidary
