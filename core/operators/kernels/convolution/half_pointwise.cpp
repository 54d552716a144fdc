// SPDX-License-Identifier: Apache-2.0
// com.microsoft.nchwc::Conv of one tap with both sides rounded to float16, where the session allows
// it and the CPU has arithmetic of float16: the product of an image's pixels with the filters, by
// the tiles of products (vector/product/half_tiles.h), with blocks of channels where they are.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <lapidary/tensor/float16.h>

#include "kernels/convolution/blocked_geometry.h"
#include "kernels/product/half_product.h"
#include "kernels/vector/product/half_tiles.h"

namespace lapidary {
namespace {

using blocked::Form;

constexpr std::int64_t half_block = 16;  // channels
/// With fewer, rounding the pixels takes what the tiles gain; with fewer pixels, ordering the
/// filters does.
constexpr std::int64_t least_filters = 64, least_channels = 32, least_pixels = 32;

/// A block of filters: [channels, 16].
class FilterBlocks {
public:
    explicit FilterBlocks(const Tensor& weight)
        : weight_(weight), block_(static_cast<std::size_t>(weight.dim(1) * half_block)) {}

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

/// False: a value of the weight is beyond float16, or is not finite.
bool fits_float16(const Tensor& weight) {
    constexpr float largest = 65504;
    FilterBlocks blocks(weight);
    for (std::int64_t i = 0; i < weight.dim(0) / half_block; ++i)
        for (const float v : blocks.read(i))
            if (!(std::fabs(v) <= largest)) return false;
    return true;
}

/// Panels of float16, as products read them.
std::shared_ptr<const PackedWeight> pack_filters(const KernelRequest& request, const Tensor& w) {
    const std::int64_t filters = w.dim(0), channels = w.dim(1);
    return request.weights.add(
        w, std::string("float16 filters ") + packed_matrix::format(),
        static_cast<std::size_t>(filters * channels) * sizeof(std::uint16_t),
        packed_matrix::panels(filters),
        [w, filters, channels](std::byte* to, std::int64_t begin, std::int64_t end) {
            FilterBlocks blocks(w);
            std::vector<std::uint16_t> rows;
            for (std::int64_t panel = begin; panel < end; ++panel) {
                const std::int64_t first = packed_matrix::panel_begin(filters, panel),
                                   count = packed_matrix::panel_begin(filters, panel + 1) - first;
                rows.resize(static_cast<std::size_t>(channels * count));
                for (std::int64_t n = 0; n < count; n += half_block) {
                    const std::vector<float>& block = blocks.read((first + n) / half_block);
                    for (std::int64_t k = 0; k < channels; ++k)
                        for (std::int64_t j = 0; j < half_block; ++j)
                            rows[static_cast<std::size_t>(k * count + n + j)] =
                                Half(block[static_cast<std::size_t>(k * half_block + j)]).bits;
                }
                packed_matrix::pack_half_panel(
                    rows.data(), count, false, HalfFormat::binary16, channels, count,
                    reinterpret_cast<std::uint16_t*>(to) + first * channels);
            }
        });
}

class HalfPointwiseConvolution final : public Kernel {
public:
    HalfPointwiseConvolution(const KernelRequest& request, const Tensor& weight,
                             std::unique_ptr<blocked::Attributes> attributes)
        : attributes_(std::move(attributes)), sharing_(blocked::sharing_of(request.node)),
          shape_(weight.shape()), weight_(pack_filters(request, weight)) {
        request.unread_inputs.push_back(1);
    }

    StorageSharing sharing() const override { return sharing_; }

    void run(KernelContext& context) const override {
        const blocked::Operands o =
            blocked::read_operands(context, *attributes_, Form::blocks, &shape_);
        if (o.y->size() == 0) return;
        Product p;
        p.rows = o.axes[0].output * o.axes[1].output;
        p.inner = shape_[1];
        p.columns = shape_[0];
        p.a_stride = p.c_stride = p.residual_stride = half_block;
        p.packed_half_b = weight_->as<const std::uint16_t>();
        p.half_format = HalfFormat::binary16;
        p.rounds_a = true;
        p.bias = o.bias ? o.bias->data<float>().data() : nullptr;
        p.activation = attributes_->activation;
        const std::size_t bytes = halves_workspace(p, context.threads().threads());
        Tensor workspace = context.scratch(DType::u8, {static_cast<std::int64_t>(bytes)});
        auto* const memory = static_cast<std::byte*>(workspace.mutable_raw());
        const float* const x = o.x->data<float>().data();
        const float* const sum = o.sum ? o.sum->data<float>().data() : nullptr;
        float* const y = o.y->mutable_data<float>().data();
        const ColumnBlocks blocks{p.rows * half_block, p.rows * half_block};
        for (std::int64_t image = 0; image < o.x->dim(0); ++image) {
            const std::int64_t result = image * p.rows * p.columns;
            p.a = x + image * p.rows * p.inner;
            p.c = y + result;
            p.residual = sum ? sum + result : nullptr;
            multiply_halves(p, &context.threads(), &context.cancel(), memory, blocks);
        }
    }

private:
    std::unique_ptr<blocked::Attributes> attributes_;
    StorageSharing sharing_;
    Shape shape_;  // of the weight
    std::shared_ptr<const PackedWeight> weight_;
};

/// Pixels of an image; -1: they are not known before the run.
std::int64_t known_pixels(const KernelRequest& request) {
    const Type& x = request.input_type(0);
    if (!x.shape || x.shape->size() != 4 || !(*x.shape)[2].is_known() || !(*x.shape)[3].is_known())
        return -1;
    return (*x.shape)[2].value() * (*x.shape)[3].value();
}

std::string pointwise_problem(const KernelRequest& request, const blocked::Attributes& attributes,
                              const Tensor& w) {
    const WindowAttributes& window = attributes.window;
    const auto is_zero = [](std::int64_t pad) { return pad == 0; };
    if (attributes.block != half_block) return "blocks of 8 channels";
    if (w.dim(2) != 1 || w.dim(3) != 1 || attributes.group != 1 ||
        std::ranges::any_of(window.strides, [](std::int64_t s) { return s != 1; }) ||
        !std::ranges::all_of(window.pads_begin, is_zero) ||
        !std::ranges::all_of(window.pads_end, is_zero))
        return "more than one tap, a stride, padding or groups";
    if (w.dim(0) < least_filters || w.dim(1) < least_channels)
        return "too few channels to gain from float16";
    if (known_pixels(request) < least_pixels)
        return "the image has too few pixels to gain from float16, or its size is not known";
    return fits_float16(w) ? std::string() : "a weight that float16 does not hold";
}

}  // namespace

std::unique_ptr<Kernel> make_half_pointwise_convolution(const KernelRequest& request,
                                                        std::string& reason) {
    if (request.options.rounds_inputs_to != DType::f16)
        reason = "the session does not round to float16";
    else if (!half_tile_kernels()) reason = "this CPU has no arithmetic of float16";
    if (!reason.empty()) return nullptr;
    auto attributes = blocked::read_attributes(request, reason);
    Form form{};
    if (!attributes || !blocked::known_form(request, *attributes, form, reason)) return nullptr;
    const Tensor* const w = request.constant(1);
    if (!w || form != Form::blocks) reason = "the filters are not constant, or no whole blocks";
    else reason = pointwise_problem(request, *attributes, *w);
    if (!reason.empty()) return nullptr;
    return std::make_unique<HalfPointwiseConvolution>(request, *w, std::move(attributes));
}

}  // namespace lapidary
