// SPDX-License-Identifier: Apache-2.0
// lapidary::NormalizedProduct (core/engine/passes/session). Inputs: those of
// SkipLayerNormalization, then matrix, bias and residual of the product of its result. Outputs: the
// product, and the sum that was normalized.
#include "kernels/product/normalized_product.h"

#include "kernel_tuner.h"
#include "kernels/hopper/product.h"
#include "operators/makers.h"
#include "operators/movement.h"
#include "operators/normalization.h"
#include "operators/product.h"

namespace lapidary::cuda {
namespace {

constexpr std::size_t scale_input = 2, beta_input = 3, matrix_input = 5, bias_input = 6,
                      residual_input = 7;

class NormalizedProduct final : public NodeKernel {
public:
    float epsilon = 0;
    bool flattens = false;  // the output has all rows of the product along one axis
    Epilogue epilogue;
    Arithmetic arithmetic = Arithmetic::exact;
    std::shared_ptr<KernelTuner> tuner;

    void run(KernelRun& run) const override {
        const Array x = run.input(0), w = run.input(matrix_input);
        NormalizeArgs norm = skipped_rows(run, epsilon, false);
        ProductArgs args;
        Dims dims = set_product(args, flattens ? Dims{norm.rows, norm.width} : x.dims, w.dims,
                                false, false);
        args.epilogue = epilogue;
        args.b = w.data;
        args.has_constant_b = args.has_constant_bias = true;
        args.type = x.type;
        set_addends(args, run, dims);
        args.y = run.output(0, x.type, dims);
        if (run.wants(1)) norm.sum = run.output(1, x.type, x.dims);
        if (norm.rows == 0 || norm.width == 0 || args.n == 0) return;
        if (is_for_normalized_product(norm, args)) {
            if (tuner) return tuner->launch(run, norm, args, arithmetic);
            return launch_normalized_product(run.queue(), norm, args);
        }
        norm.output = run.scratch(x.bytes());
        launch_normalize(run.queue(), norm);
        args.a = norm.output;
        if (tuner) {
            const bool may_be_hopper = run.queue().hopper != HopperUse::none &&
                                       hopper_refusal(args, arithmetic) == nullptr;
            tuner->launch(run, args, arithmetic, may_be_hopper);
        } else {
            launch_split_product(run, args, arithmetic);
        }
    }

private:
    static void set_addends(ProductArgs& args, const KernelRun& run, const Dims& dims) {
        if (run.has(residual_input)) {
            if (run.input(residual_input).dims != dims)
                KernelRun::fail("the residual has not the shape of the product");
            args.epilogue.residual = run.input(residual_input).data;
        }
        if (!run.has(bias_input)) return;
        const Array bias = run.input(bias_input);
        if (bias.count() != args.n) KernelRun::fail("the bias is not one row of the product");
        args.epilogue.bias = bias.data;
        args.epilogue.bias_column = 1;
    }
};

}  // namespace

std::unique_ptr<NodeKernel> make_normalized_product(const NodeView& node, Making& making) {
    const std::int32_t type = node.input_type(0);
    require_type(node, 0, is_float(type));
    for (std::size_t i = 1; i < node.input_count(); ++i)
        if (node.has_input(i)) require_type(node, i, node.input_type(i) == type);
    for (std::size_t i : {scale_input, beta_input, matrix_input, bias_input})
        if (node.has_input(i) && !node.is_constant(i))
            throw Refusal("input " + std::to_string(i) + " is no constant");
    require_leading_skip(node);
    auto kernel = std::make_unique<NormalizedProduct>();
    kernel->epsilon = node.real("epsilon", 1e-12f);
    kernel->flattens = node.integer("flattens", 0) != 0;
    kernel->epilogue.alpha = node.real("alpha", 1);
    set_activation(kernel->epilogue, fused_activation(node));
    kernel->arithmetic = arithmetic_of(type, making.precision);
    kernel->tuner = making.tuner;
    making.kernel = std::string("normalized_product_") + name_of(kernel->arithmetic);
    return kernel;
}

}  // namespace lapidary::cuda
