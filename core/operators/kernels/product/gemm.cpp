// SPDX-License-Identifier: Apache-2.0
// Gemm (7, 9, 11, 13) and com.microsoft FusedGemm in float32 and float16: Y = activation(alpha A'
// B' + beta C).
#include <algorithm>
#include <optional>

#include "kernels/product/packed_product.h"
#include "kernels/product/product_request.h"
#include "kernels/product/product_weight.h"
#include "kernels/product/wide_operand.h"
#include "ops/geometry/gemm.h"

namespace lapidary {
namespace {

class GemmKernel final : public Kernel {
public:
    GemmKernel(const KernelRequest& request, DType dtype, Activation activation)
        : dtype_(dtype), transpose_a_(request.node.int_attribute("transA", 0) != 0),
          transpose_b_(request.node.int_attribute("transB", 0) != 0),
          alpha_(request.node.float_attribute("alpha", 1.0f)),
          beta_(request.node.float_attribute("beta", 1.0f)), activation_(activation) {
        const Tensor* b = request.constant(1);
        if (!b || b->rank() != 2 || b->size() == 0) return;
        b_shape_ = b->shape();
        weight_ = pack_weight(request.weights, *b, 1, b->dim(transpose_b_ ? 1 : 0),
                              b->dim(transpose_b_ ? 0 : 1), transpose_b_);
        weight_->allow_rounding(request.options.rounds_inputs_to);
        request.unread_inputs.push_back(1);
        const Tensor* c = request.constant(2);
        if (c && dtype == DType::f32 && beta_ != 1 && c->size() == weight_->columns &&
            c->rank() >= 1 && c->shape().back() == c->size())
            for (float v : c->data<float>()) scaled_.push_back(beta_ * v);
    }

    void run(KernelContext& context) const override {
        const Tensor& a = context.input(0);
        const Tensor* b = weight_ ? nullptr : &context.input(1);
        const Tensor* c = context.optional_input(2);
        for (const Tensor* t : {&a, b, c})
            if (t && t->dtype() != dtype_)
                context.fail("Gemm inputs: expected one element type, found " +
                             std::string(name_of(dtype_)) + " and " +
                             std::string(name_of(t->dtype())));
        const Shape& b_shape = b ? b->shape() : b_shape_;
        const GemmGeometry g =
            gemm_geometry(context.node(), a.shape(), b_shape, c ? &c->shape() : nullptr);
        Product p;
        p.rows = g.rows, p.inner = g.inner, p.columns = g.columns;
        Tensor& y = context.output(0, dtype_, g.output());
        if (y.size() == 0) return;
        const WideOperand wide_a(context, &a), wide_b(context, b), wide_c(context, c);
        WideResult result(context, y);

        p.a = wide_a.data();
        p.a_stride = a.dim(1);
        p.transposed_a = transpose_a_;
        if (b) {
            p.b = wide_b.data();
            p.b_stride = b_shape[1];
            p.transposed_b = transpose_b_;
        } else weight_->put(p);
        p.c = result.data();
        p.c_stride = p.columns;
        p.scale = alpha_;
        p.activation = activation_;
        if (c) add(g, wide_c.data(), p);

        Tensor workspace;
        std::byte* memory = nullptr;
        if (const std::size_t bytes = product_workspace(p, context.threads().threads())) {
            workspace = context.scratch(DType::u8, {static_cast<std::int64_t>(bytes)});
            memory = static_cast<std::byte*>(workspace.mutable_raw());
        }
        multiply(p, context.threads(), context.cancel(), memory);
        result.store();
    }

private:
    /// beta C as a bias or a residual of the product, where need be written to Y first.
    void add(const GemmGeometry& g, const float* values, Product& p) const {
        const std::int64_t strides[2] = {g.c_row_stride, g.c_column_stride};
        if (!scaled_.empty()) p.bias = scaled_.data();
        else if (beta_ == 1 && strides[0] == 0 && strides[1] == 1) p.bias = values;
        else if (beta_ == 1 && strides[0] == 1 && strides[1] == 0) p.row_bias = values;
        else {
            p.residual = values;
            p.residual_stride = strides[0];
            if (beta_ == 1 && strides[1] == 1) return;
            for (std::int64_t i = 0; i < p.rows; ++i)
                for (std::int64_t j = 0; j < p.columns; ++j)
                    p.c[i * p.c_stride + j] = beta_ * values[i * strides[0] + j * strides[1]];
            p.residual = p.c;
            p.residual_stride = p.c_stride;
        }
    }

    DType dtype_;
    bool transpose_a_, transpose_b_;
    float alpha_, beta_;
    Activation activation_;
    std::optional<ProductWeight> weight_;
    Shape b_shape_;              // of the packed weight
    std::vector<float> scaled_;  // beta C where C is a constant row
};

}  // namespace

std::unique_ptr<Kernel> make_gemm(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 3, reason);
    if (dtype == DType::undefined) return nullptr;
    return std::make_unique<GemmKernel>(request, dtype, Activation{});
}

std::unique_ptr<Kernel> make_fused_gemm(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 3, reason);
    if (dtype == DType::undefined) return nullptr;
    const auto activation = fused_activation(request.node, reason);
    if (!activation) return nullptr;
    return std::make_unique<GemmKernel>(request, dtype, *activation);
}

}  // namespace lapidary
