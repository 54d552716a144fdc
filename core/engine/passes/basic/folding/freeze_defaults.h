// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <lapidary/graph/model.h>

namespace lapidary {

/// Makes graph inputs that have a default plain initializers, which a caller can no longer replace,
/// and the model one of IR 4 at least. Returns how many.
std::size_t freeze_defaults(Model& model);

}  // namespace lapidary
