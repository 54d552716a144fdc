// SPDX-License-Identifier: Apache-2.0
// MatMulInteger, QLinearMatMul and com.microsoft's MatMulIntegerToFloat, DynamicQuantizeMatMul and
// QGemm on packed 8-bit panels. A constant right operand is packed with the session, a computed one
// in every run.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/integer/byte_product.h"
#include "kernels/integer/quantization_input.h"
#include "kernels/integer/quantized_product_finish.h"
#include "kernels/integer/workspace.h"
#include "ops/geometry/broadcast.h"

namespace lapidary {
namespace {

using Roles = QuantizedProductRoles;

class QuantizedMatMul final : public Kernel {
public:
    /// `reference_kernel` serves runs whose parameters have sizes that only it takes; null where
    /// that cannot be.
    QuantizedMatMul(const KernelRequest& request, const Roles& roles, Activation activation,
                    KernelFunction reference_kernel)
        : roles_(roles), finish_{roles, activation, request.node.float_attribute("alpha", 1.0f)},
          reference_(reference_kernel),
          transposes_b_(request.node.int_attribute("transB", 0) != 0) {
        const Tensor* b = request.constant(static_cast<std::size_t>(roles.b));
        if (!b || b->rank() != 2) return;
        const std::int64_t inner = b->dim(transposes_b_ ? 1 : 0),
                           columns = b->dim(transposes_b_ ? 0 : 1);
        layout_ = ByteLayout::of(1, inner, columns);
        weight_ = request.weights.add(*b, layout_.format() + (transposes_b_ ? " transposed" : ""),
                                      layout_.bytes(), layout_.panels(),
                                      [layout = layout_, source = *b, turned = transposes_b_](
                                          std::byte* to, std::int64_t begin, std::int64_t end) {
                                          layout.pack(source.raw(), source.dtype(),
                                                      turned ? ByteStrides{0, 1, source.dim(1)}
                                                             : ByteStrides{0, source.dim(1), 1},
                                                      begin, end, to);
                                      });
        b_dtype_ = b->dtype();
        if (!reference_kernel) request.unread_inputs.push_back(static_cast<std::size_t>(roles.b));
    }

    StorageSharing sharing() const override {
        if (roles_.residual == QuantizedProductRoles::none) return {};
        return {StorageSharing::overwrite, 1u << roles_.residual};
    }

    void run(KernelContext& context) const override {
        const Tensor& a = context.input(static_cast<std::size_t>(roles_.a));
        if (a.rank() < 1 || (roles_.quantizes_a ? a.dtype() != DType::f32 : !is_byte(a.dtype())))
            context.fail("A: expected " + std::string(roles_.quantizes_a ? "f32" : "u8 or i8") +
                         ", found " + std::string(name_of(a.dtype())) + to_string(a.shape()));
        if (reference_ && !has_usual_sizes(context))
            return context.run_on_reference(
                reference_,
                "a scale, zero point or bias holds neither one value nor one "
                "for each column");
        if (weight_) return run_matrix(context, a, layout_, weight_->data(), nullptr);
        const Tensor& b = context.input(static_cast<std::size_t>(roles_.b));
        if (b.rank() < 2 || !is_byte(b.dtype()))
            context.fail("B: expected a matrix of u8 or i8, found " +
                         std::string(name_of(b.dtype())) + to_string(b.shape()));
        const auto last = static_cast<std::size_t>(b.rank() - 1);
        const std::int64_t inner = b.dim(transposes_b_ ? last : last - 1),
                           columns = b.dim(transposes_b_ ? last - 1 : last);
        const ByteLayout layout = ByteLayout::of(1, inner, columns);
        if (b.rank() > 2) return run_batches(context, a, b, layout);
        Tensor packed = context.scratch(DType::u8, {static_cast<std::int64_t>(layout.bytes())});
        auto* to = static_cast<std::byte*>(packed.mutable_raw());
        context.threads().parallel_for(layout.panels(), 4,
                                       [&](std::int64_t begin, std::int64_t end) {
                                           pack(layout, b, b.raw(), begin, end, to);
                                       });
        run_matrix(context, a, layout, to, &b);
    }

private:
    /// True where A has one scale and zero point, and all other parameters have one value or one
    /// per column. B has at least two axes, see why_not().
    bool has_usual_sizes(KernelContext& context) const {
        const Tensor& b = context.input(static_cast<std::size_t>(roles_.b));
        const std::int64_t columns =
            b.dim(static_cast<std::size_t>(b.rank() - (transposes_b_ ? 2 : 1)));
        for (const int role : {roles_.a_scale, roles_.a_zero, roles_.y_scale, roles_.y_zero})
            if (const Tensor* t = finish_.optional(context, role); t && t->size() != 1)
                return false;
        for (const int role : {roles_.b_scale, roles_.b_zero, roles_.bias, roles_.sum_bias})
            if (const Tensor* t = finish_.optional(context, role);
                t && t->size() != 1 && (t->size() != columns || t->shape().back() != columns))
                return false;
        return true;
    }

