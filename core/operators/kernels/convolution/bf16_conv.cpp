// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc::Conv with both sides rounded to bfloat16, where the session allows it and
// the CPU has tile registers.
#include <cmath>
#include <vector>

#include <lapidary/tensor/float16.h>

#include "base/cpu_features.h"
#include "kernels/convolution/bf16_planes.h"
#include "kernels/convolution/blocked_geometry.h"

namespace lapidary {
namespace {

using blocked::Form;

/// Positions from a window's first tap to its last one. Planes have so many rows and columns beside
/// those of the output, and a small image between wide padding would take memory without bounds.
constexpr std::int64_t most_reach = 128;

/// Blocks of 16 filters, [channels / 16, taps, 16, 16], one at a time.
class RoundedFilterBlocks {
public:
    explicit RoundedFilterBlocks(const Tensor& weight)
        : weight_(weight),
          block_(static_cast<std::size_t>(weight.dim(1) * weight.dim(2) * weight.dim(3) *
                                          bf16_convolution::block)) {}

    const std::vector<float>& read(std::int64_t index) {
        const std::size_t bytes = block_.size() * sizeof(float);
        weight_.read(static_cast<std::size_t>(index) * bytes, bytes,
                     reinterpret_cast<std::byte*>(block_.data()));
        return block_;
    }

private:
    const Tensor weight_;
    std::vector<float> block_;
};

/// False: a value of the weight is not finite in bfloat16. Tiles multiply padding with it.
bool fits_bfloat16(const Tensor& weight) {
    RoundedFilterBlocks blocks(weight);
    for (std::int64_t i = 0; i < weight.dim(0) / bf16_convolution::block; ++i)
        for (const float v : blocks.read(i))
            if (!std::isfinite(static_cast<float>(BFloat16(v)))) return false;
    return true;
}

bool reaches_too_far(const WindowAttributes& window, const Tensor& weight) {
    for (std::size_t i = 0; i < 2; ++i)
        if (weight.dim(2 + i) - 1 > most_reach / window.dilations[i]) return true;
    return false;
}

class Bf16Convolution final : public Kernel {
public:
    Bf16Convolution(const KernelRequest& request, const Tensor& w,
                    std::unique_ptr<blocked::Attributes> attributes,
                    const Bf16ConvolutionKernels& kernels)
        : attributes_(std::move(attributes)), sharing_(blocked::sharing_of(request.node)),
          shape_(w.shape()), kernels_(kernels) {
        const std::int64_t filters = w.dim(0), channels = w.dim(1), taps = w.dim(2) * w.dim(3);
        weight_ = request.weights.add(
            w, "bfloat16 filters of tiles",
            static_cast<std::size_t>(bf16_convolution::packed_elements(filters, channels, taps)) *
                sizeof(std::uint16_t),
            filters / bf16_convolution::block,
            [w, filters, channels, taps](std::byte* to, std::int64_t begin, std::int64_t end) {
                RoundedFilterBlocks blocks(w);
                for (std::int64_t i = begin; i < end; ++i)
                    bf16_convolution::pack_filters(blocks.read(i).data(), i, filters, channels,
                                                   taps, reinterpret_cast<std::uint16_t*>(to));
            });
        request.unread_inputs.push_back(1);
    }

    StorageSharing sharing() const override { return sharing_; }

    void run(KernelContext& context) const override {
        const blocked::Operands o =
            blocked::read_operands(context, *attributes_, Form::blocks, &shape_);
        if (o.y->size() == 0) return;
        const bf16_convolution::Planes planes = bf16_convolution::planes_of(
            o.axes[0], o.axes[1], shape_[1], shape_[0], cache_sizes().l2);
        Tensor workspace =
            context.scratch(DType::u8, {static_cast<std::int64_t>(planes.workspace_bytes())});
        const std::int64_t images = o.x->dim(0), of_x = o.x->size() / images,
                           of_y = o.y->size() / images;
        const float* const sum = o.sum ? o.sum->data<float>().data() : nullptr;
        bf16_convolution::Image image;
        image.filters = weight_->as<const std::uint16_t>();
        image.bias = o.bias ? o.bias->data<float>().data() : nullptr;
        image.activation = attributes_->activation;
        for (std::int64_t i = 0; i < images; ++i) {
            image.x = o.x->data<float>().data() + i * of_x;
            image.sum = sum ? sum + i * of_y : nullptr;
            image.y = o.y->mutable_data<float>().data() + i * of_y;
            bf16_convolution::convolve_image(planes, image, kernels_, context.threads(),
                                             context.cancel(),
                                             static_cast<std::byte*>(workspace.mutable_raw()));
        }
    }

private:
    std::unique_ptr<blocked::Attributes> attributes_;
    StorageSharing sharing_;
    Shape shape_;  // of the weight
    std::shared_ptr<const PackedWeight> weight_;
    const Bf16ConvolutionKernels& kernels_;
};

}  // namespace

std::unique_ptr<Kernel> make_bf16_convolution(const KernelRequest& request, std::string& reason) {
    const Bf16ConvolutionKernels* const kernels = bf16_convolution_kernels();
    if (request.options.rounds_inputs_to != DType::bf16)
        reason = "the session does not round to bfloat16";
    else if (!kernels) reason = "this CPU has no tile registers of bfloat16";
    if (!reason.empty()) return nullptr;
    auto attributes = blocked::read_attributes(request, reason);
    Form form{};
    if (!attributes || !blocked::known_form(request, *attributes, form, reason)) return nullptr;
    const Tensor* const w = request.constant(1);
    if (!w || form != Form::blocks || w->dtype() != DType::f32 || w->size() == 0)
        reason = "the filters are not constant, or no whole blocks";
    else if (attributes->block != bf16_convolution::block || attributes->group != 1)
        reason = "blocks of 8 channels, or groups";
    else if (reaches_too_far(attributes->window, *w)) reason = "its windows reach too far";
    else if (!fits_bfloat16(*w)) reason = "a weight that bfloat16 does not hold";
    if (!reason.empty()) return nullptr;
    return std::make_unique<Bf16Convolution>(request, *w, std::move(attributes), *kernels);
}

}  // namespace lapidary
