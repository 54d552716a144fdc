// SPDX-License-Identifier: Apache-2.0
// Operator definitions: arity, attributes, type constraints per operator and opset version.
//
// The tables have one line per operator version, in `schemas_*.inc`:
//   LAPIDARY_SCHEMA("", "Conv", 11, "X:T W:T B?:T", "Y:T", "T=f16,f32,f64",
//                   "auto_pad:s=NOTSET dilations:is group:i=1 ...")
// Inputs and outputs are `name:TypeVariable`. After the name, `?` marks an optional one, `*` a
// variadic one of one type, and `*~` a variadic one of several types. The least number of values
// follows where it is not 1 (`*0`, `*~0`, `*2`). A fixed type may take the place of the variable:
// `shape:i64`, `seq:seq(T)`.
// Types are `variable=type,type,...`.
// Attributes are `name:kind`. Kinds are i f s t g y (type) S (sparse tensor), and is fs ss ts gs
// ys Ss for lists. `!` after the kind: required; `=value`: the default. `@deprecated` in place of
// the attributes: this version dropped the operator.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lapidary/graph/graph.h>

namespace lapidary {

inline constexpr std::int64_t min_onnx_opset = 7;   // below: only what the tables still list
inline constexpr std::int64_t max_onnx_opset = 28;  // newest of the tables

struct SchemaParameter {
    std::string name;
    std::string type;  // type variable or a type: "T", "i64", "seq(T)", "optional(T)"
    bool is_optional = false;
    bool is_variadic = false;
    bool is_homogeneous = true;
};

struct SchemaAttribute {
    std::string name;
    std::string kind;  // i f s t g y S, or with trailing s for lists
    bool is_required = false;
    std::string default_text;  // as in the table; empty: none
};

struct TypeConstraint {
    std::string variable;
    std::vector<std::string> allowed;  // "f32", "seq(f32)", "optional(seq(f32))", "map(i64,f32)"
    std::uint64_t tensor_types = 0;    // the same for plain tensors: bit number = DType

    bool allows(DType dtype) const { return (tensor_types >> static_cast<unsigned>(dtype)) & 1u; }
};

struct OpSchema {
    std::string domain, name;
    std::int64_t since_version = 1;
    bool deprecated = false;
    std::vector<SchemaParameter> inputs, outputs;
    std::size_t min_inputs = 0, max_inputs = 0;  // SIZE_MAX: unbounded
    std::size_t min_outputs = 0, max_outputs = 0;
    std::vector<TypeConstraint> constraints;
    std::vector<SchemaAttribute> attributes;

    const SchemaAttribute* attribute(std::string_view attribute_name) const;
    const TypeConstraint* constraint(std::string_view variable) const;
    const SchemaParameter* input(std::size_t index) const;  // variadic aware; null past the end
    const SchemaParameter* output(std::size_t index) const;
};

/// The definition in effect at `version` of the domain (the newest since_version <= version), or
/// null. Parsed on first use; thread-safe.
const OpSchema* find_schema(std::string_view domain, std::string_view op_type,
                            std::int64_t version);
/// True when any version of the operator is known (for messages: "needs opset 20, found 17").
bool is_known_operator(std::string_view domain, std::string_view op_type);
/// The newest opset of a domain that the tables know; 0: none of its operators is known.
std::int64_t newest_version(std::string_view domain);
/// All schema versions, for listings and tests.
std::vector<const OpSchema*> all_schemas();

/// Why the node does not fit its schema (attribute unknown/missing/wrong kind, arity, input type
/// not allowed, one type variable bound to two types), or nothing. Types of inputs are checked
/// where known.
std::optional<std::string> schema_violation(const OpSchema& schema, const Graph& graph,
                                            const Node& node);
/// The same with the input types given (Kind::unknown where not known), one per node input.
std::optional<std::string> schema_violation(const OpSchema& schema, const Node& node,
                                            std::span<const Type> input_types);
/// A type as the tables spell it, without shapes: "f32", "seq(f32)", "map(i64,f32)"; "" when not
/// fully known.
std::string schema_spelling(const Type& type);

}  // namespace lapidary
