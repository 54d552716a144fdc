// SPDX-License-Identifier: Apache-2.0
// com.microsoft BiasGelu, FastGelu with a bias, BiasAdd: a row added to every row, then a function,
// in one pass.
#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"
#include "kernels/vector/elementwise/elementwise.h"

namespace lapidary {
namespace {

class BiasActivationKernel final : public Kernel {
public:
    BiasActivationKernel(UnaryKind kind, bool adds_skip, KernelFunction reference)
        : function_(elementwise_kernels().unary[static_cast<int>(kind)]),
          add_(elementwise_kernels()
                   .binary[static_cast<int>(BinaryKind::add)][static_cast<int>(OperandForm::both)]),
          adds_skip_(adds_skip), reference_(reference) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        const Tensor& bias = context.input(1);
        const Tensor* skip = adds_skip_ ? &context.input(2) : nullptr;
        const bool are_floats = x.dtype() == DType::f32 && bias.dtype() == DType::f32 &&
                                (!skip || skip->dtype() == DType::f32);
        if (!are_floats) return context.run_on_reference(reference_, fallback::element_type);
        if (bias.rank() != 1 || x.rank() == 0 || bias.dim(0) != x.shape().back() ||
            (skip && skip->shape() != x.shape()))
            return context.run_on_reference(reference_, fallback::shapes);
        Tensor& y = context.output(0, DType::f32, x.shape());
        const auto* from = static_cast<const float*>(x.raw());
        const auto* row = static_cast<const float*>(bias.raw());
        const auto* other = skip ? static_cast<const float*>(skip->raw()) : nullptr;
        auto* to = static_cast<float*>(y.mutable_raw());
        const std::int64_t width = bias.size();
        for_elements(context, x.size(), skip ? cheap_grain : costly_grain,
                     [&](std::int64_t begin, std::int64_t end) {
                         constexpr std::int64_t block = 4096;
                         while (begin < end) {
                             const std::int64_t column = begin % width,
                                                n = std::min({width - column, end - begin, block});
                             add_(from + begin, row + column, to + begin, n);
                             if (other) add_(to + begin, other + begin, to + begin, n);
                             else function_(to + begin, to + begin, n, 0, 0);
                             begin += n;
                         }
                     });
    }
    /// With a skip that is the input itself, the output must not lie on it.
    StorageSharing sharing() const override {
        return adds_skip_ ? StorageSharing{} : StorageSharing{StorageSharing::overwrite, 1};
    }

private:
    UnaryFunction function_;
    RowFunction add_;
    bool adds_skip_;
    KernelFunction reference_;
};

}  // namespace

std::unique_ptr<Kernel> make_bias_activation(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    if (const DType dtype = request.input_type(0).dtype;
        dtype != DType::undefined && dtype != DType::f32) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    if (!request.has_input(1)) {
        reason = "it has no bias";
        return nullptr;
    }
    if (node.op_type == "BiasGelu")
        return std::make_unique<BiasActivationKernel>(UnaryKind::gelu, false, reference::bias_gelu);
    if (node.op_type == "FastGelu")
        return std::make_unique<BiasActivationKernel>(UnaryKind::gelu_tanh, false,
                                                      reference::fast_gelu);
    return std::make_unique<BiasActivationKernel>(UnaryKind::identity, true, reference::bias_add);
}

}  // namespace lapidary
