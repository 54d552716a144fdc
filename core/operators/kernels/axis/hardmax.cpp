// SPDX-License-Identifier: Apache-2.0
// Hardmax of float tensors: 1 at the first largest element of each line, 0 elsewhere.
#include <cstring>

#include "kernels/axis/axis_lines.h"
#include "kernels/float_inputs.h"
#include "kernels/vector/reduction/arg_extreme.h"

namespace lapidary {

namespace reference {
void hardmax(KernelContext&);
}

namespace {

class HardmaxKernel final : public Kernel {
public:
    explicit HardmaxKernel(const Node& node)
        : flattens_(node.version < 13), axis_(node.int_attribute("axis", flattens_ ? 1 : -1)),
          functions_(arg_extreme_kernels().of[static_cast<int>(
              ArgElement::f32)][ArgChoice{.is_largest = true, .takes_last = false}.index()]) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const std::int64_t axis = axis_ < 0 ? axis_ + x.rank() : axis_;
        if (const FallbackReason why = x.dtype() != DType::f32        ? fallback::element_type
                                       : axis < 0 || axis >= x.rank() ? fallback::axis_outside
                                       : x.size() == 0                ? fallback::no_elements
                                                                      : fallback::none)
            return context.run_on_reference(reference::hardmax, why);
        AxisLines lines(x.shape(), axis);
        if (flattens_) {
            lines.length *= lines.inner;
            lines.inner = 1;
        }
        if (lines.length > INT32_MAX)
            return context.run_on_reference(reference::hardmax, fallback::long_line);
        const auto* from = static_cast<const float*>(x.raw());
        auto* to = static_cast<float*>(context.output(0, DType::f32, x.shape()).mutable_raw());
        constexpr std::int64_t width = 256;
        lines.for_tiles(
            context,
            [&](std::int64_t o, std::int64_t first, std::int64_t count, int) {
                const std::int64_t at = o * lines.length * lines.inner + first;
                std::int64_t places[width];
                if (lines.inner == 1) places[0] = functions_.row(from + at, lines.length);
                else functions_.column(from + at, lines.inner, lines.length, count, places);
                for (std::int64_t i = 0; i < count; ++i) {
                    const float* line = from + at + i;
                    if (const float largest = line[places[i] * lines.inner]; largest != largest)
                        places[i] = largest_but_nan(line, lines.length, lines.inner);
                }
                const std::int64_t rows = lines.inner == 1 ? 1 : lines.length,
                                   row_length = lines.inner == 1 ? lines.length : count;
                for (std::int64_t row = 0; row < rows; ++row)
                    std::memset(to + at + row * lines.inner, 0,
                                static_cast<std::size_t>(row_length) * sizeof(float));
                for (std::int64_t i = 0; i < count; ++i) to[at + i + places[i] * lines.inner] = 1;
            },
            width);
    }

private:
    /// NaN is the largest only as the first element, with which the others are compared.
    static std::int64_t largest_but_nan(const float* line, std::int64_t length, std::int64_t step) {
        std::int64_t best = 0;
        for (std::int64_t i = 1; i < length; ++i)
            if (line[i * step] > line[best * step]) best = i;
        return best;
    }

    const bool flattens_;
    const std::int64_t axis_;
    const ArgExtremeKernels::Functions& functions_;
};

}  // namespace

std::unique_ptr<Kernel> make_hardmax(const KernelRequest& request, std::string& reason) {
    return takes_floats(request, {0}, reason) ? std::make_unique<HardmaxKernel>(request.node)
                                              : nullptr;
}

}  // namespace lapidary
