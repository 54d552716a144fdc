// SPDX-License-Identifier: Apache-2.0
#include "kernels/convolution/blocked_pixels.h"

#include <algorithm>

#include "kernels/product/split_product.h"

namespace lapidary::blocked {
namespace {

constexpr std::int64_t pixel_block = 16;  // channels

/// What is the same for all images.
Product pixel_product(const Attributes& attributes, const Operands& o, const Shape& weight) {
    Product p;
    p.rows = o.axes[0].output * o.axes[1].output;
    p.inner = weight[1];
    p.columns = weight[0];
    p.a_stride = p.b_stride = p.c_stride = p.residual_stride = pixel_block;
    p.bias = o.bias ? o.bias->data<float>().data() : nullptr;
    p.activation = attributes.activation;
    return p;
}

}  // namespace

bool is_pixel_product(const Attributes& attributes, const Operands& o, const Shape& weight) {
    return attributes.block == pixel_block && attributes.group == 1 &&
           std::ranges::all_of(o.axes,
                               [](const WindowAxis& a) {
                                   return a.kernel == 1 && a.stride == 1 && a.pad_begin == 0 &&
                                          a.output == a.input;
                               }) &&
           weight[1] % pixel_block == 0 && prefers_splitting(pixel_product(attributes, o, weight));
}

void multiply_pixels(KernelContext& context, const Attributes& attributes, const Operands& o,
                     const Shape& weight, const float* w) {
    Product p = pixel_product(attributes, o, weight);
    p.b = w;
    const std::size_t bytes = split_workspace(p, context.threads().threads());
    Tensor workspace = context.scratch(DType::u8, {static_cast<std::int64_t>(bytes)});
    auto* const memory = static_cast<std::byte*>(workspace.mutable_raw());
    const float* const x = o.x->data<float>().data();
    const float* const sum = o.sum ? o.sum->data<float>().data() : nullptr;
    float* const y = o.y->mutable_data<float>().data();
    const SplitBlocks blocks{p.rows * pixel_block, p.inner * pixel_block, p.rows * pixel_block};
    for (std::int64_t image = 0; image < o.x->dim(0); ++image) {
        const std::int64_t result = image * p.rows * p.columns;
        p.a = x + image * p.rows * p.inner;
        p.c = y + result;
        p.residual = sum ? sum + result : nullptr;
        multiply_split(p, &context.threads(), &context.cancel(), memory, *split_tile_kernels(),
                       blocks);
    }
}

}  // namespace lapidary::blocked
