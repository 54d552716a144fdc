// SPDX-License-Identifier: Apache-2.0
// com.microsoft QLinear* operators that read, compute in float and quantize again: QLinearAdd,
// QLinearMul, QLinearSigmoid, QLinearLeakyRelu, QLinearSoftmax, QLinearWhere, QLinearConcat,
// QLinearReduceMean, QLinearAveragePool, QLinearGlobalAveragePool; and those whose weights are
// stored quantized: QEmbedLayerNormalization, DynamicQuantizeLSTM.
#include <cmath>

#include "kernels/input_index.h"
#include "kernels/reference/control_flow/nested_kernel.h"
#include "kernels/reference/elementwise/elementwise_binary.h"
#include "kernels/reference/quantization/quantization.h"

namespace lapidary::reference {

void add(KernelContext&);
void average_pool(KernelContext&);
void concat(KernelContext&);
void embed_layer_normalization(KernelContext&);
void global_average_pool(KernelContext&);
void leaky_relu(KernelContext&);
void lstm_of_bytes(KernelContext&);
void mul(KernelContext&);
void reduce_mean(KernelContext&);
void sigmoid(KernelContext&);
void softmax(KernelContext&);
void transpose(KernelContext&);
void where(KernelContext&);

namespace {

/// Inputs index, index + 1 (scale) and index + 2 (zero point) as f32.
Tensor read(KernelContext& context, std::size_t index) {
    return dequantized(context, context.input(index), context.input(index + 1),
                       context.optional_input(index + 2));
}

void write(KernelContext& context, const Tensor& y, std::size_t scale, std::size_t zero_point) {
    const Tensor* zero = context.optional_input(zero_point);
    set_quantized(context, 0, y, context.input(scale), zero,
                  zero ? zero->dtype() : context.input(0).dtype());
}

Tensor with_channels(KernelContext& context, const Tensor& x, bool to_front) {
    std::vector<std::int64_t> permutation{0};
    const std::int64_t rank = x.rank();
    if (rank < 3) return x;
    if (to_front) permutation.push_back(rank - 1);
    for (std::int64_t i = to_front ? 1 : 2; i < (to_front ? rank - 1 : rank); ++i)
        permutation.push_back(i);
    if (!to_front) permutation.push_back(1);
    return run_nested_one(context, transpose,
                          NestedNode{"Transpose"}.set("perm", std::move(permutation)), {x});
}

Tensor pooled(KernelContext& context, KernelFunction kernel, const NestedNode& node) {
    const bool channels_last = context.node().int_attribute("channels_last", 0) != 0;
    Tensor x = read(context, 0);
    if (channels_last) x = with_channels(context, x, true);
    const Tensor y = run_nested_one(context, kernel, node, {x});
    return channels_last ? with_channels(context, y, false) : y;
}

/// saturate(round(y / scale + zero point)), all in float, as ONNX Runtime's QLinearAveragePool
/// rounds: halves go to the even byte, where QuantizeLinear takes the even number of steps.
void write_rounded_with_zero(KernelContext& context, const Tensor& y) {
    namespace in = qlinear_unary_input;
    const Tensor* zero = context.optional_input(in::y_scale + 1);
    const auto step = static_cast<float>(scalar_of(context.input(in::y_scale), "y_scale"));
    const auto shift = zero ? static_cast<float>(scalar_of(*zero, "y_zero_point")) : 0.0f;
    Tensor steps = context.scratch(DType::f32, y.shape());
    auto* to = steps.mutable_data<float>().data();
    for (const float v : y.data<float>()) *to++ = std::nearbyint(v / step + shift) - shift;
    const Tensor one = Tensor::of<float>({}, {1.0f});
    set_quantized(context, 0, steps, one, zero, zero ? zero->dtype() : context.input(0).dtype());
}

}  // namespace

void qlinear_add(KernelContext& context) {
    write(context, run_nested_one(context, add, {"Add"}, {read(context, 0), read(context, 3)}), 6,
          7);
}

void qlinear_mul(KernelContext& context) {
    write(context, run_nested_one(context, mul, {"Mul"}, {read(context, 0), read(context, 3)}), 6,
          7);
}

void qlinear_sigmoid(KernelContext& context) {
    write(context, run_nested_one(context, sigmoid, {"Sigmoid"}, {read(context, 0)}), 3, 4);
}

void qlinear_leaky_relu(KernelContext& context) {
    write(context,
          run_nested_one(context, leaky_relu,
                         {"LeakyRelu", 16, attributes_named(context.node(), {"alpha"})},
                         {read(context, 0)}),
          3, 4);
}

void qlinear_softmax(KernelContext& context) {
    const std::int64_t opset = context.node().int_attribute("opset", 13);
    if (opset < 1)
        fail_model("attribute opset: expected at least 1, found " + std::to_string(opset));
    write(context,
          run_nested_one(context, softmax,
                         {"Softmax", opset, attributes_named(context.node(), {"axis"})},
                         {read(context, 0)}),
          3, 4);
}

void qlinear_where(KernelContext& context) {
    const Tensor y = run_nested_one(context, where, {"Where"},
                                    {context.input(0), read(context, 1), read(context, 4)});
    const Tensor* zero = context.optional_input(qlinear_where_input::z_zero_point);
    set_quantized(context, 0, y, context.input(qlinear_where_input::z_scale), zero,
                  zero ? zero->dtype() : context.input(1).dtype());
}

void qlinear_concat(KernelContext& context) {
    if (context.input_count() < 5 || (context.input_count() - 2) % 3 != 0)
        context.fail("QLinearConcat takes 2 + 3 * n inputs, found " +
                     std::to_string(context.input_count()));
    std::vector<Tensor> parts;
    for (std::size_t i = 2; i < context.input_count(); i += 3) parts.push_back(read(context, i));
    const Tensor y =
        run_nested_one(context, concat, {"Concat", 13, attributes_named(context.node(), {"axis"})},
                       std::move(parts));
    set_quantized(context, 0, y, context.input(0), &context.input(1), context.input(1).dtype());
}

void qlinear_reduce_mean(KernelContext& context) {
    write(context,
          run_nested_one(context, reduce_mean,
                         {"ReduceMean", 13, attributes_named(context.node(), {"axes", "keepdims"})},
                         {read(context, 0)}),
          3, 4);
}

void qlinear_average_pool(KernelContext& context) {
    write_rounded_with_zero(
        context,
        pooled(context, average_pool, {"AveragePool", 11, window_attributes(context.node())}));
}

void qlinear_global_average_pool(KernelContext& context) {
    write(context, pooled(context, global_average_pool, {"GlobalAveragePool"}), 3, 4);
}

/// All tables, gamma and beta are u8 with one scale and zero point each (inputs 8 to 12 and 13 to
/// 17).
void qembed_layer_normalization(KernelContext& context) {
    namespace in = quantized_embed_input;
    const auto table = [&](std::size_t index, std::size_t parameter) {
        const Tensor* x = context.optional_input(index);
        return x ? dequantized(context, *x, context.input(in::first_scale + parameter),
                               context.optional_input(in::first_zero_point + parameter))
                 : Tensor();
    };
    const auto optional = [&](std::size_t index) {
        const Tensor* x = context.optional_input(index);
        return x ? *x : Tensor();
    };
    const auto results =
        run_nested(context, embed_layer_normalization,
                   {"EmbedLayerNormalization", 1, attributes_named(context.node(), {"epsilon"})},
                   {context.input(0), optional(1), table(2, 0), table(in::position_embedding, 1),
                    table(in::segment_embedding, 2), table(in::gamma, 3), table(in::beta, 4),
                    optional(in::mask)},
                   2);
    for (std::size_t i = 0; i < results.size(); ++i) set_result(context, i, results[i]);
}

/// The weights, stored [directions, inputs, 4 * hidden], are read back to float; X and the states
/// are rounded to what their quantization at run time keeps, so that the products are those of the
/// 8-bit integers.
void dynamic_quantize_lstm(KernelContext& context) {
    const auto weights = [&](std::size_t index, std::size_t scale) {
        const Tensor& w = context.input(index);
        if (w.rank() != 3)
            context.fail("input " + std::to_string(index) +
                         ": expected [directions, inputs, 4 * hidden], found " +
                         to_string(w.shape()));
        const Tensor scales = converted(context, context.input(scale), DType::f32);
        const std::vector<double> zeros = to_doubles(context.input(scale + 1));
        const std::int64_t directions = w.dim(0), rows = w.dim(1), columns = w.dim(2);
        const bool per_channel = scales.size() == directions * columns && scales.rank() == 2;
        if ((!per_channel && scales.size() != directions && scales.size() != 1) ||
            static_cast<std::int64_t>(zeros.size()) != scales.size())
            context.fail("input " + std::to_string(scale) + ": the scales " +
                         to_string(scales.shape()) + " do not fit weights " + to_string(w.shape()));
        const std::vector<double> values = to_doubles(w);
        Tensor out = context.scratch(DType::f32, {directions, columns, rows});
        float* to = out.mutable_data<float>().data();
        for (std::int64_t d = 0; d < directions; ++d)
            for (std::int64_t c = 0; c < columns; ++c) {
                const auto at = static_cast<std::size_t>(per_channel          ? d * columns + c
                                                         : scales.size() == 1 ? 0
                                                                              : d);
                for (std::int64_t r = 0; r < rows; ++r, ++to)
                    *to = static_cast<float>(
                              values[static_cast<std::size_t>((d * rows + r) * columns + c)] -
                              zeros[at]) *
                          scales.data<float>()[at];
            }
        return out;
    };
    std::vector<Tensor> inputs{context.input(0), weights(1, 8), weights(2, 10)};
    for (std::size_t i = 3; i < 8; ++i)
        inputs.push_back(context.optional_input(i) ? *context.optional_input(i) : Tensor());
    const auto results = run_nested(
        context, lstm_of_bytes,
        {"LSTM", 7,
         attributes_named(context.node(), {"activation_alpha", "activation_beta", "activations",
                                           "clip", "direction", "hidden_size", "input_forget"})},
        std::move(inputs), 3);
    for (std::size_t i = 0; i < results.size() && i < context.output_count(); ++i)
        set_result(context, i, results[i]);
}

}  // namespace lapidary::reference
