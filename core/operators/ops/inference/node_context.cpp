// SPDX-License-Identifier: Apache-2.0
#include "ops/inference/node_context.h"

#include <lapidary/base/limits.h>

namespace lapidary {
namespace {
const Type unknown_type;
const KnownValue unknown_value;
}  // namespace

NodeContext::NodeContext(GraphInference& walk, const Node& node, std::int64_t version,
                         const OpSchema* schema)
    : walk_(walk), node_(node), version_(version), output_types_(node.outputs.size()),
      output_values_(node.outputs.size()) {
    input_types_.reserve(node.inputs.size());
    for (ValueId id : node.inputs) {
        walk.session().count_node();
        input_types_.push_back(id ? walk.type(id) : Type());
    }
    input_shapes_ = input_shapes_of(*this);
    if (schema) bind_output_types(*schema, input_types_, output_types_);
}

const Type& NodeContext::input_type(std::size_t index) const {
    return has_input(index) ? input_types_[index] : unknown_type;
}

const InputShape* NodeContext::input_shape(std::size_t index) const {
    return index < input_shapes_.size() && input_shapes_[index].is_known() ? &input_shapes_[index]
                                                                           : nullptr;
}

const KnownValue& NodeContext::input_value(std::size_t index) const {
    return has_input(index) ? walk_.value(node_.inputs[index]) : unknown_value;
}

Type& NodeContext::output_type(std::size_t index) {
    if (index < output_types_.size()) return output_types_[index];
    spare_ = Type();
    return spare_;
}

void NodeContext::set_output_shape(std::size_t index, SymbolicShape shape) {
    if (index >= output_types_.size()) return;
    static const auto most = static_cast<std::size_t>(Limits{}.load_rank);
    if (shape.size() > most) {
        fail("output " + std::to_string(index) + " would have " + std::to_string(shape.size()) +
             " dimensions, the limit is " + std::to_string(most));
    }
    Type& type = output_types_[index];
    if (type.kind == Type::Kind::unknown) type.kind = Type::Kind::tensor;
    if (type.is_tensor()) type.shape = std::move(shape);
}

void NodeContext::set_output_value(std::size_t index, KnownValue value) {
    if (index < output_values_.size()) output_values_[index] = std::move(value);
}

std::vector<Type> NodeContext::infer_subgraph(std::string_view attribute,
                                              const std::vector<Type>& input_types, bool certain) {
    return walk_.infer_subgraph(node_, attribute, input_types, certain);
}

}  // namespace lapidary
