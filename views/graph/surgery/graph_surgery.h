// SPDX-License-Identifier: GPL-3.0-or-later
// Applies an edit by hand: it is one more line of the script of the variant in force. A job tries
// the line first and says why it cannot be done; then the variant of the longer script comes into
// force, which can be undone. A line may leave the model invalid, if no level is in force: then the
// nodes that do not fit are shown in red, and the model is neither run nor saved.
#pragma once

#include <QObject>

#include <lapidary/edit/apply_edits.h>

#include "workbench/workbench.h"

namespace lapidary::views {

class GraphSurgery : public QObject {
    Q_OBJECT
public:
    explicit GraphSurgery(app::Workbench& workbench, QObject* parent = nullptr);

    /// Tries a line, or several with breaks between them, and applies it. `next`: selected
    /// afterwards if what is selected goes.
    void apply(const QString& line, NodeId next = {});
    /// A line is being tried, or its variant made.
    bool isBusy() const;
    /// Shows the graph that edits are applied to, without the level in force.
    void showWithoutLevel();
    /// Whether a level is in force, so that the graph has nodes that cannot be edited.
    bool hasLevel() const;

signals:
    /// The line cannot be done, with the reason.
    void refused(const QString& reason);
    /// What the line did, and what it left invalid; the variant is being made.
    void applied(const QString& line, const QString& effect);

private:
    void choose(const app::Recipe& recipe, const QString& line, const EditReport& report);

    app::Workbench& workbench_;
    app::LatestJob trial_;
    NodeId next_;
};

/// What a line did, in a sentence: "delete relu: 1 node removed."
QString editEffect(const EditLineReport& line);

}  // namespace lapidary::views
