// SPDX-License-Identifier: GPL-3.0-or-later
// What an export will hold, said before it is written: nodes, weights, who can run it.
#pragma once

#include <QLabel>
#include <QTimer>

#include <optional>

#include <lapidary/export/export_model.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/workbench.h"

namespace lapidary::views {

struct ExportFigures {
    std::int64_t nodes = 0;  // those of subgraphs counted
    std::uint64_t weightBytes = 0;
    std::string needs;               // Requirement::sentence
    std::vector<std::string> notes;  // sentences
};

class ExportPreview : public QLabel {
    Q_OBJECT
public:
    explicit ExportPreview(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Works it out in a job once nothing has changed for a moment; the same again does nothing.
    /// `nodesHere`, `weightsHere`: nodes and bytes of weights that the level leaves in this
    /// program; 0: unknown.
    void look(const ModelPtr& base, const ExportOptions& options, std::int64_t nodesHere,
              std::uint64_t weightsHere);
    /// Nothing until it is worked out.
    const std::optional<ExportFigures>& figures() const { return figures_; }

signals:
    /// The text says what it will hold: it may be longer than before.
    void reported();

private:
    void start();
    void report(const ExportFigures& figures);

    app::Workbench& workbench_;
    ModelPtr base_;
    ExportOptions options_;
    std::int64_t nodesHere_ = 0;
    std::uint64_t weightsHere_ = 0;
    QString wanted_;  // what is asked for, as text
    std::optional<ExportFigures> figures_;
    QTimer delay_;
    app::LatestJob job_;
};

}  // namespace lapidary::views
