// SPDX-License-Identifier: Apache-2.0
// Targets in the workbench: the list, tests, which one a model runs on, and what results say of it.
#include <gtest/gtest.h>

#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <functional>

#include "views/fake_targets.h"
#include "workbench/document/run_conditions.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/targets/machine_comparison.h"
#include "workbench/tuning/level_times.h"
#include "workbench/tuning/tuning.h"
#include "workbench/workbench.h"

namespace lapidary::app {
namespace {

constexpr int machines_patience_ms = 60'000;
const QString board = QStringLiteral("pi@board");
const QString board_text = QStringLiteral("Cortex-A76 (pi@board)");

class MachinesTest : public testing::Test {
protected:
    void SetUp() override {
        QSettings().clear();
        start();
    }
    /// A window that is started anew.
    void start() {
        auto engine = std::make_unique<views::ScriptedEngine>();
        here_ = engine.get();
        workbench_ = std::make_unique<Workbench>(std::move(engine));
        machines().setReach(targets_.reach());
        RunSettings settings;
        settings.repetitions = 2;
        settings.warmups = 1;
        workbench_->setRunSettings(settings);
    }
    static bool until(const std::function<bool()>& done) {
        return QTest::qWaitFor(done, machines_patience_ms);
    }
    void open(const char* sample) {
        workbench_->loadSample(QLatin1String(sample));
        ASSERT_TRUE(until([&] {
            return workbench_->opened() && workbench_->opened()->source.sample == sample &&
                   !workbench_->isOpening();
        }));
    }
    void chooseBoard() {
        machines().add(board);
        machines().choose(board);
        ASSERT_TRUE(until([&] { return machines().chosen() == board; }));
    }
    void run() {
        workbench_->startRun();
        ASSERT_TRUE(until([&] { return !workbench_->isRunning(); }));
    }
    Machines& machines() { return workbench_->machines(); }

