// SPDX-License-Identifier: Apache-2.0
// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear between f32 and 8 bits, per tensor or
// along an axis.
#include <algorithm>

#include "kernels/integer/quantization_input.h"
#include "kernels/reference/quantization/quantization.h"

namespace lapidary {
namespace {

void for_elements(KernelContext& context, std::int64_t count, const RangeBody& body) {
    if (count <= converted_grain) body(0, count);
    else context.threads().parallel_for(count, converted_grain, body);
}

/// "" when scales go with the whole tensor or with lines along an axis that is not the last one.
std::string why_not_granularity(const KernelRequest& request) {
    if (std::string reason = why_not_type(request, 1, DType::f32, "the scale"); !reason.empty())
        return reason;
    const std::int64_t scales = known_size(request, 1);
    if (scales == 1) return {};
    if (scales < 0) return "it is not known how many scales there are";
    if (request.node.int_attribute("block_size", 0) != 0) return "scales go with blocks of an axis";
    const Type &x = request.input_type(0), &scale = request.input_type(1);
    if (!x.has_shape()) return "the rank of x is not known";
    const std::size_t scale_rank =
        request.constant(1) ? request.constant(1)->shape().size() : scale.shape->size();
    if (scale_rank != 1) return "scales go with blocks of an axis";
    const auto rank = static_cast<std::int64_t>(x.shape->size());
    const std::int64_t axis = request.node.int_attribute("axis", 1);
    if ((axis < 0 ? axis + rank : axis) >= rank - 1)
        return "each element of a line has its own scale";
    return {};
}

ByteScale scale_at(const Tensor& scale, const Tensor* zero_point, std::int64_t index) {
    return {scale.data<float>()[static_cast<std::size_t>(index)],
            zero_point ? byte_at(*zero_point, index) : 0};
}

/// Calls body(first element, elements, scale) for stretches of x that share a scale, in parallel.
template <typename Body>
void for_stretches(KernelContext& context, const Tensor& x, std::int64_t axis, const Body& body) {
    const Tensor& scale = context.input(1);
    const Tensor* zero_point = context.optional_input(2);
    if (zero_point && zero_point->size() != scale.size())
        context.fail("the zero point " + to_string(zero_point->shape()) + " and the scale " +
                     to_string(scale.shape()) + " differ in shape");
    const reference::Granularity g(x.shape(), scale.shape(), axis, 0);
    if (g.rows == 1) {
        const ByteScale q = scale_at(scale, zero_point, 0);
        for_elements(context, g.inner,
                     [&](std::int64_t begin, std::int64_t end) { body(begin, end - begin, q); });
        return;
    }
    const auto rows = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const std::int64_t first = g.first_scale(row);
            if (g.step == 0) body(row * g.inner, g.inner, scale_at(scale, zero_point, first));
            else
                for (std::int64_t i = 0; i < g.inner; ++i)
                    body(row * g.inner + i, 1, scale_at(scale, zero_point, first + i));
        }
    };
    if (x.size() <= converted_grain) rows(0, g.rows);
    else
        context.threads().parallel_for(
            g.rows, std::max<std::int64_t>(1, converted_grain / std::max<std::int64_t>(1, g.inner)),
            rows);
}

class QuantizeLinear final : public Kernel {
public:
    QuantizeLinear(const Node& node, DType dtype)
        : axis_(node.int_attribute("axis", 1)), dtype_(dtype) {}
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const float* from = x.data<float>().data();
        Tensor& y = context.output(0, dtype_, x.shape());
        auto* to = static_cast<std::byte*>(y.mutable_raw());
        const ByteElementKernels& kernels = byte_element_kernels();
        for_stretches(context, x, axis_, [&](std::int64_t first, std::int64_t count, ByteScale q) {
            kernels.quantize(from + first, count, q, dtype_ == DType::i8, to + first);
        });
    }

private:
    std::int64_t axis_;
    DType dtype_;
};

