// SPDX-License-Identifier: Apache-2.0
// A node in the form of the plugin interface.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <lapidary/graph/graph.h>

#include "ops/schemas/schema.h"
#include "plugin_abi.h"

namespace lapidary {

/// The structs that a plugin reads. They are valid as long as this object, and point into the node,
/// the types and the constants that it was made from.
class PluginNode {
public:
    /// `defaults`: its attributes are used where the node lacks them; may be null.
    PluginNode(const Node& node, const OpSchema* defaults);
    PluginNode(const PluginNode&) = delete;
    PluginNode& operator=(const PluginNode&) = delete;

    /// In the order of the node; `name` empty: omitted. `constant` may be null.
    void add_input(const std::string& name, const Type& type, const Tensor* constant);
    void add_output(const std::string& name, const Type& type);
    /// Valid until something is added.
    const LpNode& view();

private:
    LpValue value_of(const std::string& name, const Type& type, const Tensor* constant);
    void add_attribute(const Attribute& attribute);
    void add_default(const SchemaAttribute& attribute);
    LpAttribute& new_attribute(const std::string& name, LpAttributeKind kind);

    LpNode view_{};
    std::vector<LpValue> inputs_, outputs_;
    std::vector<LpAttribute> attributes_;
    std::deque<std::vector<std::int64_t>> dims_;
    std::deque<std::vector<const char*>> texts_;  // symbols of dimensions, elements of lists
    std::deque<LpTensor> tensors_;
};

/// The shape and data of a tensor; `dims` must outlive it. Throws not_supported for texts.
LpTensor plugin_tensor(const Tensor& tensor);

}  // namespace lapidary
