// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/project/journal.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/parse_json.h>
#include <lapidary/internal/text_file.h>

#include "workbench/project/json_rescue.h"
#include "workbench/project/process_identity.h"
#include "workbench/project/project.h"
#include "workbench/project/project_form.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::app {
namespace {

constexpr int typing_ms = 500;
constexpr const char* suffix = ".journal";
constexpr const char* journal_format = "lapidary-journal";

/// "PROCESS.3.journal": the third file of that process.
std::optional<ProcessIdentity> writerOf(const QString& file) {
    return processFromText(QFileInfo(file).fileName().section(QLatin1Char('.'), 0, 0));
}

struct Entry {
    QString project;
    QDateTime written;
    ProjectState state;
};

}  // namespace

/// The members of a journal besides the state, which is a project's with absolute paths.
struct JournalHead {
    QString format;
    int version = 0;
    QString written, project;
};

}  // namespace lapidary::app

namespace lapidary {

template <>
struct Members<app::JournalHead> {
    using T = app::JournalHead;
    static constexpr auto list =
        members<T>(member<&T::format>("format"), member<&T::version>("version"),
                   member<&T::written>("written"), member<&T::project>("project"));
};

}  // namespace lapidary

namespace lapidary::app {
namespace {

std::string entryText(const ProjectState& state, const QString& project) {
    Json json =
        json_of(JournalHead{QLatin1String(journal_format), project_version,
                            QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs), project});
    json["state"] = json_of(formOf(state, {}), false);
    return textOf(json);
}

/// Reads a journal, or the complete part of one that is cut off.
Json readObject(const QString& file) {
    const std::string text = load_text(toPath(file), most_project_bytes);
    try {
        return parse_json(text, "the journal");
    } catch (const Error&) { return parse_json(rescuedJson(text), "the journal"); }
}

Entry readEntry(const QString& file) {
    try {
        const Json json = readObject(file);
        const auto head = read_json<JournalHead>(json, "the journal", true);
        if (head.format != QLatin1String(journal_format) || !json.contains("state"))
            fail(ErrorCode::invalid_input, "this is no journal");
        return {head.project, QDateTime::fromString(head.written, Qt::ISODateWithMs),
                projectFromJson(json.at("state"), {})};
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
            save_text(toPath(file), entryText(state, path));
            for (const QString& old : taken) QFile::remove(old);
        } catch (const std::exception& error) { failure = QString::fromUtf8(error.what()); }
        // The destructor waits for this thread, so `this` is valid here, but the posted call may be
        // dropped.
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
        } catch (const Error&) {  // it cannot be read and is not offered; the file stays for
                                  // inspection by hand in it
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
