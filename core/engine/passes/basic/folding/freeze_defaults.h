// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Turns graph inputs that have a default into initializers, which a caller can no longer replace.
/// Raises the IR version to 4. Returns the number of inputs.
std::size_t freeze_defaults(Model& model);

}  // namespace lapidary
