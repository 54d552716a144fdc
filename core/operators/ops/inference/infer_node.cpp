// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/infer_node.h"

#include "ops/inference/graph_inference.h"
#include "ops/schemas/schema.h"

namespace lapidary {
namespace {

class LoneNodeContext final : public InferenceContext {
public:
    LoneNodeContext(const Node& node, const std::vector<Type>& types,
                    const std::vector<const Tensor*>& constants, std::vector<Type>& outputs)
        : node_(node), types_(types), values_(types.size()), outputs_(outputs) {
        for (std::size_t i = 0; i < constants.size() && i < values_.size(); ++i)
            if (constants[i]) values_[i].tensor = *constants[i];
        input_shapes_ = input_shapes_of(*this);
    }
    const Node& node() const override { return node_; }
    std::int64_t version() const override { return node_.version; }
    std::size_t input_count() const override { return types_.size(); }
    std::size_t output_count() const override { return outputs_.size(); }
    bool has_input(std::size_t i) const override {
        return i < node_.inputs.size() && node_.inputs[i];
    }
    const Type& input_type(std::size_t i) const override {
        return has_input(i) ? types_[i] : unknown_type_;
    }
    const InputShape* input_shape(std::size_t i) const override {
        return i < input_shapes_.size() && input_shapes_[i].is_known() ? &input_shapes_[i]
                                                                       : nullptr;
    }
    const KnownValue& input_value(std::size_t i) const override {
        return has_input(i) ? values_[i] : unknown_value_;
    }
    Type& output_type(std::size_t i) override { return i < outputs_.size() ? outputs_[i] : spare_; }
    void set_output_shape(std::size_t i, SymbolicShape shape) override {
        Type& type = output_type(i);
        if (type.kind == Type::Kind::unknown) type.kind = Type::Kind::tensor;
        if (type.is_tensor()) type.shape = std::move(shape);
    }
    void set_output_value(std::size_t, KnownValue) override {}
    std::vector<Type> infer_subgraph(std::string_view, const std::vector<Type>&, bool) override {
        fail("has a subgraph");
    }
    int nesting() const override { return 0; }
    Dim fresh_dim(std::string_view) override { return {}; }

private:
    const Node& node_;
    const std::vector<Type>& types_;
    std::vector<InputShape> input_shapes_;
    std::vector<KnownValue> values_;
    std::vector<Type>& outputs_;
    Type unknown_type_, spare_;
    KnownValue unknown_value_;
};

bool has_graphs(const Node& node) {
    for (const Attribute& a : node.attributes)
        if (std::holds_alternative<GraphPtr>(a.value) ||
            std::holds_alternative<std::vector<GraphPtr>>(a.value))
            return true;
    return false;
}

}  // namespace

std::vector<Type> infer_node_types(const Node& node, const std::vector<Type>& input_types,
                                   const std::vector<const Tensor*>& constants) {
    std::vector<Type> outputs(node.outputs.size());
    const OpSchema* schema = find_schema(
        node.domain, node.op_type, node.version > 0 || node.domain.empty() ? node.version : 1);
    if (!schema || has_graphs(node)) return outputs;
    if (const auto violation = schema_violation(*schema, node, input_types))
        fail_model(node.describe() + ": " + *violation);
    bind_output_types(*schema, input_types, outputs);
    if (const ShapeRule rule = find_shape_rule(node.domain, node.op_type)) {
        LoneNodeContext context(node, input_types, constants, outputs);
        rule(context);
    }
    return outputs;
}

}  // namespace lapidary
