// SPDX-License-Identifier: Apache-2.0
// The window with its worker process: runs there, and what happens when it dies.
#include <QAction>
#include <QClipboard>
#include <QElapsedTimer>
#include <QMenu>
#include <QProcess>
#include <QSignalSpy>
#include <QToolButton>

#include <signal.h>
#include <unistd.h>

#include "views/gui_watchdog.h"
#include "run/nodes/node_table.h"
#include "run/nodes/original_nodes.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "widgets/cards/message_banner.h"
#include "views/window_fixture.h"
#include "workbench/project/settings.h"

namespace lapidary::views {
namespace {

class WorkerWindowTest : public WindowTest {
protected:
    void SetUp() override {
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(cli_program()));
        WindowTest::SetUp();
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
    }
    void openInBoth(const char* sample) {
        QSignalSpy changed(workbench_.get(), &app::Workbench::documentChanged);
        workbench_->openSample(QString::fromLatin1(sample));
        ASSERT_TRUE(waitFor([&] { return !changed.isEmpty() && workbench_->variants().isIdle(); }));
        ASSERT_TRUE(workbench_->document()->source.in_other_process());
    }
    void runForLong() {
        app::RunSettings settings = workbench_->runSettings();
        settings.repetitions = app::most_repetitions;
        workbench_->setRunSettings(settings);
        workbench_->startRun();
        ASSERT_TRUE(waitFor([&] {  // after the job that makes what runs
            const app::Job* job = workbench_->runJob();
            return job && job->stage() == QLatin1String("run");
        }));
    }
    void runBriefly() {
        app::RunSettings settings = workbench_->runSettings();
        settings.repetitions = 2;
        workbench_->setRunSettings(settings);
        runModel();
    }
    void kill(int signal) { ASSERT_EQ(::kill(pid_t(workbench_->worker().processId()), signal), 0); }
    bool bannerReports(const QString& words) {
        return waitFor([&] {
            return window_->banner()->isVisible() && window_->banner()->title().contains(words);
        });
    }
};

TEST_F(WorkerWindowTest, RunsInASeparateProcess) {
    ASSERT_TRUE(workbench_->worker().isSeparate());
    openInBoth("squeezenet");
    app::Recipe recipe;
    recipe.level = Level::extended;
    workbench_->variants().request({recipe});
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().isIdle(); }));
    workbench_->showVariant(workbench_->variants().find(recipe));
    runModel();
    EXPECT_NE(workbench_->worker().processId(), 0);
    EXPECT_NE(workbench_->worker().processId(), qint64(::getpid()));
    const app::RunRecordPtr run = workbench_->run();
    EXPECT_EQ(run->model, workbench_->document()->model);
    ASSERT_TRUE(run->executed);
    for (const Span& kernel : run->profile->kernels)
        EXPECT_TRUE(!kernel.node || run->executed->graph.is_alive(kernel.node));
    auto* nodes = find<NodeTable>("nodeTable");
    ASSERT_TRUE(waitFor([&] { return nodes->nodesOf()->isVisible(); }));
    nodes->nodesOf()->setCurrentIndex(1);
    EXPECT_GT(nodes->originals()->allRows(), int(run->summary.nodes.size()))
        << "times are put onto the original nodes";
}

TEST_F(WorkerWindowTest, AWorkerKilledDuringARunIsReportedAndReplaced) {
    openInBoth("squeezenet");
    runForLong();
    const GuiWatchdog watchdog;
    QElapsedTimer timer;
    timer.start();
    kill(SIGKILL);
    ASSERT_TRUE(bannerReports(QStringLiteral("signal 9")));
    EXPECT_LT(double(timer.elapsed()), 1000 * wall_factor);
    EXPECT_TRUE(window_->banner()->title().contains(QStringLiteral("squeezenet")))
        << window_->banner()->title().toStdString();
    EXPECT_TRUE(window_->banner()->text().contains(QStringLiteral("started again")))
        << window_->banner()->text().toStdString();
    ASSERT_TRUE(waitFor([&] { return !workbench_->isRunning(); }));
    EXPECT_EQ(runPage()->state(), RunPage::State::noRun);
    runBriefly();
    EXPECT_FALSE(window_->banner()->isVisible());

    const app::RunRecordPtr before = workbench_->run();
    runForLong();
    kill(SIGSEGV);
    ASSERT_TRUE(bannerReports(QStringLiteral("signal 11")));
    ASSERT_TRUE(waitFor([&] {
        return !workbench_->isRunning() && runPage()->state() == RunPage::State::done;
    })) << "the run before is there again";
    EXPECT_EQ(workbench_->run(), before);
}

