// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the Inspector as rich text, with one function for each kind of object. Uses no
// widgets.
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
    bool wantsStatistics = false;  // true: a constant whose statistics should be computed
};

/// The image name under which describeValue() expects the histogram.
inline constexpr const char* histogramName = "histogram:";

/// The link under which describeValue() offers to save a constant.
inline constexpr const char* saveLink = "save:npy";

/// The link under which nodes and values are offered to be looked into.
inline constexpr const char* insideLink = "inside:";

/// What is found out about the values of a constant in a job.
struct CountedValues {
    TensorStatistics statistics;
    QString first;  // firstValues()
};

/// The newest run of what runs where the document is in force, and the node of its graph that does
/// what the described one does. No run, no node: it did not run.
struct RanNode {
    const app::RunRecord* run = nullptr;
    NodeId node = {};
};

/// `figures`: the newest time of the variant in force under the conditions in force, as the bar
/// above the pages shows it; null: it has none. `target`: where they were measured, if not on this
/// computer.
InspectorText describeModel(const app::Document& document, const app::RunRecord* run,
                            const app::RunFigures* figures, const QString& target,
                            const QPalette& palette);
/// `body`: the subgraph of the node; null: the main graph. `explained`: the variant whose report
/// says which passes changed the node and why others did not; null: none was made.
InspectorText describeNode(const app::Document& document, const GraphPtr& body, NodeId node,
                           const RanNode& ran, const app::Variant* explained,
                           const QPalette& palette);
/// `statistics` may be null while they are being computed; `failure` says why there are none.
InspectorText describeValue(const app::Document& document, const GraphPtr& body, ValueId value,
                            const app::RunRecord* run, const CountedValues* statistics,
                            const QString& failure, const QPalette& palette);

inline constexpr int mostFirstValues = 24;  // of a constant
/// The first `most` elements: "0.25, -1, 3 …". Of a tensor whose values are elsewhere they are
/// asked for, which may block: such a one is not for the GUI thread.
QString firstValues(const Tensor& tensor, int most);
QString attributeText(const AttributeValue& value);

}  // namespace lapidary::views
