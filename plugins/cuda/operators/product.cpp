// SPDX-License-Identifier: Apache-2.0
// MatMul, Gemm, com.microsoft's fused forms of them, and lapidary::Product
// (core/engine/passes/session).
#include "operators/product.h"

#include <algorithm>

#include "kernels/hopper/product.h"
#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/movement.h"
#include "kernel_tuner.h"

namespace lapidary::cuda {

Arithmetic arithmetic_of(std::int32_t type, Precision precision) {
    if (type == f16) return Arithmetic::f16;
    if (type == bf16) return Arithmetic::bf16;
    switch (precision) {
    case Precision::tf32x3: return Arithmetic::tf32x3;
    case Precision::tf32: return Arithmetic::tf32;
    case Precision::f16: return Arithmetic::f16;
    case Precision::bf16: return Arithmetic::bf16;
    default: return Arithmetic::exact;
    }
}

const char* name_of(Arithmetic arithmetic) {
    switch (arithmetic) {
    case Arithmetic::tf32x3: return "tf32x3";
    case Arithmetic::tf32: return "tf32";
    case Arithmetic::f16: return "f16";
    case Arithmetic::bf16: return "bf16";
    default: return "exact";
    }
}

void set_activation(Epilogue& epilogue, const Step& activation) {
    epilogue.activation = activation.op;
    epilogue.activation_alpha = activation.alpha;
    epilogue.activation_beta = activation.beta;
}

void launch_split_product(KernelRun& run, ProductArgs args, Arithmetic arithmetic) {
    const HopperUse use = run.queue().hopper;
    const bool is_hopper = is_for_hopper(args, use, arithmetic);
    const ProductSplit split = is_hopper ? hopper_split(args, use) : split_of(args, arithmetic);
    if (split.parts > 1) {
        args.parts = split.parts;
        args.part_depth = split.part_depth;
        if (split.partial_bytes > 0)
            args.partial = static_cast<float*>(run.scratch(split.partial_bytes));
    }
    if (is_hopper) launch_hopper_product(run.queue(), args);
    else launch_product(run.queue(), args, arithmetic);
}

ProductArgs linear_product(const void* x, const void* w, const void* bias, void* y,
                           std::int32_t type, std::int64_t rows, std::int64_t n, std::int64_t k) {
    ProductArgs args;
    args.a = x;
    args.b = w;
    args.y = y;
    args.type = type;
    args.m = static_cast<std::int32_t>(rows);
    args.n = static_cast<std::int32_t>(n);
    args.k = static_cast<std::int32_t>(k);
    args.a_row = args.k;
    args.b_row = 1;
    args.b_column = args.k;
    args.epilogue.bias = bias;
    args.epilogue.bias_column = 1;
    return args;
}

namespace {

/// An operand as a batch of matrices.
struct Operand {
    Dims batch;
    std::int64_t rows = 1, columns = 1, row_stride = 0, column_stride = 1;
};

Operand operand_of(Dims dims, bool is_transposed) {
    Operand o;
    o.columns = dims.back();
    o.rows = dims[dims.size() - 2];
    dims.resize(dims.size() - 2);
    o.batch = std::move(dims);
    o.row_stride = o.columns;
    if (is_transposed) {
        std::swap(o.rows, o.columns);
        std::swap(o.row_stride, o.column_stride);
    }
    return o;
}

/// Merges the batch axes of both operands. Throws DeviceError where more remain than kernels
/// support.
void set_batches(ProductArgs& args, const Dims& batch, const Operand& a, const Operand& b) {
    const auto strides = [&](const Operand& o) {
        Dims of(batch.size(), 0);
        std::int64_t step = o.rows * o.columns;
        for (std::size_t i = 1; i <= o.batch.size(); ++i) {
            if (o.batch[o.batch.size() - i] != 1) of[of.size() - i] = step;
            step *= o.batch[o.batch.size() - i];
        }
        return of;
    };
    const Dims of_a = strides(a), of_b = strides(b);
    args.batch = count_32(batch);
    std::int32_t kept = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (batch[i] == 1) continue;
        const bool joins = kept > 0 && args.a_batch[kept - 1] == of_a[i] * batch[i] &&
                           args.b_batch[kept - 1] == of_b[i] * batch[i];
        if (!joins && kept == batch_axes)
            throw DeviceError(LP_UNSUPPORTED, "a product with batches along more than 4 axes");
        const std::int32_t at = joins ? kept - 1 : kept++;
        args.batch_dims[at] =
            static_cast<std::int32_t>(joins ? args.batch_dims[at] * batch[i] : batch[i]);
        args.a_batch[at] = static_cast<std::int32_t>(of_a[i]);
        args.b_batch[at] = static_cast<std::int32_t>(of_b[i]);
    }
    args.batch_rank = kept;
}

}  // namespace

