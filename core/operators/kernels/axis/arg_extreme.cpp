// SPDX-License-Identifier: Apache-2.0
// ArgMax and ArgMin of float, i32, i64, u8 and i8 tensors; other types by the reference kernels.
#include <cstdint>

#include "kernels/axis/axis_lines.h"
#include "kernels/axis/element_reason.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/vector/reduction/arg_extreme.h"

namespace lapidary {
namespace {

class ArgExtremeKernel final : public Kernel {
public:
    ArgExtremeKernel(const Node& node, bool is_largest)
        : table_(arg_extreme_kernels()), choice_{is_largest,
                                                 node.int_attribute("select_last_index", 0) != 0},
          axis_(node.int_attribute("axis", 0)), keeps_(node.int_attribute("keepdims", 1) != 0) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        ArgElement element;
        switch (x.dtype()) {
        case DType::f32: element = ArgElement::f32; break;
        case DType::i32: element = ArgElement::i32; break;
        case DType::i64: element = ArgElement::i64; break;
        case DType::u8: element = ArgElement::u8; break;
        case DType::i8: element = ArgElement::i8; break;
        default: return leave(context, fallback::element_type);
        }
        const std::int64_t axis = axis_ < 0 ? axis_ + x.rank() : axis_;
        if (axis < 0 || axis >= x.rank()) return leave(context, fallback::axis_outside);
        if (x.size() == 0) return leave(context, fallback::no_elements);
        const AxisLines lines(x.shape(), axis);
        if (lines.length > INT32_MAX) return leave(context, fallback::long_line);
        Shape shape = x.shape();
        if (keeps_) shape[static_cast<std::size_t>(axis)] = 1;
        else shape.erase(shape.begin() + axis);
        auto* y = static_cast<std::int64_t*>(
            context.output(0, DType::i64, std::move(shape)).mutable_raw());
        const auto& functions = table_.of[static_cast<int>(element)][choice_.index()];
        const auto* from = static_cast<const std::byte*>(x.raw());
        const auto bytes = static_cast<std::int64_t>(x.byte_size()) / x.size();
        lines.for_tiles(context, [&](std::int64_t o, std::int64_t first, std::int64_t count, int) {
            const std::byte* place = from + (o * lines.length * lines.inner + first) * bytes;
            if (lines.inner == 1) y[o] = functions.row(place, lines.length);
            else
                functions.column(place, lines.inner, lines.length, count,
                                 y + o * lines.inner + first);
        });
    }

private:
    void leave(KernelContext& context, FallbackReason why) const {
        context.run_on_reference(choice_.is_largest ? reference::arg_max : reference::arg_min, why);
    }

    const ArgExtremeKernels& table_;
    ArgChoice choice_;
    std::int64_t axis_;
    bool keeps_;
};

std::unique_ptr<Kernel> make(const KernelRequest& request, bool is_largest, std::string& reason) {
    if (!takes_elements(request, {DType::f32, DType::i32, DType::i64, DType::u8, DType::i8},
                        reason))
        return nullptr;
    return std::make_unique<ArgExtremeKernel>(request.node, is_largest);
}

}  // namespace

std::unique_ptr<Kernel> make_arg_max(const KernelRequest& request, std::string& reason) {
    return make(request, true, reason);
}
std::unique_ptr<Kernel> make_arg_min(const KernelRequest& request, std::string& reason) {
    return make(request, false, reason);
}

}  // namespace lapidary
