// SPDX-License-Identifier: GPL-3.0-or-later
// What the Inspector says, as rich text: one function for each kind of thing. No widget.
#pragma once

#include <QString>

#include <vector>

#include <lapidary/report/tensor_statistics.h>

#include "panels/inspector_request.h"
#include "theme/theme.h"
#include "workbench/workbench.h"

namespace lapidary::views {

/// Rich text under four headings. Names from the file are escaped; links are "link:<index into
/// links>" and "request:<index into requests>".
struct InspectorText {
    QString html;
    std::vector<app::Focus> links;
    std::vector<InspectorRequest> requests;
    bool wantsStatistics = false;  // a constant whose statistics would be shown
};

/// The image name under which describeValue() expects the histogram.
inline constexpr const char* histogramName = "histogram:";

/// The link under which describeValue() offers to save a constant.
inline constexpr const char* saveLink = "save:npy";

/// The newest run of what runs where the document is in force, and the node of its graph that does
/// what the described one does. No run, no node: it did not run.
struct RanNode {
    const app::RunRecord* run = nullptr;
    NodeId node = {};
};

/// `figures`: the newest time of the variant in force under the conditions in force, as the bar
/// above the pages shows it; null: it has none.
InspectorText describeModel(const app::Document& document, const app::RunRecord* run,
                            const app::RunFigures* figures, const QPalette& palette);
/// `body` is the subgraph the node stands in; null: the main graph. `explained`: the variant whose
/// passes say what they did with the node and why others left it alone; null: none was made.
InspectorText describeNode(const app::Document& document, const GraphPtr& body, NodeId node,
                           const RanNode& ran, const app::Variant* explained,
                           const QPalette& palette);
/// `statistics` may be null while they are being computed; `failure` says why there are none.
InspectorText describeValue(const app::Document& document, const GraphPtr& body, ValueId value,
                            const app::RunRecord* run, const TensorStatistics* statistics,
                            const QString& failure, const QPalette& palette);

/// The first `most` elements: "0.25, -1, 3 …".
QString firstValues(const Tensor& tensor, int most);
QString attributeText(const AttributeValue& value);

}  // namespace lapidary::views
