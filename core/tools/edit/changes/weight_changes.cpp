// SPDX-License-Identifier: Apache-2.0
#include "edit/changes/weight_changes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <lapidary/base/error.h>

#include "rewrite/constant_math.h"

namespace lapidary {
namespace {

std::string weight_type_text(const Tensor& tensor) {
    SymbolicShape shape;
    for (const std::int64_t size : tensor.shape()) shape.emplace_back(size);
    return to_string(Type::tensor(tensor.dtype(), std::move(shape)));
}

/// A constant of the graph, or an input with a default.
ValueId find_weight(const Graph& graph, const std::string& name) {
    const ValueId id = graph.find_value(name);
    if (!id) fail_input("the model has no value " + quote(name));
    if (!graph.value(id).constant)
        fail_input(quote(name) + " is no constant: " +
                   (graph.value(id).kind == ValueKind::node_output ? "a node computes it"
                                                                   : "it has no value"));
    return id;
}

ValueId find_plain_weight(const Graph& graph, const std::string& name) {
    const ValueId id = find_weight(graph, name);
    if (graph.value(id).output_uses > 0)
        fail_input(quote(name) + " is an output of the model, whose type has to stay");
    if (!graph.value(id).is_constant())
        fail_input(quote(name) + " is an input with a default: make it a constant first");
    return id;
}

void require_permutation(const std::vector<std::int64_t>& permutation, const Tensor& tensor,
                         const std::string& name) {
    std::vector<std::int64_t> sorted = permutation, axes(permutation.size());
    std::ranges::sort(sorted);
    std::iota(axes.begin(), axes.end(), 0);
    if (sorted == axes && static_cast<int>(axes.size()) == tensor.rank()) return;
    fail_input("the axes are no permutation of those of " + quote(name) + ", " +
               weight_type_text(tensor) + ": expected each of 0 to " +
               std::to_string(tensor.rank() - 1) + " once");
}

bool has_plain_numbers(DType dtype) {
    switch (dtype) {
    case DType::f32:
    case DType::f64:
    case DType::f16:
    case DType::bf16:
    case DType::boolean: return true;
    default: return is_integer(dtype) && !is_packed(dtype);
    }
}

/// The integers that a type has, and that a double represents.
std::pair<double, double> range_of_integers(DType dtype) {
    if (dtype == DType::boolean) return {0, 1};
    const auto bits = static_cast<int>(bit_width(dtype));
    if (is_signed_integer(dtype))
        return {-std::ldexp(1.0, bits - 1),
                bits == 64 ? std::ldexp(1.0, 53) : std::ldexp(1.0, bits - 1) - 1};
    return {0, bits == 64 ? std::ldexp(1.0, 53) : std::ldexp(1.0, bits) - 1};
}

Type type_with(const Type& type, DType from, DType to) {
    Type result = type;
    if (result.dtype == from) result.dtype = to;
    if (type.element)
        result.element = std::make_shared<const Type>(type_with(*type.element, from, to));
    return result;
}

class ModelCast {
public:
    ModelCast(DType from, DType to) : from_(from), to_(to) {}

    void change(Graph& graph, const std::string& pass) {
        GraphEdit edit(graph, pass);
        for (const ValueId id : graph.values()) {
            const Value& value = graph.value(id);
            if (value.constant && value.constant->dtype() == from_)
                edit.set_constant(id, converted(*value.constant));
            edit.set_type(id, type_with(graph.value(id).type, from_, to_));
        }
        const std::vector<NodeId> nodes(graph.nodes().begin(), graph.nodes().end());
        for (const NodeId id : nodes) {
            const std::vector<Attribute> attributes = graph.node(id).attributes;
            for (Attribute attribute : attributes)
                if (change(attribute)) edit.set_attribute(id, std::move(attribute));
        }
        if (!pass.empty() && edit.has_unrecorded())
            edit.record("brought " + std::string(name_of(from_)) + " to " +
                        std::string(name_of(to_)));
        edit.finish();
    }

    /// Whether the attribute was of the type.
    bool change(Attribute& attribute) {
        if (auto* number = std::get_if<std::int64_t>(&attribute.value)) {
            // Cast, Range-like generators and EyeLike name element types by their numbers.
            if ((attribute.name != "to" && attribute.name != "dtype") ||
                *number != static_cast<std::int64_t>(from_))
                return false;
            *number = static_cast<std::int64_t>(to_);
            return true;
        }
        if (auto* tensor = std::get_if<Tensor>(&attribute.value)) {
            if (tensor->dtype() != from_) return false;
            *tensor = converted(*tensor);
            return true;
        }
        if (auto* type = std::get_if<Type>(&attribute.value)) {
            *type = type_with(*type, from_, to_);
            return true;
        }
        if (auto* graph = std::get_if<GraphPtr>(&attribute.value); graph && *graph) {
            auto copy = std::make_shared<Graph>(**graph);
            change(*copy, {});
            *graph = std::move(copy);
            return true;
        }
        return false;
    }

    std::size_t count() const { return count_; }

private:
    Tensor converted(const Tensor& tensor) {
        ++count_;
        if (tensor.size() == 0) return Tensor(to_, tensor.shape());
        return tensor_of_doubles(to_, tensor.shape(), to_doubles(tensor));
    }

