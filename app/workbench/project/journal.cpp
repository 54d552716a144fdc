// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/journal.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

#include "workbench/project/json_rescue.h"
#include "workbench/project/project_members.h"
#include "workbench/project/process_identity.h"
#include "workbench/project/project.h"

namespace lapidary::app {
namespace {

constexpr int typing_ms = 500;
constexpr const char* suffix = ".journal";
constexpr const char* journal_format = "lapidary-journal";

std::filesystem::path journalPath(const QString& path) {
    return std::filesystem::path(path.toStdU16String());
}

/// "PROCESS.3.journal": the third file of that process.
std::optional<ProcessIdentity> writerOf(const QString& file) {
    return processFromText(QFileInfo(file).fileName().section(QLatin1Char('.'), 0, 0));
}

struct Entry {
    QString project;
    QDateTime written;
    ProjectState state;
};

QByteArray entryText(const ProjectState& state, const QString& project) {
    // The state is a project's text with absolute paths, so that one reader serves both.
    const QJsonObject root{
        {QStringLiteral("format"), QLatin1String(journal_format)},
        {QStringLiteral("version"), project_version},
        {QStringLiteral("written"), QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs)},
        {QStringLiteral("project"), project},
        {QStringLiteral("state"), QJsonDocument::fromJson(toText(state, {})).object()}};
    return QJsonDocument(root).toJson();
}

/// The journal as it is, or what is whole of one that ends too early.
QJsonObject readObject(const QString& file) {
    const std::string text = load_text(journalPath(file), most_project_bytes);
    const QJsonDocument whole = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    if (whole.isObject()) return whole.object();
    return QJsonDocument::fromJson(QByteArray::fromStdString(rescuedJson(text))).object();
}

Entry readEntry(const QString& file) {
    try {
        const ProjectMembers root(readObject(file), {});
        if (root.text("format", {}) != QLatin1String(journal_format))
            fail(ErrorCode::invalid_input, "this is no journal");
        return {root.text("project", {}),
                QDateTime::fromString(root.text("written", {}), Qt::ISODateWithMs),
                projectFromText(QJsonDocument(root.object("state").json()).toJson(), {})};
    } catch (Error& error) {
        if (error.where().empty()) throw error.at(file.toStdString());
        throw;
    }
}

}  // namespace

QString journalFolder() {
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state)) state = QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/lapidary/journals");
#else
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
           QStringLiteral("/journals");
#endif
}

Journal::Journal(Project& project, QString folder, QObject* parent)
    : QObject(parent), project_(project), folder_(std::move(folder)) {
    QDir().mkpath(folder_);
    const QString name = toText(thisProcess());
    do
        file_ = QStringLiteral("%1/%2.%3%4")
                    .arg(folder_, name)
                    .arg(++sequence_)
                    .arg(QLatin1String(suffix));
    while (QFileInfo::exists(file_));
    writer_.setMaxThreadCount(1);
    delay_.setSingleShot(true);
    connect(&delay_, &QTimer::timeout, this, &Journal::write);
    connect(&project_, &Project::changed, this, &Journal::note);
    connect(&project_, &Project::recipeChanged, this, [this] { delay_.start(0); });
    connect(&project_, &Project::notesChanged, this, [this] {
        if (!delay_.isActive() || delay_.remainingTime() > typing_ms) delay_.start(typing_ms);
    });
}

Journal::~Journal() {
    delay_.stop();
    if (!abandoned_ && exists_) remove();
    writer_.waitForDone();
}

void Journal::note() {
    if (!delay_.isActive()) delay_.start(interval_ms);
}

void Journal::write() {
    if (writing_) {
        again_ = true;
        return;
    }
    if (!project_.isWorthKeeping()) {
        if (exists_ && !project_.isOpening()) remove();
        return;
    }
    writing_ = exists_ = true;
    writer_.start([this, file = file_, taken = std::exchange(taken_, {}), state = project_.state(),
                   path = project_.path()] {
        QString failure;
        try {
            save_text(journalPath(file), entryText(state, path).toStdString());
            for (const QString& old : taken) QFile::remove(old);
        } catch (const std::exception& error) { failure = QString::fromUtf8(error.what()); }
        // The destructor waits for this thread, so `this` lives; what is posted to it may come too
        // late.
        QMetaObject::invokeMethod(
            this,
            [this, failure] {
                writing_ = false;
                if (!failure.isEmpty() && !std::exchange(hasFailed_, true)) emit failed(failure);
                if (failure.isEmpty()) hasFailed_ = false;
                if (std::exchange(again_, false) || !failure.isEmpty())
                    delay_.start(failure.isEmpty() ? 0 : interval_ms);
            },
            Qt::QueuedConnection);
    });
}

void Journal::remove() {
    exists_ = false;
    writer_.start([file = file_] { QFile::remove(file); });
}

void Journal::flush() {
    for (int round = 0; round < 3; ++round) {
        writer_.waitForDone();
        QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
        if (round == 0 || delay_.isActive()) {
            delay_.stop();
            write();
        }
    }
}

std::vector<LeftBehind> Journal::leftBehind() const {
    std::vector<LeftBehind> found;
    const ProcessIdentity own = thisProcess();
    for (const QFileInfo& file :
         QDir(folder_).entryInfoList({QLatin1String("*") + QLatin1String(suffix)}, QDir::Files)) {
        const auto writer = writerOf(file.fileName());
        if (!writer || writer->machine != own.machine || isAlive(*writer)) continue;
        try {
            const Entry entry = readEntry(file.absoluteFilePath());
            QString title =
                entry.project.isEmpty() ? QString() : QFileInfo(entry.project).completeBaseName();
            if (title.isEmpty() && entry.state.model)
                title = entry.state.model->sample.isEmpty()
                            ? QFileInfo(entry.state.model->path).fileName()
                            : entry.state.model->sample;
            const QDateTime written =
                entry.written.isValid() ? entry.written.toLocalTime() : file.lastModified();
            found.push_back({file.absoluteFilePath(), entry.project, title, written});
        } catch (const Error&) {  // nothing of it can be offered; somebody may still find something
                                  // in it
        }
    }
    std::ranges::sort(found, std::ranges::greater(), &LeftBehind::written);
    return found;
}

void Journal::restore(const LeftBehind& left) {
    const Entry entry = readEntry(left.file);
    const QString mine = QStringLiteral("%1/%2.%3%4")
                             .arg(folder_, toText(thisProcess()))
                             .arg(++sequence_)
                             .arg(QLatin1String(suffix));
    if (!QFile::rename(left.file, mine))
        fail(ErrorCode::not_supported, "another window has taken it up already");
    taken_.append(mine);
    exists_ = true;
    project_.restore(entry.state, entry.project);
}

void Journal::discard(const LeftBehind& left) { QFile::remove(left.file); }

}  // namespace lapidary::app
