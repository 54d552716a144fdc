// SPDX-License-Identifier: Apache-2.0
// A complete session with a model: open, optimize, run, plan memory, tune, compare, then a visit to
// every page and tab with the results, in both themes. Models run in the worker process. Records
// how long each step blocked the GUI thread.
#pragma once

#include <QCheckBox>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeView>

#include <functional>
#include <map>
#include <string>

#include "checklist/checklist_page.h"
#include "compare/compare_page.h"
#include "views/gui_watchdog.h"
#include "memory/memory_history.h"
#include "memory/memory_page.h"
#include "views/optimize/optimize_fixture.h"
#include "run/nodes/node_table.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "workbench/jobs/comparison.h"
#include "workbench/project/project.h"
#include "workbench/tuning/tuning.h"

namespace lapidary::views {

class JourneyTest : public WindowTest {
protected:
    // seconds of measuring; the figures themselves do not matter here
    static constexpr double cell_seconds = 0.3;
    void SetUp() override {
        qputenv("LAPIDARY_WORKER", QByteArray::fromStdString(cli_program()));
        WindowTest::SetUp();
        window_->resize(1400, 900);
    }
    void TearDown() override {
        WindowTest::TearDown();
        qputenv("LAPIDARY_WORKER", "off");
        applyTheme(ThemeChoice::light);
    }
    template <typename View>
    View* pageOf(const char* id) const {
        return qobject_cast<View*>(window_->page(QString::fromLatin1(id)));
    }
    bool quiet() {
        return wait_until(
            [&] { return workbench_->jobs().jobs().isEmpty() && workbench_->variants().isIdle(); },
            patience_ms);
    }
    /// Acts, waits until all jobs are done and everything is painted, and records the longest time
    /// that the GUI thread was blocked.
    void step(const std::string& what, const std::function<void()>& act) {
        if (HasFatalFailure()) return;
        GuiWatchdog watchdog;
        act();
        EXPECT_TRUE(quiet()) << what;
        wait_until([] { return false; }, 60);
        const double now = watchdog.stop().held_ms;
        auto& held = thisTime_[what];
        held = std::max(held, now);
    }
    void await(const char* what, const std::function<bool()>& done) {
        ASSERT_TRUE(wait_until(done, patience_ms)) << what;
    }

