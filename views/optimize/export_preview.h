// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the content of an export before it is written: nodes, weights, and which engines can run
// it.
#pragma once

#include <QLabel>
#include <QTimer>

#include <optional>

#include <lapidary/export/export_model.h>

#include "workbench/jobs/latest_job.h"
#include "workbench/workbench.h"

namespace lapidary::views {

struct ExportFigures {
    std::int64_t nodes = 0;  // including subgraphs
    std::uint64_t weightBytes = 0;
    std::string needs;               // Requirement::sentence
    std::vector<std::string> notes;  // sentences
};

class ExportPreview : public QLabel {
    Q_OBJECT
public:
    explicit ExportPreview(app::Workbench& workbench, QWidget* parent = nullptr);
    /// Computes the figures in a job after a short delay, unless nothing changed. `editsAfter`:
    /// lines for what the level made. `nodesHere`, `weightsHere`: nodes and bytes of weights at
    /// this level in this program; 0: unknown.
    void look(const app::ModelSource& base, const ExportOptions& options,
              const std::string& editsAfter, std::int64_t nodesHere, std::uint64_t weightsHere);
    /// Empty until they are computed.
    const std::optional<ExportFigures>& figures() const { return figures_; }

signals:
    /// The text shows the figures, and may be longer than before.
    void reported();

private:
    void start();
    void report(const ExportFigures& figures);

    app::Workbench& workbench_;
    app::ModelSource base_;  // before the options are applied
    ExportOptions options_;
    std::string editsAfter_;
    std::int64_t nodesHere_ = 0;
    std::uint64_t weightsHere_ = 0;
    QString wanted_;  // the requested export, as text
    std::optional<ExportFigures> figures_;
    QTimer delay_;
    app::LatestJob job_;
};

}  // namespace lapidary::views
