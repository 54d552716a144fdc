// SPDX-License-Identifier: GPL-3.0-or-later
// A request to the window by a link of the Inspector, other than a change of the selection.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

#include <lapidary/graph/ids.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::views {

struct InspectorRequest {
    enum class Kind {
        find,        // nodes by `query`, as in the find box
        mark,        // `nodes` of the main graph
        showGroup,   // `group` of the drawing
        newerOpset,  // this and the following open the Convert dialog
        fixDimensions,
        pruneOutputs,
        lookInside  // at what is selected
    };
    Kind kind = Kind::find;
    QString query = {};
    std::vector<NodeId> nodes = {};
    std::uint32_t group = 0;  // of the outline that is drawn
};

/// The conversions that may remove the obstacle of a near miss: a newer opset if the model's opset
/// is the reason, fixed dimensions if a size or rank is not known, fewer outputs if the result is
/// also an output of the model. Empty if none is known.
std::vector<InspectorRequest::Kind> fixesOf(const NearMiss& miss, const Model& model,
                                            bool hasFreeDimensions);

}  // namespace lapidary::views
