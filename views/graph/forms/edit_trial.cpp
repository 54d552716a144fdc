// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/edit_trial.h"

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>

#include "graph/surgery/surgery_target.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"
#include "worker/jobs/edit_job.h"

namespace lapidary::views {
namespace {

constexpr int enteringMs = 300;  // after the last key, before the lines are tried

}  // namespace

EditTrial::EditTrial(app::Workbench& workbench, QObject* parent)
    : QObject(parent), workbench_(workbench),
      source_(sourceOfEdits(workbench, workbench.recipeInForce())),
      before_(exactText(workbench.recipeInForce().edits)) {
    delay_.setSingleShot(true);
    delay_.setInterval(enteringMs);
    connect(&delay_, &QTimer::timeout, this, &EditTrial::start);
}

bool EditTrial::isValid() const {
    return report_ && std::ranges::all_of(report_->lines, [](const EditLineReport& line) {
               return line.problems.empty();
           });
}

void EditTrial::tryLines(const QString& lines) {
    lines_ = lines;
    report_.reset();
    refusal_.clear();
    job_.drop();
    if (lines.trimmed().isEmpty()) delay_.stop();
    else delay_.start();
    emit changed();
}

QString EditTrial::script() const { return before_.isEmpty() ? lines_ : before_ + u'\n' + lines_; }

void EditTrial::start() {
    try {
        const std::size_t before = parse_edit_script(before_.toStdString()).lines.size();
        parse_edit_script(lines_.toStdString());
        run(false, before);
    } catch (const Error& error) { refuse(sentenceText(app::editReason(error.message()))); }
}

void EditTrial::writeFiles() { run(true, 0); }

/// `before`: how many lines stand before those that are tried.
void EditTrial::run(bool writes, std::size_t before) {
    if (!source_) return refuse(tr("The model that is edited is not made yet."));
    job_.start<EditReport>(
        workbench_.jobs(), writes ? tr("Write the parts of a model") : tr("Try edits"),
        [engine = &workbench_.engine(),
         job = app::EditJob{*source_, script().toStdString(), writes}](const Progress& progress) {
            return engine->call(job, progress);
        },
        [this, writes, before](EditReport report) {
            if (writes) {
                emit written();
                return;
            }
            const auto done = std::min(before, report.lines.size());
            report.lines.erase(report.lines.begin(), report.lines.begin() + std::ptrdiff_t(done));
            show(std::move(report));
        },
        [this](const Error& error) {
            refuse(error.code() == ErrorCode::cancelled
                       ? tr("It was cancelled.")
                       : sentenceText(app::editReason(error.message())));
        });
    emit changed();
}

void EditTrial::show(EditReport report) {
    report_ = std::move(report);
    emit changed();
    emit finished();
}

void EditTrial::refuse(const QString& reason) {
    report_.reset();
    refusal_ = reason;
    emit changed();
    emit finished();
}

}  // namespace lapidary::views
