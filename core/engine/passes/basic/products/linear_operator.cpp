// SPDX-License-Identifier: Apache-2.0
#include "passes/basic/products/linear_operator.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

/// A weight seen as [outer, middle, inner]; channel of an element: (outer / outer_per_group) *
/// middle size + middle index.
struct WeightLayout {
    std::int64_t outer = 1, outer_per_group = 1, middle = 1, inner = 1;
};

double largest(DType dtype) {
    switch (dtype) {
    case DType::f16: return 65504;
    case DType::f64: return std::numeric_limits<double>::max();
    default: return std::numeric_limits<float>::max();
    }
}

std::string out_of_range(DType dtype) {
    return "the folded constants leave the range of " + std::string(name_of(dtype));
}

template <typename T>
bool scale_elements(const Tensor& in, Tensor& out, const WeightLayout& layout,
                    const std::vector<double>& scale) {
    using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const double limit = largest(in.dtype());
    const auto from = in.data<T>();
    const auto to = out.mutable_data<T>();
    std::size_t i = 0;
    for (std::int64_t o = 0; o < layout.outer; ++o)
        for (std::int64_t m = 0; m < layout.middle; ++m) {
            const double s = at(scale, o / layout.outer_per_group * layout.middle + m);
            for (std::int64_t n = 0; n < layout.inner; ++n, ++i) {
                const double v = static_cast<double>(static_cast<C>(from[i])) * s;
                if (!(std::fabs(v) <= limit)) return false;
                to[i] = T(static_cast<C>(v));
            }
        }
    return true;
}

/// The scaled weight, or an absent tensor when a value leaves the range of its type.
Tensor scaled(const Tensor& weight, const WeightLayout& layout, const std::vector<double>& scale) {
    Tensor out(weight.dtype(), weight.shape());
    bool fits = false;
    switch (weight.dtype()) {
    case DType::f32: fits = scale_elements<float>(weight, out, layout, scale); break;
    case DType::f64: fits = scale_elements<double>(weight, out, layout, scale); break;
    case DType::f16: fits = scale_elements<Half>(weight, out, layout, scale); break;
    default: fits = scale_elements<BFloat16>(weight, out, layout, scale); break;
    }
    return fits ? out : Tensor();
}

bool fits(DType dtype, const std::vector<double>& values) {
    return std::ranges::all_of(
        values, [limit = largest(dtype)](double v) { return std::fabs(v) <= limit; });
}

std::int64_t product_from(const Shape& shape, std::size_t first, std::size_t last) {
    std::int64_t n = 1;
    for (std::size_t i = first; i < last; ++i) n *= shape[i];
    return n;
}

WeightLayout layout_of(const Node& node, const Tensor& w) {
    const Shape& s = w.shape();
    if (node.op_type == "Conv") return {1, 1, s[0], product_from(s, 1, s.size())};
    if (node.op_type == "ConvTranspose")
        return {s[0], std::max<std::int64_t>(1, s[0] / node.int_attribute("group", 1)), s[1],
                product_from(s, 2, s.size())};
    if (node.op_type == "Gemm" && node.int_attribute("transB", 0) != 0) return {1, 1, s[0], s[1]};
    const std::int64_t outer = product_from(s, 0, s.size() - 1);
    return {outer, std::max<std::int64_t>(1, outer), s.back(), 1};
}

std::string name_of_input(const PassContext& context, const Node& node, std::size_t index,
                          const char* suffix) {
    const ValueId id = index < node.inputs.size() ? node.inputs[index] : ValueId{};
    if (id) return context.graph().value(id).name;
    return context.graph().value(node.inputs[1]).name + suffix;
}

void set(std::vector<Attribute>& attributes, Attribute a) {
    for (Attribute& old : attributes)
        if (old.name == a.name) {
            old = std::move(a);
            return;
        }
    attributes.push_back(std::move(a));
}

/// Conv and ConvTranspose: channels are axis 1 of the result.
std::optional<LinearOperator> linear_convolution(const Node& node, const Tensor& w,
                                                 const Tensor* bias, std::string& why) {
    const bool is_conv = node.op_type == "Conv";
    const std::int64_t group = node.int_attribute("group", 1);
    if (w.rank() < 3 || group < 1 || (!is_conv && w.dim(0) % group != 0))
        return why = "the weight does not fit the operator", std::nullopt;
    LinearOperator linear{node.id};
    linear.rank = w.rank();
    linear.channels = is_conv ? w.dim(0) : w.dim(1) * group;
    if (bias && (bias->rank() != 1 || bias->dim(0) != linear.channels))
        return why = "the bias does not fit the operator", std::nullopt;
    return linear;
}

