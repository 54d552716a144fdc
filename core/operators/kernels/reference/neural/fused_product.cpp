// SPDX-License-Identifier: Apache-2.0
// com.microsoft: FusedConv, FusedGemm, FusedMatMul, FusedMatMulActivation, TransposeMatMul,
// NhwcFusedConv, ConvTransposeWithDynamicPads, GemmFastGelu; lapidary::Product
// (core/engine/passes/session).
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/elementwise/fused_activation.h"

namespace lapidary::reference {

void add(KernelContext&);
void clip(KernelContext&);
void conv(KernelContext&);
void conv_transpose(KernelContext&);
void elu(KernelContext&);
void gelu(KernelContext&);
void gemm(KernelContext&);
void hard_sigmoid(KernelContext&);
void hard_swish(KernelContext&);
void leaky_relu(KernelContext&);
void matmul(KernelContext&);
void mul(KernelContext&);
void parametric_softplus(KernelContext&);
void quick_gelu(KernelContext&);
void relu(KernelContext&);
void scaled_tanh(KernelContext&);
void selu(KernelContext&);
void sigmoid(KernelContext&);
void skip_layer_normalization(KernelContext&);
void softmax(KernelContext&);
void softplus(KernelContext&);
void softsign(KernelContext&);
void tanh(KernelContext&);
void thresholded_relu(KernelContext&);
void transpose(KernelContext&);

Tensor activated(KernelContext& context, const std::string& activation,
                 const std::vector<float>& parameters, Tensor x) {
    if (activation.empty()) return x;
    NestedNode node{activation};
    const auto require = [&](std::size_t count) {
        if (parameters.size() < count)
            fail_model("attribute activation_params: " + activation + " takes " +
                       std::to_string(count) + ", found " + std::to_string(parameters.size()));
    };
    if (activation == "Relu") return run_nested_one(context, relu, node, {x});
    if (activation == "Tanh") return run_nested_one(context, tanh, node, {x});
    if (activation == "Sigmoid") return run_nested_one(context, sigmoid, node, {x});
    if (activation == "Gelu") return run_nested_one(context, gelu, node, {x});
    if (activation == "FastGelu")
        return run_nested_one(context, gelu,
                              NestedNode{"Gelu", 20}.set("approximate", std::string("tanh")), {x});
    if (activation == "HardSwish") return run_nested_one(context, hard_swish, node, {x});
    if (activation == "HardSigmoid") {
        if (parameters.empty()) return run_nested_one(context, hard_sigmoid, node, {x});
        require(2);
        return run_nested_one(context, hard_sigmoid,
                              node.set("alpha", parameters[0]).set("beta", parameters[1]), {x});
    }
    if (activation == "LeakyRelu") {
        require(1);
        return run_nested_one(context, leaky_relu, node.set("alpha", parameters[0]), {x});
    }
    if (activation == "QuickGelu") {
        require(1);
        return run_nested_one(context, quick_gelu, node.set("alpha", parameters[0]), {x});
    }
    if (activation == "Clip") {
        require(2);
        node.version = 6;
        return run_nested_one(context, clip,
                              node.set("min", parameters[0]).set("max", parameters[1]), {x});
    }
    fail_unsupported("attribute activation: " + quote(activation) + " is not supported");
}

namespace {

Tensor optional_tensor(const KernelContext& context, std::size_t index) {
    const Tensor* tensor = context.optional_input(index);
    return tensor ? *tensor : Tensor();
}

Tensor transposed(KernelContext& context, const Tensor& x, std::vector<std::int64_t> permutation) {
    return run_nested_one(context, transpose,
                          NestedNode{"Transpose"}.set("perm", std::move(permutation)), {x});
}

/// [N, spatial..., C] to [N, C, spatial...] or back.
Tensor channels_moved(KernelContext& context, const Tensor& x, bool to_front) {
    std::vector<std::int64_t> permutation{0};
    const std::int64_t rank = x.rank();
    if (rank < 3) return x;
    if (to_front) permutation.push_back(rank - 1);
    for (std::int64_t i = to_front ? 1 : 2; i < (to_front ? rank - 1 : rank); ++i)
        permutation.push_back(i);
    if (!to_front) permutation.push_back(1);
    return transposed(context, x, std::move(permutation));
}

Tensor fused_conv_result(KernelContext& context, Tensor x, const Tensor& w, Tensor z) {
    Tensor y = run_nested_one(context, conv, {"Conv", 22, window_attributes(context.node())},
                              {std::move(x), w, optional_tensor(context, 2)});
    if (z) {
        if (z.shape() != y.shape())
            context.fail("input 3: expected " + to_string(y.shape()) + ", found " +
                         to_string(z.shape()));
        y = run_nested_one(context, add, {"Add"}, {y, z});
    }
    return activated(context, context.node().string_attribute("activation", ""),
                     context.node().floats_attribute("activation_params"), y);
}

/// The activation of FusedGemm; attributes that are absent have the defaults of the activation
/// operators.
Tensor gemm_activated(KernelContext& context, const Tensor& y) {
    const Node& node = context.node();
    const std::string activation = node.string_attribute("activation", "");
    static constexpr std::pair<std::string_view, KernelFunction> others[] = {
        {"Elu", elu},
        {"Selu", selu},
        {"Softplus", softplus},
        {"Softsign", softsign},
        {"ThresholdedRelu", thresholded_relu},
        {"ScaledTanh", scaled_tanh},
        {"ParametricSoftplus", parametric_softplus}};
    for (const auto& [name, kernel] : others) {
        if (name != activation) continue;
        NestedNode nested{activation};
        for (const char* parameter : {"alpha", "beta", "gamma"})
            if (const std::string given = std::string("activation_") + parameter;
                node.has_attribute(given))
                nested.set(parameter, node.float_attribute(given, 0));
        return run_nested_one(context, kernel, nested, {y});
    }
    const float alpha = activation == "HardSigmoid" ? 0.2f : 0.01f;
    return activated(context, activation,
                     {node.float_attribute("activation_alpha", alpha),
                      node.float_attribute("activation_beta", 0.5f)},
                     y);
}

/// One operand of FusedMatMul as plain MatMul takes it: `batch` moves dimension 0 next to the last
/// one.
Tensor matmul_operand(KernelContext& context, std::size_t index, bool transpose_last,
                      bool transpose_batch) {
    const Tensor& x = context.input(index);
    const std::int64_t rank = x.rank();
    if (rank < 2 || (!transpose_last && !transpose_batch)) return x;
    if (transpose_batch && rank < 3)
        context.fail("input " + std::to_string(index) +
                     ": transBatch needs rank 3 or more, found " + to_string(x.shape()));
    std::vector<std::int64_t> permutation;
    for (std::int64_t i = 0; i < rank; ++i) permutation.push_back(i);
    if (transpose_batch) {
        permutation.erase(permutation.begin());
        permutation.insert(permutation.end() - 1, 0);
    }
    if (transpose_last)
        std::swap(permutation[static_cast<std::size_t>(rank - 1)],
                  permutation[static_cast<std::size_t>(rank - 2)]);
    return transposed(context, x, std::move(permutation));
}

/// FusedMatMul without its factor.
Tensor fused_product(KernelContext& context) {
    const Node& node = context.node();
    const Tensor a = matmul_operand(context, 0, node.int_attribute("transA", 0) != 0,
                                    node.int_attribute("transBatchA", 0) != 0);
    const Tensor b = matmul_operand(context, 1, node.int_attribute("transB", 0) != 0,
                                    node.int_attribute("transBatchB", 0) != 0);
    return run_nested_one(context, matmul, {"MatMul"}, {a, b});
}

Tensor scaled_product(KernelContext& context) {
    const Tensor product = fused_product(context);
    const float alpha = context.node().float_attribute("alpha", 1.0f);
    if (alpha == 1) return product;
    Tensor y(product.dtype(), product.shape());
    dispatch<FloatTypes>(product.dtype(), [&]<typename T>() {
        map_elements<T, T>(context, product, y, [alpha](compute_t<T> v) {
            return v * static_cast<compute_t<T>>(alpha);
        });
    });
    return y;
}

}  // namespace

void fused_conv(KernelContext& context) {
    set_result(context, 0,
               fused_conv_result(context, context.input(0), context.input(1),
                                 optional_tensor(context, 3)));
}

/// X, Z and Y are [N, spatial..., C]; W is [M, C/group, spatial...] as for Conv.
void nhwc_fused_conv(KernelContext& context) {
    const Tensor x = channels_moved(context, context.input(0), true);
    Tensor z = optional_tensor(context, 3);
    if (z) z = channels_moved(context, z, true);
    set_result(context, 0,
               channels_moved(context, fused_conv_result(context, x, context.input(1), z), false));
}

void fused_gemm(KernelContext& context) {
    const Node& node = context.node();
    const Tensor y = run_nested_one(
        context, gemm, {"Gemm", 13, attributes_named(node, {"alpha", "beta", "transA", "transB"})},
        {context.input(0), context.input(1), optional_tensor(context, 2)});
    set_result(context, 0, gemm_activated(context, y));
}

void fused_matmul(KernelContext& context) { set_result(context, 0, scaled_product(context)); }

/// In what types the fast kernel does not: 16-bit floats, of which devices have kernels.
void session_product(KernelContext& context) {
    Tensor y = scaled_product(context);
    for (std::size_t addend : {2, 3})
        if (const Tensor* x = context.optional_input(addend))
            y = run_nested_one(context, add, {"Add"}, {y, *x});
    set_result(context, 0, gemm_activated(context, y));
}

/// lapidary::NormalizedProduct (core/engine/passes/session): a SkipLayerNormalization and the
/// product that reads it.
void normalized_product(KernelContext& context) {
    const Node& node = context.node();
    std::vector<Tensor> given{context.input(0), context.input(1), context.input(2)};
    for (std::size_t i : {3, 4}) given.push_back(optional_tensor(context, i));
    // the product's other inputs lie behind those of the normalization
    const std::size_t weight = given.size();
    const auto normalized =
        run_nested(context, skip_layer_normalization,
                   {"SkipLayerNormalization", 1, attributes_named(node, {"epsilon"})}, given, 4);
    Tensor rows = normalized[0];
    if (node.int_attribute("flattens", 0) != 0) {
        const std::int64_t width = rows.shape().back();
        rows = rows.reshaped({width == 0 ? 0 : rows.size() / width, width});
    }
    NestedNode product{
        "Product", 1,
        attributes_named(node, {"alpha", "activation", "activation_alpha", "activation_beta"})};
    set_result(context, 0,
               run_nested_one(context, session_product, std::move(product),
                              {rows, context.input(weight), optional_tensor(context, weight + 1),
                               optional_tensor(context, weight + 2)}));
    if (context.output_count() > 1 && context.wants_output(1))
        set_result(context, 1, normalized[3]);
}

void fused_matmul_activation(KernelContext& context) {
    Tensor y = fused_product(context);
    const Node& node = context.node();
    if (const float alpha = node.float_attribute("alpha", 1.0f); alpha != 1) {
        Tensor factor(y.dtype(), {});
        dispatch<FloatTypes>(y.dtype(),
                             [&]<typename T>() { factor.mutable_data<T>()[0] = T(alpha); });
        y = run_nested_one(context, mul, {"Mul"}, {y, factor});
    }
    const std::string activation = node.string_attribute("activation", "");
    if (activation == "Softmax")
        y = run_nested_one(
            context, softmax,
            NestedNode{"Softmax"}.set("axis", node.int_attribute("activation_axis", -1)), {y});
    else y = gemm_activated(context, y);
    set_result(context, 0, y);
}

void conv_transpose_with_dynamic_pads(KernelContext& context) {
    std::vector<Attribute> attributes = attributes_named(
        context.node(),
        {"auto_pad", "kernel_shape", "strides", "dilations", "group", "output_padding"});
    NestedNode node{"ConvTranspose", 11, std::move(attributes)};
    if (const Tensor* pads = context.optional_input(2)) node.set("pads", to_int64s(*pads));
    set_result(context, 0,
               run_nested_one(context, conv_transpose, node,
                              {context.input(0), context.input(1), optional_tensor(context, 3)}));
}

void gemm_fast_gelu(KernelContext& context) {
    Tensor y = run_nested_one(context, matmul, {"MatMul"}, {context.input(0), context.input(1)});
    if (const Tensor* bias = context.optional_input(2))
        y = run_nested_one(context, add, {"Add"}, {y, *bias});
    set_result(context, 0,
               run_nested_one(context, gelu,
                              NestedNode{"Gelu", 20}.set("approximate", std::string("tanh")), {y}));
}

}  // namespace lapidary::reference
