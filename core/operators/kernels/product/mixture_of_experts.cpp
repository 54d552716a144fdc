// SPDX-License-Identifier: Apache-2.0
// The plain kernels of com.microsoft MoE and QMoE: a router picks k experts per token, each two or
// three products with an activation between; what they give is added by the router's weights.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {
namespace {

/// One product of all experts: [E, rows, columns] and a bias [E, rows].
struct ExpertProduct {
    std::string name;
    Tensor weights, bias;  // float; or packed bytes
    // of packed bytes: [E, rows] or [E, rows, blocks]; packed as the weights are
    Tensor scales, zeros;
    std::int64_t experts = 0, rows = 0, columns = 0, bits = 0, block = 0;  // bits 0: float weights

    explicit operator bool() const { return rows > 0; }

    std::uint32_t packed(const std::uint8_t* row, std::int64_t i) const {
        const std::int64_t bit = i * bits;
        return (row[bit / 8] >> (bit % 8)) & ((1u << bits) - 1);
    }
    /// The weights of one expert as float [rows, columns].
    const float* matrix(std::int64_t expert, std::vector<float>& room) const {
        if (bits == 0) return weights.data<float>().data() + expert * rows * columns;
        room.resize(static_cast<std::size_t>(rows * columns));
        const std::int64_t blocks = block > 0 ? columns / block : 1, row_bytes = columns * bits / 8;
        const std::int64_t zero_bytes = ((block > 0 ? blocks : rows) * bits + 7) / 8;
        const auto* bytes =
            static_cast<const std::uint8_t*>(weights.raw()) + expert * rows * row_bytes;
        const auto* zero_rows = zeros ? static_cast<const std::uint8_t*>(zeros.raw()) +
                                            expert * zero_bytes * (block > 0 ? rows : 1)
                                      : nullptr;
        const float* scale = scales.data<float>().data() + expert * rows * blocks;
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) {
                const std::int64_t b = block > 0 ? c / block : 0;
                const std::uint32_t zero = !zero_rows  ? 1u << (bits - 1)
                                           : block > 0 ? packed(zero_rows + r * zero_bytes, b)
                                                       : packed(zero_rows, r);
                room[static_cast<std::size_t>(r * columns + c)] =
                    (static_cast<float>(packed(bytes + r * row_bytes, c)) -
                     static_cast<float>(zero)) *
                    scale[r * blocks + b];
            }
        return room.data();
    }
    /// y [tokens, rows] = x [tokens, columns] * weights^T + bias.
    std::vector<float> apply(KernelContext& context, std::int64_t expert,
                             const std::vector<float>& x, std::int64_t tokens) const {
        std::vector<float> y(static_cast<std::size_t>(tokens * rows), 0.0f), room;
        if (bias)
            for (std::int64_t t = 0; t < tokens; ++t)
                std::copy_n(bias.data<float>().data() + expert * rows, rows, y.begin() + t * rows);
        multiply_add<float>(nullptr, context.cancel(), tokens, rows, columns, x.data(), columns,
                            DenseMatrix<float>{matrix(expert, room), columns, true}, y.data(),
                            rows);
        return y;
    }
};

void require_shape(const KernelContext& context, const std::string& name, const Tensor& tensor,
                   const Shape& expected) {
    if (tensor.shape() != expected)
        context.fail(name + ": expected " + to_string(expected) + ", found " +
                     to_string(tensor.shape()));
}

/// `columns` is how many features the product takes. Inputs: weights, for packed ones scales, then
/// the bias.
ExpertProduct read_product(KernelContext& context, std::size_t input, std::size_t zero_input,
                           const std::string& name, std::int64_t columns, bool quantized) {
    ExpertProduct p;
    p.name = name;
    const Tensor* weights = context.optional_input(input);
    if (!weights) return p;
    const Node& node = context.node();
    if (weights->rank() != 3)
        context.fail(name + "_experts_weights: expected [experts,rows,columns], found " +
                     to_string(weights->shape()));
    p.experts = weights->dim(0);
    p.rows = weights->dim(1);
    p.columns = columns;
    if (quantized) {
        p.bits = node.int_attribute(name + "_expert_weight_bits",
                                    node.int_attribute("expert_weight_bits", 4));
        p.block = node.int_attribute("block_size", 0);
        if (p.bits != 2 && p.bits != 4 && p.bits != 8)
            fail_unsupported(name + ": experts of " + std::to_string(p.bits) +
                             " bits are not supported, of 2, 4 and 8 are");
        if (p.block < 0 || (p.block > 0 && columns % p.block != 0) || columns * p.bits % 8 != 0)
            context.fail(name + ": " + std::to_string(columns) +
                         " columns do not divide into blocks of " + std::to_string(p.block) +
                         " or whole bytes");
        if (weights->dtype() != DType::u8)
            fail_unsupported(name + "_experts_weights: expected u8, found " +
                             std::string(name_of(weights->dtype())));
        require_shape(context, name + "_experts_weights", *weights,
                      {p.experts, p.rows, columns * p.bits / 8});
        p.weights = *weights;
        const std::int64_t blocks = p.block > 0 ? columns / p.block : 1;
        p.scales = converted(context, context.input(input + 1), DType::f32);
        require_shape(context, name + "_scales", p.scales,
                      p.block > 0 ? Shape{p.experts, p.rows, blocks} : Shape{p.experts, p.rows});
        if (const Tensor* zeros = context.optional_input(zero_input)) {
            require_shape(context, name + "_zero_points", *zeros,
                          p.block > 0 ? Shape{p.experts, p.rows, (blocks * p.bits + 7) / 8}
                                      : Shape{p.experts, (p.rows * p.bits + 7) / 8});
            if (zeros->dtype() != DType::u8)
                fail_unsupported(name + "_zero_points: expected u8, found " +
                                 std::string(name_of(zeros->dtype())));
            p.zeros = *zeros;
        }
    } else {
        require_shape(context, name + "_experts_weights", *weights, {p.experts, p.rows, columns});
        p.weights = converted(context, *weights, DType::f32);
    }
    if (const Tensor* bias = context.optional_input(input + (quantized ? 2 : 1))) {
        require_shape(context, name + "_experts_bias", *bias, {p.experts, p.rows});
        p.bias = converted(context, *bias, DType::f32);
    }
    return p;
}

