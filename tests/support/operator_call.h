// SPDX-License-Identifier: Apache-2.0
// Valid calls of single operators, which property tests start from and change.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <lapidary/graph/attribute.h>
#include <lapidary/graph/model.h>
#include <lapidary/tensor/runtime_value.h>

#include "ops/schemas/schema.h"

namespace lapidary::test {

struct OperatorCall {
    const OpSchema* schema = nullptr;
    std::int64_t version = 1;
    std::vector<Attribute> attributes;
    std::vector<std::optional<Tensor>> inputs;  // empty: omitted
    std::set<std::size_t> constants;            // inputs that are initializers
    std::size_t outputs = 1;
    std::string origin;  // the fixture it comes from, or "schema"

    void set_attribute(Attribute attribute);
    std::string describe() const;
};

/// A model of one node with the call's inputs. `static_shapes`: their shapes are declared, else
/// only element types. Types are not inferred.
Model model_of_call(const OperatorCall& call, bool static_shapes = true);
/// The values of the inputs that are not constants, by the names that model_of_call() gives them.
NamedValues inputs_of_call(const OperatorCall& call);

/// The calls in the fixtures of passes, shapes and conversions and in the conformance data if
/// available, without duplicates; and for every line of the schema tables one call with default
/// attributes. Operators on sequences, optionals, maps or subgraphs are left out. `only`: an
/// operator; empty: all.
std::vector<OperatorCall> operator_calls(const std::string& only = {});

/// The default of an attribute in the schema; empty if it has none or a list.
std::optional<AttributeValue> default_of(const SchemaAttribute& attribute);

/// A tensor of ordinary values of that type: small numbers, words.
Tensor ordinary_tensor(DType dtype, const Shape& shape);

}  // namespace lapidary::test