    views::FakeTargets targets_;
    views::ScriptedEngine* here_ = nullptr;
    std::unique_ptr<Workbench> workbench_;
};

TEST_F(MachinesTest, TheListRefusesWhatSshWouldTakeForSomethingElse) {
    for (const char* text : {"", "-oProxyCommand=x", "pi@board; rm -r x", "a b"})
        EXPECT_FALSE(machines().refusalOf(QLatin1String(text)).isEmpty()) << text;
    machines().add(QStringLiteral("-oProxyCommand=x"));
    EXPECT_TRUE(machines().targets().empty());
    EXPECT_TRUE(machines().refusalOf(board).isEmpty());
    machines().add(QStringLiteral(" pi@board "));
    ASSERT_EQ(machines().targets().size(), 1u);
    EXPECT_EQ(machines().targets()[0].host, board);
    EXPECT_FALSE(machines().refusalOf(board).isEmpty()) << "it is there already";
    machines().rename(board, QStringLiteral("pi@board:/data"));
    EXPECT_EQ(machines().targets()[0].host, QStringLiteral("pi@board:/data"));
    machines().remove(QStringLiteral("pi@board:/data"));
    EXPECT_TRUE(machines().targets().empty());
}

TEST_F(MachinesTest, ATestSaysWhatTheTargetIsAndThatIsRemembered) {
    machines().add(board);
    EXPECT_FALSE(machines().find(board)->facts);
    machines().test(board);
    EXPECT_TRUE(machines().testOf(board));
    ASSERT_TRUE(until([&] { return !machines().testOf(board); }));
    ASSERT_TRUE(machines().find(board)->facts);
    EXPECT_EQ(machines().find(board)->facts->machine.cores, 3);
    start();
    ASSERT_TRUE(machines().find(board) && machines().find(board)->facts);
    EXPECT_EQ(machines().find(board)->facts->machine.cpu, "Cortex-A76");
    EXPECT_EQ(machines().find(board)->facts->machine.memory_gb, 8);
    EXPECT_EQ(machines().find(board)->facts->architecture, "aarch64");
}

TEST_F(MachinesTest, ATestThatFailsSaysWhyAndOneCanBeCancelled) {
    machines().add(board);
    targets_.is_reachable = false;
    machines().test(board);
    ASSERT_TRUE(until([&] { return !machines().testOf(board); }));
    EXPECT_TRUE(machines().find(board)->failure.contains(QStringLiteral("does not answer")));
    targets_.hold = true;
    machines().test(board);
    ASSERT_TRUE(until([&] { return targets_.tests == 2; }));
    machines().cancelTest(board);
    ASSERT_TRUE(until([&] { return !machines().testOf(board); }));
    EXPECT_TRUE(machines().find(board)->failure.isEmpty()) << "a cancel is no failure";
    targets_.hold = false;
}

TEST_F(MachinesTest, ATargetThatWasNeverReachedIsTestedBeforeItIsChosen) {
    open("mlp");
    machines().add(board);
    targets_.is_reachable = false;
    QSignalSpy failed(&machines(), &Machines::failed);
    machines().choose(board);
    EXPECT_EQ(machines().awaited(), board);
    ASSERT_TRUE(until([&] { return !failed.isEmpty(); }));
    EXPECT_EQ(machines().chosen(), QString()) << "it stays on this computer";
    targets_.is_reachable = true;
    machines().choose(board);
    ASSERT_TRUE(until([&] { return machines().chosen() == board; }));
    machines().choose({});
    machines().choose(board);
    EXPECT_EQ(machines().chosen(), board) << "at once, because it is known";
    EXPECT_EQ(targets_.tests, 2);
}

TEST_F(MachinesTest, RunsGoToTheTargetAndSaySo) {
    open("mlp");
    const RunConditions before = workbench_->conditions();
    chooseBoard();
    EXPECT_EQ(workbench_->conditions().cpu, board_text);
    EXPECT_EQ(workbench_->conditions().threads, 3) << "all cores of the target";
    run();
    EXPECT_EQ(targets_.engine->profiled, 1);
    EXPECT_EQ(here_->profiled, 0);
    ASSERT_TRUE(workbench_->run());
    EXPECT_EQ(workbench_->run()->machine, board_text.toStdString());
    ASSERT_EQ(workbench_->project().runs().size(), 1u);
    EXPECT_EQ(workbench_->project().runs()[0].cpu, board_text);
    machines().choose({});
    EXPECT_EQ(workbench_->conditions(), before);
    EXPECT_EQ(workbench_->timeOf(workbench_->recipeInForce()), nullptr)
        << "the target's figure is not this computer's";
    run();
    EXPECT_EQ(here_->profiled, 1);
    EXPECT_TRUE(workbench_->run()->machine.empty());
}

TEST_F(MachinesTest, AModelRunsWhereItRanBefore) {
    open("mlp");
    chooseBoard();
    open("lenet");
    EXPECT_EQ(machines().chosen(), QString());
    open("mlp");
    EXPECT_EQ(machines().chosen(), board);
    start();
    open("mlp");
    EXPECT_EQ(machines().chosen(), board) << "in the next start of the window too";
    machines().remove(board);
    EXPECT_EQ(machines().chosen(), QString());
    machines().add(board);
    open("lenet");
    open("mlp");
    EXPECT_EQ(machines().chosen(), QString());
}

TEST_F(MachinesTest, ALostConnectionIsASentenceAndTheNextRunGoesOn) {
    open("mlp");
    chooseBoard();
    targets_.engine->is_lost = true;
    QSignalSpy failed(workbench_.get(), &Workbench::runFailed);
    run();
    ASSERT_EQ(failed.size(), 1);
    EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("connection to pi@board")));
    targets_.engine->is_lost = false;
    run();
    EXPECT_EQ(failed.size(), 1);
    EXPECT_TRUE(workbench_->run());
}

TEST_F(MachinesTest, ComparisonsAndLevelsAreMeasuredThereToo) {
    open("mlp");
    chooseBoard();
    workbench_->requestRunning();
    workbench_->variants().requestAlso(workbench_->comparison().recipeBeside());
    ASSERT_TRUE(until([&] { return workbench_->comparison().isPossible(); }));
    workbench_->comparison().start();
    ASSERT_TRUE(until([&] { return !workbench_->comparison().isRunning(); }));
    ASSERT_TRUE(workbench_->comparison().result());
    EXPECT_EQ(workbench_->comparison().result()->ranOn, board_text);
    EXPECT_EQ(workbench_->comparison().result()->machine.cores, 3);
    EXPECT_EQ(targets_.engine->measured, 1);
    EXPECT_EQ(targets_.engine->profiled, 2);
    workbench_->levelTimes().start({workbench_->runningVariant()});
    ASSERT_TRUE(until([&] { return !workbench_->levelTimes().isRunning(); }));
    EXPECT_EQ(targets_.engine->measured, 2);
    EXPECT_EQ(here_->measured, 0);
    for (const RunFigures& figures : workbench_->project().runs())
        EXPECT_EQ(figures.cpu, board_text);
}