Dims set_product(ProductArgs& args, Dims a_dims, Dims b_dims, bool transposes_a,
                 bool transposes_b) {
    count_32(a_dims);
    count_32(b_dims);
    if (a_dims.empty() || b_dims.empty()) KernelRun::fail("an operand of a product has no axes");
    const bool is_row = a_dims.size() == 1, is_column = b_dims.size() == 1;
    if (is_row) a_dims.insert(a_dims.begin(), 1);
    if (is_column) b_dims.push_back(1);
    Operand a = operand_of(a_dims, transposes_a && !is_row),
            b = operand_of(b_dims, transposes_b && !is_column);
    if (a.columns != b.rows)
        KernelRun::fail("operands of a product do not fit: " + std::to_string(a.columns) +
                        " columns, " + std::to_string(b.rows) + " rows");
    const Dims batch = broadcast(a.batch, b.batch);
    Dims dims = batch;
    if (!is_row) dims.push_back(a.rows);
    if (!is_column) dims.push_back(b.columns);
    count_32(dims);
    const bool is_one = count_of(b.batch) == 1 && !transposes_a;  // all rows can be one matrix
    if (is_one) {
        a.rows *= count_of(a.batch);
        a.batch.clear();
    }
    args.m = static_cast<std::int32_t>(a.rows);
    args.n = static_cast<std::int32_t>(b.columns);
    args.k = static_cast<std::int32_t>(a.columns);
    args.a_row = static_cast<std::int32_t>(a.row_stride);
    args.a_column = static_cast<std::int32_t>(a.column_stride);
    args.b_row = static_cast<std::int32_t>(b.row_stride);
    args.b_column = static_cast<std::int32_t>(b.column_stride);
    set_batches(args, is_one ? Dims() : batch, a, b);
    return dims;
}

Step fused_activation(const NodeView& node) {
    std::vector<float> parameters;
    if (node.has("activation_alpha")) parameters.push_back(node.real("activation_alpha", 0));
    if (node.has("activation_beta") && !parameters.empty())
        parameters.push_back(node.real("activation_beta", 0));
    return activation_step(node.text("activation", ""), parameters);
}

namespace {

using Made = std::unique_ptr<NodeKernel>;

class Product final : public NodeKernel {
public:
    bool transposes_a = false, transposes_b = false;
    bool has_constant_b = false, has_constant_bias = false;
    bool is_matrix = false;      // Gemm: the bias broadcasts to the result
    std::size_t bias_input = 0;  // 0: none
    std::size_t residual_input = 0;
    Epilogue epilogue;
    Arithmetic arithmetic = Arithmetic::exact;
    std::shared_ptr<KernelTuner> tuner;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), w = run.input(1);
        if (is_matrix && (x.dims.size() != 2 || w.dims.size() != 2))
            KernelRun::fail("expected matrices, found " + text_of(x.dims) + " and " +
                            text_of(w.dims));
        ProductArgs args;
        const Dims dims = set_product(args, x.dims, w.dims, transposes_a, transposes_b);
        args.epilogue = epilogue;
        args.a = x.data;
        args.b = w.data;
        args.has_constant_b = has_constant_b;
        args.type = x.type;
        set_bias(args, run, dims);
        args.y = run.output(0, x.type, dims);
        if (!args.y) return;
        if (tuner) {
            const bool may_be_hopper = run.queue().hopper != HopperUse::none &&
                                       hopper_refusal(args, arithmetic) == nullptr;
            tuner->launch(run, args, arithmetic, may_be_hopper);
        } else {
            launch_split_product(run, args, arithmetic);
        }
    }

