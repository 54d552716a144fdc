// SPDX-License-Identifier: Apache-2.0
// A walk over all pages with a model that was optimized, run and compared; the GUI thread is never
// held for long.
#include <QTabWidget>

#include <map>

#include "views/gui_watchdog.h"
#include "views/scripted_engine.h"
#include "support/time_budget.h"
#include "views/window_fixture.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {
namespace {

const double longest_hold_ms = 50 * wall_factor;
constexpr int most_attempts = 3;  // neighbours on the machine slow single turns

class WalkThroughTest : public testing::Test {
protected:
    template <typename Predicate>
    static bool waitFor(Predicate predicate) {
        return QTest::qWaitFor(predicate, patience_ms);
    }
    bool quiet() {
        return waitFor(
            [&] { return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle(); });
    }
    void SetUp() override {
        QSettings().clear();
        applyTheme(ThemeChoice::light);
        workbench_ = std::make_unique<app::Workbench>(std::make_unique<ScriptedEngine>());
        app::RunSettings settings;
        settings.repetitions = 3;
        settings.warmups = 1;
        workbench_->setRunSettings(settings);
        window_ = std::make_unique<MainWindow>(*workbench_);
        window_->resize(1400, 900);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), patience_ms));
    }
    void TearDown() override {
        window_.reset();
        workbench_.reset();
    }
    /// Every page and every tab of it, once; how long each step held the GUI thread at most.
    void walk(std::map<std::string, double>& held) {
        const auto step = [&](const std::string& what, const std::function<void()>& act) {
            GuiWatchdog watchdog;
            act();
            QTest::qWait(120);
            const double now = watchdog.stop().held_ms;
            const auto [at, added] = held.try_emplace(what, now);
            if (!added) at->second = std::min(at->second, now);
        };
        for (const QString& id : window_->pageIds()) {
            step(id.toStdString(), [&] { window_->showPage(id); });
            EXPECT_EQ(window_->currentPage(), id);
            for (auto* tabs : window_->page(id)->findChildren<QTabWidget*>())
                for (int i = 0; i < tabs->count(); ++i)
                    step((id + u'/' + tabs->tabText(i)).toStdString(),
                         [&] { tabs->setCurrentIndex(i); });
        }
        ASSERT_TRUE(quiet());
    }

    std::unique_ptr<app::Workbench> workbench_;
    std::unique_ptr<MainWindow> window_;
};

TEST_F(WalkThroughTest, NoPageHoldsTheWindow) {
    std::map<std::string, double> empty;
    walk(empty);
    workbench_->adopt(std::make_shared<const Model>(build_sample("bert-tiny")),
                      QStringLiteral("bert-tiny"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(waitFor([&] { return workbench_->variants().list().size() >= 4; }));
    ASSERT_TRUE(quiet());
    workbench_->startRun();
    ASSERT_TRUE(waitFor([&] { return workbench_->run() != nullptr; }));
    ASSERT_TRUE(quiet());
    ASSERT_TRUE(workbench_->comparison().isPossible());
    workbench_->comparison().start();
    ASSERT_TRUE(quiet());
    ASSERT_TRUE(workbench_->comparison().result() && workbench_->comparison().result()->complete);

    std::map<std::string, double> held;
    const auto isFast = [&] {
        return std::ranges::all_of(held,
                                   [](const auto& step) { return step.second < longest_hold_ms; });
    };
    for (int attempt = 0; attempt < most_attempts && (held.empty() || !isFast()); ++attempt)
        walk(held);
    for (const auto& [what, ms] : held)
        EXPECT_LT(ms, longest_hold_ms) << what << " held the GUI thread";
}

}  // namespace
}  // namespace lapidary::views
