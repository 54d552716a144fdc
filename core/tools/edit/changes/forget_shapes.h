// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lapidary/graph/graph_edit.h>

namespace lapidary {

/// Forgets the shapes of values that nodes compute, in bodies too, so that inference finds them
/// anew from the inputs; element types stay. For edits after which old sizes no longer hold.
void forget_shapes(GraphEdit& edit);

}  // namespace lapidary
