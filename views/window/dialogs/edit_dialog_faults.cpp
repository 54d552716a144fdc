// SPDX-License-Identifier: GPL-3.0-or-later
// How the Edit dialog shows lines that cannot be done.
#include <QRegularExpression>
#include <QTextBlock>

#include <algorithm>

#include <lapidary/base/error.h>

#include "theme/theme.h"
#include "window/dialogs/edit_dialog.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"
#include "worker/jobs/edit_job.h"

namespace lapidary::views {

/// Lines of the script, from 1, that cannot be done or make the model invalid.
void EditDialog::markLines(const QList<int>& lines) {
    QList<QTextEdit::ExtraSelection> marks;
    for (const int line : lines) {
        const QTextBlock block = script_->document()->findBlockByNumber(line - 1);
        if (!block.isValid()) continue;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(themeColors(palette()).errorFill);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    script_->setExtraSelections(marks);
}

void EditDialog::refuse(const Error& error) {
    static const QRegularExpression number(QStringLiteral("^line (\\d+)"));
    int line = 0;  // at fault; 0: none
    for (const std::string& place : error.where())
        if (const auto match = number.match(labelText(place)); match.hasMatch())
            line = match.captured(1).toInt();
    if (line > 0) markLines({line});
    canMake_ = canKeep_ = false;
    effects_->clear();
    showFirst(line - 1);
    refresh();
    showRed(QStringLiteral("✕ ") + (error.code() == ErrorCode::cancelled
                                        ? tr("It was cancelled.")
                                        : sentenceText(app::editReason(error.what()))));
    emit checked();
}

/// Shows what the first lines do, before one that cannot be done.
void EditDialog::showFirst(int lines) {
    if (lines < 1) return;
    const QString first = script().section(u'\n', 0, lines - 1);
    const std::optional<app::ModelSource> from = source();
    if (first.trimmed().isEmpty() || !from) return;
    first_.start<EditReport>(
        workbench_.jobs(), tr("Try edits"),
        [engine = &workbench_.engine(), job = app::EditJob{*from, first.toStdString()}](
            const Progress& progress) { return engine->call(job, progress); },
        [this](const EditReport& report) { effects_->show(report); },
        [](const Error&) {});  // the sentence says already what is wrong
}

/// Whether the model may stay invalid: nodes can be shown in red, and no level needs a valid one.
bool EditDialog::canBeKept(const EditReport& report) const {
    return !isAfterLevel() && recipe().isEditedAlone() &&
           std::ranges::any_of(report.problems,
                               [](const EditProblem& problem) { return problem.node_id >= 0; });
}

void EditDialog::showInvalid(const EditProblem& problem) {
    showRed(tr("✕ The model is not valid after these edits: %1: %2")
                .arg(labelText(app::editReason(problem.node), 80),
                     sentenceText(app::editReason(problem.reason))));
}

void EditDialog::showRed(const QString& sentence) {
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColors(palette()).error);
    sentence_->setPalette(red);
    sentence_->setText(sentence);
}

}  // namespace lapidary::views