TEST_F(MachinesTest, OneVariantOnTwoMachines) {
    open("mlp");
    chooseBoard();
    machines().choose({});
    workbench_->requestRunning();
    ASSERT_TRUE(until([&] { return workbench_->runningVariant() != nullptr; }));
    targets_.engine->base_ms = 30;
    MachineComparison& comparison = workbench_->machineComparison();
    comparison.start(board, board);
    EXPECT_FALSE(comparison.isRunning()) << "twice the same";
    comparison.start({}, board);
    ASSERT_TRUE(until([&] { return !comparison.isRunning(); }));
    const MachinePairPtr pair = comparison.result();
    ASSERT_TRUE(pair && pair->sides[0].measured && pair->sides[1].measured);
    EXPECT_EQ(here_->measured, 1);
    EXPECT_EQ(targets_.engine->measured, 1);
    EXPECT_EQ(pair->sides[1].ranOn, board_text);
    EXPECT_EQ(pair->sides[1].threads, 3);
    ASSERT_TRUE(pair->difference);
    EXPECT_NEAR(pair->difference->ratio.median, 3, 0.2);
    EXPECT_TRUE(pair->difference->significant);
    ASSERT_EQ(workbench_->project().runs().size(), 2u);
    EXPECT_NE(workbench_->project().runs()[0].cpu, workbench_->project().runs()[1].cpu);
    targets_.engine->is_lost = true;
    comparison.start({}, board);
    ASSERT_TRUE(until([&] { return !comparison.isRunning(); }));
    EXPECT_TRUE(comparison.result()->sides[0].measured) << "one side does not take the other along";
    EXPECT_TRUE(comparison.result()->sides[1].failure.contains(QStringLiteral("was lost")));
    EXPECT_FALSE(comparison.result()->difference);
}

TEST_F(MachinesTest, EachMachineHasItsOwnSweep) {
    open("mlp");
    const auto cellsOf = [this] { return workbench_->tuning().result()->cells.size(); };
    SweepSpace space;
    space.intra = {1};
    workbench_->tuning().setSpace(space);
    EXPECT_EQ(cellsOf(), 1u);
    chooseBoard();
    EXPECT_EQ(workbench_->tuning().threadChoices(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(workbench_->tuning().space().intra, (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(workbench_->tuning().result()->machine.cores, 3);
    EXPECT_TRUE(workbench_->tuning().commandLine().contains(QStringLiteral("--on pi@board")));
    targets_.engine->answer<SweepJob>([](const test::Asked<SweepJob>& asked) {
        SweepResult result;
        result.machine.cpu = "what it says itself";
        result.machine.cores = 3;
        for (const RunConfiguration& configuration : configurations(asked.job.space)) {
            SweepCell cell;
            cell.configuration = configuration;
            cell.state = CellState::done;
            cell.measurement.configuration = configuration;
            cell.measurement.samples_ms = {4, 4.1, 3.9};
            cell.measurement.wall.median = {4, 3.9, 4.1, 3};
            result.cells.push_back(std::move(cell));
        }
        return result;
    });
    workbench_->tuning().start();
    ASSERT_TRUE(until([&] { return !workbench_->tuning().isRunning(); }));
    EXPECT_EQ(workbench_->tuning().result()->machine.cpu, board_text.toStdString());
    const auto isDone = [](const SweepCell& cell) { return cell.state == CellState::done; };
    EXPECT_TRUE(std::ranges::all_of(workbench_->tuning().result()->cells, isDone));
    machines().choose({});
    EXPECT_EQ(cellsOf(), 1u) << "the space of this computer";
    EXPECT_TRUE(std::ranges::none_of(workbench_->tuning().result()->cells, isDone));
    machines().choose(board);
    EXPECT_TRUE(std::ranges::all_of(workbench_->tuning().result()->cells, isDone)) << "kept";
}

}  // namespace
}  // namespace lapidary::app