class DequantizeLinear final : public Kernel {
public:
    explicit DequantizeLinear(const Node& node) : axis_(node.int_attribute("axis", 1)) {}
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (!is_byte(x.dtype()))
            context.fail("x: expected u8 or i8, found " + std::string(name_of(x.dtype())));
        if (const Tensor* zero = context.optional_input(2); zero && zero->dtype() != x.dtype())
            context.fail("x is " + std::string(name_of(x.dtype())) + ", but its zero point is " +
                         std::string(name_of(zero->dtype())));
        const auto* from = static_cast<const std::byte*>(x.raw());
        Tensor& y = context.output(0, DType::f32, x.shape());
        float* to = y.mutable_data<float>().data();
        const ByteElementKernels& kernels = byte_element_kernels();
        for_stretches(context, x, axis_, [&](std::int64_t first, std::int64_t count, ByteScale q) {
            kernels.dequantize(from + first, count, q, x.dtype() == DType::i8, to + first);
        });
    }

private:
    std::int64_t axis_;
};

class DynamicQuantizeLinear final : public Kernel {
public:
    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const float* from = x.data<float>().data();
        const ByteScale q = dynamic_byte_scale(from, x.size(), context.threads());
        context.output(1, DType::f32, {}).mutable_data<float>()[0] = q.scale;
        context.output(2, DType::u8, {}).mutable_data<std::uint8_t>()[0] =
            static_cast<std::uint8_t>(q.zero_point);
        auto* to = context.output(0, DType::u8, x.shape()).mutable_data<std::uint8_t>().data();
        const ByteElementKernels& kernels = byte_element_kernels();
        for_elements(context, x.size(), [&](std::int64_t begin, std::int64_t end) {
            kernels.quantize(from + begin, end - begin, q, false, to + begin);
        });
    }
};

}  // namespace

std::unique_ptr<Kernel> make_quantize_linear(const KernelRequest& request, std::string& reason) {
    reason = why_not_type(request, 0, DType::f32, "x");
    if (reason.empty()) reason = why_not_granularity(request);
    const std::int64_t number = request.node.int_attribute("output_dtype", 0),
                       precision = request.node.int_attribute("precision", 0);
    const DType zero = request.input_type(2).dtype;
    const DType dtype = number != 0            ? static_cast<DType>(number)
                        : request.has_input(2) ? zero
                                               : DType::u8;
    if (reason.empty() && !is_byte(dtype))
        reason = "the result is " + std::string(name_of(dtype)) + ", this kernel gives u8 and i8";
    if (reason.empty() && request.has_input(2) && zero != dtype)
        reason = "output_dtype and the zero point differ";
    if (reason.empty() && precision != 0 && static_cast<DType>(precision) != DType::f32)
        reason =
            "the quotient is rounded to " + std::string(name_of(static_cast<DType>(precision)));
    return reason.empty() ? std::make_unique<QuantizeLinear>(request.node, dtype) : nullptr;
}

std::unique_ptr<Kernel> make_dequantize_linear(const KernelRequest& request, std::string& reason) {
    const DType x = request.input_type(0).dtype;
    if (!is_byte(x))
        reason = x == DType::undefined
                     ? "the element type of x is not known"
                     : "x is " + std::string(name_of(x)) + ", this kernel takes u8 and i8";
    else reason = why_not_granularity(request);
    const std::int64_t number = request.node.int_attribute("output_dtype", 0);
    if (reason.empty() && number != 0 && static_cast<DType>(number) != DType::f32)
        reason = "the result is " + std::string(name_of(static_cast<DType>(number)));
    return reason.empty() ? std::make_unique<DequantizeLinear>(request.node) : nullptr;
}

std::unique_ptr<Kernel> make_dynamic_quantize_linear(const KernelRequest& request,
                                                     std::string& reason) {
    reason = why_not_type(request, 0, DType::f32, "x");
    return reason.empty() ? std::make_unique<DynamicQuantizeLinear>() : nullptr;
}

}  // namespace lapidary
