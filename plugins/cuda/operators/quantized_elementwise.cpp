// SPDX-License-Identifier: Apache-2.0
// com.microsoft's QLinearAdd, QLinearMul, QLinearGlobalAveragePool and QGemm.
#include <algorithm>

#include "operators/elementwise.h"
#include "operators/makers.h"
#include "operators/product.h"
#include "operators/quantized.h"

namespace lapidary::cuda {
namespace {

using Made = std::unique_ptr<NodeKernel>;

bool is_byte(std::int32_t type) { return type == u8 || type == i8; }

/// Builds an elementwise program over inputs of the node.
class Program {
public:
    explicit Program(const NodeView& node) : node_(node) {}
    std::uint8_t input(std::size_t i) {
        kernel_->operands.push_back({i});
        return static_cast<std::uint8_t>(kernel_->operands.size() - 1);
    }
    std::uint8_t step(Op op, std::uint8_t x, std::uint8_t y = constant_operand) {
        kernel_->steps.push_back({op, x, y, constant_operand, 0, 0});
        return static_cast<std::uint8_t>(max_inputs + static_cast<int>(kernel_->steps.size()) - 1);
    }
    /// (input - zero point) * scale; the scale and zero point follow the input.
    std::uint8_t dequantized(std::size_t i) {
        std::uint8_t x = input(i);
        if (node_.has_input(i + 2)) x = step(Op::sub, x, input(i + 2));
        return step(Op::mul, x, input(i + 1));
    }
    void quantize(std::uint8_t x, std::size_t scale) {
        x = step(Op::round, step(Op::div, x, input(scale)));
        if (node_.has_input(scale + 1)) step(Op::add, x, input(scale + 1));
    }
    std::unique_ptr<ElementwiseKernel> take() { return std::move(kernel_); }

private:
    const NodeView& node_;
    std::unique_ptr<ElementwiseKernel> kernel_ = std::make_unique<ElementwiseKernel>();
};

/// QLinearAdd and QLinearMul: tensors of equal shape have their own kernel, others run the
/// elementwise program.
class QuantizedPair final : public NodeKernel {
public:
    bool is_product = false;
    std::unique_ptr<ElementwiseKernel> program;

