// SPDX-License-Identifier: Apache-2.0
// ImageScaler: scale * x + bias[channel] over [N, C, H, W].
#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

class ImageScalerKernel final : public Kernel {
public:
    explicit ImageScalerKernel(const Node& node)
        : function_(elementwise_kernels().unary[static_cast<int>(UnaryKind::affine)]),
          scale_(node.float_attribute("scale", 1.0f)), bias_(node.floats_attribute("bias")) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (const FallbackReason why =
                x.dtype() != DType::f32 ? fallback::element_type
                : x.rank() != 4         ? fallback::rank
                : !bias_.empty() && static_cast<std::int64_t>(bias_.size()) != x.dim(1)
                    ? fallback::parameter_sizes
                    : fallback::none)
            return context.run_on_reference(reference::image_scaler, why);
        const std::int64_t channels = x.dim(1), plane = x.dim(2) * x.dim(3);
        Tensor& y = context.output(0, DType::f32, x.shape());
        const auto* from = static_cast<const float*>(x.raw());
        auto* to = static_cast<float*>(y.mutable_raw());
        for_elements(context, x.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            while (begin < end) {
                const std::int64_t at = begin / plane, stop = std::min(end, (at + 1) * plane);
                function_(from + begin, to + begin, stop - begin, scale_,
                          bias_.empty() ? 0.0f : bias_[static_cast<std::size_t>(at % channels)]);
                begin = stop;
            }
        });
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

private:
    UnaryFunction function_;
    float scale_;
    std::vector<float> bias_;
};

}  // namespace

std::unique_ptr<Kernel> make_image_scaler(const KernelRequest& request, std::string& reason) {
    if (const DType dtype = request.input_type(0).dtype;
        dtype != DType::undefined && dtype != DType::f32) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    return std::make_unique<ImageScalerKernel>(request.node);
}

}  // namespace lapidary