/// The activation between the first and the second product.
class ExpertActivation {
public:
    explicit ExpertActivation(const Node& node)
        : type_(node.string_attribute("activation_type", "relu")),
          fusion_(node.int_attribute("swiglu_fusion", 0)),
          alpha_(node.float_attribute("activation_alpha", 1.0f)),
          beta_(node.float_attribute("activation_beta", 0.0f)),
          limit_(node.float_attribute("swiglu_limit", std::numeric_limits<float>::infinity())) {
        for (const char* known : {"relu", "gelu", "silu", "identity", "swiglu"})
            if (type_ == known) return;
        fail_unsupported("attribute activation_type: " + quote(type_) +
                         " is not supported; relu, gelu, silu, identity and swiglu are");
    }
    /// Gate and linear part come from one product: interleaved, or one after the other.
    bool is_fused() const { return type_ == "swiglu" && fusion_ != 0; }
    bool needs_linear_part() const { return type_ == "swiglu" && fusion_ == 0; }

    /// `first` [tokens, rows]; `linear` as many, or empty. Gives [tokens, rows or half of them].
    std::vector<float> apply(const std::vector<float>& first, const std::vector<float>& linear,
                             std::int64_t rows) const {
        if (!is_fused()) {
            std::vector<float> out(first.size());
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = type_ == "swiglu" ? gated(first[i], linear[i])
                         : linear.empty()  ? plain(first[i])
                                           : plain(first[i]) * linear[i];
            return out;
        }
        const auto half = static_cast<std::size_t>(rows / 2), all = static_cast<std::size_t>(rows);
        std::vector<float> out(first.size() / 2);
        for (std::size_t i = 0; i < out.size(); ++i) {
            const float* row = first.data() + i / half * all;
            const std::size_t c = i % half;
            out[i] =
                fusion_ == 1 ? gated(row[2 * c], row[2 * c + 1]) : gated(row[c], row[half + c]);
        }
        return out;
    }

private:
    float gated(float gate, float linear) const {
        const float g = std::min(gate, limit_), l = std::clamp(linear, -limit_, limit_);
        return g / (1 + std::exp(-alpha_ * g)) * (l + beta_);
    }
    float plain(float x) const {
        if (type_ == "relu") return std::max(x, 0.0f);
        if (type_ == "silu") return x / (1 + std::exp(-x));
        if (type_ == "gelu")
            return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
        return x;
    }
    std::string type_;
    std::int64_t fusion_;
    float alpha_, beta_, limit_;
};

struct Route {
    std::int64_t token;
    float weight;
};