private:
    void set_bias(ProductArgs& args, KernelRun& run, const Dims& dims) const {
        if (residual_input != 0 && run.has(residual_input)) {
            if (run.input(residual_input).dims != dims)
                KernelRun::fail("the residual has not the shape of the product");
            args.epilogue.residual = run.input(residual_input).data;
        }
        if (bias_input == 0 || !run.has(bias_input)) return;
        const Array bias = run.input(bias_input);
        args.epilogue.bias = bias.data;
        args.has_constant_bias = has_constant_bias;
        if (!is_matrix) {
            if (bias.count() != args.n) KernelRun::fail("the bias is not one row of the product");
            args.epilogue.bias_column = 1;
            return;
        }
        const std::int64_t columns = bias.dims.empty() ? 1 : bias.dims.back();
        const std::int64_t rows = bias.dims.size() < 2 ? 1 : bias.dims[bias.dims.size() - 2];
        const bool fits = bias.dims.size() <= 2 && (columns == 1 || columns == args.n) &&
                          (rows == 1 || rows == args.m);
        if (!fits) KernelRun::fail("input C does not broadcast to the product");
        args.epilogue.bias_column = columns == 1 ? 0 : 1;
        args.epilogue.bias_row = rows == 1 ? 0 : static_cast<std::int32_t>(columns);
    }
};

std::unique_ptr<Product> product_of(const NodeView& node, Making& making) {
    auto kernel = std::make_unique<Product>();
    const std::int32_t type = node.input_type(0);
    require_type(node, 0, is_float(type));
    require_type(node, 1, node.input_type(1) == type);
    kernel->transposes_a = node.integer("transA", 0) != 0;
    kernel->transposes_b = node.integer("transB", 0) != 0;
    kernel->has_constant_b = node.is_constant(1);
    kernel->epilogue.alpha = node.real("alpha", 1);
    if (node.integer("transBatchA", 0) != 0 || node.integer("transBatchB", 0) != 0)
        throw Refusal("an operand is transposed with its batch");
    kernel->arithmetic = arithmetic_of(type, making.precision);
    kernel->tuner = making.tuner;
    const bool is_tf32 = type == f32 && kernel->arithmetic == Arithmetic::tf32;
    const bool on_hopper = making.on_hopper && (type == f16 || type == bf16 || is_tf32);
    making.kernel =
        std::string("product_") + name_of(kernel->arithmetic) + (on_hopper ? "_hopper" : "");
    return kernel;
}

}  // namespace

Made make_matmul(const NodeView& node, Making& making) { return product_of(node, making); }

Made make_gemm(const NodeView& node, Making& making) {
    auto kernel = product_of(node, making);
    if (node.version() < 7 && node.domain().empty())
        throw Refusal("its broadcasting is that of opset 6");
    kernel->is_matrix = true;
    kernel->bias_input = 2;
    kernel->has_constant_bias = node.is_constant(2);
    if (node.has_input(2)) require_type(node, 2, node.input_type(2) == node.input_type(0));
    kernel->epilogue.beta = node.real("beta", 1);
    if (node.op() == "FusedGemm") set_activation(kernel->epilogue, fused_activation(node));
    return kernel;
}

Made make_fused_product(const NodeView& node, Making& making) {
    auto kernel = product_of(node, making);
    kernel->bias_input = 2;
    kernel->has_constant_bias = node.is_constant(2);
    kernel->residual_input = 3;
    set_activation(kernel->epilogue, fused_activation(node));
    return kernel;
}

}  // namespace lapidary::cuda
