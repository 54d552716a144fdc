// SPDX-License-Identifier: GPL-3.0-or-later
// Tries lines of edits while they are entered: what they do to the model, or why they cannot be
// done.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <utility>

#include <lapidary/edit/apply_edits.h>

#include "workbench/workbench.h"

namespace lapidary::views {

class EditTrial : public QObject {
    Q_OBJECT
public:
    explicit EditTrial(app::Workbench& workbench, QObject* parent = nullptr);

    /// Lines that are applied before those that are tried; initially the edits of the recipe in
    /// force.
    void setBefore(const QString& script) { before_ = script; }
    const QString& before() const { return before_; }
    /// What all lines are applied to; initially the model as it was opened.
    void setSource(app::ModelSource source) { source_ = std::move(source); }
    /// Writes the files that the newest lines name for other models, such as the parts of a split,
    /// and emits written(), or finished() with a refusal.
    void writeFiles();
    /// Waits until nothing was entered for a moment, then tries the lines. Empty: tries nothing.
    void tryLines(const QString& lines);
    /// Waits for that moment, or for the engine.
    bool isTrying() const { return delay_.isActive() || job_.isRunning(); }
    /// What the newest lines do, without the lines before them; nothing: not known, or refused.
    const std::optional<EditReport>& report() const { return report_; }
    /// Why the newest lines cannot be done; empty: they can, or it is not known.
    const QString& refusal() const { return refusal_; }
    /// They can be done and make nothing invalid. What lines before them left invalid may stay so.
    bool isValid() const;

signals:
    /// Another state: trying, a report, a refusal, or nothing to try.
    void changed();
    /// A report or a refusal is there.
    void finished();
    void written();

private:
    QString script() const;
    void start();
    void run(bool writes, std::size_t before);
    void refuse(const QString& reason);
    void show(EditReport report);

    app::Workbench& workbench_;
    std::optional<app::ModelSource> source_;  // what the first line is applied to
    QString before_, lines_, refusal_;
    QTimer delay_;
    std::optional<EditReport> report_;
    app::LatestJob job_;
};

}  // namespace lapidary::views