/// MatMul and Gemm: channels are the last axis of the result.
std::optional<LinearOperator> linear_product(const Scope& scope, const Node& node, const Tensor& w,
                                             const Tensor* bias, std::string& why) {
    if (w.rank() < 2)
        return why = "the weight has rank " + std::to_string(w.rank()) + ", needs 2 or more",
               std::nullopt;
    LinearOperator linear{node.id};
    linear.axis = -1;
    if (node.op_type == "MatMul") {
        linear.rank = scope.rank(node.outputs[0]);
        linear.channels = w.shape().back();
        return linear;
    }
    linear.rank = 2;
    linear.channels = w.dim(node.int_attribute("transB", 0) != 0 ? 0 : 1);
    if (bias && !per_channel(*bias, 2, 1, linear.channels))
        return why = "the bias of " + node.describe() + " has shape " + to_string(bias->shape()) +
                     ", needs one value per column",
               std::nullopt;
    return linear;
}

}  // namespace

std::optional<LinearOperator> linear_operator(const Scope& scope, const Node& node,
                                              std::string& why) {
    const Tensor* w = node.inputs.size() > 1 ? scope.constant(node.inputs[1]) : nullptr;
    const ValueId bias_id = node.inputs.size() > 2 ? node.inputs[2] : ValueId{};
    const Tensor* bias = bias_id ? scope.constant(bias_id) : nullptr;
    if (!w) return why = "the weight of " + node.describe() + " is no constant", std::nullopt;
    if (bias_id && !bias)
        return why = "the bias of " + node.describe() + " is no constant", std::nullopt;
    const DType dtype = w->dtype();
    if (dtype != DType::f32 && dtype != DType::f64 && dtype != DType::f16 && dtype != DType::bf16)
        return why = "the weight is of type " + std::string(name_of(dtype)) + ", needs a float",
               std::nullopt;
    if (node.op_type == "Conv" || node.op_type == "ConvTranspose")
        return linear_convolution(node, *w, bias, why);
    return linear_product(scope, node, *w, bias, why);
}

FoldedOperator fold_after(PassContext& context, const LinearOperator& linear,
                          const ChannelAffine& affine) {
    const Node& node = context.graph().node(linear.node);
    // a copy: constants that are added move the values
    const Tensor w = *context.scope().constant(node.inputs[1]);
    const ValueId bias_id = node.inputs.size() > 2 ? node.inputs[2] : ValueId{};
    const bool is_gemm = node.op_type == "Gemm";
    FoldedOperator out{node.op_type, {node.inputs[0], node.inputs[1]}, node.attributes, {}};
    if (!affine.is_finite()) return out.problem = "a folded constant is not finite", out;

    Tensor weight;
    if (affine.scales()) {
        weight = scaled(w, layout_of(node, w), affine.scale);
        if (!weight) return out.problem = out_of_range(w.dtype()), out;
    }
    std::vector<double> bias;
    if (bias_id || affine.shifts()) {
        bias.assign(static_cast<std::size_t>(linear.channels), 0.0);
        if (bias_id)
            bias = *per_channel(*context.scope().constant(bias_id), is_gemm ? 2 : 1,
                                is_gemm ? 1 : 0, linear.channels);
        const double beta = is_gemm && bias_id ? node.float_attribute("beta", 1.0f) : 1.0;
        for (std::size_t i = 0; i < bias.size(); ++i)
            bias[i] = bias[i] * beta * affine.scale[i] + affine.shift[i];
        if (!fits(w.dtype(), bias)) return out.problem = out_of_range(w.dtype()), out;
        if (node.op_type == "MatMul") {
            if (linear.rank != 2 || w.rank() != 2 || context.scope().rank(node.inputs[0]) != 2)
                return out.problem = "a MatMul that is not of matrices has no place for the shift",
                       out;
            out.op = "Gemm";
        }
        if (is_gemm) set(out.attributes, attr("beta", 1.0f));
    }
    const std::string weight_name = name_of_input(context, node, 1, ""),
                      bias_name = name_of_input(context, node, 2, "_bias");
    if (weight) out.inputs[1] = context.constant(weight_name, std::move(weight));
    if (!bias.empty())
        out.inputs.push_back(
            context.constant(bias_name, tensor_of_doubles(w.dtype(), {linear.channels}, bias)));
    else if (bias_id) out.inputs.push_back(bias_id);
    return out;
}

