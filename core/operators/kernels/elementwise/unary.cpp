// SPDX-License-Identifier: Apache-2.0
// Functions of one element: activations, Abs, Neg, Sqrt, Exp ... Float by vectors, float16 by
// blocks of floats, whatever else a node meets by its reference kernel.
#include "kernels/elementwise/unary.h"

#include <cmath>
#include <limits>

#include "kernels/elementwise/broadcast_walk.h"
#include "kernels/elementwise/reference_kernels.h"

namespace lapidary {
namespace {

struct Row {
    std::string_view domain, op_type;
    UnaryKind kind;
    bool is_costly;
    KernelFunction reference;
    std::string_view alpha_name = {};
    float alpha = 0;
    std::string_view beta_name = {};
    float beta = 0;
};

constexpr std::string_view microsoft = "com.microsoft";

constexpr Row rows[] = {
    {"", "Relu", UnaryKind::relu, false, reference::relu},
    {"", "LeakyRelu", UnaryKind::leaky_relu, false, reference::leaky_relu, "alpha", 0.01f},
    {"", "Sigmoid", UnaryKind::sigmoid, true, reference::sigmoid},
    {"", "HardSigmoid", UnaryKind::hard_sigmoid, false, reference::hard_sigmoid, "alpha", 0.2f,
     "beta", 0.5f},
    {"", "Tanh", UnaryKind::tanh, true, reference::tanh},
    {"", "HardSwish", UnaryKind::hard_swish, false, reference::hard_swish},
    {"", "Elu", UnaryKind::elu, true, reference::elu, "alpha", 1.0f},
    {"", "Softplus", UnaryKind::softplus, true, reference::softplus},
    {"", "ThresholdedRelu", UnaryKind::thresholded_relu, false, reference::thresholded_relu,
     "alpha", 1.0f},
    {"", "Celu", UnaryKind::celu, true, reference::celu, "alpha", 1.0f},
    {"", "Selu", UnaryKind::selu, true, reference::selu, "alpha", 1.67326319217681884765625f,
     "gamma", 1.05070102214813232421875f},
    {"", "Mish", UnaryKind::mish, true, reference::mish},
    {"", "Softsign", UnaryKind::softsign, false, reference::softsign},
    {"", "Swish", UnaryKind::quick_gelu, true, reference::swish, "alpha", 1.0f},
    {microsoft, "QuickGelu", UnaryKind::quick_gelu, true, reference::quick_gelu, "alpha", 1.702f},
    {microsoft, "Gelu", UnaryKind::gelu, true, reference::gelu},
    {"", "Affine", UnaryKind::affine, false, reference::affine, "alpha", 1.0f, "beta", 0.0f},
    {"", "Scale", UnaryKind::affine, false, reference::scale, "scale", 1.0f},
    {"", "Abs", UnaryKind::abs, false, reference::abs},
    {"", "Neg", UnaryKind::neg, false, reference::neg},
    {"", "Sign", UnaryKind::sign, false, reference::sign},
    {"", "Sqrt", UnaryKind::sqrt, false, reference::sqrt},
    {"", "Reciprocal", UnaryKind::reciprocal, false, reference::reciprocal},
    {"", "Exp", UnaryKind::exp, true, reference::exp},
    {"", "Log", UnaryKind::log, true, reference::log},
    {"", "Erf", UnaryKind::erf, true, reference::erf},
    {"", "Sin", UnaryKind::sin, true, reference::sin},
    {"", "Cos", UnaryKind::cos, true, reference::cos},
    {"", "Atan", UnaryKind::atan, true, reference::atan},
    {"", "Floor", UnaryKind::floor, false, reference::floor},
    {"", "Ceil", UnaryKind::ceil, false, reference::ceil},
    {"", "Round", UnaryKind::round, false, reference::round},
};

/// A bound of Clip: absent is infinite; nothing when it is computed.
std::optional<float> clip_bound(const Graph& graph, const Node& node, std::size_t input,
                                float absent) {
    if (input >= node.inputs.size() || !node.inputs[input]) return absent;
    const Value& v = graph.value(node.inputs[input]);
    if (v.kind != ValueKind::initializer || !v.constant || v.constant->size() != 1 ||
        v.constant->dtype() != DType::f32)
        return std::nullopt;
    return v.constant->data<float>()[0];
}

class UnaryKernel final : public Kernel {
public:
    explicit UnaryKernel(const UnaryOperator& op)
        : op_(op), table_(elementwise_kernels()),
          function_(table_.unary[static_cast<int>(op.kind)]) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.dtype() == DType::f32) run_floats(context, x);
        else if (x.dtype() == DType::f16) run_halves(context, x);
        else context.run_on_reference(op_.reference, fallback::element_type);
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

private:
    void run_floats(KernelContext& context, const Tensor& x) const {
        Tensor& y = context.output(0, DType::f32, x.shape());
        const auto* from = static_cast<const float*>(x.raw());
        auto* to = static_cast<float*>(y.mutable_raw());
        for_elements(context, x.size(), op_.is_costly ? costly_grain : cheap_grain,
                     [&](std::int64_t begin, std::int64_t end) {
                         function_(from + begin, to + begin, end - begin, op_.alpha, op_.beta);
                     });
    }

