// SPDX-License-Identifier: Apache-2.0
#include "passes/lowering/plain_nodes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <lapidary/base/error.h>

namespace lapidary::lowering {

ValueId PlainNodes::cast(ValueId a, DType to) {
    if (dtype(a) == to) return a;
    return op("Cast", {a}, {attr("to", static_cast<std::int64_t>(to))});
}

ValueId PlainNodes::reduce(std::string_view op_type, ValueId a,
                           const std::vector<std::int64_t>& axes, bool keepdims) {
    std::vector<Attribute> attributes{attr("keepdims", keepdims ? 1 : 0)};
    if (opset() >= (op_type == "ReduceSum" ? 13 : 18))
        return op(op_type, {a, ints(axes)}, std::move(attributes));
    attributes.push_back(attr("axes", AttributeValue(axes)));
    return op(op_type, {a}, std::move(attributes));
}

ValueId PlainNodes::unsqueeze(ValueId a, const std::vector<std::int64_t>& axes) {
    if (opset() >= 13) return op("Unsqueeze", {a, ints(axes)});
    return op("Unsqueeze", {a}, {attr("axes", AttributeValue(axes))});
}

ValueId PlainNodes::squeeze(ValueId a, const std::vector<std::int64_t>& axes) {
    if (opset() >= 13) return op("Squeeze", {a, ints(axes)});
    return op("Squeeze", {a}, {attr("axes", AttributeValue(axes))});
}

ValueId PlainNodes::slice(ValueId a, std::int64_t axis, std::int64_t begin, std::int64_t end) {
    if (opset() >= 10) return op("Slice", {a, ints({begin}), ints({end}), ints({axis})});
    return op("Slice", {a},
              {attr("starts", AttributeValue(std::vector{begin})),
               attr("ends", AttributeValue(std::vector{end})),
               attr("axes", AttributeValue(std::vector{axis}))});
}

std::vector<ValueId> PlainNodes::split(ValueId a, std::int64_t axis,
                                       const std::vector<std::int64_t>& sizes) {
    std::vector<ValueId> parts;
    std::int64_t begin = 0;
    for (std::int64_t size : sizes) {
        parts.push_back(slice(a, axis, begin, begin + size));
        begin += size;
    }
    return parts;
}

std::vector<ValueId> PlainNodes::op_many(std::string_view op_type, std::vector<ValueId> inputs,
                                         std::vector<Attribute> attributes,
                                         const std::vector<Type>& types) {
    NodeSpec spec;
    spec.op_type = op_type;
    spec.version = opset();
    spec.name = node_name(op_type);
    spec.inputs = std::move(inputs);
    spec.attributes = std::move(attributes);
    for (const Type& type : types) spec.outputs.push_back(context_.edit().add_value({}, type));
    const std::vector<ValueId> outputs = spec.outputs;
    context_.edit().add_node(std::move(spec));
    return outputs;
}

ValueId PlainNodes::dim_scalar(ValueId a, std::int64_t axis) {
    return gather(shape_of(a), scalar_i64(axis), 0);
}

ValueId PlainNodes::range(ValueId begin, ValueId end) {
    return op("Range", {begin, end, scalar_i64(1)});
}

ValueId PlainNodes::dequantize(ValueId q, ValueId scale, ValueId zero_point) {
    std::vector<ValueId> inputs{q, scale};
    if (zero_point) inputs.push_back(zero_point);
    return op("DequantizeLinear", std::move(inputs));
}

ValueId PlainNodes::quantize(ValueId x, ValueId scale, ValueId zero_point, DType dtype) {
    if (!zero_point) zero_point = scalar(dtype, 0);
    return op("QuantizeLinear", {x, scale, zero_point});
}

ValueId PlainNodes::softmax_flattened(ValueId a, std::int64_t axis) {
    if (opset() < 13) return op("Softmax", {a}, {attr("axis", axis)});
    const int n = rank(a);
    if (n > 0 && (axis == -1 || axis == n - 1)) return op("Softmax", {a}, {attr("axis", -1)});
    const ValueId rows =
        op("Softmax", {op("Flatten", {a}, {attr("axis", axis)})}, {attr("axis", -1)});
    return op("Reshape", {rows, shape_of(a)});
}

ValueId PlainNodes::channels_moved(ValueId a, int rank, bool to_front) {
    if (rank < 3) return a;
    std::vector<std::int64_t> permutation{0};
    if (to_front) permutation.push_back(rank - 1);
    for (int i = to_front ? 1 : 2; i < (to_front ? rank - 1 : rank); ++i) permutation.push_back(i);
    if (!to_front) permutation.push_back(1);
    return transpose(a, std::move(permutation));
}

ValueId PlainNodes::normalize(ValueId x, ValueId scale, ValueId bias, std::int64_t axis, int rank,
                              double epsilon, bool rms, ValueId* mean, ValueId* inverse) {
    const DType type = dtype(x);
    const bool is_half = type == DType::f16 || type == DType::bf16;
    const DType inner = is_half ? DType::f32 : type;
    const ValueId wide = cast(x, inner);
    std::vector<std::int64_t> axes;
    if (axis < 0 && opset() >= 11) {
        for (std::int64_t i = axis; i < 0; ++i) axes.push_back(i);
    } else {
        for (std::int64_t i = axis < 0 ? axis + rank : axis; i < rank; ++i) axes.push_back(i);
    }
    ValueId centered = wide;
    if (!rms) {
        const ValueId average = reduce("ReduceMean", wide, axes);
        if (mean) *mean = average;
        centered = sub(wide, average);
    }
    const ValueId variance = reduce("ReduceMean", mul(centered, centered), axes);
    const ValueId deviation = op("Sqrt", {add(variance, epsilon)});
    if (inverse) *inverse = op("Reciprocal", {deviation});
    const ValueId y = mul(cast(div(centered, deviation), dtype(scale)), scale);
    return bias ? add(y, cast(bias, dtype(scale))) : y;
}

ValueId PlainNodes::gelu_erf(ValueId x) {
    if (opset() >= 20) return op("Gelu", {x});
    const ValueId e = op("Erf", {mul(x, std::numbers::sqrt2 / 2)});
    return mul(mul(x, add(e, 1.0)), 0.5);
}

ValueId PlainNodes::gelu_tanh(ValueId x) {
    if (opset() >= 20) return op("Gelu", {x}, {attr("approximate", "tanh")});
    const double root = std::sqrt(2 / std::numbers::pi);
    const ValueId cube = mul(mul(mul(x, x), x), 0.044715);
    const ValueId t = op("Tanh", {mul(add(x, cube), root)});
    return mul(mul(x, add(t, 1.0)), 0.5);
}

Outcome PlainNodes::finish(const std::vector<ValueId>& outputs, std::string remark) {
    GraphEdit& edit = context_.edit();
    struct Renaming {
        ValueId value;
        std::string name;
    };
    std::vector<Renaming> names;
    for (std::size_t i = 0; i < node_.outputs.size(); ++i) {
        const ValueId old = node_.outputs[i];
        if (!old) continue;
        const Value& was = context_.graph().value(old);
        const ValueId given = i < outputs.size() ? outputs[i] : ValueId{};
        if (!given) {
            if (!was.is_unused())
                fail(ErrorCode::internal,
                     "lowering of " + node_.describe() + " made no output " + std::to_string(i));
            continue;
        }
        const bool own = context_.graph().value(given).kind == ValueKind::node_output &&
                         std::ranges::find(names, given, &Renaming::value) == names.end() &&
                         std::ranges::find(node_.inputs, given) == node_.inputs.end();
        const ValueId now = own ? given : op("Identity", {given});
        const Value before = context_.graph().value(old);
        edit.replace_uses(old, now);
        if (context_.graph().value(now).type.kind == Type::Kind::unknown ||
            (before.type.has_shape() && !context_.graph().value(now).type.has_shape()))
            edit.set_type(now, before.type);
        edit.set_declared(now, before.declared);
        names.push_back({now, before.name});
    }
    edit.erase(node_.id);
    for (const Renaming& r : names) edit.rename(r.value, r.name);
    return applied(std::move(remark));
}

bool is_wanted(const PassContext& context, const Node& node, std::size_t index) {
    return index < node.outputs.size() && node.outputs[index] &&
           !context.graph().value(node.outputs[index]).is_unused();
}

std::string activation_problem(const Activation& activation) {
    static const std::set<std::string, std::less<>> known{
        "",          "Relu", "Sigmoid",         "Tanh",        "Softplus", "Softsign",
        "LeakyRelu", "Elu",  "ThresholdedRelu", "HardSigmoid", "Clip",     "Gelu",
        "QuickGelu"};
    return known.contains(activation.name)
               ? std::string()
               : "its activation " + quote(activation.name) + " has no form in ONNX";
}

ValueId apply(const Activation& activation, ValueId x, PlainNodes& plain) {
    const std::string& name = activation.name;
    const auto parameter = [&](std::size_t i, float fallback) {
        return i < activation.parameters.size() ? activation.parameters[i] : fallback;
    };
    if (name.empty()) return x;
    if (name == "Gelu") return plain.gelu_erf(x);
    if (name == "QuickGelu")
        return plain.mul(
            x, plain.op("Sigmoid", {plain.mul(x, static_cast<double>(parameter(0, 1.702f)))}));
    if (name == "LeakyRelu") return plain.op(name, {x}, {attr("alpha", parameter(0, 0.01f))});
    if (name == "Elu" || name == "ThresholdedRelu")
        return plain.op(name, {x}, {attr("alpha", parameter(0, 1.0f))});
    if (name == "HardSigmoid")
        return plain.op(name, {x},
                        {attr("alpha", parameter(0, 0.2f)), attr("beta", parameter(1, 0.5f))});
    if (name != "Clip") return plain.op(name, {x});
    const float low = parameter(0, std::numeric_limits<float>::lowest()),
                high = parameter(1, std::numeric_limits<float>::max());
    if (plain.opset() < 11) return plain.op("Clip", {x}, {attr("min", low), attr("max", high)});
    return plain.op("Clip", {x, plain.scalar(plain.dtype(x), static_cast<double>(low)),
                             plain.scalar(plain.dtype(x), static_cast<double>(high))});
}

}  // namespace lapidary::lowering
