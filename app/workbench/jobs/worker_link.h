// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of the window: a worker process, or this process where there is none to be had.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>
#include <string>

#include "worker/jobs/engine.h"

namespace lapidary::app {

class WorkerEngine;
struct WorkerEnd;
struct WorkerSilence;

class WorkerLink : public QObject {
    Q_OBJECT
public:
    explicit WorkerLink(QObject* parent = nullptr);
    /// With another engine than the usual one; not null.
    WorkerLink(std::unique_ptr<Engine> engine, QObject* parent);
    ~WorkerLink() override;

    Engine& engine() { return *engine_; }
    /// False: models run in this process, whyShared() says why.
    bool isSeparate() const { return worker_ != nullptr; }
    QString whyShared() const;
    /// Of the worker process that is there; 0: none.
    qint64 processId() const;
    /// Bytes of memory that a run may take; 0: no limit. Kept between starts.
    quint64 memoryLimit() const { return memoryLimit_; }
    void setMemoryLimit(quint64 bytes);
    /// Ends a worker that is silent; ended() follows, and a new one is started.
    void endWorker();
    /// Files of plugins that the worker does not open, from the next run on.
    void setPluginsOff(const QStringList& files);

signals:
    /// A worker ended unexpectedly. `title` in a few words, `text` says what was lost and what
    /// follows.
    void ended(const QString& title, const QString& text);
    /// Nothing was heard of the worker for several seconds while something waits for it: stopped,
    /// hung, or the machine is overloaded. `text` says what may be lost. It goes on being waited
    /// for.
    void silent(const QString& title, const QString& text);
    /// silent() is over, one way or the other.
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
    WorkerEngine* worker_ = nullptr;  // engine_; null: that is of this process
};

}  // namespace lapidary::app
