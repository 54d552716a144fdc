// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear and DequantizeLinear (ai.onnx 10 to 24 and com.microsoft), DynamicQuantizeLinear.
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/quantization/quantization.h"

namespace lapidary::reference {
namespace {

DType dtype_attribute(const KernelContext& context, const char* name, DType fallback) {
    const std::int64_t number = context.node().int_attribute(name, 0);
    if (number == 0) return fallback;
    if (!is_known_dtype(number))
        fail_unsupported(std::string("attribute ") + name + ": element type number " +
                         std::to_string(number) + " is not supported");
    return static_cast<DType>(number);
}

Granularity granularity_of(const KernelContext& context) {
    const Node& node = context.node();
    return Granularity(context.input(0).shape(), context.input(1).shape(),
                       node.int_attribute("axis", 1), node.int_attribute("block_size", 0));
}

}  // namespace

void quantize_linear(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& scale = context.input(1);
    const Tensor* zero_point = context.optional_input(2);
    const DType dtype =
        dtype_attribute(context, "output_dtype", zero_point ? zero_point->dtype() : DType::u8);
    if (zero_point && zero_point->dtype() != dtype)
        context.fail("attribute output_dtype names " + std::string(name_of(dtype)) +
                     ", but the zero point is " + std::string(name_of(zero_point->dtype())));
    const Granularity granularity = granularity_of(context);
    Tensor& y = context.output(0, dtype, x.shape());
    quantize(context, x, scale, zero_point, granularity,
             dtype_attribute(context, "precision", scale.dtype()),
             context.node().int_attribute("saturate", 1) != 0, y);
}

void dequantize_linear(KernelContext& context) {
    const Tensor& x = context.input(0);
    const Tensor& scale = context.input(1);
    const Tensor* zero_point = context.optional_input(2);
    if (zero_point && zero_point->dtype() != x.dtype())
        context.fail("x is " + std::string(name_of(x.dtype())) + ", but its zero point is " +
                     std::string(name_of(zero_point->dtype())));
    const Granularity granularity = granularity_of(context);
    Tensor& y =
        context.output(0, dtype_attribute(context, "output_dtype", scale.dtype()), x.shape());
    dequantize(context, x, scale, zero_point, granularity, y);
}

void dynamic_quantize_linear(KernelContext& context) {
    const Tensor x = converted(context, context.input(0), DType::f32);
    const DynamicRange range = dynamic_range(x.data<float>().data(), x.size());
    Tensor& scale = context.output(1, DType::f32, {});
    Tensor& zero_point = context.output(2, DType::u8, {});
    scale.mutable_data<float>()[0] = range.scale;
    zero_point.mutable_data<std::uint8_t>()[0] = range.zero_point;
    Tensor& y = context.output(0, DType::u8, x.shape());
    const Tensor zero = Tensor::scalar(range.zero_point);
    quantize(context, x, Tensor::scalar(range.scale), &zero, Granularity(x.shape(), {}, 0, 0),
             DType::f32, true, y);
}

}  // namespace lapidary::reference
