// SPDX-License-Identifier: Apache-2.0
// Values of every kind as the flat list of named arrays that an .npz archive can hold: item i of a
// sequence S is "S[i]", a map M is "M.keys" and "M.values", an empty optional is left out.
#pragma once

#include <string>

#include <lapidary/tensor/runtime_value.h>

namespace lapidary::app {

/// The arrays of one value, in order.
NamedValues flatten(const std::string& name, const RuntimeValue& value);

/// The value of type `type` called `name` out of such arrays; empty when none of its arrays is
/// there.
RuntimeValue assemble(const std::string& name, const Type& type, const NamedValues& arrays);

/// True when the array belongs to the value of that name.
bool belongs_to(const std::string& array, const std::string& name);

}  // namespace lapidary::app
