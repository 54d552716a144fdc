// SPDX-License-Identifier: Apache-2.0
// An operator with attributes and inputs as a word: Clip(min=0, max=6), com.microsoft::Gelu.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/graph/attribute.h>

#include "edit/edit_context.h"
#include "ops/schemas/schema.h"

namespace lapidary {

struct EditedOperator {
    std::string domain, op_type;
    std::int64_t version = 0;
    const OpSchema* schema = nullptr;  // never null
    std::vector<Attribute> attributes;
    /// Inputs by index: a value's name or a number or list, as the word says; `_` is the value that
    /// the node is put on.
    std::vector<std::pair<std::size_t, std::string>> inputs;
};

/// Reads an operator by the schema in effect in the model. Throws invalid_input for an unknown
/// operator, attribute or input, and for an attribute of another kind, naming what is known.
EditedOperator read_operator(EditContext& context, std::string_view word);

/// The attribute of a schema from its text. Throws invalid_input naming the kind expected.
Attribute read_attribute(const SchemaAttribute& schema, std::string_view text);
/// The same for an attribute that no schema describes: a whole number, a number, a list or a text.
Attribute read_attribute(const std::string& name, std::string_view text);

/// An input of an operator by its name in the schema or its number. Throws invalid_input.
std::size_t input_index(const OpSchema* schema, const std::string& name);

/// The value that `text` names; or a new constant with the numbers that it says, of the element
/// type that the schema gives the input where `like` is the type of the data.
ValueId input_value(EditContext& context, const EditedOperator& made, std::size_t input,
                    const std::string& text, const Type& like);

}  // namespace lapidary
