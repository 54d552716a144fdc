// SPDX-License-Identifier: Apache-2.0
// Slice with any steps: lists that are constant are read once.
#include "kernels/input_index.h"
#include "ops/geometry/slice.h"

#include "kernels/elementwise/reference_kernels.h"
#include "kernels/movement/small_ints.h"
#include "kernels/movement/strided_copy.h"

namespace lapidary {
namespace {

struct SliceLists {
    SmallInts starts, ends, axes, steps;
    bool has_axes = false;

    std::int64_t axis(std::size_t i, std::size_t rank) const {
        const std::int64_t given = has_axes ? axes[i] : static_cast<std::int64_t>(i);
        return given < 0 ? given + static_cast<std::int64_t>(rank) : given;
    }
    std::int64_t step(std::size_t i) const { return steps.count ? steps[i] : 1; }
};

class SliceKernel final : public Kernel {
public:
    explicit SliceKernel(const SliceLists* constant) : is_constant_(constant != nullptr) {
        if (constant) constant_ = *constant;
    }

    void run(KernelContext& context) const override {
        const Tensor& data = context.input(0);
        SliceLists given;
        if (!is_constant_) {
            const Tensor* axes = context.optional_input(slice_input::axes);
            const Tensor* steps = context.optional_input(slice_input::steps);
            given.has_axes = axes != nullptr;
            if (!given.starts.read(context.input(1)) || !given.ends.read(context.input(2)) ||
                (axes && !given.axes.read(*axes)) || (steps && !given.steps.read(*steps)))
                return context.run_on_reference(reference::slice, fallback::list_input);
        }
        const SliceLists& lists = is_constant_ ? constant_ : given;
        const std::size_t rank = data.shape().size(), count = lists.starts.count;
        std::int64_t strides[12];
        const bool fits = lists.ends.count == count &&
                          (!lists.has_axes || lists.axes.count == count) &&
                          (lists.steps.count == 0 || lists.steps.count == count) && count <= rank;
        if (const FallbackReason why = !fits                              ? fallback::list_input
                                       : !is_plainly_copied(data.dtype()) ? fallback::element_type
                                       : !row_strides(data.shape(), strides) ? fallback::rank
                                                                             : fallback::none)
            return context.run_on_reference(reference::slice, why);
        Shape shape = data.shape();
        std::int64_t offset = 0;
        unsigned seen = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t axis = lists.axis(i, rank);
            if (axis < 0 || axis >= static_cast<std::int64_t>(rank) || (seen >> axis & 1u))
                return context.run_on_reference(reference::slice,
                                                "an axis lies outside of the data or comes twice");
            seen |= 1u << axis;
            const auto a = static_cast<std::size_t>(axis);
            const SliceRange range =
                resolve_slice(data.dim(a), lists.starts[i], lists.ends[i], lists.step(i));
            shape[a] = range.count;
            offset += range.start * strides[a];
            strides[a] *= range.count > 1 ? range.step : 1;  // a step past the axis is never taken
        }
        StridedView view;
        for (std::size_t i = 0; i < rank; ++i) view.add(shape[i], strides[i]);
        Tensor& y = context.output(0, data.dtype(), std::move(shape));
        const std::size_t width = bit_width(data.dtype()) / 8;
        if (y.size() == 0) return;
        copy_strided(
            static_cast<const std::byte*>(data.raw()) + offset * static_cast<std::int64_t>(width),
            y.mutable_raw(), view, width, context);
    }

private:
    SliceLists constant_;
    bool is_constant_;
};

}  // namespace

std::unique_ptr<Kernel> make_slice(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    SliceLists lists;
    if (node.version < 10) {
        lists.has_axes = node.has_attribute("axes");
        if (lists.starts.assign(node.ints_attribute("starts")) &&
            lists.ends.assign(node.ints_attribute("ends")) &&
            lists.axes.assign(node.ints_attribute("axes")))
            return std::make_unique<SliceKernel>(&lists);
        reason = "more than 16 axes are served by the reference kernel";
        return nullptr;
    }
    const auto known = [&](std::size_t input, SmallInts& list) {
        return !request.has_input(input) ||
               (request.constant(input) && list.read(*request.constant(input)));
    };
    lists.has_axes = request.has_input(slice_input::axes);
    const bool constant = known(1, lists.starts) && known(2, lists.ends) && known(3, lists.axes) &&
                          known(4, lists.steps);
    return std::make_unique<SliceKernel>(constant ? &lists : nullptr);
}

}  // namespace lapidary
