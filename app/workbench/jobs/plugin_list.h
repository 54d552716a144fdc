// SPDX-License-Identifier: GPL-3.0-or-later
// The plugins and engines that are found, each probed in a separate process. The window itself
// opens none of them.
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
    std::vector<PluginProbe> plugins;      // including those that are switched off
    std::vector<OnnxRuntimeInfo> engines;  // copies of ONNX Runtime
    QString problem;                       // why the search for plugins failed; empty: it did not
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
    /// The file of a plugin, given its name or file; empty: not known.
    QString fileOf(const QString& nameOrFile) const;

public slots:
    /// Searches in the background; changed() is emitted at the end.
    void look();
    /// As look(), unless a search was made already.
    void lookOnce();
    /// Switches a plugin off or on. Remembered between starts of the window; applies from the next
    /// run on.
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
