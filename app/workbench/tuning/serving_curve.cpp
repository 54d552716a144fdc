// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/tuning/serving_curve.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <mutex>

#include <lapidary/base/error.h>

#include "worker/process/worker_process.h"

namespace lapidary::app {

/// The running process. The job's thread uses it, and the GUI thread ends it.
struct ServingCurve::Running {
    std::mutex mutex;
    std::unique_ptr<WorkerProcess> process;
    bool ended = false;

    void end() {
        const std::lock_guard lock(mutex);
        ended = true;
        if (process) process->kill();
    }
    WorkerProcess& begin(const std::vector<std::string>& command) {
        const std::lock_guard lock(mutex);
        if (ended) throw Error(ErrorCode::cancelled, "cancelled");
        process = std::make_unique<WorkerProcess>(command);
        return *process;
    }
};

namespace {

ServedLoad loadOf(const QJsonObject& object) {
    const auto number = [&](const char* name) {
        return object.value(QLatin1String(name)).toDouble();
    };
    return {number("per_second"), number("p50_ms"), number("p99_ms"), number("rows_per_run")};
}

/// The output of the program.
std::string outputOf(WorkerProcess& process) {
    process.close_input();
    std::string text;
    while (const auto line = process.read_line()) text += *line + '\n';
    const std::string end = process.wait_for_end();
    if (end == "exit code 0") return text;
    const std::string words = process.last_words();
    throw Error(ErrorCode::process_ended, words.empty() ? "lapidary-cli ended with " + end : words);
}

ServingPoint pointOf(const std::string& text) {
    const QJsonObject answer = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    const QJsonObject point = answer.value(QLatin1String("points")).toArray().first().toObject();
    return {point.value(QLatin1String("concurrency")).toInt(),
            loadOf(point.value(QLatin1String("grouped")).toObject()),
            loadOf(point.value(QLatin1String("single")).toObject())};
}

}  // namespace

ServingCurve::ServingCurve(JobRunner& jobs, QObject* parent) : QObject(parent), jobs_(jobs) {}

ServingCurve::~ServingCurve() {
    if (running_) running_->end();
}

QString ServingCurve::refusal(const ModelSource& source) {
    if (!source.in_other_process())
        return tr("Only models of files and samples can be measured in another process.");
    if (!source.recipe.value_or(Recipe()).running().isPlainLevel())
        return tr("Only the four levels can be measured so: this variant is made in another way.");
    if (find_worker_program().empty()) return QString::fromStdString(why_no_worker());
    return {};
}

QStringList ServingCurve::command(const ModelSource& source, const RunSettings& settings,
                                  const QString& callers, double seconds) {
    const QString model = source.sample.empty()
                              ? QString::fromStdU16String(source.file.u16string())
                              : QStringLiteral("sample:") + QString::fromStdString(source.sample);
    const Level level = source.recipe.value_or(Recipe()).runLevel();
    QStringList words{
        QStringLiteral("bench"),         model,
        QStringLiteral("--concurrency"), callers,
        QStringLiteral("--level"),       QString::fromStdString(std::string(name_of(level))),
        QStringLiteral("--intra"),       QString::number(std::max(1, settings.resources.threads)),
        QStringLiteral("--seconds"),     QString::number(seconds)};
    for (const auto& [name, size] : settings.dimensions)
        if (size > 0)
            words << QStringLiteral("--dim")
                  << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(size);
    return words;
}

void ServingCurve::start(const ModelSource& source, const RunSettings& settings,
                         std::vector<int> callers, double seconds) {
    if (isRunning() || !refusal(source).isEmpty()) return;
    points_.clear();
    running_ = std::make_shared<Running>();
    std::vector<std::vector<std::string>> commands;
    for (const int count : callers) {
        commands.push_back({find_worker_program()});
        for (const QString& word : command(source, settings, QString::number(count), seconds))
            commands.back().push_back(word.toStdString());
        for (const char* word : {"--json", "--quiet"}) commands.back().push_back(word);
    }
    job_.start<bool>(
        jobs_, tr("Measure callers at the same time"),
        [this, commands = std::move(commands), running = running_](
            const Progress& progress, const LatestJob::Ticket& ticket) {
            for (std::size_t i = 0; i < commands.size(); ++i) {
                progress.step("callers", double(i) / double(commands.size()));
                const ServingPoint point = pointOf(outputOf(running->begin(commands[i])));
                QMetaObject::invokeMethod(
                    this,
                    [this, ticket, point] {
                        if (!ticket.isCurrent()) return;
                        points_.push_back(point);
                        emit changed();
                    },
                    Qt::QueuedConnection);
            }
            return true;
        },
        [this](bool) { emit changed(); },
        [this](const Error& error) {
            emit changed();
            // its process was killed, so its output is ignored
            const bool ended = running_ && running_->ended;
            if (error.code() != ErrorCode::cancelled && !ended)
                emit failed(QString::fromUtf8(error.what()));
        });
    emit changed();
}

void ServingCurve::cancel() {
    job_.cancel();
    if (running_) running_->end();
}

void ServingCurve::forget() {
    if (running_) running_->end();
    job_.drop();
    points_.clear();
    emit changed();
}

}  // namespace lapidary::app