TEST_F(WorkerWindowTest, AnIdleWorkerThatDiesIsReported) {
    openInBoth("mlp");
    runModel();
    QElapsedTimer timer;
    timer.start();
    kill(SIGKILL);
    ASSERT_TRUE(bannerReports(QStringLiteral("signal 9")));
    EXPECT_LT(double(timer.elapsed()), 1000 * wall_factor);
    runBriefly();
}

TEST_F(WorkerWindowTest, ARunIsCancelledAndTheWorkerLives) {
    openInBoth("squeezenet");
    runForLong();
    ASSERT_TRUE(
        waitFor([&] { return workbench_->runJob()->fraction() > 2.0 / app::most_repetitions; }));
    const qint64 process = workbench_->worker().processId();
    QElapsedTimer timer;
    timer.start();
    workbench_->cancelRun();
    ASSERT_TRUE(waitFor([&] { return !workbench_->isRunning(); }));
    EXPECT_LT(double(timer.elapsed()), 1500 * wall_factor);
    EXPECT_EQ(workbench_->worker().processId(), process);
    ASSERT_TRUE(workbench_->run());
    EXPECT_GE(workbench_->run()->profile->runs, 1) << "what was finished is kept";
    EXPECT_LT(workbench_->run()->profile->runs, app::most_repetitions);
}

TEST_F(WorkerWindowTest, ATaskIsCopiedAsACommandThatWorks) {
    openInBoth("bert-tiny");
    app::Recipe recipe;
    recipe.level = Level::extended;
    recipe.stop_after = 3;
    workbench_->variants().request({recipe});
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().isIdle(); }));
    workbench_->showVariant(workbench_->variants().find(recipe));
    runModel();
    QToolButton* copy = nullptr;
    for (QToolButton* button : window_->findChildren<QToolButton*>(QStringLiteral("copyCommand")))
        if (!button->property("command").toString().isEmpty()) copy = button;
    ASSERT_TRUE(copy);
    EXPECT_FALSE(copy->accessibleName().isEmpty());
    copy->click();
    QString command = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(command.startsWith(QStringLiteral("lapidary-cli profile sample:bert-tiny ")))
        << command.toStdString();
    EXPECT_TRUE(command.contains(QStringLiteral("--runs 3"))) << command.toStdString();
    EXPECT_TRUE(command.contains(QStringLiteral("\"stop_after\":3"))) << command.toStdString();
    command.replace(QStringLiteral("lapidary-cli"), QString::fromStdString(cli_program()));
    QProcess shell;
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command + QStringLiteral(" --json")});
    ASSERT_TRUE(shell.waitForFinished(patience_ms));
    EXPECT_EQ(shell.exitCode(), 0) << shell.readAllStandardError().toStdString();
    EXPECT_TRUE(shell.readAllStandardOutput().contains(
        "\"nodes_after\": " +
        QByteArray::number(qlonglong(workbench_->document()->variant->report.nodes_after))));
}

TEST_F(WorkerWindowTest, AMemoryLimitIsChosenAndKept) {
    openInBoth("mlp");
    auto* menu = find<QMenu>("memoryLimitMenu");
    QAction* chosen = nullptr;
    for (QAction* action : menu->actions())
        if (action->data().toULongLong() == quint64(2) << 30) chosen = action;
    ASSERT_TRUE(chosen);
    EXPECT_TRUE(menu->actions()[0]->isChecked()) << "no limit at first";
    chosen->trigger();
    EXPECT_EQ(workbench_->worker().memoryLimit(), quint64(2) << 30);
    EXPECT_EQ(app::loadMemoryLimit(), quint64(2) << 30);
    runModel();
    workbench_->worker().setMemoryLimit(quint64(100) << 20);  // of a settings file: listed too
    EXPECT_TRUE(menu->actions().last()->isChecked());
    EXPECT_EQ(menu->actions().last()->data().toULongLong(), quint64(100) << 20);
}

TEST_F(WorkerWindowTest, WithoutAWorkerTheLogSaysWhy) {
    qputenv("LAPIDARY_WORKER", "off");
    app::Workbench shared;
    EXPECT_FALSE(shared.worker().isSeparate());
    QSignalSpy logged(&shared, &app::Workbench::logged);
    ASSERT_TRUE(waitFor([&] { return !logged.isEmpty(); }));
    EXPECT_TRUE(logged[0][0].toString().contains(QStringLiteral("LAPIDARY_WORKER is off")))
        << logged[0][0].toString().toStdString();
}

}  // namespace
}  // namespace lapidary::views
