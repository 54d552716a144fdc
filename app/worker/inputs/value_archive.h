// SPDX-License-Identifier: Apache-2.0
// Values of all kinds as a flat list of named arrays, which an .npz archive can hold. Item i of a
// sequence S is "S[i]", a map M is "M.keys" and "M.values", and an empty optional is left out.
#pragma once

#include <string>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary::app {

/// The arrays of one value, in order.
NamedValues flatten(const std::string& name, const RuntimeValue& value);

/// The inverse of flatten(): builds the value `name` of type `type`. Empty if none of its arrays is
/// there.
RuntimeValue assemble(const std::string& name, const Type& type, const NamedValues& arrays);

/// True if the array belongs to the value of that name.
bool belongs_to(const std::string& array, const std::string& name);

}  // namespace lapidary::app