    DType from_, to_;
    std::size_t count_ = 0;
};

bool is_plain_float(DType dtype) {
    return dtype == DType::f64 || dtype == DType::f32 || dtype == DType::f16 ||
           dtype == DType::bf16;
}

}  // namespace

void replace_weight(GraphEdit& edit, const std::string& name, Tensor tensor) {
    const ValueId id = find_weight(edit.graph(), name);
    const Tensor& old = *edit.graph().value(id).constant;
    if (old.dtype() != tensor.dtype() || old.shape() != tensor.shape())
        fail_input("the new value of " + quote(name) + " is " + weight_type_text(tensor) +
                   ", expected " + weight_type_text(old));
    edit.set_constant(id, std::move(tensor));
}

void transpose_weight(GraphEdit& edit, const std::string& name,
                      const std::vector<std::int64_t>& permutation, bool keep_results,
                      std::int64_t opset) {
    const Graph& graph = edit.graph();
    const ValueId id = find_plain_weight(graph, name);
    const Tensor tensor = *graph.value(id).constant;
    require_permutation(permutation, tensor, name);
    const ValueId constant =
        edit.add_initializer(edit.fresh_name(name), transposed(tensor, permutation));
    edit.set_default_version(opset);
    if (!keep_results) {
        edit.replace_uses(id, constant);
    } else {
        const std::vector<Use> uses = graph.value(id).uses;
        for (const Use& use : uses) {
            const Node& reader = graph.node(use.node);
            if (reader.op_type != "Gemm" || !reader.domain.empty() || use.input > 1 ||
                permutation != std::vector<std::int64_t>{1, 0})
                continue;
            const std::string which = use.input == 0 ? "transA" : "transB";
            const std::int64_t before = reader.int_attribute(which, 0);
            edit.set_input(use.node, use.input, constant);
            edit.set_attribute(use.node, {which, before == 0 ? std::int64_t{1} : 0});
        }
        if (!graph.value(id).is_unused()) {
            std::vector<std::int64_t> inverse(permutation.size());
            for (std::size_t i = 0; i < permutation.size(); ++i)
                inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
            edit.replace_uses(id, edit.node("Transpose", {constant}, {{"perm", inverse}}));
        }
    }
    edit.erase_value(id);
    edit.rename(constant, name);
}

std::size_t cast_weight(GraphEdit& edit, const std::string& name, DType dtype, std::int64_t opset) {
    const Graph& graph = edit.graph();
    const ValueId id = find_plain_weight(graph, name);
    const Tensor old = *graph.value(id).constant;
    if (!has_plain_numbers(old.dtype()))
        fail_unsupported("values of type " + std::string(name_of(old.dtype())) + " of " +
                         quote(name) + " cannot be converted to another type");
    if (!has_plain_numbers(dtype))
        fail_unsupported("the values of " + quote(name) + " cannot be converted to type " +
                         std::string(name_of(dtype)));
    if (old.dtype() == dtype)
        fail_input(quote(name) + " already is " + std::string(name_of(dtype)));
    std::vector<double> values = to_doubles(old);
    if (!is_float(dtype)) {
        const auto [least, most] = range_of_integers(dtype);
        for (const double value : values)
            if (!(std::nearbyint(value) >= least && std::nearbyint(value) <= most))
                fail_input(quote(name) + " has the value " + std::to_string(value) +
                           ", which type " + std::string(name_of(dtype)) + " does not have");
        // As ONNX's Cast does: towards zero, and to true for all but 0.
        for (double& value : values)
            value = dtype != DType::boolean ? std::trunc(value) : value != 0 ? 1 : 0;
    }
    Tensor tensor =
        values.empty() ? Tensor(dtype, old.shape()) : tensor_of_doubles(dtype, old.shape(), values);
    std::size_t infinite = 0;
    if (is_float(dtype)) {
        const std::vector<double> made = to_doubles(tensor);
        for (std::size_t i = 0; i < made.size(); ++i)
            if (std::isinf(made[i]) && std::isfinite(values[i])) ++infinite;
    }
    const ValueId constant = edit.add_initializer(edit.fresh_name(name), std::move(tensor));
    edit.set_default_version(opset);
    if (!graph.value(id).is_unused())
        edit.replace_uses(
            id, edit.node("Cast", {constant}, {{"to", static_cast<std::int64_t>(old.dtype())}}));
    edit.erase_value(id);
    edit.rename(constant, name);
    return infinite;
}

std::size_t cast_whole_model(Model& model, DType from, DType to) {
    for (const DType type : {from, to})
        if (!is_plain_float(type))
            fail_input("a model is not converted from or to " + std::string(name_of(type)) +
                       ", expected float64, float32, float16 or bfloat16");
    if (from == to) fail_input("both types are " + std::string(name_of(from)));
    ModelCast cast(from, to);
    cast.change(model.graph, "edit");
    for (Function& function : model.functions) {
        auto body = std::make_shared<Graph>(*function.body);
        cast.change(*body, {});
        function.body = std::move(body);
        for (Attribute& attribute : function.attribute_defaults) cast.change(attribute);
    }
    return cast.count();
}

}  // namespace lapidary
