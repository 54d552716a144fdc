// SPDX-License-Identifier: Apache-2.0
// Values of every kind as the flat list of named arrays that an .npz archive can hold: item i of a
// sequence S is "S[i]", a map M is "M.keys" and "M.values", an empty optional is left out.
#pragma once

#include <filesystem>
#include <string>

#include <lapidary/runtime_value.h>

namespace lapidary::cli {

/// The arrays of one value, in order.
NamedValues flatten(const std::string& name, const RuntimeValue& value);

/// The value of type `type` called `name` out of such arrays; empty when none of its arrays is there.
RuntimeValue assemble(const std::string& name, const Type& type, const NamedValues& arrays);

/// Throws UsageError for the name of another format than .npz and .npy.
void check_outputs_file(const std::filesystem::path& path);
/// Writes all outputs of a run to one .npz, or the only one to a .npy. Throws UsageError where a .npy cannot hold them.
void save_outputs(const std::filesystem::path& path, const NamedValues& outputs);

/// True when the array belongs to the value of that name.
bool belongs_to(const std::string& array, const std::string& name);

}  // namespace lapidary::cli
