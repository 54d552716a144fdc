// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>

#include <lapidary/graph/attribute.h>

#include "onnx_io/read/load_context.h"
#include "onnx_io/wire/wire_reader.h"

namespace lapidary::onnx_io {

/// The surroundings of an attribute that reading it depends on.
struct AttributeScope {
    LoadContext& context;
    /// Reads a graph attribute's GraphProto.
    std::function<GraphPtr(const WireField& field, const std::string& attribute)> read_graph;
    /// Names that references may use; null outside functions, where references are refused.
    const std::set<std::string>* function_attributes = nullptr;
};

/// One AttributeProto. Exactly the value that its type declares is present afterwards.
Attribute read_attribute(const WireField& field, const AttributeScope& scope);

/// "INT", "TENSORS": the spelling of AttributeProto.AttributeType, or the number when unknown.
std::string attribute_type_name(int onnx_type);
/// AttributeProto.AttributeType of a stored value.
int attribute_type_of(const AttributeValue& value);

}  // namespace lapidary::onnx_io
