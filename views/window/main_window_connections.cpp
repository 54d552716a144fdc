// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does when the workbench, the worker or the command palette reports something.
#include <QLabel>
#include <QStatusBar>
#include <QTimer>

#include "page_headers.inc"
#include "panels/inspector_panel.h"
#include "panels/values/value_viewer.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/channel_block_box.h"
#include "widgets/choices/model_choices.h"
#include "window/fault_cover.h"
#include "window/find/command_palette.h"
#include "window/help/tour.h"
#include "window/main_window.h"
#include "workbench/jobs/plugin_list.h"
#include "workbench/targets/machines.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int busy_delay_ms = 200;  // faster loads show no busy banner

}  // namespace

void MainWindow::connectWorkbench() {
    using app::Workbench;
    connect(&workbench_, &Workbench::focusChanged, this,
            [this] { inside_->setEnabled(ValueViewer::canLookAt(workbench_)); });
    connect(qobject_cast<GraphPage*>(page(QStringLiteral("graph"))), &GraphPage::insideRequested,
            this, &MainWindow::lookInside);
    connect(qobject_cast<GraphPage*>(page(QStringLiteral("graph"))), &GraphPage::groupSelected,
            inspector_, &InspectorPanel::showGroup);
    connect(qobject_cast<OptimizePage*>(page(QStringLiteral("optimize"))),
            &OptimizePage::conversionRequested, this, &MainWindow::answer);
    connect(&workbench_.jobs(), &app::JobRunner::started, this, [this](app::Job* job) {
        connect(job, &app::Job::progressed, this, &MainWindow::refreshTasks);
        connect(job, &app::Job::finished, this, [this] {
            refreshTasks();
            refreshActions();
        });
        refreshTasks();
        refreshActions();
    });
    connectOpening();
    connect(&workbench_, &Workbench::runFailed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("The run failed"), reason,
                             tr("The run failed: %1").arg(reason));
        if (!workbench_.model().machine().isHere())
            banner_->addAction(QStringLiteral("run"), tr("Retry"),
                               [this] { workbench_.startRun(); });
    });
    connectWorker();
    connectTargets();
    connect(&workbench_, &Workbench::runStarted, this, [this] {
        if (banner_->kind() == MessageBanner::Kind::error ||
            banner_->kind() == MessageBanner::Kind::warning)
            banner_->hide();
        showPage(QStringLiteral("run"));
    });
    connect(&workbench_, &Workbench::traceFailed, this,
            [this](const QString& what, const QString& reason) {
                banner_->showMessage(MessageBanner::Kind::error,
                                     tr("The trace %1 failed").arg(what), reason,
                                     QStringLiteral("%1: %2").arg(what, reason));
            });
    connect(&workbench_, &Workbench::traceSaved, this, [this](const QString& path) {
        statusBar()->showMessage(labelText(tr("Saved %1").arg(path)), 5000);
    });
    connect(&workbench_, &Workbench::openedChanged, this, [this] {
        statusBar()->clearMessage();
        forgetModelChoices(*this);
        tour_->followModel();
    });
    connect(&workbench_, &Workbench::documentChanged, this, [this] {
        banner_->hide();
        refreshTitle();
        refreshActions();
        if (!workbench_.document()) showPage(QStringLiteral("start"));
        else if (currentPage() == QLatin1String("start")) showPage(QStringLiteral("graph"));
        else if (stack_->currentWidget() == cover_ || !workbench_.faultText().isEmpty())
            showPage(currentPage());
    });
    connect(&workbench_, &Workbench::runChanged, this, [this] {
        refreshActions();
        // a trace on its own
        if (workbench_.run() && !workbench_.document()) showPage(QStringLiteral("run"));
    });
}