Outcome fold_into_conv(const pattern::Match& m, PassContext& context,
                       const std::string& what_happened) {
    const Node& conv = m.node("conv");
    const Node& y = m.node("y");
    std::string why;
    const auto linear = linear_operator(m.scope(), conv, why);
    if (!linear) return stopped_by(why);
    const auto values = per_channel(m.constant("c"), linear->rank, linear->axis, linear->channels);
    if (!values)
        return declined("the other operand has shape " + to_string(m.constant("c").shape()) +
                        ", needs one value per channel (" + std::to_string(linear->channels) + ")");
    const bool constant_first = y.inputs[0] == m.value("c");
    FoldedOperator folded =
        fold_after(context, *linear, arithmetic_affine(y.op_type, constant_first, *values));
    if (!folded.problem.empty()) return declined(folded.problem);
    const std::string text = y.op_type + " " + what_happened + " of " + conv.op_type;
    context.replace(y.id, folded.op, folded.inputs, folded.attributes, m.nodes());
    return applied(text);
}

FoldedOperator fold_before_conv(PassContext& context, const Node& conv, ValueId x,
                                const ChannelAffine& affine) {
    const Tensor w = *context.scope().constant(conv.inputs[1]);
    const ValueId bias_id = conv.inputs.size() > 2 ? conv.inputs[2] : ValueId{};
    const std::int64_t group = conv.int_attribute("group", 1);
    FoldedOperator out{"Conv", {x, conv.inputs[1]}, conv.attributes, {}};
    const std::int64_t filters = w.dim(0), depth = w.dim(1),
                       inner = product_from(w.shape(), 2, w.shape().size());
    if (group < 1 || filters % group != 0 ||
        static_cast<std::int64_t>(affine.scale.size()) != depth * group)
        return out.problem = "the map has " + std::to_string(affine.scale.size()) +
                             " channels, the Conv reads " + std::to_string(depth * group),
               out;
    const std::string auto_pad = conv.string_attribute("auto_pad", "NOTSET");
    const bool pads =
        (auto_pad != "NOTSET" && auto_pad != "VALID") ||
        (auto_pad == "NOTSET" &&
         std::ranges::any_of(conv.ints_attribute("pads"), [](std::int64_t p) { return p != 0; }));
    if (affine.shifts() && pads)
        return out.problem = "the Conv pads with zeros, which the shift before it would change",
               out;

    const std::int64_t per_group = std::max<std::int64_t>(1, filters / group);
    Tensor weight = scaled(w, {filters, per_group, depth, inner}, affine.scale);
    if (!weight) return out.problem = out_of_range(w.dtype()), out;
    std::vector<double> bias;
    if (affine.shifts()) {
        const std::vector<double> taps = to_doubles(w);
        bias.assign(static_cast<std::size_t>(filters), 0.0);
        if (bias_id) bias = to_doubles(*context.scope().constant(bias_id));
        for (std::int64_t o = 0, i = 0; o < filters; ++o)
            for (std::int64_t d = 0; d < depth; ++d)
                for (std::int64_t n = 0; n < inner; ++n, ++i)
                    at(bias, o) += at(taps, i) * at(affine.shift, o / per_group * depth + d);
        if (!fits(w.dtype(), bias)) return out.problem = out_of_range(w.dtype()), out;
    }
    const std::string weight_name = name_of_input(context, conv, 1, ""),
                      bias_name = name_of_input(context, conv, 2, "_bias");
    if (affine.scales()) out.inputs[1] = context.constant(weight_name, std::move(weight));
    if (!bias.empty())
        out.inputs.push_back(
            context.constant(bias_name, tensor_of_doubles(w.dtype(), {filters}, bias)));
    else if (bias_id) out.inputs.push_back(bias_id);
    return out;
}

}  // namespace lapidary
