// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/jobs/worker_link.h"

#include <lapidary/base/failure.h>

#include "workbench/project/settings.h"
#include "worker/process/worker_engine.h"
#include "worker/process/worker_process.h"

namespace lapidary::app {

WorkerLink::WorkerLink(QObject* parent) : QObject(parent), memoryLimit_(loadMemoryLimit()) {
    const bool wanted = loadSeparateWorker();
    const std::string program = wanted ? find_worker_program() : std::string();
    if (!wanted) failure_ = tr("the settings say so").toStdString();
    if (program.empty()) {
        engine_ = std::make_unique<LocalEngine>();
        return;
    }
    WorkerOptions options;
    options.command = {program, "serve"};
    options.memory_limit = memoryLimit_;
    options.on_end = [this](const WorkerEnd& end) {
        QMetaObject::invokeMethod(
            this, [this, end] { reportEnd(end); }, Qt::QueuedConnection);
    };
    options.on_silence = [this](const WorkerSilence& silence) {
        QMetaObject::invokeMethod(
            this, [this, silence] { reportSilence(silence); }, Qt::QueuedConnection);
    };
    try {
        auto engine = std::make_unique<WorkerEngine>(std::move(options));
        worker_ = engine.get();
        engine_ = std::move(engine);
    } catch (const Error& error) {
        failure_ = error.message();
        engine_ = std::make_unique<LocalEngine>();
    }
}

WorkerLink::WorkerLink(std::unique_ptr<Engine> engine, QObject* parent)
    : QObject(parent), memoryLimit_(loadMemoryLimit()), engine_(std::move(engine)) {}

WorkerLink::~WorkerLink() = default;

QString WorkerLink::whyShared() const {
    return worker_ ? QString()
                   : QString::fromStdString(failure_.empty() ? why_no_worker() : failure_);
}

qint64 WorkerLink::processId() const { return worker_ ? worker_->process_id() : 0; }

void WorkerLink::setDocuments(const std::vector<std::uint64_t>& open) {
    if (worker_) worker_->set_documents(open);
}

void WorkerLink::setMemoryLimit(quint64 bytes) {
    if (bytes == memoryLimit_) return;
    memoryLimit_ = bytes;
    saveMemoryLimit(bytes);
    if (worker_) worker_->set_memory_limit(bytes);
    emit memoryLimitChanged();
}

void WorkerLink::endWorker() {
    if (worker_) worker_->end_worker();
}

void WorkerLink::setPluginsOff(const QStringList& files) {
    if (!worker_) return;
    std::vector<std::string> arguments;
    for (const QString& file : files)
        for (const std::string& word : {std::string("--without-plugin"), file.toStdString()})
            arguments.push_back(word);
    worker_->set_arguments(std::move(arguments));
}

namespace {

/// X of "crashed in plugin "X": ..."; empty: it did not crash in a plugin.
QString crashedPlugin(const std::string& words) {
    const std::string begin = std::string(foreign_crash_mark) + "plugin \"";
    if (!words.starts_with(begin)) return {};
    const std::size_t end = words.find('"', begin.size());
    if (end == std::string::npos) return {};
    return QString::fromStdString(words.substr(begin.size(), end - begin.size()));
}

}  // namespace

void WorkerLink::reportSilence(const WorkerSilence& silence) {
    if (!silence.is_silent) return emit heardAgain();
    const QString running = QString::fromStdString(silence.running);
    emit silent(
        running.isEmpty() ? tr("The worker hangs")
                          : tr("The worker hangs while running %1").arg(running),
        tr("Nothing was heard of it for some seconds: it was stopped, or the machine is "
           "overloaded. When it is "
           "ended, what it was running is lost; what is open and what was measured before stays."));
}

void WorkerLink::reportEnd(const WorkerEnd& end) {
    const QString reason = QString::fromStdString(end.reason),
                  running = QString::fromStdString(end.running);
    const QString opening = QString::fromStdString(end.opening);
    const QString title =
        !opening.isEmpty()  ? tr("The worker ended (%1) while opening %2").arg(reason, opening)
        : running.isEmpty() ? tr("The worker ended (%1)").arg(reason)
                            : tr("The worker ended (%1) while running %2").arg(reason, running);
    QString text =
        end.starts_again
            ? tr("It was started again. What is open and what was measured before is all there.")
            : tr("It did not get ready; the next run tries to start it again.");
    if (!end.last_words.empty())
        text += QLatin1Char('\n') +
                tr("Its last words: %1").arg(QString::fromStdString(end.last_words));
    const QString plugin = opening.isEmpty() ? crashedPlugin(end.last_words) : opening;
    if (!plugin.isEmpty()) emit pluginCrashed(plugin);
    emit ended(title, text);
}

}  // namespace lapidary::app
