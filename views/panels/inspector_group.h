// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector's text about a group of the drawing: what it holds, what goes in and out, what it
// costs.
#pragma once

#include "canvas/graph_look.h"
#include "panels/inspector_text.h"

namespace lapidary::views {

/// What is selected in the drawing: a group, or a leaf in it. No outline: neither is.
struct GroupContent {
    GraphOutlinePtr outline = nullptr;
    OutlineIndex group = noIndex;
    OutlineIndex leaf = noIndex;  // noIndex: the group itself is selected
    // milliseconds of its leaves as the drawing shows them, and the run that they are of; null: not
    // measured
    LeafValuesPtr times = nullptr;
    app::RunRecordPtr run = nullptr;
};

/// Requires a group of the document's model.
InspectorText describeGroup(const app::Document& document, const GroupContent& content,
                            const QPalette& palette);
/// Puts the groups around the leaf above a text about it, from the model inwards, each with a link
/// that leads to it. A leaf in no group leaves the text as it is.
void addWayTo(InspectorText& text, const GroupContent& content);

}  // namespace lapidary::views
