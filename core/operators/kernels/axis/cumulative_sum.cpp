// SPDX-License-Identifier: Apache-2.0
// CumSum of float, i32 and i64 tensors; other types by the reference kernel.
#include "kernels/axis/axis_lines.h"
#include "kernels/axis/element_reason.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/vector/reduction/cumulative_sum.h"

namespace lapidary {
namespace {

class CumulativeSumKernel final : public Kernel {
public:
    explicit CumulativeSumKernel(const Node& node)
        : table_(cumulative_sum_kernels()), options_{node.int_attribute("exclusive", 0) != 0,
                                                     node.int_attribute("reverse", 0) != 0} {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        SmallInts axis;
        if (!axis.read(context.input(1)) || axis.count != 1)
            return context.run_on_reference(reference::cum_sum, "the axis is not one i64 or i32");
        if (x.size() == 0)
            return context.run_on_reference(reference::cum_sum, fallback::no_elements);
        const std::int64_t at = axis[0] < 0 ? axis[0] + x.rank() : axis[0];
        if (at < 0 || at >= x.rank())
            return context.run_on_reference(reference::cum_sum, fallback::axis_outside);
        switch (x.dtype()) {
        case DType::f32: return sum<float>(context, x, at, table_.of_f32);
        case DType::i32: return sum<std::int32_t>(context, x, at, table_.of_i32);
        case DType::i64: return sum<std::int64_t>(context, x, at, table_.of_i64);
        default: context.run_on_reference(reference::cum_sum, fallback::element_type);
        }
    }

private:
    template <typename T>
    void sum(KernelContext& context, const Tensor& x, std::int64_t axis,
             const CumulativeSumKernels::Functions<T>& functions) const {
        const AxisLines lines(x.shape(), axis);
        const auto* from = static_cast<const T*>(x.raw());
        auto* y = static_cast<T*>(context.output(0, x.dtype(), x.shape()).mutable_raw());
        // Wide tiles read long pieces of each row, while their sums still stay in the second cache.
        constexpr std::int64_t least = 512, most = 32768;
        const std::int64_t threads = context.threads().threads(),
                           share = (lines.inner / threads + 63) / 64 * 64,
                           width = std::clamp(share, least, most);
        Tensor totals = context.scratch(
            DType::f64, {lines.inner == 1 ? 0 : threads, std::min(width, lines.inner)});
        auto* const sums = static_cast<double*>(totals.mutable_raw());
        lines.for_tiles(
            context,
            [&](std::int64_t o, std::int64_t first, std::int64_t count, int worker) {
                const std::int64_t at = o * lines.length * lines.inner + first;
                if (lines.inner == 1) functions.row(from + at, lines.length, options_, y + at);
                else
                    functions.column(from + at, lines.inner, lines.length, count, options_,
                                     sums + worker * width, y + at);
            },
            width);
    }

    const CumulativeSumKernels& table_;
    CumulativeSumOptions options_;
};

}  // namespace

std::unique_ptr<Kernel> make_cum_sum(const KernelRequest& request, std::string& reason) {
    if (!takes_elements(request, {DType::f32, DType::i32, DType::i64}, reason)) return nullptr;
    return std::make_unique<CumulativeSumKernel>(request.node);
}

}  // namespace lapidary
