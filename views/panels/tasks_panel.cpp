// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/tasks_panel.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLocale>
#include <QProgressBar>
#include <QToolButton>

#include <memory>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int most_rows = 50;
constexpr qsizetype longest_name = 80;

QString seconds(qint64 milliseconds) {
    return TasksPanel::tr("%1 s").arg(QLocale().toString(double(milliseconds) / 1000.0, 'f', 2));
}

}  // namespace

TasksPanel::TasksPanel(app::Workbench& workbench, QWidget* parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("tasksPanel"));
    setAccessibleName(tr("Tasks"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    auto* body = new QWidget;
    rows_ = new QVBoxLayout(body);
    rows_->setContentsMargins(spacing, spacing, spacing, spacing);
    rows_->setSpacing(4);
    empty_ =
        new QLabel(tr("No task has been started yet. Loading, running and saving appear here, each "
                      "with progress and Cancel."));
    empty_->setWordWrap(true);
    rows_->addWidget(empty_);
    rows_->addStretch();
    setWidget(body);
    connect(&workbench.jobs(), &app::JobRunner::started, this, &TasksPanel::add);
    for (app::Job* job : workbench.jobs().jobs()) add(job);
}

void TasksPanel::add(app::Job* job) {
    empty_->hide();
    auto* row = new QWidget;
    const QString name = labelText(job->title(), longest_name);
    auto* title = new QLabel(name);
    auto* stage = new QLabel;
    auto* bar = new QProgressBar;
    auto* copy = new QToolButton;
    auto* cancel = new QToolButton;
    title->setTextFormat(Qt::PlainText);
    title->setToolTip(plainToolTip(job->title()));
    stage->setTextFormat(Qt::PlainText);
    stage->setForegroundRole(QPalette::PlaceholderText);
    stage->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setFixedWidth(180);
    bar->setAccessibleName(tr("Progress of %1").arg(name));
    copy->setObjectName(QStringLiteral("copyCommand"));
    copy->setIcon(themedIcon(QStringLiteral("copy")));
    copy->setAutoRaise(true);
    copy->setText(tr("Copy as command"));
    copy->setAccessibleName(tr("Copy %1 as a command").arg(name));
    const auto showCommand = [job, copy] {
        copy->setVisible(!job->command().isEmpty());
        copy->setProperty("command", job->command());  // outlives the job
        copy->setToolTip(
            QStringLiteral("<p>%1</p><p><code>%2</code></p>")
                .arg(tr("Copy as command"), breakable(tipText(job->command())).toHtmlEscaped()));
    };
    cancel->setIcon(themedIcon(QStringLiteral("cancel")));
    cancel->setAutoRaise(true);
    cancel->setToolTip(tr("Cancel this task"));
    cancel->setAccessibleName(tr("Cancel %1").arg(name));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(title);
    layout->addWidget(stage, 1);
    layout->addWidget(bar);
    layout->addWidget(copy);
    layout->addWidget(cancel);
    rows_->insertWidget(0, row);
    trim();

    auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    showCommand();
    connect(job, &app::Job::commandChanged, copy, showCommand);
    connect(copy, &QToolButton::clicked, copy, [copy] {
        QGuiApplication::clipboard()->setText(copy->property("command").toString());
    });
    connect(cancel, &QToolButton::clicked, job, &app::Job::cancel);
    connect(cancel, &QToolButton::clicked, cancel, [cancel, stage] {
        cancel->setEnabled(false);
        stage->setText(tr("cancelling …"));
    });
    connect(job, &app::Job::progressed, row, [job, stage, bar] {
        stage->setText(labelText(job->stage()));
        bar->setRange(0, job->fraction() < 0 ? 0 : 1000);
        if (job->fraction() >= 0) bar->setValue(int(job->fraction() * 1000));
    });
    connect(job, &app::Job::finished, row, [job, stage, bar, cancel, clock] {
        bar->hide();
        cancel->hide();
        const QString time = seconds(clock->elapsed());
        if (job->wasCancelled()) stage->setText(tr("cancelled after %1").arg(time));
        else if (!job->failure().isEmpty())
            stage->setText(tr("failed after %1: %2").arg(time, labelText(job->failure())));
        else stage->setText(tr("done in %1").arg(time));
        stage->setToolTip(plainToolTip(job->failure()));
    });
}

void TasksPanel::trim() {
    while (rows_->count() > most_rows + 2) {  // the rows, the empty label, the stretch
        QLayoutItem* last = rows_->itemAt(rows_->count() - 3);
        if (!last->widget()) break;
        delete last->widget();
    }
}

}  // namespace lapidary::views
