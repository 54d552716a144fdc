// SPDX-License-Identifier: GPL-3.0-or-later
#include "tune/queue_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "tune/tune_figures.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {
namespace {

/// "batch 4, no spinning: 1, 2 threads".
QString nameOf(const std::vector<SweepCell>& cells, const app::CellGroup& group, bool verifying) {
    if (verifying) {
        QStringList names;
        for (const std::size_t cell : group) names << titleOf(cells[cell].configuration);
        return names.join(QStringLiteral(" | "));
    }
    QStringList threads;
    for (const std::size_t cell : group) {
        const QString number =
            placeText(TuneAxis::threads, cells[cell].configuration.resources.threads);
        if (!threads.contains(number)) threads << number;
    }
    RunConfiguration rest = cells[group.front()].configuration;
    rest.resources.threads = 1;
    QString name = titleOf(rest);
    name.remove(0, placeTitle(TuneAxis::threads, 1).size() + 2);
    const QString with = threads == QStringList{QStringLiteral("1")}
                             ? QueueList::tr("1 thread")
                             : QueueList::tr("%1 threads").arg(threads.join(QStringLiteral(", ")));
    return name.isEmpty() ? with : QStringLiteral("%1: %2").arg(name, with);
}

}  // namespace

QueueList::QueueList(app::Tuning& tuning, QWidget* parent)
    : QWidget(parent), tuning_(tuning), list_(new QListWidget), summary_(new QLabel),
      up_(new QToolButton), down_(new QToolButton), remove_(new QToolButton) {
    list_->setObjectName(QStringLiteral("tuneQueue"));
    list_->setAccessibleName(tr("Queue of settings"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->installEventFilter(this);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    summary_->setWordWrap(true);
    const auto prepare = [](QToolButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setAutoRaise(true);
        button->setToolTip(plainToolTip(tip));
        button->setAccessibleName(tip);
    };
    prepare(up_, QStringLiteral("↑"), tr("Earlier (Alt+Up)"));
    prepare(down_, QStringLiteral("↓"), tr("Later (Alt+Down)"));
    prepare(remove_, QStringLiteral("×"), tr("Take off the queue (Delete)"));
    up_->setObjectName(QStringLiteral("queueUp"));
    down_->setObjectName(QStringLiteral("queueDown"));
    remove_->setObjectName(QStringLiteral("queueRemove"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 4, 8, 4);
    row->addWidget(summary_, 1);
    for (QToolButton* button : {up_, down_, remove_}) row->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(list_, 1);
    connect(up_, &QToolButton::clicked, this, [this] { move(-1); });
    connect(down_, &QToolButton::clicked, this, [this] { move(1); });
    connect(remove_, &QToolButton::clicked, this, &QueueList::removeSelected);
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        const int place = queueRow();
        up_->setEnabled(place > 0);
        down_->setEnabled(place >= 0 && place + 1 < int(tuning_.queue().size()));
        remove_->setEnabled(place >= 0);
    });
    connect(&tuning_, &app::Tuning::changed, this, &QueueList::refresh);
    refresh();
}

int QueueList::queueRow() const {
    const int row = list_->currentRow() - running_;
    return row >= 0 && row < int(tuning_.queue().size()) ? row : -1;
}

void QueueList::refresh() {
    const auto result = tuning_.result();
    QStringList lines;
    running_ = 0;
    if (result && tuning_.isRunning() && !tuning_.measuring().empty()) {
        running_ = 1;
        lines << tr("now: %1").arg(
            nameOf(result->cells, tuning_.measuring(), tuning_.isVerifying()));
    }
    if (result)
        for (const app::CellGroup& group : tuning_.queue())
            lines << QStringLiteral("%1 · %2").arg(nameOf(result->cells, group, false),
                                                   aboutSeconds(tuning_.secondsOf(group)));
    const int current = list_->currentRow();
    while (list_->count() > lines.size()) delete list_->takeItem(list_->count() - 1);
    for (int i = 0; i < lines.size(); ++i) {
        if (i >= list_->count()) list_->addItem(lines[i]);
        else if (list_->item(i)->text() != lines[i]) list_->item(i)->setText(lines[i]);
    }
    list_->setCurrentRow(std::min(current, int(lines.size()) - 1));
    emit list_->currentRowChanged(list_->currentRow());
    summary_->setText(
        lines.isEmpty()
            ? tr("The queue is empty. Click cells of the heat map to measure only those; Start "
                 "measures all.")
            : tr("Done in %1. What is alike but for threads and spinning is measured in turn.")
                  .arg(aboutSeconds(tuning_.secondsLeft())));
}

void QueueList::move(int by) {
    const int from = queueRow(), to = from + by;
    if (from < 0 || to < 0 || to >= int(tuning_.queue().size())) return;
    tuning_.moveInQueue(std::size_t(from), std::size_t(to));
    list_->setCurrentRow(running_ + to);
}

void QueueList::removeSelected() {
    if (const int place = queueRow(); place >= 0)
        tuning_.dequeue(app::CellGroup(tuning_.queue()[std::size_t(place)]));
}

bool QueueList::eventFilter(QObject* watched, QEvent* event) {
    if (watched != list_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Delete) removeSelected();
    else if (key->modifiers() == Qt::AltModifier && key->key() == Qt::Key_Up) move(-1);
    else if (key->modifiers() == Qt::AltModifier && key->key() == Qt::Key_Down) move(1);
    else return QWidget::eventFilter(watched, event);
    return true;
}

}  // namespace lapidary::views
