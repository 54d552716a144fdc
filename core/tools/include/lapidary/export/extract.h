// SPDX-License-Identifier: Apache-2.0
// A part of a model as a model of its own.
#pragma once

#include <span>

#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// The nodes of the main graph with the constants that they read, types inferred. Values that they
/// read of other nodes become inputs. Values that other nodes read of them, and graph outputs,
/// become outputs. Names stay.  Throws invalid_input for no nodes, or one that is not there,
/// not_supported naming a value whose type is not known.
Model extract_nodes(const Model& model, std::span<const NodeId> nodes,
                    const Progress& progress = {});

}  // namespace lapidary
