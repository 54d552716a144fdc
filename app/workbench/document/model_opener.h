// SPDX-License-Identifier: GPL-3.0-or-later
// Loads models off the GUI thread and hands them to OpenedModel. Only the newest request counts.
#pragma once

#include <QObject>

#include <functional>

#include "workbench/jobs/latest_job.h"
#include "workbench/document/opened_model.h"

namespace lapidary::app {

class RecentFiles;

class ModelOpener : public QObject {
    Q_OBJECT
public:
    ModelOpener(OpenedModel& opened, JobRunner& jobs, Engine& engine, RecentFiles& recent,
                QObject* parent = nullptr);

    Job* job() const { return job_.job(); }  // null unless loading
    bool isOpening() const { return job_.isRunning(); }
    /// On failure the open document stays. `channelBlock` is LoadOptions' own.
    void loadFile(const QString& path, int channelBlock = 0);
    void loadSample(const QString& name);
    /// The open document stays and cancelled() is emitted.
    void cancel() { job_.cancel(); }
    /// Opens a loaded model at once: OpenedModel::documentChanged() was emitted when this returns.
    void adopt(ModelPtr model, const QString& title);
    /// Nothing is open afterwards.
    void close();

signals:
    void started(const QString& what);
    void failed(const QString& what, const QString& reason);
    void cancelled();
    /// The file is open to be looked at; to run it, loadFile() with a block of 8 or 16 has to open
    /// it again.
    void channelBlockAsked(const QString& path, const QString& reason);
    void logged(const QString& line);

private:
    void open(const QString& what, const QString& path,
              std::function<Document(const Progress&)> load);

    OpenedModel& opened_;
    JobRunner& jobs_;
    Engine& engine_;
    RecentFiles& recent_;
    std::uint64_t newest_ = 0;  // ModelSource::document
    LatestJob job_;
};

}  // namespace lapidary::app
