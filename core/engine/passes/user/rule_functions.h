// SPDX-License-Identifier: Apache-2.0
// The functions that expressions of rules may call.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "passes/user/rule_value.h"
#include "patterns/scope.h"

namespace lapidary::user {

/// Why the function cannot be called with so many arguments (unknown, too few, too many); empty: it
/// can.
std::string function_problem(const std::string& name, std::size_t arguments);

/// What a function reads beside its arguments.
struct FunctionCall {
    const Scope& scope;
    std::span<const Datum> arguments;
    std::span<const std::string> sources;  // of the arguments, as written

    const Datum& operator[](std::size_t i) const { return arguments[i]; }
};

/// Throws not_supported with the reason where the result is not known at this place.
Datum call_function(const std::string& name, const FunctionCall& call);

/// The attribute of the node, or the default of its schema; nothing: it has neither.
Datum attribute_of(const Node& node, const std::string& name);

}  // namespace lapidary::user
