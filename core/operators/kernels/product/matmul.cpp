// SPDX-License-Identifier: Apache-2.0
// MatMul and what adds a factor, a bias, a residual and an activation to it, in float32 and
// float16:
//   MatMul (1, 9, 13); com.microsoft FusedMatMul, TransposeMatMul, FusedMatMulActivation,
//   GemmFastGelu; lapidary Product: (A, B, bias [N]?, residual as Y?) {alpha, transA, transB,
//   transBatchA, transBatchB, activation, activation_alpha, activation_beta}.
#include <algorithm>
#include <optional>

#include "kernels/input_index.h"
#include "ops/geometry/matmul.h"
#include "kernels/product/packed_product.h"
#include "kernels/product/product_request.h"
#include "kernels/product/product_weight.h"
#include "kernels/product/task_runs.h"
#include "kernels/product/wide_operand.h"

namespace lapidary {
namespace {

struct MatMulOptions {
    std::string op = "MatMul";  // in messages
    OperandTurn turn_a, turn_b;
    float scale = 1;
    Activation activation;
};

class MatMulKernel final : public Kernel {
public:
    MatMulKernel(const KernelRequest& request, DType dtype, MatMulOptions options)
        : dtype_(dtype), options_(std::move(options)) {
        const Tensor* b = request.constant(1);
        if (!b || b->rank() == 0 || options_.turn_b.batch) return;
        b_shape_ = b->shape();
        const auto rank = static_cast<std::size_t>(b->rank());
        std::int64_t inner = rank == 1 ? b->dim(0) : b->dim(rank - 2),
                     columns = rank == 1 ? 1 : b->dim(rank - 1);
        const bool turned = rank > 1 && options_.turn_b.matrix;
        if (turned) std::swap(inner, columns);
        if (b->size() == 0) return;
        weight_ =
            pack_weight(request.weights, *b, b->size() / (inner * columns), inner, columns, turned);
        weight_->allow_rounding(request.options.rounds_inputs_to);
        request.unread_inputs.push_back(1);
    }

    void run(KernelContext& context) const override {
        const Tensor& a = context.input(0);
        const Tensor* b = weight_ ? nullptr : &context.input(1);
        if (a.dtype() != dtype_ || (b && b->dtype() != dtype_))
            context.fail(options_.op + " inputs: expected one element type, found " +
                         std::string(name_of(a.dtype())) + " and " +
                         std::string(name_of(b ? b->dtype() : dtype_)));
        const MatMulGeometry g = matmul_geometry(options_.op, a.shape(), options_.turn_a,
                                                 b ? b->shape() : b_shape_, options_.turn_b);
        const Tensor *bias = context.optional_input(2),
                     *residual = context.optional_input(matmul_input::residual);
        if (bias && (bias->dtype() != dtype_ || bias->size() != g.columns))
            context.fail(options_.op + ": expected a bias of " + std::to_string(g.columns) +
                         " elements, found " + to_string(bias->shape()));
        if (residual && (residual->dtype() != dtype_ || residual->shape() != g.output))
            context.fail(options_.op + ": expected a residual " + to_string(g.output) + ", found " +
                         to_string(residual->shape()));
        Tensor& y = context.output(0, dtype_, g.output);
        if (y.size() == 0) return;
        const WideOperand wide_a(context, &a), wide_b(context, b), wide_bias(context, bias),
            wide_residual(context, residual);
        WideResult result(context, y);

        Product p;
        p.rows = g.rows, p.inner = g.inner, p.columns = g.columns;
        p.a = wide_a.data();
        p.a_stride = g.a.stride();
        p.transposed_a = g.a.is_transposed();
        if (b) {
            p.b = wide_b.data();
            p.b_stride = g.b.stride();
            p.transposed_b = g.b.is_transposed();
        } else weight_->put(p);
        p.c = result.data();
        p.c_stride = g.columns;
        p.scale = options_.scale;
        p.bias = wide_bias.data();
        p.residual = wide_residual.data();
        p.residual_stride = g.columns;
        p.activation = options_.activation;
        if (g.batches == 1) one(context, p);
        else many(context, g, p);
        result.store();
    }

private:
    static void one(KernelContext& context, const Product& p) {
        Tensor workspace;
        std::byte* memory = nullptr;
        if (const std::size_t bytes = product_workspace(p, context.threads().threads())) {
            workspace = context.scratch(DType::u8, {static_cast<std::int64_t>(bytes)});
            memory = static_cast<std::byte*>(workspace.mutable_raw());
        }
        multiply(p, context.threads(), context.cancel(), memory);
    }