/// Which tokens each expert serves: those among whose k largest probabilities it is, the first of
/// equal ones.
std::vector<std::vector<Route>> routes_of(KernelContext& context, const Tensor& router,
                                          const Tensor* weights, std::int64_t tokens,
                                          std::int64_t experts) {
    const std::int64_t k = context.node().int_attribute("k", 1);
    if (k < 1 || k > experts)
        fail_model("attribute k: expected 1 to " + std::to_string(experts) + ", found " +
                   std::to_string(k));
    require_shape(context, "router_probs", router, {tokens, experts});
    const Tensor scores = converted(context, router, DType::f32),
                 given = weights ? converted(context, *weights, DType::f32) : Tensor();
    if (weights) require_shape(context, "router_weights", *weights, {tokens, experts});
    const bool normalizes = context.node().int_attribute("normalize_routing_weights", 0) != 0;
    std::vector<std::vector<Route>> routes(static_cast<std::size_t>(experts));
    std::vector<std::int64_t> order(static_cast<std::size_t>(experts));
    for (std::int64_t t = 0; t < tokens; ++t) {
        const float* row = scores.data<float>().data() + t * experts;
        const auto key = [row](std::int64_t e) {
            return std::isnan(row[e]) ? -std::numeric_limits<float>::infinity() : row[e];
        };
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t a, std::int64_t b) { return key(a) > key(b); });
        const float most = row[order[0]];
        double sum = 0, chosen = 0;
        for (std::int64_t e = 0; e < experts; ++e)
            sum += std::exp(static_cast<double>(row[e]) - most);
        const auto weight_of = [&](std::int64_t e) {
            return given ? static_cast<double>(
                               given.data<float>()[static_cast<std::size_t>(t * experts + e)])
                         : std::exp(static_cast<double>(row[e]) - most) / sum;
        };
        for (std::int64_t i = 0; i < k; ++i)
            chosen += weight_of(order[static_cast<std::size_t>(i)]);
        for (std::int64_t i = 0; i < k; ++i) {
            const std::int64_t e = order[static_cast<std::size_t>(i)];
            routes[static_cast<std::size_t>(e)].push_back(
                {t, static_cast<float>(weight_of(e) / (normalizes ? chosen : 1))});
        }
    }
    return routes;
}

void mix_experts(KernelContext& context, bool quantized) {
    const Tensor& x = context.input(0);
    if (x.rank() != 2 && x.rank() != 3)
        context.fail("input: expected [tokens,hidden] or [B,S,hidden], found " +
                     to_string(x.shape()));
    const std::int64_t hidden = x.shape().back(), tokens = hidden == 0 ? 0 : x.size() / hidden;
    const ExpertActivation activation(context.node());
    const std::size_t step = quantized ? 3 : 2;
    const ExpertProduct first = read_product(context, 2, 11, "fc1", hidden, quantized);
    if (!first || (activation.is_fused() && first.rows % 2 != 0))
        context.fail("fc1_experts_weights has no rows, or an odd number for a fused swiglu");
    const std::int64_t inner = activation.is_fused() ? first.rows / 2 : first.rows;
    const ExpertProduct second = read_product(context, 2 + step, 12, "fc2", inner, quantized),
                        third = read_product(context, 2 + 2 * step, 13, "fc3", hidden, quantized);
    if (second.rows != hidden || second.experts != first.experts)
        context.fail("fc2_experts_weights: expected " + std::to_string(first.experts) +
                     " experts of " + std::to_string(hidden) + " rows");
    if (third && (third.rows != inner || third.experts != first.experts || activation.is_fused()))
        context.fail("fc3_experts_weights does not fit fc1_experts_weights");
    if (activation.needs_linear_part() && !third)
        context.fail("swiglu with swiglu_fusion 0 needs fc3_experts_weights");

    const auto routes =
        routes_of(context, context.input(1),
                  quantized ? context.optional_input(mixture_input::router_weights) : nullptr,
                  tokens, first.experts);
    const Tensor wide = converted(context, x, DType::f32);
    Tensor y = context.scratch(DType::f32, x.shape());
    std::ranges::fill(y.mutable_data<float>(), 0.0f);
    for (std::int64_t e = 0; e < first.experts; ++e) {
        const auto& list = routes[static_cast<std::size_t>(e)];
        if (list.empty()) continue;
        context.cancel().throw_if_cancelled();
        const auto count = static_cast<std::int64_t>(list.size());
        std::vector<float> rows;
        for (const Route& route : list)
            rows.insert(rows.end(), wide.data<float>().begin() + route.token * hidden,
                        wide.data<float>().begin() + (route.token + 1) * hidden);
        const std::vector<float> linear =
            third ? third.apply(context, e, rows, count) : std::vector<float>();
        const std::vector<float> between =
            activation.apply(first.apply(context, e, rows, count), linear, first.rows);
        const std::vector<float> result = second.apply(context, e, between, count);
        for (std::int64_t i = 0; i < count; ++i) {
            float* to =
                y.mutable_data<float>().data() + list[static_cast<std::size_t>(i)].token * hidden;
            for (std::int64_t h = 0; h < hidden; ++h)
                to[h] += list[static_cast<std::size_t>(i)].weight *
                         result[static_cast<std::size_t>(i * hidden + h)];
        }
    }
    set_result(context, 0, y, x.dtype());
}

}  // namespace

void mixture_of_experts(KernelContext& context) { mix_experts(context, false); }

void quantized_mixture_of_experts(KernelContext& context) {
    const Node& node = context.node();
    if (const std::string type = node.string_attribute("quant_type", "int"); type != "int")
        fail_unsupported("attribute quant_type: " + quote(type) + " is not supported, int is");
    if (const std::int64_t packed = node.int_attribute("weights_prepacked", -1); packed == 1)
        fail_unsupported(
            "attribute weights_prepacked: weights laid out for one machine (1) are not supported");
    mix_experts(context, true);
}

}  // namespace lapidary::reference
