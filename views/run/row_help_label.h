// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>

#include <memory>
#include <vector>

#include <lapidary/advice/row_help.h>

#include "workbench/workbench.h"

namespace lapidary::views {

/// A paragraph for each of the largest rows of the table of operators: what would help, by how much
/// at most, and a link that begins with it. Hidden where nothing is known to help.
class RowHelpLabel : public QLabel {
    Q_OBJECT
public:
    explicit RowHelpLabel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Rows of the run that is shown; null: none, or those of a part of it.
    void setRows(std::shared_ptr<const std::vector<OperatorTotal>> rows);
    /// After changes of what is known of the model while this was not in sight.
    void refreshSoon();
    const std::vector<RowHelp>& shown() const { return shown_; }

signals:
    void pageRequested(const QString& page);
    /// A node of the graph that ran.
    void nodeRequested(lapidary::NodeId node);

private:
    void refresh();
    void follow(const QString& link);

    app::Workbench& workbench_;
    std::shared_ptr<const std::vector<OperatorTotal>> rows_;
    std::vector<RowHelp> shown_;
    QTimer refreshing_;  // combines several changes into one refresh
};

/// "<b>Gemm</b>, 62 %: weights in 8 bits may shorten it ..." with the link, as rich text.
QString helpParagraph(const RowHelp& help);

}  // namespace lapidary::views
