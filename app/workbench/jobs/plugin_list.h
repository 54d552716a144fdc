// SPDX-License-Identifier: GPL-3.0-or-later
// The plugins and engines that are found, each probed in a process of its own; the window opens
// none of them.
#pragma once

#include <QObject>
#include <QStringList>

#include <memory>
#include <vector>

#include <lapidary/engines/onnxruntime_engine.h>

#include "workbench/jobs/latest_job.h"
#include "worker/process/plugin_probe.h"

namespace lapidary::app {

class WorkerLink;

struct FoundPlugins {
    std::vector<PluginProbe> plugins;      // those that are switched off too
    std::vector<OnnxRuntimeInfo> engines;  // the user's own
    QString problem;                       // why plugins could not be looked for; empty: they were
};
using FoundPluginsPtr = std::shared_ptr<const FoundPlugins>;

class PluginList : public QObject {
    Q_OBJECT
public:
    PluginList(JobRunner& jobs, WorkerLink& worker, QObject* parent = nullptr);

    /// Null: not searched yet.
    const FoundPluginsPtr& found() const { return found_; }
    bool isLooking() const { return job_.isRunning(); }
    /// Switched off by the user: the worker does not open it.
    bool isOff(const QString& file) const { return off_.contains(file); }
    /// The file of a plugin that crashed, by its name or file; empty: not known.
    QString fileOf(const QString& nameOrFile) const;

public slots:
    /// In the background; changed() follows.
    void look();
    /// Searches, if that was not done yet.
    void lookOnce();
    /// Kept between starts. Takes effect with the next run.
    void setOff(const QString& file, bool off);

signals:
    void changed();

private:
    JobRunner& jobs_;
    WorkerLink& worker_;
    FoundPluginsPtr found_;
    QStringList off_;
    LatestJob job_;
};

}  // namespace lapidary::app
