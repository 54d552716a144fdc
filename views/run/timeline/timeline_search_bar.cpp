// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/timeline/timeline_search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int longest_search = 200;  // characters

}  // namespace

TimelineSearchBar::TimelineSearchBar(app::JobRunner& jobs, QWidget* parent)
    : QWidget(parent), jobs_(jobs), edit_(new QLineEdit), count_(new QLabel),
      previous_(new QToolButton), next_(new QToolButton) {
    setObjectName(QStringLiteral("timelineSearchBar"));
    edit_->setObjectName(QStringLiteral("timelineSearch"));
    edit_->setPlaceholderText(tr("Find nodes and operators in the timeline"));
    edit_->setToolTip(edit_->placeholderText());  // which is cut where there is little room
    edit_->setAccessibleName(tr("Find nodes and operators in the timeline"));
    edit_->setClearButtonEnabled(true);
    edit_->setMaxLength(longest_search);
    edit_->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    edit_->installEventFilter(this);
    count_->setObjectName(QStringLiteral("timelineSearchCount"));
    count_->setTextFormat(Qt::PlainText);
    const auto prepare = [this](QToolButton* button, const char* icon, const QString& text,
                                const QString& keys, int by) {
        button->setIcon(themedIcon(QLatin1String(icon)));
        button->setAutoRaise(true);
        button->setAccessibleName(text);
        button->setToolTip(QStringLiteral("%1 (%2)").arg(text, keys));
        connect(button, &QToolButton::clicked, this, [this, by] { emit stepWanted(by); });
    };
    prepare(previous_, "previous", tr("Previous match"),
            QKeySequence(Qt::SHIFT | Qt::Key_Return).toString(QKeySequence::NativeText), -1);
    prepare(next_, "next", tr("Next match"),
            QKeySequence(Qt::Key_Return).toString(QKeySequence::NativeText), 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, spacing, 4);
    row->setSpacing(spacing);
    row->addWidget(edit_, 1);
    row->addWidget(count_);
    row->addWidget(previous_);
    row->addWidget(next_);
    connect(edit_, &QLineEdit::textChanged, this, &TimelineSearchBar::search);
    showMatches(nullptr);
}

void TimelineSearchBar::setDigest(RunDigestPtr digest) {
    digest_ = std::move(digest);
    search();
}

void TimelineSearchBar::search() {
    job_.drop();
    const QString text = edit_->text().trimmed();
    if (!digest_ || text.isEmpty()) return showMatches(nullptr);
    job_.start<TimelineMatchesPtr>(
        jobs_, tr("Search the timeline"),
        [digest = digest_, text](const Progress& progress) {
            return std::make_shared<const TimelineMatches>(
                findKernels(*digest->run->profile, text, progress.cancel));
        },
        [this](TimelineMatchesPtr matches) { showMatches(std::move(matches)); },
        [this](const Error& error) {
            showMatches(nullptr);
            count_->setText(labelText(error.what()));
        });
}

void TimelineSearchBar::showMatches(TimelineMatchesPtr matches) {
    matches_ = std::move(matches);
    const auto count = matches_ ? qint64(matches_->kernels.size()) : 0;
    previous_->setEnabled(count > 0);
    next_->setEnabled(count > 0);
    if (!matches_) count_->clear();
    else if (count == 0) count_->setText(tr("Nothing found"));
    else
        count_->setText(tr("Spans found: %1, nodes: %2")
                            .arg(formatCount(count), formatCount(qint64(matches_->names))));
    emit found(matches_);
}

void TimelineSearchBar::setShown(qint64 match) {
    if (matches_)
        count_->setText(tr("%1 of %2, nodes: %3")
                            .arg(formatCount(match + 1),
                                 formatCount(qint64(matches_->kernels.size())),
                                 formatCount(qint64(matches_->names))));
}

bool TimelineSearchBar::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != edit_ || !isKey) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    // Escape ends the search, also while something runs that it would cancel.
    if (!isReturn && key->key() != Qt::Key_Escape) return false;
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (isReturn) emit stepWanted(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else emit closed();
    return true;
}

}  // namespace lapidary::views
