// SPDX-License-Identifier: GPL-3.0-or-later
// What a link of the Inspector asks the window for, beside another focus.
#pragma once

#include <QString>

#include <vector>

#include <lapidary/graph/ids.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/optimize.h>

namespace lapidary::views {

struct InspectorRequest {
    enum class Kind {
        find,        // nodes by `query`, as in the find box
        mark,        // `nodes` of the main graph
        newerOpset,  // the rest are conversions, to be chosen from
        fixDimensions,
        pruneOutputs
    };
    Kind kind = Kind::find;
    QString query = {};
    std::vector<NodeId> nodes = {};
};

/// The conversion that may take away what kept the pass from the place: a newer opset where the
/// reason is the opset of the model, fixed dimensions where it is a size or rank that free
/// dimensions leave open, fewer outputs where a result is read elsewhere and an output of the model
/// is one that reads it. Nothing where none is known.
std::vector<InspectorRequest::Kind> fixesOf(const NearMiss& miss, const Model& model,
                                            bool hasFreeDimensions);

}  // namespace lapidary::views
