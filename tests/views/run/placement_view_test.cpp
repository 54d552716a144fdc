// SPDX-License-Identifier: Apache-2.0
// Where nodes ran, what was copied and what a kernel handed to the reference kernel, as the window
// shows it.
#include <gtest/gtest.h>

#include <QSet>
#include <QTabWidget>
#include <QTest>

#include <lapidary/inputs/samples.h>

#include "memory/copy_table.h"
#include "memory/memory_card.h"
#include "memory/memory_page.h"
#include "memory/memory_tables.h"
#include "panels/inspector_panel.h"
#include "run/nodes/node_table.h"
#include "views/scripted_engine.h"
#include "widgets/table/table_view.h"
#include "workbench/workbench.h"

namespace lapidary::views {
namespace {

constexpr int kernel_column = 9, provider_column = 11, memory_column = 11;

/// Real runs, reported as if every second node had run on another provider, and the first had
/// fallen back from its kernel.
class SplitEngine : public ScriptedEngine {
public:
    SplitEngine() {
        answer<app::ProfileJob>(
            [this](const test::Asked<app::ProfileJob>& asked) { return split(real(asked)); });
    }

private:
    static app::RunRecord split(app::RunRecord record) {
        auto profile = std::make_shared<Profile>(*record.profile);
        std::size_t number = 0;
        for (StepInfo& step : record.plan.steps) {
            const bool is_taken = number++ % 2 == 0;
            NodePlacement placed{step.node, step.name, step.op, is_taken ? "second" : "CPU",
                                 0,         false,     {}};
            if (!is_taken) placed.reasons = {{"second", "it takes every other node"}};
            for (Span& span : profile->kernels) {
                SpanText text = profile->text(span);
                text.provider = placed.provider;
                if (span.node == step.node) span.label = profile->labels.add(text);
            }
            record.placement.nodes.push_back(std::move(placed));
        }
        record.placement.islands = {{"second", (number + 1) / 2, 2000, 500}};
        const NodeId first = record.plan.steps.front().node;
        record.placement.copies = {{first, "x", "CPU", "second", "node 'first'", 4096},
                                   {first, "y", "second", "CPU", "graph output", -1}};
        for (Span& span : profile->kernels) {
            SpanText text = profile->text(span);
            text.fallback = "an input has no elements";
            if (span.node == first) span.label = profile->labels.add(text);
        }
        record.profile = profile;
        record.summary = summarize(*profile);
        return record;
    }
};

constexpr int patience_ms = 60'000;

struct PlacementView : testing::Test {
    template <typename Predicate>
    static bool waitFor(Predicate predicate) {
        return QTest::qWaitFor(predicate, patience_ms);
    }
    void run(std::unique_ptr<app::Engine> engine) {
        workbench = std::make_unique<app::Workbench>(std::move(engine));
        app::RunSettings settings;
        settings.repetitions = 2;
        settings.warmups = 1;
        workbench->setRunSettings(settings);
        workbench->adopt(std::make_shared<const Model>(build_sample("lenet")),
                         QStringLiteral("lenet"));
        workbench->startRun();
        ASSERT_TRUE(waitFor([&] { return workbench->run() != nullptr; }));
    }
    /// The node of the graph that is drawn which a step of the run stands for.
    void focusStep(std::size_t step) const {
        const app::RunRecord& run = *workbench->run();
        const NodeId shown =
            workbench->model().shownNode(*run.executed, run.plan.steps.at(step).node);
        ASSERT_TRUE(shown);
        workbench->focusNode(shown);
    }
    /// The table of nodes as the Run page fills it.
    std::unique_ptr<NodeTable> nodes() const {
        const RunDigestPtr digest = digestRun(workbench->run());
        auto table = std::make_unique<NodeTable>();
        table->setNodes({digest, &digest->whole.nodes});
        return table;
    }
    std::unique_ptr<MemoryPage> memoryPage() const {
        auto page = std::make_unique<MemoryPage>(*workbench);
        page->show();
        page->shown();
        EXPECT_TRUE(waitFor([&] { return page->state() == MemoryPage::State::done; }));
        return page;
    }
    static QString cell(const QAbstractItemModel* model, int row, int column,
                        int role = Qt::DisplayRole) {
        return model->index(row, column).data(role).toString();
    }
    template <typename Widget>
    static Widget* find(const QWidget& in, const char* name) {
        auto* widget = in.findChild<Widget*>(QString::fromLatin1(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }

    std::unique_ptr<app::Workbench> workbench;
};

TEST_F(PlacementView, OnTheCpuAloneNothingIsAdded) {
    run(std::make_unique<ScriptedEngine>());
    EXPECT_TRUE(nodes()->table()->isColumnHidden(provider_column));
    const auto page = memoryPage();
    EXPECT_TRUE(find<TensorTable>(*page, "lifetimeTable")->table()->isColumnHidden(memory_column));
    EXPECT_EQ(find<QTabWidget>(*page, "memoryTabs")->count(), 2);
    EXPECT_FALSE(find<CopyTable>(*page, "copyTable")->isVisible());
    EXPECT_FALSE(
        find<MemoryCard>(*page, "memoryCard")->notes().contains(QStringLiteral("kind of memory")));
    InspectorPanel inspector(*workbench);
    focusStep(0);
    EXPECT_TRUE(inspector.plainText().contains(QStringLiteral("What does it cost")));
    EXPECT_FALSE(inspector.plainText().contains(QStringLiteral("Runs on")));
}

TEST_F(PlacementView, TheNodeTableShowsWhereAndWhy) {
    run(std::make_unique<SplitEngine>());
    const auto table = nodes();
    const TableView* view = table->table();
    EXPECT_FALSE(view->isColumnHidden(provider_column));
    QSet<QString> providers;
    bool explained = false, handed = false;
    for (int row = 0; row < view->model()->rowCount(); ++row) {
        providers += cell(view->model(), row, provider_column);
        explained = explained || cell(view->model(), row, provider_column, Qt::ToolTipRole)
                                     .contains(QStringLiteral("second: it takes every other node"));
        if (!cell(view->model(), row, kernel_column).contains(QStringLiteral("then reference")))
            continue;
        handed = true;
        EXPECT_TRUE(
            cell(view->model(), row, kernel_column, Qt::ToolTipRole)
                .contains(QStringLiteral("ran on the reference kernel: an input has no elements")));
    }
    EXPECT_EQ(providers, (QSet<QString>{QStringLiteral("CPU"), QStringLiteral("second")}));
    EXPECT_TRUE(explained);
    EXPECT_TRUE(handed);
}

TEST_F(PlacementView, ARangeOfTheRunShowsTheSame) {
    run(std::make_unique<SplitEngine>());
    const RunDigestPtr digest = digestRun(workbench->run());
    const RunTotals totals = totalsInRange(*digest, digest->timeline.begin, digest->timeline.end);
    int handed = 0, placed = 0;
    for (const NodeRow& row : totals.nodes) {
        handed += row.fallback == "an input has no elements" && row.fallback_calls == row.calls;
        placed +=
            row.placed_because == "second: it takes every other node" && row.provider == "CPU";
    }
    EXPECT_EQ(handed, 1);
    EXPECT_GT(placed, 1);
}

TEST_F(PlacementView, TheInspectorShowsWhereAndWhy) {
    run(std::make_unique<SplitEngine>());
    InspectorPanel inspector(*workbench);
    focusStep(0);
    const QString first = inspector.plainText();
    EXPECT_TRUE(first.contains(QStringLiteral("Runs on"))) << first.toStdString();
    EXPECT_TRUE(
        first.contains(QStringLiteral("ran on the reference kernel: an input has no elements")))
        << first.toStdString();
    focusStep(1);
    const QString second = inspector.plainText();
    EXPECT_TRUE(second.contains(QStringLiteral("because it takes every other node")))
        << second.toStdString();
}

TEST_F(PlacementView, TheMemoryPageShowsMemoriesAndCopies) {
    run(std::make_unique<SplitEngine>());
    const auto page = memoryPage();
    auto* tabs = find<QTabWidget>(*page, "memoryTabs");
    auto* copies = find<CopyTable>(*page, "copyTable");
    EXPECT_EQ(tabs->count(), 3);
    EXPECT_GE(tabs->indexOf(copies), 0);
    ASSERT_EQ(copies->rows().rowCount(), 2);
    EXPECT_EQ(cell(copies->model(), 0, 0), QStringLiteral("x"));
    EXPECT_EQ(cell(copies->model(), 0, 4), QStringLiteral("node 'first'"));
    EXPECT_EQ(cell(copies->model(), 1, 3), QStringLiteral("known when it runs"));
    const TableView* lifetimes = find<TensorTable>(*page, "lifetimeTable")->table();
    EXPECT_FALSE(lifetimes->isColumnHidden(memory_column));
    QSet<QString> memories;
    for (int row = 0; row < lifetimes->model()->rowCount(); ++row)
        memories += cell(lifetimes->model(), row, memory_column);
    EXPECT_TRUE(memories.contains(QStringLiteral("second")));
    EXPECT_TRUE(
        find<MemoryCard>(*page, "memoryCard")->notes().contains(QStringLiteral("copies: 2")));
    workbench->adopt(std::make_shared<const Model>(build_sample("mlp")), QStringLiteral("mlp"));
    EXPECT_TRUE(
        waitFor([&] { return page->state() == MemoryPage::State::done && page->picture(); }));
    EXPECT_EQ(tabs->count(), 2) << "nothing of the other model's run stays";
}

}  // namespace
}  // namespace lapidary::views
