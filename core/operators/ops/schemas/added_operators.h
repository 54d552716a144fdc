// SPDX-License-Identifier: Apache-2.0
// Operators beyond the tables of ops/, which plugins add. They stay until the process ends.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/schemas/schema.h"
#include "ops/inference/shape_rule.h"

namespace lapidary {

struct AddedOperator {
    OpSchema schema;
    // who added it, for messages: "plugin 'example_op'"
    std::string source;
    std::function<void(InferenceContext&)> infer;  // may be empty: shapes of outputs are not known
    bool takes_any_attribute = false;              // the schema does not list them
};

/// Texts as in a line of schemas_*.inc. Throws invalid_input naming the part that cannot be read.
OpSchema parse_schema(std::string_view domain, std::string_view name, std::int64_t since_version,
                      std::string_view inputs, std::string_view outputs, std::string_view types,
                      std::string_view attributes);

/// Adds all or none. Callable from any thread; find_schema() and find_shape_rule() find the
/// operators from then on. Throws invalid_input where a domain is one that the program defines
/// itself, or where that version of an operator was added before, or is twice in the list.
void add_operators(std::vector<AddedOperator> added);

/// The newest one of at most `version`; null: none was added.
const AddedOperator* find_added_operator(std::string_view domain, std::string_view op_type,
                                         std::int64_t version);
/// The newest one; null: none was added.
const AddedOperator* find_added_operator(std::string_view domain, std::string_view op_type);
/// The newest version of an added operator of the domain; 0: there is none.
std::int64_t newest_added_version(std::string_view domain);

}  // namespace lapidary
