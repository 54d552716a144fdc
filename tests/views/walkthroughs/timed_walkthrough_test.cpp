// SPDX-License-Identifier: Apache-2.0
// A walk through everything that the window does with large models: pages, zoom, folds, search,
// levels, runs, the Inspector, dialogs, themes. No turn of its event loop takes longer than 50 ms.
// Time for which the GUI thread had no processor is not counted (GuiWatchdog). Of a step that is
// done several times the shortest counts, because other programs use the machine too.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QListView>

#include <algorithm>
#include <cstdio>

#include "graph/graph_page.h"
#include "journey.h"
#include "window/find/command_palette.h"
#include "workbench/tuning/level_times.h"

namespace lapidary::views {
namespace {

constexpr double longest_hold_ms = 50 * time_factor;
constexpr int most_turns = 3;

struct Walk {
    const char* name;
    ModelPtr (*make)();
};

ModelPtr sample(const char* name) { return std::make_shared<const Model>(build_sample(name)); }

class TimedWalkThroughTest : public JourneyTest, public testing::WithParamInterface<Walk> {
protected:
    GraphPage* graphPage() const { return pageOf<GraphPage>("graph"); }
    bool drawn() { return graphPage()->canvas()->scene() && !graphPage()->isLayingOut(); }
    /// Does it several times, painting in between.
    static void times(int count, const std::function<void(int)>& act) {
        for (int i = 0; i < count; ++i) {
            act(i);
            wait_until([] { return false; }, 15);
        }
    }
    void press(const char* text) { command(QString::fromUtf8(text))->trigger(); }

