// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace lapidary::python {

/// Adds the class Session: a compiled model. Its options are those of `lapidary-cli run` and bench
/// by the same names, as "--name=value". run() may be called by several threads at once.
void add_session_class(pybind11::module_& module);

}  // namespace lapidary::python
