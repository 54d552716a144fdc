// SPDX-License-Identifier: Apache-2.0
// MaxUnpool (9, 11, 22) whose output has the size that its window implies, so that an index is a
// place; others by the reference kernel.
#include <algorithm>
#include <cstring>

#include "kernels/kernel.h"
#include "kernels/movement/small_ints.h"
#include "ops/geometry/window.h"

namespace lapidary {

namespace reference {
void max_unpool(KernelContext&);
}

namespace {

class MaxUnpoolKernel final : public Kernel {
public:
    explicit MaxUnpoolKernel(WindowAttributes window) : window_(std::move(window)) {}

    void run(KernelContext& context) const override {
        const Tensor &x = context.input(0), &indices = context.input(1);
        Shape shape = x.shape();
        if (const FallbackReason why =
                !is_served(x, indices) ? fallback::unlike_types
                : !unpool(shape)       ? FallbackReason("an axis has no elements or is very long")
                : !is_wanted(context.optional_input(2), shape)
                    ? FallbackReason("output_shape is not the window's own")
                    : fallback::none)
            return context.run_on_reference(reference::max_unpool, why);
        Tensor& y = context.output(0, x.dtype(), std::move(shape));
        if (y.size() == 0) return;
        std::memset(y.mutable_raw(), 0, y.byte_size());
        const auto* places = static_cast<const std::int64_t*>(indices.raw());
        const bool fits = x.dtype() == DType::f32   ? scatter<std::uint32_t>(context, x, places, y)
                          : x.dtype() == DType::f64 ? scatter<std::uint64_t>(context, x, places, y)
                                                    : scatter<std::uint16_t>(context, x, places, y);
        if (!fits) context.run_on_reference(reference::max_unpool, fallback::index_outside);
    }

private:
    bool is_served(const Tensor& x, const Tensor& indices) const {
        const DType type = x.dtype();
        return (type == DType::f32 || type == DType::f64 || type == DType::f16 ||
                type == DType::bf16) &&
               indices.dtype() == DType::i64 && indices.shape() == x.shape() &&
               x.shape().size() == window_.kernel.size() + 2;
    }
    /// Turns the shape of x into that of y. False for unusual sizes.
    bool unpool(Shape& shape) const {
        constexpr std::int64_t most = std::int64_t{1} << 30;
        for (std::size_t axis = 0; axis < window_.kernel.size(); ++axis) {
            std::int64_t& size = shape[axis + 2];
            if (size < 1 || size > most || window_.strides[axis] > most ||
                window_.kernel[axis] > most)
                return false;
            size = (size - 1) * window_.strides[axis] + window_.kernel[axis] -
                   window_.pads_begin[axis] - window_.pads_end[axis];
            if (size < 1) return false;
        }
        return true;
    }
    static bool is_wanted(const Tensor* given, const Shape& shape) {
        SmallInts sizes;
        if (!given) return true;
        if (!sizes.read(*given) || sizes.count != shape.size()) return false;
        for (std::size_t i = 0; i < sizes.count; ++i)
            if (sizes[i] != shape[i]) return false;
        return true;
    }

    /// Where several values have the same place, the last one stays. False at an index out of
    /// range.
    template <typename T>
    static bool scatter(KernelContext& context, const Tensor& x, const std::int64_t* places,
                        Tensor& y) {
        const auto* from = static_cast<const T*>(x.raw());
        auto* to = static_cast<T*>(y.mutable_raw());
        const auto size = static_cast<std::uint64_t>(y.size());
        constexpr std::int64_t piece = 1 << 18;
        for (std::int64_t begin = 0; begin < x.size(); begin += piece) {
            context.cancel().throw_if_cancelled();
            for (std::int64_t i = begin; i < std::min(x.size(), begin + piece); ++i) {
                if (static_cast<std::uint64_t>(places[i]) >= size) return false;
                to[places[i]] = from[i];
            }
        }
        return true;
    }

    const WindowAttributes window_;
};

}  // namespace

std::unique_ptr<Kernel> make_max_unpool(const KernelRequest& request, std::string& reason) {
    const std::size_t axes = request.node.ints_attribute("kernel_shape").size();
    if (axes > 0)
        return std::make_unique<MaxUnpoolKernel>(read_window_attributes(request.node, axes));
    reason = "attribute kernel_shape is missing";
    return nullptr;
}

}  // namespace lapidary