    void pack(const ByteLayout& layout, const Tensor& b, const void* from, std::int64_t begin,
              std::int64_t end, std::byte* to) const {
        layout.pack(
            from, b.dtype(),
            transposes_b_ ? ByteStrides{0, 1, layout.inner} : ByteStrides{0, layout.columns, 1},
            begin, end, to);
    }

    /// The tensor that is added to the product; null: none.
    const Tensor* residual_of(KernelContext& context, const Shape& shape) const {
        const Tensor* residual = finish_.optional(context, roles_.residual);
        if (residual && residual->shape() != shape)
            context.fail("the residual " + to_string(residual->shape()) +
                         " is not as the product " + to_string(shape));
        return residual;
    }

    /// out_type() before there is a finish.
    DType result_type(KernelContext& context, DType a_dtype) const {
        if (roles_.b_scale == QuantizedProductRoles::none) return DType::i32;
        if (roles_.y_scale == QuantizedProductRoles::none) return DType::f32;
        const Tensor* y_zero = finish_.optional(context, roles_.y_zero);
        return y_zero ? y_zero->dtype() : a_dtype;
    }

    static DType out_type(const ByteFinish& f) {
        return f.to == ByteFinish::To::sums   ? DType::i32
               : f.to == ByteFinish::To::real ? DType::f32
               : f.is_signed                  ? DType::i8
                                              : DType::u8;
    }

    ByteScale quantization_of_a(KernelContext& context, const Tensor& a) const {
        if (roles_.quantizes_a)
            return dynamic_byte_scale(a.data<float>().data(), a.size(), context.threads());
        ByteScale q;
        if (roles_.a_scale != QuantizedProductRoles::none)
            q.scale = scale_of(context, static_cast<std::size_t>(roles_.a_scale));
        if (roles_.a_zero != QuantizedProductRoles::none)
            q.zero_point = zero_point_of(context, static_cast<std::size_t>(roles_.a_zero));
        return q;
    }

    /// Rows of A as the product reads them, in `to` or where they are.
    const void* prepared(KernelContext& context, const ByteLayout& layout, const Tensor& a,
                         std::int64_t rows, ByteScale q, std::uint8_t* bytes, void* to) const {
        const std::int64_t inner = layout.inner, padded = layout.padded_inner(),
                           element = layout.kernels->element_bytes;
        const bool is_signed = a.dtype() == DType::i8;
        if (!needs_preparation(layout, a.dtype())) return a.raw();
        const ByteElementKernels& elements = byte_element_kernels();
        const std::int64_t grain =
            std::max<std::int64_t>(1, (1 << 15) / std::max<std::int64_t>(1, inner));
        const auto body = [&](std::int64_t begin, std::int64_t end) {
            auto* out = static_cast<std::byte*>(to) + begin * padded * element;
            if (!roles_.quantizes_a) {
                layout.kernels->prepare(static_cast<const std::byte*>(a.raw()) + begin * inner,
                                        end - begin, inner, inner, is_signed, out, padded);
                return;
            }
            const float* from = a.data<float>().data() + begin * inner;
            if (element == 1 && padded == inner) {
                elements.quantize(from, (end - begin) * inner, q, false, out);
                return;
            }
            elements.quantize(from, (end - begin) * inner, q, false, bytes + begin * inner);
            layout.kernels->prepare(bytes + begin * inner, end - begin, inner, inner, false, out,
                                    padded);
        };
        if (rows <= grain) body(0, rows);
        else context.threads().parallel_for(rows, grain, body);
        return to;
    }

