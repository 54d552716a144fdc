// SPDX-License-Identifier: Apache-2.0
// The window and a target that is reached by a program that does what ssh does, on this computer
// with another home folder: test, run, a connection that is cut, and Retry.
#include <QPushButton>

#include <algorithm>
#include <memory>

#include <signal.h>

#include "support/fake_target.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "workbench/targets/machines.h"

namespace lapidary::views {
namespace {

const QString elsewhere = QStringLiteral("user@elsewhere");

class SshTargetTest : public WindowTest {
protected:
    void TearDown() override {
        WindowTest::TearDown();
        target_.reset();  // its variables go with it
        qputenv("LAPIDARY_WORKER", "off");
    }
    std::unique_ptr<test::FakeTarget> target_ = std::make_unique<test::FakeTarget>();
};

TEST_F(SshTargetTest, IsTestedRunsModelsAndSurvivesACut) {
    app::Machines& machines = workbench_->machines();
    machines.add(elsewhere);
    machines.test(elsewhere);
    ASSERT_TRUE(waitFor([&] { return !machines.testOf(elsewhere); }));
    const app::KnownTarget* target = machines.find(elsewhere);
    ASSERT_TRUE(target);
    ASSERT_TRUE(target->facts) << target->failure.toStdString();
    EXPECT_GT(target->facts->machine.cores, 0);
    EXPECT_FALSE(target->facts->architecture.empty());
    EXPECT_FALSE(target->facts->machine.cpu.empty());

    workbench_->openSample(QStringLiteral("mlp"));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() && workbench_->variants().isIdle(); }));
    machines.choose(elsewhere);
    ASSERT_EQ(machines.chosen(), elsewhere);
    runModel();
    EXPECT_TRUE(QString::fromStdString(workbench_->run()->machine).contains(elsewhere));
    EXPECT_TRUE(workbench_->run()->profile && workbench_->run()->executed);

    app::RunSettings settings = workbench_->runSettings();
    settings.repetitions = app::most_repetitions;
    workbench_->setRunSettings(settings);
    workbench_->startRun();
    ASSERT_TRUE(waitFor([&] {
        const app::Job* job = workbench_->runJob();
        return job && job->stage() == QLatin1String("run");
    }));
    ASSERT_EQ(::kill(target_->connection(), SIGKILL), 0);
    ASSERT_TRUE(waitFor([&] { return !workbench_->isRunning(); }));
    ASSERT_TRUE(window_->banner()->isVisible());
    EXPECT_TRUE(window_->banner()->text().contains(QStringLiteral("elsewhere")))
        << window_->banner()->text().toStdString();

    settings.repetitions = 2;
    workbench_->setRunSettings(settings);
    const auto buttons = window_->banner()->findChildren<QPushButton*>();
    const auto retry = std::ranges::find_if(buttons, [](const QPushButton* button) {
        QString text = button->text();
        return text.remove(u'&') == QStringLiteral("Retry");
    });
    ASSERT_NE(retry, buttons.end());
    const app::RunRecordPtr before = workbench_->run();
    (*retry)->click();
    ASSERT_TRUE(waitFor([&] { return !workbench_->isRunning() && workbench_->run() != before; }));
    EXPECT_EQ(workbench_->run()->profile->runs, 2);
}

}  // namespace
}  // namespace lapidary::views
