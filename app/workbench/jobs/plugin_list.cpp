// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/plugin_list.h"

#include <lapidary/base/error.h>

#include "workbench/project/settings.h"
#include "workbench/jobs/worker_link.h"
#include "worker/process/engine_probe.h"

namespace lapidary::app {
namespace {

FoundPluginsPtr probeAll(const Progress& progress) {
    auto found = std::make_shared<FoundPlugins>();
    try {
        for (const auto& file : find_plugins(plugin_places())) {
            progress.step("probe plugins");
            found->plugins.push_back(probe_plugin(file));
        }
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        found->problem = QString::fromUtf8(error.what());
    }
    progress.step("probe engines");
    found->engines = probe_onnxruntimes();
    return found;
}

}  // namespace

PluginList::PluginList(JobRunner& jobs, WorkerLink& worker, QObject* parent)
    : QObject(parent), jobs_(jobs), worker_(worker), off_(loadPluginsOff()) {
    worker_.setPluginsOff(off_);
}

void PluginList::look() {
    if (job_.isRunning()) return;
    job_.start<FoundPluginsPtr>(
        jobs_, tr("Look for plugins and engines"),
        [](const Progress& progress) { return probeAll(progress); },
        [this](FoundPluginsPtr found) {
            found_ = std::move(found);
            emit changed();
        },
        [this](const Error&) { emit changed(); });
    emit changed();
}

void PluginList::lookOnce() {
    if (!found_) look();
}

void PluginList::setOff(const QString& file, bool off) {
    if (isOff(file) == off) return;
    if (off) off_ << file;
    else off_.removeAll(file);
    savePluginsOff(off_);
    worker_.setPluginsOff(off_);
    emit changed();
}

QString PluginList::fileOf(const QString& nameOrFile) const {
    if (!found_) return {};
    for (const PluginProbe& probe : found_->plugins) {
        const QString file = QString::fromStdString(probe.file.string());
        if (nameOrFile == file ||
            (probe.info && nameOrFile == QString::fromStdString(probe.info->name)))
            return file;
    }
    return {};
}

}  // namespace lapidary::app