    bool needs_preparation(const ByteLayout& layout, DType a_dtype) const {
        return roles_.quantizes_a || layout.kernels->element_bytes != 1 || a_dtype == DType::i8 ||
               layout.padded_inner() != layout.inner;
    }

    void run_matrix(KernelContext& context, const Tensor& a, const ByteLayout& layout,
                    const std::byte* packed, const Tensor* b) const {
        const std::int64_t inner = layout.inner;
        if (a.shape().back() != inner)
            context.fail("A " + to_string(a.shape()) + " and B [" + std::to_string(inner) + "," +
                         std::to_string(layout.columns) + "] do not multiply");
        const std::int64_t rows =
            inner == 0 ? element_count(std::span(a.shape()).first(a.shape().size() - 1))
                       : a.size() / inner;
        Shape shape = a.shape();
        shape.back() = layout.columns;

        ByteProduct product;
        product.rows = rows;
        product.layout = layout;
        product.packed_b = packed;
        product.a_stride = layout.padded_inner();
        const auto columns = static_cast<std::size_t>(layout.padded_columns() + 64) * 4;
        const auto elements = static_cast<std::size_t>(rows * layout.padded_inner());
        const bool prepares = needs_preparation(layout, a.dtype());
        // the workspace for row terms
        product.finish.column_zero = reinterpret_cast<const std::int32_t*>(packed);
        const bool quantizes_apart = roles_.quantizes_a && (layout.kernels->element_bytes != 1 ||
                                                            layout.padded_inner() != inner);
        enum class Part : std::uint8_t {
            offsets,
            zeros,
            scales,
            bias,
            prepared,
            quantized,
            product
        };
        Workspace<Part> work(
            context,
            {{Part::offsets, columns},
             {Part::zeros, columns},
             {Part::scales, columns},
             {Part::bias, columns},
             {Part::prepared,
              prepares ? elements * static_cast<std::size_t>(layout.kernels->element_bytes) : 0},
             {Part::quantized, quantizes_apart ? static_cast<std::size_t>(a.size()) : 0},
             {Part::product, byte_product_workspace(product, context.threads().threads())}});
        const ByteScale q = quantization_of_a(context, a);
        product.finish = finish_.of(
            context, layout, packed, a.dtype(), b ? b->dtype() : b_dtype_, q,
            {work.part<std::int32_t>(Part::offsets), work.part<std::int32_t>(Part::zeros),
             work.part<float>(Part::scales), work.part<float>(Part::bias)});
        Tensor& y = context.output(0, out_type(product.finish), shape);
        if (y.size() == 0) return;
        product.finish.out = y.mutable_raw();
        product.finish.out_stride = layout.columns;
        if (const Tensor* residual = residual_of(context, shape)) {
            product.finish.residual = residual->data<float>().data();
            product.finish.residual_stride = layout.columns;
        }
        product.a = prepared(context, layout, a, rows, q, work.part<std::uint8_t>(Part::quantized),
                             work.part<std::byte>(Part::prepared));
        multiply(product, context.threads(), context.cancel(), work.part<std::byte>(Part::product));
    }

    /// Which matrix of a stack `own` is broadcast to matrix `batch` of the stack `whole`.
    static std::int64_t matrix_of(std::int64_t batch, const Shape& whole, const Shape& own) {
        std::int64_t index = 0, step = 1, rest = batch;
        for (std::size_t i = whole.size(); i-- > 0;) {
            const std::int64_t at = rest % whole[i];
            rest /= whole[i];
            if (i + own.size() >= whole.size()) {
                const std::int64_t length = own[i + own.size() - whole.size()];
                index += (length == 1 ? 0 : at) * step;
                step *= length;
            }
        }
        return index;
    }