    void lookAround() {
        window_->showPage(QStringLiteral("graph"));
        await("drawn", [&] { return drawn(); });
        GraphCanvas* canvas = graphPage()->canvas();
        step("graph: the whole drawing", [&] { canvas->fit(); });
        step("graph: zooming",
             [&] { times(16, [&](int i) { i < 12 ? canvas->zoomIn() : canvas->zoomOut(); }); });
        step("graph: panning", [&] {
            times(12, [&](int i) {
                canvas->showView(canvas->scale(), canvas->origin() + QPointF(40 * i, 60 * i));
            });
        });
        for (const char* fold : {"Close all groups", "Open all groups"}) {
            step(std::string("graph: ") + fold, [&] {
                press(fold);
                await(fold, [&] { return drawn(); });
            });
            step(std::string("graph: fitting after ") + fold, [&] { canvas->fit(); });
        }
        step("graph: show constants", [&] {
            press("Show constants");
            await("constants", [&] { return drawn(); });
        });
        step("graph: sideways", [&] {
            press("Left to right");
            await("sideways", [&] { return drawn(); });
        });
        step("graph: and back", [&] {
            press("Left to right");
            press("Show constants");
            await("back", [&] { return drawn(); });
        });
        step("graph: marking what is found", [&] {
            for (const char* text : {"a", "ad", "op:Conv", "op:Add", ""}) {
                graphPage()->search(QString::fromLatin1(text));
                wait_until([] { return false; }, 40);
            }
        });
        auto* colours = graphPage()->findChild<QComboBox*>(QStringLiteral("colorBy"));
        step("graph: colours",
             [&] { times(colours->count(), [&](int i) { colours->setCurrentIndex(i); }); });
        step("graph: first colours", [&] { colours->setCurrentIndex(1); });
        step("graph: as a table", [&] { press("Table view"); });
        step("graph: as a drawing", [&] { press("Table view"); });
        inspect();
        findBox();
    }
    void slowestRun() {
        step("Run: the slowest over a typical one", [&] {
            window_->showPage(QStringLiteral("run"));
            press("Slowest over typical run");
        });
        step("Run: the timeline again", [&] { press("Slowest over typical run"); });
    }
    void inspect() {
        const Graph& graph = workbench_->document()->model->graph;
        const auto nodes = graph.nodes();
        step("Inspector: nodes", [&] {
            times(12,
                  [&](int i) { workbench_->focusNode(nodes[nodes.size() * std::size_t(i) / 12]); });
        });
        step("Inspector: tensors", [&] {
            times(8, [&](int i) {
                workbench_->focusValue(
                    graph.node(nodes[nodes.size() * std::size_t(i) / 8]).outputs.front());
            });
        });
        step("Inspector: the model", [&] { workbench_->setFocus({}); });
    }
    void findBox() {
        CommandPalette* box = window_->commandPalette();
        step("find: opening", [&] {
            window_->showCommandPalette();
            await("indexed", [&] { return box->isIndexed(); });
        });
        auto* line = box->findChild<QLineEdit*>();
        step("find: typing", [&] {
            times(7, [&](int i) { QTest::keyClick(line, "op:conv"[i]); });
            times(7, [&](int) { QTest::keyClick(line, Qt::Key_Backspace); });
            times(3, [&](int i) { QTest::keyClick(line, "add"[i]); });
        });
        step("find: previews",
             [&] { times(6, [&](int) { QTest::keyClick(line, Qt::Key_Down); }); });
        step("find: closing", [&] { box->reject(); });
    }
    void levels() {
        for (const Level level : {Level::basic, Level::all, Level::extended}) {
            app::Recipe recipe;
            recipe.level = level;
            step("level " + std::string(name_of(level)), [&] {
                workbench_->choose(recipe, QStringLiteral("walk"));
                await("level", [&] { return workbench_->recipeInForce() == recipe; });
            });
            step("drawn at " + std::string(name_of(level)), [&] {
                window_->showPage(QStringLiteral("graph"));
                await("drawn", [&] { return drawn(); });
            });
        }
        step("Optimize: steps of the slider", [&] {
            window_->showPage(QStringLiteral("optimize"));
            auto* bar = window_->findChild<StepBar*>();
            times(10, [&](int i) { bar->setStep(bar->steps() * i / 10); });
        });
        step("undoing levels",
             [&] { times(3, [&](int) { workbench_->project().undoStack().undo(); }); });
    }
    void frame() {
        step("narrower", [&] { window_->resize(1280, 800); });
        step("wider", [&] { window_->resize(1600, 1000); });
        for (const char* dialog : {"Settings …", "Keyboard shortcuts", "Plugins and engines …"}) {
            step(dialog, [&] { press(dialog); });
            step(std::string(dialog) + " closing", [&] {
                for (QDialog* open : window_->findChildren<QDialog*>())
                    if (open->isVisible()) open->reject();
            });
        }
    }
    void turn() {
        const ModelPtr model = GetParam().make();
        for (const auto& part : std::initializer_list<std::function<void()>>{
                 [&] {
                     open([&] { workbench_->adopt(model, QString::fromLatin1(GetParam().name)); });
                 },
                 [&] { lookAround(); }, [&] { optimize(); }, [&] { run(); }, [&] { slowestRun(); },
                 [&] { lookAround(); }, [&] { planMemory(); }, [&] { levels(); },
                 [&] { compare(); }, [&] { frame(); }}) {
            part();
            if (HasFatalFailure()) return;
        }
        walk("");
        step("the dark theme", [&] { applyTheme(ThemeChoice::dark); });
        step("closing the model", [&] { workbench_->closeModel(); });
    }
};

TEST_P(TimedWalkThroughTest, NoStepHoldsTheWindow) {
    std::map<std::string, double> held;
    int turns = 0;
    const auto isFast = [&] {
        return std::ranges::all_of(held,
                                   [](const auto& step) { return step.second < longest_hold_ms; });
    };
    for (; turns < most_turns && (held.empty() || !isFast()); ++turns) {
        if (turns > 0) {
            TearDown();
            SetUp();
        }
        thisTime_.clear();
        turn();
        if (HasFailure()) return;
        const auto worst =
            std::ranges::max_element(thisTime_, {}, [](const auto& step) { return step.second; });
        std::printf("%s, turn %d: longest hold %.1f ms, of %s\n", GetParam().name, turns + 1,
                    worst->second, worst->first.c_str());
        for (const auto& [what, ms] : thisTime_) {
            const auto [at, added] = held.try_emplace(what, ms);
            if (!added) at->second = std::min(at->second, ms);
        }
    }
    EXPECT_GT(held.size(), 80u);
    std::vector<std::pair<double, std::string>> longest;
    for (const auto& [what, ms] : held) {
        EXPECT_LT(ms, longest_hold_ms) << what << " held the GUI thread";
        longest.emplace_back(ms, what);
    }
    std::ranges::sort(longest, std::greater<>());
    longest.resize(std::min<std::size_t>(longest.size(), 8));
    std::printf("%s: %zu steps, least of %d turns; the longest holds:\n", GetParam().name,
                held.size(), turns);
    for (const auto& [ms, what] : longest) std::printf("  %6.1f ms  %s\n", ms, what.c_str());
}

INSTANTIATE_TEST_SUITE_P(Models, TimedWalkThroughTest,
                         testing::Values(Walk{"bert-base", [] { return sample("bert-base"); }},
                                         Walk{"gpt2-small", [] { return sample("gpt2-small"); }},
                                         Walk{"ten-thousand", [] { return scoped_model(1430); }}),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace lapidary::views
