// SPDX-License-Identifier: Apache-2.0
// MeanVarianceNormalization (9, 13) in float over axes that come in at most two blocks of
// neighbours with the last axis in the inner one, as (0, 2, 3), (2, 3) and (1, 2, 3) of an image
// do; other axes by the reference kernel.
#include "kernels/float_inputs.h"
#include "kernels/movement/small_ints.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/normalization.h"

namespace lapidary {

namespace reference {
void mean_variance_normalization(KernelContext&);
}

namespace {

/// Sizes of the blocks that axes of one kind make, from the outermost: [kept, reduced, kept,
/// reduced].
struct Blocks {
    std::int64_t outer = 1, runs = 1, inner = 1, run_length = 1;

    /// False when `axes` do not name such blocks.
    bool resolve(const Shape& shape, const SmallInts& axes) {
        const auto rank = static_cast<std::int64_t>(shape.size());
        std::uint64_t reduced = 0;
        for (std::size_t i = 0; i < axes.count; ++i) {
            const std::int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
            if (axis < 0 || axis >= rank || axis > 63 || (reduced >> axis & 1)) return false;
            reduced |= std::uint64_t{1} << axis;
        }
        std::int64_t* const blocks[] = {&run_length, &inner, &runs, &outer};
        std::size_t at = 0;
        for (std::int64_t axis = rank; axis-- > 0;) {
            const std::int64_t size = shape[static_cast<std::size_t>(axis)];
            if (size == 1) continue;
            const bool goes = axis < 64 && (reduced >> axis & 1);
            if (goes != (at % 2 == 0) && ++at == 4) return false;
            *blocks[at] *= size;
        }
        return run_length > 1;
    }
};

class MeanVarianceNormalization final : public Kernel {
public:
    explicit MeanVarianceNormalization(const SmallInts& axes)
        : axes_(axes), vector_(normalization_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        Blocks blocks;
        if (const FallbackReason why =
                x.size() == 0             ? fallback::no_elements
                : x.dtype() != DType::f32 ? fallback::element_type
                : !blocks.resolve(x.shape(), axes_)
                    ? FallbackReason(
                          "the axes are not one block, or two, of which one is the innermost")
                    : fallback::none)
            return context.run_on_reference(reference::mean_variance_normalization, why);
        static constexpr float one = 1, zero = 0;
        const auto* from = static_cast<const float*>(x.raw());
        auto* to = static_cast<float*>(context.output(0, DType::f32, x.shape()).mutable_raw());
        const std::int64_t plane = blocks.inner * blocks.run_length;
        for_row_ranges(context, blocks.outer * blocks.inner, blocks.runs * blocks.run_length,
                       [&](std::int64_t begin, std::int64_t end) {
                           for (std::int64_t i = begin; i < end; ++i) {
                               const std::int64_t at = i / blocks.inner * blocks.runs * plane +
                                                       i % blocks.inner * blocks.run_length;
                               NormalizedGroup group{.x = from + at,
                                                     .y = to + at,
                                                     .runs = blocks.runs,
                                                     .run_length = blocks.run_length,
                                                     .run_stride = plane};
                               group.scale = &one;
                               group.shift = &zero;
                               group.parameter_step = 0;
                               group.deviation_offset = 1e-9f;
                               vector_.group(group);
                           }
                       });
    }

private:
    const SmallInts axes_;
    const NormalizationKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_mean_variance_normalization(const KernelRequest& request,
                                                         std::string& reason) {
    if (!takes_floats(request, {0}, reason)) return nullptr;
    SmallInts axes;
    if (!axes.assign(request.node.ints_attribute("axes", {0, 2, 3}))) {
        reason = "more than 16 axes are served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<MeanVarianceNormalization>(axes);
}

}  // namespace lapidary