    /// A stack of matrices times a stack, broadcasting; each product on one worker. A vector is one
    /// row that the result lacks.
    void run_batches(KernelContext& context, const Tensor& a, const Tensor& b,
                     const ByteLayout& layout) const {
        if (a.rank() < 1 || a.shape().back() != layout.inner)
            context.fail("A " + to_string(a.shape()) + " and B " + to_string(b.shape()) +
                         " do not multiply");
        const bool is_vector = a.rank() == 1;
        const Shape a_batch(a.shape().begin(), a.shape().end() - (is_vector ? 1 : 2)),
            b_batch(b.shape().begin(), b.shape().end() - 2);
        Shape shape = broadcast_shapes(a_batch, b_batch);
        const std::int64_t batches = element_count(shape),
                           rows = is_vector ? 1 : a.dim(a.shape().size() - 2), inner = layout.inner;
        const Shape batch_shape = shape;
        if (!is_vector) shape.push_back(rows);
        shape.push_back(layout.columns);

        ByteProduct product;
        product.rows = rows;
        product.layout = layout;
        product.a_stride = layout.padded_inner();
        product.finish.column_zero = reinterpret_cast<const std::int32_t*>(b.raw());
        const int workers = context.threads().threads();
        const auto columns = static_cast<std::size_t>(layout.padded_columns() + 64) * 4,
                   packed_bytes = (layout.bytes() + 63) / 64 * 64,
                   own = (byte_product_workspace(product, 1) + 63) / 64 * 64,
                   of_worker = 4 * columns + packed_bytes + own;
        const std::int64_t a_rows = element_count(a_batch) * rows;
        enum class Part : std::uint8_t { prepared, quantized, of_workers };
        const std::int64_t prepared_bytes =
            needs_preparation(layout, a.dtype())
                ? a_rows * layout.padded_inner() * layout.kernels->element_bytes
                : 0;
        Workspace<Part> work(
            context,
            {{Part::prepared, static_cast<std::size_t>(prepared_bytes)},
             {Part::quantized, roles_.quantizes_a ? static_cast<std::size_t>(a.size()) : 0},
             {Part::of_workers, of_worker * static_cast<std::size_t>(workers)}});
        const ByteScale q = quantization_of_a(context, a);
        const DType dtype = result_type(context, a.dtype());
        Tensor& y = context.output(0, dtype, shape);
        if (y.size() == 0) return;
        const void* rows_of_a =
            prepared(context, layout, a, a_rows, q, work.part<std::uint8_t>(Part::quantized),
                     work.part<std::byte>(Part::prepared));
        const std::int64_t element = dtype == DType::i32 || dtype == DType::f32 ? 4 : 1;
        const Tensor* residual = residual_of(context, shape);
        context.threads().parallel_tasks(batches, [&](std::int64_t batch, int worker) {
            context.cancel().throw_if_cancelled();
            std::byte* memory = work.part<std::byte>(Part::of_workers) +
                                of_worker * static_cast<std::size_t>(worker);
            const ProductColumns arrays{reinterpret_cast<std::int32_t*>(memory),
                                        reinterpret_cast<std::int32_t*>(memory + columns),
                                        reinterpret_cast<float*>(memory + 2 * columns),
                                        reinterpret_cast<float*>(memory + 3 * columns)};
            std::byte* packed = memory + 4 * columns;
            pack(layout, b,
                 static_cast<const std::byte*>(b.raw()) +
                     matrix_of(batch, batch_shape, b_batch) * inner * layout.columns,
                 0, layout.panels(), packed);
            ByteProduct p = product;
            p.packed_b = packed;
            p.finish = finish_.of(context, layout, packed, a.dtype(), b.dtype(), q, arrays);
            p.finish.out =
                static_cast<std::byte*>(y.mutable_raw()) + batch * rows * layout.columns * element;
            p.finish.out_stride = layout.columns;
            if (residual) {
                p.finish.residual = residual->data<float>().data() + batch * rows * layout.columns;
                p.finish.residual_stride = layout.columns;
            }
            p.a = static_cast<const std::byte*>(rows_of_a) +
                  matrix_of(batch, batch_shape, a_batch) * rows * layout.padded_inner() *
                      layout.kernels->element_bytes;
            multiply(p, context.cancel(), packed + packed_bytes);
        });
    }

