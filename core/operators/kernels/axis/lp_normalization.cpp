// SPDX-License-Identifier: Apache-2.0
// LpNormalization of float tensors: lines divided by their norm.
#include <cmath>

#include "kernels/axis/axis_lines.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/float_inputs.h"
#include "kernels/vector/elementwise/elementwise.h"
#include "kernels/vector/reduction/reduction.h"

namespace lapidary {

namespace reference {
void lp_normalization(KernelContext&);
}

namespace {

class LpNormalizationKernel final : public Kernel {
public:
    LpNormalizationKernel(std::int64_t axis, bool is_euclidean)
        : axis_(axis), is_euclidean_(is_euclidean), sums_(reduction_kernels()),
          elements_(elementwise_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const std::int64_t axis = axis_ < 0 ? axis_ + x.rank() : axis_;
        if (const FallbackReason why = x.dtype() != DType::f32        ? fallback::element_type
                                       : axis < 0 || axis >= x.rank() ? fallback::axis_outside
                                       : x.size() == 0                ? fallback::no_elements
                                                                      : fallback::none)
            return context.run_on_reference(reference::lp_normalization, why);
        const AxisLines lines(x.shape(), axis);
        const auto* from = static_cast<const float*>(x.raw());
        auto* to = static_cast<float*>(context.output(0, DType::f32, x.shape()).mutable_raw());
        const int kind = static_cast<int>(is_euclidean_ ? ReductionKind::squares
                                                        : ReductionKind::magnitudes),
                  division = static_cast<int>(BinaryKind::div);
        const RowFunction by_one =
                              elements_
                                  .binary[division][static_cast<int>(OperandForm::second_repeats)],
                          by_each = elements_.binary[division][static_cast<int>(OperandForm::both)];
        constexpr std::int64_t width = 64;
        lines.for_tiles(
            context,
            [&](std::int64_t o, std::int64_t first, std::int64_t count, int) {
                const std::int64_t at = o * lines.length * lines.inner + first;
                double totals[width];
                float norms[width];
                if (lines.inner == 1) totals[0] = sums_.row[kind](from + at, lines.length);
                else sums_.column[kind](from + at, lines.inner, lines.length, count, totals);
                bool is_plain = true;
                for (std::int64_t i = 0; i < count; ++i) {
                    norms[i] = static_cast<float>(is_euclidean_ ? std::sqrt(totals[i]) : totals[i]);
                    is_plain = is_plain && norms[i] > 1e-15f && norms[i] < 1e18f;
                }
                if (!is_plain) {
                    for (std::int64_t i = 0; i < count; ++i)
                        divide_exactly(from + at + i, to + at + i, lines.length, lines.inner);
                } else if (lines.inner == 1) by_one(from + at, norms, to + at, lines.length);
                else
                    for (std::int64_t row = 0; row < lines.length; ++row)
                        by_each(from + at + row * lines.inner, norms, to + at + row * lines.inner,
                                count);
            },
            width);
    }

private:
    /// For norms whose squares float cannot hold, 0 (which gives 0) and NaN.
    void divide_exactly(const float* x, float* y, std::int64_t length, std::int64_t step) const {
        double sum = 0;
        for (std::int64_t i = 0; i < length; ++i) {
            const double v = x[i * step];
            sum += is_euclidean_ ? v * v : std::fabs(v);
        }
        const double norm = is_euclidean_ ? std::sqrt(sum) : sum;
        for (std::int64_t i = 0; i < length; ++i)
            y[i * step] = static_cast<float>(norm == 0 ? 0 : x[i * step] / norm);
    }

    const std::int64_t axis_;
    const bool is_euclidean_;
    const ReductionKernels& sums_;
    const ElementwiseKernels& elements_;
};

}  // namespace

std::unique_ptr<Kernel> make_lp_normalization(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0}, reason)) return nullptr;
    const std::int64_t p = request.node.int_attribute("p", 2);
    if (p != 1 && p != 2) {
        reason = "attribute p is neither 1 nor 2";
        return nullptr;
    }
    return std::make_unique<LpNormalizationKernel>(request.node.int_attribute("axis", -1), p == 2);
}

}  // namespace lapidary
