// SPDX-License-Identifier: Apache-2.0
// Operators as forms show them: what a line may insert, or put in place of others, with inputs,
// outputs and attributes by the schemas of ONNX and ONNX Runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/model.h>

namespace lapidary {

/// An attribute by the schema of its operator.
struct AttributeForm {
    std::string name;                  // "axis"
    std::string kind;                  // "int", "floats", "string", "tensor", "graph" ...
    bool is_required = false;          // a node without it is invalid
    std::string default_text;          // as lines have it: "1", "[1,2]"; empty: none
    std::vector<std::string> choices;  // all values that ONNX names; empty: others too
    std::string help;                  // a sentence of ONNX's; may be empty
    bool is_writable = true;           // lines can set it: no graph, no type, no sparse tensor
};

/// An input or output by the schema of its operator.
struct ParameterForm {
    std::string name;          // "data"
    std::string types;         // "f32, f16, i64", "seq(f32)"
    bool is_optional = false;  // may be left out
    bool is_variadic = false;  // stands for any number of values
};

/// An operator by one version of its schema.
struct OperatorForm {
    std::string domain;                     // "" is ai.onnx
    std::string name;                       // "Cast"
    std::int64_t since_version = 1;         // of this version
    std::vector<std::int64_t> versions;     // of all, ascending
    std::string help;                       // a sentence of ONNX's; may be empty
    std::vector<ParameterForm> inputs;      // in order
    std::vector<ParameterForm> outputs;     // in order
    std::vector<AttributeForm> attributes;  // by name
    /// "Cast", "com.microsoft::FusedConv": as lines name it.
    std::string word() const { return domain.empty() ? name : domain + "::" + name; }
};

/// The operators that lines can put into the model, in the versions in effect there, by domain and
/// name: ai.onnx first.
std::vector<OperatorForm> operator_forms(const Model& model);

/// The operator in effect at that version of its domain; nothing where no schema is known.
std::optional<OperatorForm> operator_form(std::string_view domain, std::string_view op_type,
                                          std::int64_t version);

/// The value of an attribute as a line sets it: `0.5`, `[1,2]`, `"two words"`; empty for kinds that
/// no line can write, and for lists of more than `most` elements.
std::string attribute_word(const Attribute& attribute, std::size_t most = 64);

}  // namespace lapidary
