// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of the window: a worker process, or this process if no worker can be started.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>
#include <string>
#include <vector>

#include "worker/jobs/engine.h"

namespace lapidary::app {

class WorkerEngine;
struct WorkerEnd;
struct WorkerSilence;

class WorkerLink : public QObject {
    Q_OBJECT
public:
    explicit WorkerLink(QObject* parent = nullptr);
    /// Uses the given engine, which must not be null.
    WorkerLink(std::unique_ptr<Engine> engine, QObject* parent);
    ~WorkerLink() override;

    Engine& engine() { return *engine_; }
    /// False: models run in this process, whyShared() says why.
    bool isSeparate() const { return worker_ != nullptr; }
    QString whyShared() const;
    /// The id of the current worker process; 0: none.
    qint64 processId() const;
    /// Bytes of memory that a run may take; 0: no limit. Remembered between starts of the window.
    quint64 memoryLimit() const { return memoryLimit_; }
    void setMemoryLimit(quint64 bytes);
    /// The documents that are open, by ModelSource::document.
    void setDocuments(const std::vector<std::uint64_t>& open);
    /// Ends a worker that is silent; ended() follows, and a new one is started.
    void endWorker();
    /// Files of plugins that the worker does not open, from the next run on.
    void setPluginsOff(const QStringList& files);

signals:
    /// A worker ended unexpectedly. `title` in a few words, `text` says what was lost and what
    /// follows.
    void ended(const QString& title, const QString& text);
    /// The worker has sent nothing for several seconds while a call waits for it: it is stopped or
    /// hangs, or the machine is overloaded. `text` says what may be lost. The call goes on waiting.
    void silent(const QString& title, const QString& text);
    /// The silence is over: the worker sent something or has ended.
    void heardAgain();
    /// Followed by ended(): it died in the code of a plugin, given by its name or file.
    void pluginCrashed(const QString& plugin);
    void memoryLimitChanged();

private:
    void reportEnd(const WorkerEnd& end);
    void reportSilence(const WorkerSilence& silence);
    quint64 memoryLimit_;
    std::string failure_;  // of starting the worker; empty: none
    std::unique_ptr<Engine> engine_;
    WorkerEngine* worker_ = nullptr;  // engine_ as a WorkerEngine; null: models run in this process
};

}  // namespace lapidary::app
