// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector's text about a group of the drawing: what it holds, what goes in and out, what it
// costs.
#pragma once

#include "canvas/graph_look.h"
#include "panels/inspector_text.h"

namespace lapidary::views {

/// A group that is selected in the drawing. No outline: none is.
struct GroupContent {
    GraphOutlinePtr outline = nullptr;
    OutlineIndex group = noIndex;
    // milliseconds of its leaves as the drawing shows them, and the run that they are of; null: not
    // measured
    LeafValuesPtr times = nullptr;
    app::RunRecordPtr run = nullptr;
};

/// Requires a group of the document's model.
InspectorText describeGroup(const app::Document& document, const GroupContent& content,
                            const QPalette& palette);

}  // namespace lapidary::views