    /// Matrix `index` of the batch.
    Product matrix(const MatMulGeometry& g, Product p, std::int64_t index) const {
        const std::int64_t b_offset = g.offset(g.b, index);
        p.a += g.offset(g.a, index);
        if (weight_) weight_->put(p, b_offset / (g.inner * g.columns));
        else p.b += b_offset;
        p.c += index * g.rows * g.columns;
        if (p.residual) p.residual += index * g.rows * g.columns;
        return p;
    }

    void many(KernelContext& context, const MatMulGeometry& g, const Product& p) const {
        const int threads = context.threads().threads();
        // parallel over matrices, else inside of each
        const bool is_outside = g.batches >= threads;
        const std::size_t bytes = (product_workspace(p, is_outside ? 1 : threads) + 63) / 64 * 64;
        const Tensor workspace = context.scratch(
            DType::u8, {static_cast<std::int64_t>(bytes) * (is_outside ? threads : 1)});
        auto* memory = static_cast<std::byte*>(const_cast<void*>(workspace.raw()));
        if (!is_outside) {
            for (std::int64_t i = 0; i < g.batches; ++i)
                multiply(matrix(g, p, i), context.threads(), context.cancel(), memory);
            return;
        }
        const double work =
            std::max(1.0, static_cast<double>(g.rows) * static_cast<double>(g.inner) *
                              static_cast<double>(g.columns));
        // matrices worth handing over
        const auto least = std::max<std::int64_t>(1, static_cast<std::int64_t>(200e3 / work));
        const std::int64_t tasks =
            std::clamp<std::int64_t>(g.batches / least, 1, std::int64_t{8} * threads);
        TaskRuns runs(tasks, 1, threads);  // a worker meets the matrices again that it wrote before
        context.threads().parallel_tasks(tasks, [&](std::int64_t, int worker) {
            const std::int64_t task = runs.take(worker);
            for (std::int64_t i = g.batches * task / tasks; i < g.batches * (task + 1) / tasks;
                 ++i) {
                multiply(matrix(g, p, i), context.cancel(),
                         memory + static_cast<std::size_t>(worker) * bytes);
            }
        });
    }

    DType dtype_;
    MatMulOptions options_;
    std::optional<ProductWeight> weight_;
    Shape b_shape_;  // of the packed weight
};

MatMulOptions options_of(const Node& node) {
    MatMulOptions o;
    o.op = node.op_type;
    o.turn_a = {node.int_attribute("transA", 0) != 0, node.int_attribute("transBatchA", 0) != 0};
    o.turn_b = {node.int_attribute("transB", 0) != 0, node.int_attribute("transBatchB", 0) != 0};
    o.scale = node.float_attribute("alpha", 1.0f);
    return o;
}

}  // namespace

std::unique_ptr<Kernel> make_matmul(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 2, reason);
    if (dtype == DType::undefined) return nullptr;
    return std::make_unique<MatMulKernel>(request, dtype, MatMulOptions{});
}

std::unique_ptr<Kernel> make_fused_matmul(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 2, reason);
    if (dtype == DType::undefined) return nullptr;
    return std::make_unique<MatMulKernel>(request, dtype, options_of(request.node));
}

std::unique_ptr<Kernel> make_activated_matmul(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 4, reason);
    if (dtype == DType::undefined) return nullptr;
    const auto activation = fused_activation(request.node, reason);
    if (!activation) return nullptr;
    MatMulOptions options = options_of(request.node);
    options.activation = *activation;
    return std::make_unique<MatMulKernel>(request, dtype, std::move(options));
}

std::unique_ptr<Kernel> make_gemm_fast_gelu(const KernelRequest& request, std::string& reason) {
    const DType dtype = product_type(request, 3, reason);
    if (dtype == DType::undefined) return nullptr;
    MatMulOptions options;
    options.op = request.node.op_type;
    options.activation.kind = ActivationKind::gelu_tanh;
    return std::make_unique<MatMulKernel>(request, dtype, std::move(options));
}

}  // namespace lapidary