    Roles roles_;
    QuantizedProductFinish finish_;
    KernelFunction reference_;
    bool transposes_b_;
    ByteLayout layout_;
    std::shared_ptr<const PackedWeight> weight_;
    DType b_dtype_ = DType::undefined;
};

std::unique_ptr<Kernel> make(const KernelRequest& request, const Roles& roles,
                             KernelFunction reference_kernel, std::string& reason) {
    bool is_certain = true;
    reason = why_not_packed(request, roles, is_certain);
    if (reason.empty() && !is_certain && !reference_kernel)
        reason = "sizes of scales are not known";
    if (!reason.empty()) return nullptr;
    Activation activation;
    if (const std::string name = request.node.string_attribute("activation", ""); !name.empty()) {
        const float parameters[] = {request.node.float_attribute("activation_alpha", 0),
                                    request.node.float_attribute("activation_beta", 0)};
        const auto found = activation_of(name, parameters);
        if (!found) {
            reason = "the activation " + name + " is not known";
            return nullptr;
        }
        activation = *found;
    }
    return std::make_unique<QuantizedMatMul>(request, roles, activation,
                                             is_certain ? nullptr : reference_kernel);
}

constexpr Roles dynamic{.a = 0, .b = 1, .b_scale = 2, .b_zero = 3, .bias = 4, .quantizes_a = true};
constexpr Roles to_float{
    .a = 0, .a_scale = 2, .a_zero = 4, .b = 1, .b_scale = 3, .b_zero = 5, .bias = 6};

}  // namespace

namespace reference {
void dynamic_quantize_matmul(KernelContext&);
void matmul_integer(KernelContext&);
void matmul_integer_to_float(KernelContext&);
void qgemm(KernelContext&);
void qlinear_matmul(KernelContext&);
}  // namespace reference

std::unique_ptr<Kernel> make_matmul_integer(const KernelRequest& request, std::string& reason) {
    return make(request, {.a = 0, .a_zero = 2, .b = 1, .b_zero = 3}, &reference::matmul_integer,
                reason);
}

std::unique_ptr<Kernel> make_matmul_integer_to_float(const KernelRequest& request,
                                                     std::string& reason) {
    return make(request, to_float, &reference::matmul_integer_to_float, reason);
}

std::unique_ptr<Kernel> make_dynamic_quantize_matmul(const KernelRequest& request,
                                                     std::string& reason) {
    return make(request, dynamic, &reference::dynamic_quantize_matmul, reason);
}

std::unique_ptr<Kernel> make_activated_matmul_integer(const KernelRequest& request,
                                                      std::string& reason) {
    return make(request, to_float, nullptr, reason);
}

std::unique_ptr<Kernel> make_activated_dynamic_quantize_matmul(const KernelRequest& request,
                                                               std::string& reason) {
    constexpr int residual = 5;
    Roles roles = dynamic;
    if (request.has_input(residual)) roles.residual = residual;
    return make(request, roles, nullptr, reason);
}

std::unique_ptr<Kernel> make_qlinear_matmul(const KernelRequest& request, std::string& reason) {
    return make(request,
                {.a = 0,
                 .a_scale = 1,
                 .a_zero = 2,
                 .b = 3,
                 .b_scale = 4,
                 .b_zero = 5,
                 .y_scale = 6,
                 .y_zero = 7},
                &reference::qlinear_matmul, reason);
}

std::unique_ptr<Kernel> make_qgemm(const KernelRequest& request, std::string& reason) {
    return make(request,
                {.a = 0,
                 .a_scale = 1,
                 .a_zero = 2,
                 .b = 3,
                 .b_scale = 4,
                 .b_zero = 5,
                 .sum_bias = 6,
                 .y_scale = 7,
                 .y_zero = 8,
                 .divides_last = true},
                &reference::qgemm, reason);
}

/// QAttention's projection: the product of X with the weights of Q, K and V, plus bias, as output
/// 0.
std::unique_ptr<Kernel> make_qattention_projection(const KernelRequest& request,
                                                   std::string& reason) {
    return make(request,
                {.a = 0, .a_scale = 3, .a_zero = 6, .b = 1, .b_scale = 4, .b_zero = 7, .bias = 2},
                nullptr, reason);
}

}  // namespace lapidary
