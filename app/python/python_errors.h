// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lapidary::python {

/// From now on errors of the engine reach Python as exceptions of lapidary/errors.py, with code,
/// message and where as their fields. Once, as the module is made.
void translate_errors();

}  // namespace lapidary::python
