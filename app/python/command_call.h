// SPDX-License-Identifier: Apache-2.0
// Commands of lapidary-cli, called from Python in its process, and what they can be asked for.
#pragma once

#include <pybind11/pybind11.h>

namespace lapidary::python {

/// Adds to the module:
///   commands()  a list of dicts: name, summary, notes, examples, options of each command as
///               cli/options/option_list.h describes them
///   call_command(arguments, on_progress) -> (exit code, standard output, standard error)
///   use_program(file)  a lapidary-cli of the same version, for what is measured in fresh processes
/// One command runs at a time: what they measure would disturb each other.
void add_commands(pybind11::module_& module);

}  // namespace lapidary::python