    void open(const std::function<void()>& start) {
        step("opening", [&] {
            start();
            await("opened", [&] { return workbench_->opened() != nullptr; });
        });
        ASSERT_EQ(window_->currentPage(), QStringLiteral("graph"));
        ASSERT_TRUE(workbench_->worker().isSeparate());
    }
    void optimize() {
        step("optimizing", [&] {
            window_->showPage(QStringLiteral("optimize"));
            await("optimized", [&] { return workbench_->variants().list().size() >= 4; });
        });
    }
    void run() {
        step("running", [&] {
            workbench_->startRun();
            await("run", [&] {
                return runPage()->state() == RunPage::State::done && runPage()->digest();
            });
        });
        ASSERT_FALSE(workbench_->run()->summary.nodes.empty());
        auto* nodes = find<NodeTable>("nodeTable");
        step("choosing a node of the run",
             [&] { nodes->table()->setCurrentIndex(nodes->table()->model()->index(0, 0)); });
        step("selecting a range of the run", [&] {
            const Span& middle = workbench_->run()->profile->run_spans.front();
            app::Focus focus = workbench_->focus();
            focus.beginNs = middle.begin_ns;
            focus.endNs = middle.begin_ns + middle.duration_ns() / 2;
            workbench_->setFocus(focus);
        });
        step("ending the range", [&] { workbench_->setFocus({}); });
    }
    void planMemory() {
        auto* page = pageOf<MemoryPage>("memory");
        step("planning memory", [&] {
            window_->showPage(QStringLiteral("memory"));
            await("memory", [&] { return page->state() == MemoryPage::State::done; });
        });
        ASSERT_GT(page->picture()->measuredPeak, 0) << "of the run before";
        auto* history = find<MemoryHistory>("memoryHistory");
        step("walking through the steps of memory", [&] {
            for (int i = 0; i < 20; ++i)
                QTest::keyClick(history, i < 10 ? Qt::Key_Right : Qt::Key_Left);
        });
        const MemoryPicturePtr before = page->picture();
        step("another plan of memory", [&] {
            find<QCheckBox>("planSwitch")->click();
            await("planned", [&] { return page->picture() && page->picture() != before; });
        });
        EXPECT_FALSE(page->picture()->report.assumptions.plan);
    }
    void tune() {
        app::Tuning& tuning = workbench_->tuning();
        SweepSpace space;
        space.intra = {1, 2};
        SweepOptions options;
        options.measuring.seconds = cell_seconds;
        options.measuring.warmups = 1;
        step("choosing what to tune", [&] {
            window_->showPage(QStringLiteral("tune"));
            tuning.setSpace(space);
            tuning.setOptions(options);
        });
        step("tuning", [&] {
            tuning.start();
            await("tuned", [&] { return !tuning.isRunning(); });
        });
        ASSERT_TRUE(tuning.result()->complete) << tuning.notice().toStdString();
        // beside noisy neighbours nothing is recommended: then there is nothing to apply
        if (tuning.result()->recommendation.cell < 0) {
            EXPECT_TRUE(tuning.result()->recommendation.sentence.starts_with("No recommendation"));
            EXPECT_FALSE(find<QPushButton>("tuneApply")->isEnabled());
            return;
        }
        ASSERT_FALSE(tuning.result()->scaling.empty());
        step("applying the recommendation", [&] { find<QPushButton>("tuneApply")->click(); });
        EXPECT_TRUE(tuning.applied());
        step("undoing that", [&] { workbench_->project().undoStack().undo(); });
    }
    void compare() {
        app::Comparison& comparison = workbench_->comparison();
        app::Recipe recipe;
        recipe.level = Level::all;
        step("choosing what to compare", [&] {
            window_->showPage(QStringLiteral("compare"));
            workbench_->project().setSlot(
                app::Slot::A, workbench_->variants().find(app::Recipe::plain(Level::disabled)));
            workbench_->project().setSlot(app::Slot::B, workbench_->variants().find(recipe));
        });
        ASSERT_TRUE(comparison.isPossible());
        MeasureOptions options = comparison.options();
        options.seconds = cell_seconds;
        comparison.setOptions(options);
        auto* page = pageOf<ComparePage>("compare");
        step("comparing", [&] {
            comparison.start();
            await("compared", [&] {
                return comparison.result() && comparison.result()->complete && page->digest() &&
                       page->digest()->record == comparison.result();
            });
        });
        ASSERT_TRUE(comparison.result()->problems.isEmpty())
            << comparison.result()->problems.join(u'\n').toStdString();
        ASSERT_TRUE(comparison.result()->difference);
        ASSERT_FALSE(page->digest()->nodes.empty());
        if (isPlanned_) ASSERT_TRUE(page->digest()->memory_a && page->digest()->memory_b);
    }
    /// Every page and every tab of it.
    void walk(const std::string& when) {
        for (const QString& id : window_->pageIds()) {
            step(when + id.toStdString(), [&] { window_->showPage(id); });
            EXPECT_EQ(window_->currentPage(), id);
            for (auto* tabs : window_->page(id)->findChildren<QTabWidget*>())
                for (int i = 0; i < tabs->count(); ++i)
                    if (tabs->isTabVisible(i))
                        step(when + (id + u'/' + tabs->tabText(i)).toStdString(),
                             [&] { tabs->setCurrentIndex(i); });
        }
    }
    void journey(const std::function<void()>& start) {
        for (const auto& part : std::initializer_list<std::function<void()>>{
                 [&] { open(start); }, [&] { optimize(); }, [&] { run(); }, [&] { planMemory(); },
                 [&] { tune(); }, [&] { compare(); }}) {
            part();
            if (HasFatalFailure()) return;
        }
        walk("");
        EXPECT_GT(pageOf<ChecklistPage>("checklist")
                      ->findChild<QTreeView*>(QStringLiteral("checklistTable"))
                      ->model()
                      ->rowCount(),
                  5);
        step("the dark theme", [&] { applyTheme(ThemeChoice::dark); });
        walk("dark: ");
        step("showing a variant everywhere",
             [&] { workbench_->showVariant(workbench_->variants().slot(app::Slot::B)); });
        step("closing the model", [&] { workbench_->closeModel(); });
    }

    bool isPlanned_ = true;  // values of the model lie in planned memory; not so where all are
                             // outputs or overwritten
    std::map<std::string, double> thisTime_;
};

}  // namespace lapidary::views