    void run_halves(KernelContext& context, const Tensor& x) const {
        Tensor& y = context.output(0, DType::f16, x.shape());
        const auto* from = static_cast<const std::uint16_t*>(x.raw());
        auto* to = static_cast<std::uint16_t*>(y.mutable_raw());
        for_elements(context, x.size(), costly_grain, [&](std::int64_t begin, std::int64_t end) {
            constexpr std::int64_t block = 512;
            float values[block];
            for (; begin < end; begin += block) {
                const std::int64_t n = std::min(block, end - begin);
                table_.widen_half(from + begin, values, n);
                function_(values, values, n, op_.alpha, op_.beta);
                table_.narrow_half(values, to + begin, n);
            }
        });
    }

    UnaryOperator op_;
    const ElementwiseKernels& table_;
    UnaryFunction function_;
};

}  // namespace

std::optional<UnaryOperator> unary_operator(const Graph& graph, const Node& node,
                                            std::string& reason) {
    const auto of = [](UnaryKind kind, KernelFunction reference) {
        return UnaryOperator{kind, 0, 0, true, reference};
    };
    if (node.op_type == "Clip" && node.domain.empty()) {
        constexpr float inf = std::numeric_limits<float>::infinity();
        std::optional<float> low, high;
        if (node.version < 11) {
            low = node.float_attribute("min", -inf);
            high = node.float_attribute("max", inf);
        } else {
            low = clip_bound(graph, node, 1, -inf);
            high = clip_bound(graph, node, 2, inf);
        }
        if (low && high) return UnaryOperator{UnaryKind::clip, *low, *high, false, reference::clip};
        reason = "a bound is computed at run time or is no float32 scalar";
        return std::nullopt;
    }
    if (node.op_type == "Gelu" && node.domain.empty()) {
        const std::string approximate = node.string_attribute("approximate", "none");
        if (approximate == "none") return of(UnaryKind::gelu, reference::gelu);
        if (approximate == "tanh") return of(UnaryKind::gelu_tanh, reference::gelu);
        reason = "attribute approximate is neither \"none\" nor \"tanh\"";
        return std::nullopt;
    }
    if (node.op_type == "FastGelu" && node.domain == microsoft) {
        if (node.inputs.size() < 2 || !node.inputs[1])
            return of(UnaryKind::gelu_tanh, reference::fast_gelu);
        reason = "it adds a bias";
        return std::nullopt;
    }
    for (const Row& row : rows) {
        if (row.op_type != node.op_type || row.domain != node.domain) continue;
        UnaryOperator op{row.kind, 0, 0, row.is_costly, row.reference};
        if (!row.alpha_name.empty()) op.alpha = node.float_attribute(row.alpha_name, row.alpha);
        if (!row.beta_name.empty()) op.beta = node.float_attribute(row.beta_name, row.beta);
        return op;
    }
    reason = "no function of one element";
    return std::nullopt;
}

std::unique_ptr<Kernel> make_unary(const KernelRequest& request, std::string& reason) {
    const DType dtype = request.input_type(0).dtype;
    if (dtype != DType::undefined && dtype != DType::f32 && dtype != DType::f16) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    const auto op = unary_operator(request.graph, request.node, reason);
    return op ? std::make_unique<UnaryKernel>(*op) : nullptr;
}

}  // namespace lapidary