    void run(KernelRun& run) const override {
        const Array a = run.input(0), b = run.input(3);
        if (a.dims != b.dims || a.type != b.type) return program->run(run);
        QuantizedPairArgs args;
        args.a = a.data;
        args.b = b.data;
        args.a_scale = static_cast<const float*>(run.input(1).data);
        args.b_scale = static_cast<const float*>(run.input(4).data);
        args.y_scale = static_cast<const float*>(run.input(6).data);
        args.a_zero = run.input(2).data;
        args.b_zero = run.input(5).data;
        args.y_zero = run.input(7).data;
        args.type = a.type;
        args.count = count_32(a.dims);
        args.is_product = is_product;
        args.y = run.output(0, a.type, a.dims);
        launch_quantized_pair(run.queue(), args);
    }
};

class QuantizedGlobalPool final : public NodeKernel {
public:
    void run(KernelRun& run) const override {
        const Array x = run.input(0);
        if (x.dims.size() < 2) KernelRun::fail("the input is of rank below 2");
        Dims dims = x.dims;
        std::fill(dims.begin() + 2, dims.end(), 1);
        QuantizedMeanArgs args;
        args.planes = count_32(dims);
        args.plane = args.planes == 0 ? 0 : count_32(x.dims) / args.planes;
        if (args.plane >= 1 << 23)
            throw DeviceError(LP_UNSUPPORTED, "a plane of more than 2^23 elements");
        args.x = x.data;
        args.x_scale = static_cast<const float*>(run.input(1).data);
        args.x_zero = run.input(2).data;
        args.y_scale = static_cast<const float*>(run.input(3).data);
        args.y_zero = run.input(4).data;
        args.type = x.type;
        args.y = run.output(0, x.type, dims);
        launch_quantized_mean(run.queue(), args);
    }
};

class QuantizedGemm final : public NodeKernel {
public:
    bool transposes_a = false, transposes_b = false;
    std::int32_t output_type = u8;
    void run(KernelRun& run) const override {
        const Array a = run.input(0), b = run.input(3), bias = run.input(6);
        IntegerProductArgs args;
        const Dims dims = set_product(args.product, a.dims, b.dims, transposes_a, transposes_b);
        args.product.a = a.data;
        args.product.b = b.data;
        args.a_type = a.type;
        args.b_type = b.type;
        args.a_zero = run.input(2).data;
        args.b_zero = run.input(5).data;
        args.is_b_zero_per_column = run.input(5).count() != 1;
        Requantize& r = args.requantize;
        r.type = output_type;
        r.x_scale = static_cast<const float*>(run.input(1).data);
        r.w_scale = static_cast<const float*>(run.input(4).data);
        r.y_scale = static_cast<const float*>(run.input(7).data);
        r.y_zero = run.input(8).data;
        r.bias = static_cast<const std::int32_t*>(bias.data);
        r.is_per_filter = run.input(4).count() != 1;
        for (std::size_t i : {4, 5, 6})
            if (run.has(i) && run.input(i).count() != args.product.n &&
                (i == 6 || run.input(i).count() != 1))
                throw DeviceError(LP_UNSUPPORTED,
                                  "input " + std::to_string(i) + " is not one for each column");
        args.product.y = run.output(0, output_type, dims);
        if (args.product.y) launch_with_memory(run, args);
    }
};

void require_scalar(const NodeView& node, std::size_t input) {
    const auto dims = node.dims(input);
    if (node.has_input(input) && (!dims || count_of(*dims) != 1))
        throw Refusal("input " + std::to_string(input) + " is not known to be one number");
}

}  // namespace

Made make_quantized_pair(const NodeView& node, Making& making) {
    for (std::size_t i : {1, 2, 4, 5, 6, 7}) require_scalar(node, i);
    require_type(node, 0, is_byte(node.input_type(0)));
    Program program(node);
    const std::uint8_t a = program.dequantized(0), b = program.dequantized(3);
    program.quantize(program.step(node.op() == "QLinearAdd" ? Op::add : Op::mul, a, b), 6);
    auto kernel = std::make_unique<QuantizedPair>();
    kernel->is_product = node.op() == "QLinearMul";
    kernel->program = program.take();
    kernel->program->output_type = node.input_type(0);
    making.kernel = "elementwise_i8";
    return kernel;
}

Made make_quantized_global_pool(const NodeView& node, Making& making) {
    require_type(node, 0, is_byte(node.input_type(0)));
    if (node.integer("channels_last", 0) != 0) throw Refusal("its channels are last");
    for (std::size_t i : {1, 2, 3, 4}) require_scalar(node, i);
    making.kernel = "reduce_i8";
    return std::make_unique<QuantizedGlobalPool>();
}

Made make_quantized_gemm(const NodeView& node, Making& making) {
    for (std::size_t i : {0, 2, 3, 5}) require_type(node, i, is_byte(node.input_type(i)));
    for (std::size_t i : {1, 2, 7, 8}) require_scalar(node, i);
    if (!node.has_input(7) || !node.has_input(8)) throw Refusal("its result is not quantized");
    if (node.real("alpha", 1) != 1) throw Refusal("alpha is not 1");
    if (node.rank(0) != 2 || node.rank(3) != 2)
        throw Refusal("its operands are not known to be matrices");
    if (node.has_input(6) && node.rank(6) != 1) throw Refusal("C is not known to be one row");
    auto kernel = std::make_unique<QuantizedGemm>();
    kernel->transposes_a = node.integer("transA", 0) != 0;
    kernel->transposes_b = node.integer("transB", 0) != 0;
    kernel->output_type = node.output_type(0);
    making.kernel = "product_i8";
    return kernel;
}

}  // namespace lapidary::cuda