/// Shows the progress and the result of opening a file or sample.
void MainWindow::connectOpening() {
    using app::Workbench;
    connect(&workbench_, &Workbench::openStarted, this, [this](const QString& what) {
        app::Job* job = workbench_.openJob();
        QTimer::singleShot(busy_delay_ms, job, [this, job, what] {
            if (workbench_.openJob() != job) return;
            const auto report = [this, job, what] {
                if (workbench_.openJob() != job) return;
                banner_->showMessage(MessageBanner::Kind::busy, tr("Opening %1 …").arg(what),
                                     labelText(job->stage()));
                banner_->setFraction(job->fraction());
            };
            report();
            connect(job, &app::Job::progressed, banner_, report);
        });
    });
    connect(banner_, &MessageBanner::cancelRequested, &workbench_, &Workbench::cancelOpen);
    connect(&workbench_, &Workbench::openFailed, this,
            [this](const QString& what, const QString& reason) {
                const QString kept = workbench_.document()
                                         ? tr("%1 stays open.").arg(workbench_.document()->title)
                                         : QString();
                banner_->showMessage(MessageBanner::Kind::error,
                                     tr("%1 could not be opened").arg(what),
                                     kept.isEmpty() ? reason : reason + QLatin1Char('\n') + kept,
                                     tr("Opening %1 failed: %2").arg(what, reason));
                refreshActions();
            });
    connect(&workbench_, &Workbench::channelBlockAsked, this,
            [this](const QString& path, const QString& reason) {
                askChannelBlock(this, path, reason,
                                [this, path](int block) { workbench_.loadFile(path, block); });
            });
    connect(&workbench_, &Workbench::openCancelled, this, [this] {
        if (banner_->kind() == MessageBanner::Kind::busy) banner_->hide();
    });
}

void MainWindow::connectWorker() {
    connect(&workbench_.worker(), &app::WorkerLink::pluginCrashed, this,
            [this](const QString& plugin) {
                crashedPlugin_ = plugin;
                workbench_.plugins().lookOnce();
            });
    connect(&workbench_.worker(), &app::WorkerLink::ended, this,
            [this](const QString& title, const QString& text) {
                banner_->showMessage(MessageBanner::Kind::warning, title, text,
                                     title + QLatin1Char('\n') + text);
                offerToSwitchOff(std::exchange(crashedPlugin_, {}));
                refreshActions();
            });
    connect(&workbench_.worker(), &app::WorkerLink::silent, this,
            [this](const QString& title, const QString& text) {
                banner_->showMessage(MessageBanner::Kind::warning, title, text,
                                     title + QLatin1Char('\n') + text);
                banner_->addAction(QStringLiteral("cancel"), tr("End it"),
                                   [this] { workbench_.worker().endWorker(); });
                banner_->addAction(QStringLiteral("clock"), tr("Wait on"), [] {});
                silenceTitle_ = title;
            });
    connect(&workbench_.worker(), &app::WorkerLink::heardAgain, this, [this] {
        if (banner_->title() == std::exchange(silenceTitle_, {})) banner_->hide();
    });
}

void MainWindow::connectTargets() {
    app::Machines& machines = workbench_.machines();
    connect(&machines, &app::Machines::listWanted, this, &MainWindow::showTargets);
    connect(&machines, &app::Machines::failed, this,
            [this](const QString& host, const QString& reason) {
                const QString title = tr("%1 cannot be reached").arg(labelText(host));
                banner_->showMessage(MessageBanner::Kind::error, title, reason,
                                     title + QLatin1Char('\n') + reason);
                banner_->addAction(QStringLiteral("run"), tr("Retry"),
                                   [this, host] { workbench_.machines().choose(host); });
            });
}

void MainWindow::connectPalette() {
    connect(palette_, &CommandPalette::nodeChosen, this, [this] {
        if (currentPage() != QLatin1String("run") && currentPage() != QLatin1String("memory"))
            showPage(QStringLiteral("graph"));
        qobject_cast<GraphPage*>(page(QStringLiteral("graph")))->arrive();
    });
    connect(palette_, &CommandPalette::passChosen, this, [this](const QString& pass) {
        showPage(QStringLiteral("optimize"));
        if (auto* optimize = qobject_cast<OptimizePage*>(page(QStringLiteral("optimize"))))
            optimize->choosePass(pass);
    });
    connect(palette_, &CommandPalette::graphSearchRequested, this, [this](const QString& query) {
        showPage(QStringLiteral("graph"));
        if (auto* graph = qobject_cast<GraphPage*>(page(QStringLiteral("graph"))))
            graph->search(query);
    });
}

}  // namespace lapidary::views
