// SPDX-License-Identifier: Apache-2.0
// LayerNormalization (1, 17), RMSNormalization (23), SimplifiedLayerNormalization in float.
// Whatever is no such row by row normalization with one scale for all rows is left to the reference
// kernel, which serves it or says what is wrong.
#include "kernels/float_inputs.h"
#include "kernels/normalization/row_split.h"
#include "kernels/vector/normalization/normalization.h"

namespace lapidary {

namespace reference {
void layer_normalization(KernelContext&);
void rms_normalization(KernelContext&);
}  // namespace reference

namespace {

/// True when `shape` is the shape of x from `axis` on, apart from leading ones.
bool is_row_shape(const Shape& shape, const Shape& x, std::size_t axis) {
    std::size_t first = 0;
    while (first < shape.size() && shape.size() - first > x.size() - axis && shape[first] == 1)
        ++first;
    return shape.size() <= x.size() && shape.size() - first == x.size() - axis &&
           std::equal(shape.begin() + static_cast<std::ptrdiff_t>(first), shape.end(),
                      x.begin() + static_cast<std::ptrdiff_t>(axis));
}

class LayerNormalization final : public Kernel {
public:
    LayerNormalization(const Node& node, bool centers)
        : axis_(node.int_attribute("axis", -1)), epsilon_(node.float_attribute("epsilon", 1e-5f)),
          float_statistics_(node.outputs.size() == 1 || node.int_attribute("stash_type", 1) == 1),
          centers_(centers), vector_(normalization_kernels()) {}

    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const Tensor& scale = context.input(1);
        const Tensor* shift = centers_ ? context.optional_input(2) : nullptr;
        const auto axis = static_cast<std::size_t>(axis_ < 0 ? axis_ + x.rank() : axis_);
        const auto is_row = [&](const Tensor& t) {
            return t.dtype() == DType::f32 && is_row_shape(t.shape(), x.shape(), axis);
        };
        if (const FallbackReason why =
                axis >= x.shape().size()  ? fallback::axis_outside
                : x.size() == 0           ? fallback::no_elements
                : x.dtype() != DType::f32 ? fallback::element_type
                : !float_statistics_ || (!centers_ && context.output_count() > 1)
                    ? FallbackReason("statistics are asked for in a way that only the reference "
                                     "kernel gives them")
                : !is_row(scale) || (shift && !is_row(*shift)) ? fallback::parameter_sizes
                                                               : fallback::none)
            return context.run_on_reference(
                centers_ ? reference::layer_normalization : reference::rms_normalization, why);
        NormalizedRows rows;
        rows.width = scale.size();
        rows.x = x.data<float>().data();
        rows.scale = scale.data<float>().data();
        rows.shift = shift ? shift->data<float>().data() : nullptr;
        rows.epsilon = epsilon_;
        rows.y = context.output(0, DType::f32, x.shape()).mutable_data<float>().data();
        if (centers_ && context.output_count() > 1) {
            Shape statistics = x.shape();
            std::fill(statistics.begin() + static_cast<std::ptrdiff_t>(axis), statistics.end(), 1);
            if (context.wants_output(1))
                rows.mean = context.output(1, DType::f32, statistics).mutable_data<float>().data();
            if (context.wants_output(2))
                rows.inverse_deviation =
                    context.output(2, DType::f32, statistics).mutable_data<float>().data();
        }
        for_row_ranges(context, x.size() / rows.width, rows.width,
                       [&](std::int64_t begin, std::int64_t end) {
                           (centers_ ? vector_.layer : vector_.root_mean_square)(rows, begin, end);
                       });
    }

private:
    const std::int64_t axis_;
    const float epsilon_;
    const bool float_statistics_, centers_;
    const NormalizationKernels& vector_;
};

}  // namespace

std::unique_ptr<Kernel> make_layer_normalization(const KernelRequest& request,
                                                 std::string& reason) {
    if (!takes_floats(request, {0, 1, 2}, reason)) return nullptr;
    return std::make_unique<LayerNormalization>(request.node, true);
}

std::unique_ptr<Kernel> make_rms_normalization(const KernelRequest& request, std::string& reason) {
    if (!takes_floats(request, {0, 1}, reason)) return nullptr;
    return std::make_unique<LayerNormalization>(request.node, false);
}

}  // namespace lapidary
