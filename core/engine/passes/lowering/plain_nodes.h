// SPDX-License-Identifier: Apache-2.0
// Builds ONNX nodes in the form of the model's opset.
#pragma once

#include <string>
#include <vector>

#include "rewrite/pass.h"

namespace lapidary::lowering {

/// Builds the nodes that replace one node. All values are of the graph of `context`.
class PlainNodes {
public:
    PlainNodes(const Node& node, PassContext& context) : node_(node), context_(context) {}

    ValueId op(std::string_view op_type, std::vector<ValueId> inputs,
               std::vector<Attribute> attributes = {}) {
        return context_.node(op_type, std::move(inputs), std::move(attributes), node_name(op_type));
    }
    ValueId scalar(DType dtype, double value) {
        return context_.constant_scalar(name(), dtype, value);
    }
    ValueId ints(const std::vector<std::int64_t>& values) {
        return context_.constant_ints(name(), values);
    }

    ValueId add(ValueId a, ValueId b) { return op("Add", {a, b}); }
    ValueId sub(ValueId a, ValueId b) { return op("Sub", {a, b}); }
    ValueId mul(ValueId a, ValueId b) { return op("Mul", {a, b}); }
    ValueId div(ValueId a, ValueId b) { return op("Div", {a, b}); }
    ValueId mul(ValueId a, double b) { return op("Mul", {a, scalar(dtype(a), b)}); }
    ValueId add(ValueId a, double b) { return op("Add", {a, scalar(dtype(a), b)}); }
    ValueId matmul(ValueId a, ValueId b) { return op("MatMul", {a, b}); }
    ValueId cast(ValueId a, DType to);  // the value itself when it is of that type
    ValueId transpose(ValueId a, std::vector<std::int64_t> permutation) {
        return op("Transpose", {a}, {attr("perm", AttributeValue(std::move(permutation)))});
    }
    ValueId reshape(ValueId a, const std::vector<std::int64_t>& shape) {
        return op("Reshape", {a, ints(shape)});
    }
    ValueId concat(std::vector<ValueId> parts, std::int64_t axis) {
        return op("Concat", std::move(parts), {attr("axis", axis)});
    }
    ValueId gather(ValueId data, ValueId indices, std::int64_t axis) {
        return op("Gather", {data, indices}, {attr("axis", axis)});
    }
    /// Mean, sum or another reduction ("ReduceMean") over the axes.
    ValueId reduce(std::string_view op_type, ValueId a, const std::vector<std::int64_t>& axes,
                   bool keepdims = true);
    ValueId unsqueeze(ValueId a, const std::vector<std::int64_t>& axes);
    ValueId squeeze(ValueId a, const std::vector<std::int64_t>& axes);
    /// [begin, end) along one axis.
    ValueId slice(ValueId a, std::int64_t axis, std::int64_t begin, std::int64_t end);
    std::vector<ValueId> split(ValueId a, std::int64_t axis,
                               const std::vector<std::int64_t>& sizes);
    /// Over the last axis; `rank` is the input's.
    ValueId softmax_last(ValueId a, int rank) {
        return op("Softmax", {a}, {attr("axis", opset() >= 13 ? -1 : rank - 1)});
    }
    ValueId shape_of(ValueId a) { return op("Shape", {a}); }
    /// One dimension as i64[1].
    ValueId dim_of(ValueId a, std::int64_t axis) { return gather(shape_of(a), ints({axis}), 0); }
    /// Several outputs of the given types.
    std::vector<ValueId> op_many(std::string_view op_type, std::vector<ValueId> inputs,
                                 std::vector<Attribute> attributes, const std::vector<Type>& types);
    /// One dimension as a scalar i64.
    ValueId dim_scalar(ValueId a, std::int64_t axis);
    /// begin, begin + 1, ... before end; both i64 scalars.
    ValueId range(ValueId begin, ValueId end);
    ValueId scalar_i64(std::int64_t value) {
        return context_.constant(name(), Tensor::scalar<std::int64_t>(value));
    }
    ValueId dequantize(ValueId q, ValueId scale, ValueId zero_point);
    /// To the type of the zero point; to `dtype`, by zero, when it is omitted.
    ValueId quantize(ValueId x, ValueId scale, ValueId zero_point, DType dtype);
    /// Softmax over everything from `axis` on, as before opset 13.
    ValueId softmax_flattened(ValueId a, std::int64_t axis);
    /// [N, spatial..., C] to [N, C, spatial...] or back.
    ValueId channels_moved(ValueId a, int rank, bool to_front);
    /// scale * (x - mean) / sqrt(variance + epsilon) + bias over the axes from `axis` (negative),
    /// without means for `rms`. Computed in f32 for halves, the result has the type of the scale.
    /// bias may be empty. `mean` and `inverse` get the statistics when given.
    ValueId normalize(ValueId x, ValueId scale, ValueId bias, std::int64_t axis, int rank,
                      double epsilon, bool rms, ValueId* mean = nullptr,
                      ValueId* inverse = nullptr);
    ValueId gelu_erf(ValueId x);
    ValueId gelu_tanh(ValueId x);

    DType dtype(ValueId a) const { return context_.scope().dtype(a); }
    int rank(ValueId a) const { return context_.scope().rank(a); }
    std::int64_t opset() const { return context_.opset(); }

    /// Replaces the node's outputs by the values (empty ids for outputs that the node lacks) and
    /// removes the node. Names, types and readers of the outputs stay.
    Outcome finish(const std::vector<ValueId>& outputs, std::string remark);

private:
    /// The name of constants.
    std::string name() const { return node_.name.empty() ? node_.op_type : node_.name; }
    /// ONNX Runtime refuses a graph with two nodes of one name.
    std::string node_name(std::string_view op_type) {
        return node_.name.empty()
                   ? std::string()
                   : node_.name + "/" + std::string(op_type) + "_" + std::to_string(count_++);
    }
    int count_ = 0;
    Node node_;
    PassContext& context_;
};

/// The input, or an empty id when omitted.
inline ValueId input_of(const Node& node, std::size_t index) {
    return index < node.inputs.size() ? node.inputs[index] : ValueId{};
}
/// The node has output `index` and something reads it.
bool is_wanted(const PassContext& context, const Node& node, std::size_t index);
/// An activation that is an attribute of a fused operator ("Relu", "Clip"), with its parameters.
struct Activation {
    std::string name;  // "": none
    std::vector<float> parameters;
};
/// Why the activation cannot be written in ONNX, or empty.
std::string activation_problem(const Activation& activation);
ValueId apply(const Activation& activation, ValueId x, PlainNodes& plain);

}  // namespace lapidary::lowering
