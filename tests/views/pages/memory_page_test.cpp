// SPDX-License-Identifier: Apache-2.0
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>

#include <lapidary/graph/graph_text.h>

#include "views/gui_watchdog.h"
#include "memory/context_memory_panel.h"
#include "memory/memory_card.h"
#include "memory/memory_history.h"
#include "memory/memory_map.h"
#include "memory/memory_page.h"
#include "memory/memory_tables.h"
#include "memory/what_if_panel.h"
#include "samples/llama.h"
#include "support/test_data.h"
#include "support/time_budget.h"
#include "widgets/cards/empty_state.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_view.h"
#include "views/window_fixture.h"
#include "workbench/jobs/generating.h"

namespace lapidary::views {
namespace {

class MemoryPageTest : public WindowTest {
protected:
    MemoryPage* page() const {
        return qobject_cast<MemoryPage*>(window_->page(QStringLiteral("memory")));
    }
    /// Waits for what `change` brings about on the page.
    template <typename Change>
    void changed(Change change) {
        QSignalSpy spy(page(), &MemoryPage::pictureChanged);
        change();
        ASSERT_TRUE(spy.count() > 0 || spy.wait(patience_ms));
    }
    /// At level all, at which an opened model runs, unless another is put in force.
    void show(const char* sample, std::optional<Level> level = {}) {
        openSample(sample);
        if (level) {
            workbench_->useRecipe(app::Recipe::plain(*level));
            ASSERT_TRUE(waitFor([&] { return workbench_->document()->variant != nullptr; }));
        }
        changed([&] { window_->showPage(QStringLiteral("memory")); });
        ASSERT_EQ(page()->state(), MemoryPage::State::done);
        map_ = find<MemoryMap>("memoryMap");
        history_ = find<MemoryHistory>("memoryHistory");
        alive_ = find<TensorTable>("aliveTable");
        lifetimes_ = find<TensorTable>("lifetimeTable");
    }
    const MemoryReport& report() const { return page()->picture()->report; }

    MemoryMap* map_ = nullptr;
    MemoryHistory* history_ = nullptr;
    TensorTable *alive_ = nullptr, *lifetimes_ = nullptr;
};

TEST_F(MemoryPageTest, ADecodersMemoryIsPlannedOverItsContext) {
    const auto model = std::make_shared<const Model>(samples::llama({.name = "small",
                                                                     .layers = 2,
                                                                     .width = 32,
                                                                     .inner = 64,
                                                                     .heads = 4,
                                                                     .key_heads = 2,
                                                                     .vocabulary = 97,
                                                                     .positions = 1100},
                                                                    5));
    workbench_->adopt(model, QStringLiteral("small"));
    changed([&] { window_->showPage(QStringLiteral("memory")); });
    auto* panel = find<ContextMemoryPanel>("contextMemory");
    auto* tabs = find<QTabWidget>("memoryTabs");
    ASSERT_GE(tabs->indexOf(panel), 0);
    tabs->setCurrentWidget(panel);
    ASSERT_TRUE(waitFor([&] { return panel->memory().has_value(); }));
    const DecoderMemory& memory = *panel->memory();
    ASSERT_EQ(memory.points.size(), 5u) << "1 to 1,024: there are no more positions";
    EXPECT_EQ(memory.cache_row_bytes, 4u * 2 * 8 * sizeof(float));
    EXPECT_GT(memory.weight_bytes, 97u * 32 * sizeof(float));
    EXPECT_EQ(memory.points.back().context, 1024);
    EXPECT_EQ(memory.points.back().cache_bytes, 1024 * memory.cache_row_bytes);
    EXPECT_GT(memory.points.back().activation_bytes, 0u);
    EXPECT_TRUE(panel->sentence().contains(QStringLiteral("At 1,024 tokens of context")))
        << panel->sentence().toStdString();
    EXPECT_TRUE(panel->sentence().contains(QStringLiteral("Not counted")));
    DecoderMemory without = memory;
    without.cache_row_bytes = 0;
    const QString sentence = contextMemorySentence(without);
    EXPECT_TRUE(sentence.contains(QStringLiteral("There are no caches")));
    EXPECT_FALSE(sentence.contains(QStringLiteral("larger"))) << sentence.toStdString();
    app::GenerateChoice choice = workbench_->generating().choice();
    choice.capacity = 512;
    workbench_->generating().setChoice(choice);
    window_->grab();
    openSample("mlp");
    changed([&] { window_->showPage(QStringLiteral("memory")); });
    EXPECT_LT(tabs->indexOf(panel), 0) << "it is no decoder";
}

TEST_F(MemoryPageTest, ShowsThePeakWithoutARun) {
    auto* empty = page()->findChild<EmptyState*>();
    EXPECT_EQ(page()->state(), MemoryPage::State::nothingOpen);
    EXPECT_FALSE(empty->button()->text().isEmpty());
    show("squeezenet");
    EXPECT_EQ(workbench_->run(), nullptr);
    const QString verdict = find<MemoryCard>("memoryCard")->verdict();
    EXPECT_TRUE(verdict.startsWith(
        QStringLiteral("Process: %1 ").arg(formatBytes(report().process.total()))))
        << verdict.toStdString();
    EXPECT_TRUE(verdict.contains(
        QStringLiteral("Activations planned: %1 ").arg(formatBytes(report().needed_bytes))))
        << verdict.toStdString();
    EXPECT_EQ(std::size_t(page()->cursorStep()), report().peak_step);
    ASSERT_EQ(std::size_t(alive_->model().rowCount()), report().at_peak.size());
    EXPECT_EQ(alive_->model().row(0).tensor, report().at_peak[0]);
    EXPECT_EQ(std::size_t(lifetimes_->model().rowCount()), report().tensors.size());
    QAbstractItemModelTester alive(alive_->table()->model()),
        lifetimes(lifetimes_->table()->model());
}

TEST_F(MemoryPageTest, EverythingFollowsTheCursor) {
    show("squeezenet");
    history_->setFocus();
    QTest::keyClick(history_, Qt::Key_Home);
    EXPECT_EQ(page()->cursorStep(), 0);
    EXPECT_EQ(map_->cursorStep(), 0);
    QTest::keyClick(history_, Qt::Key_Right);
    EXPECT_EQ(map_->cursorStep(), 1);
    const auto alive = report().alive_at(1);
    ASSERT_EQ(std::size_t(alive_->model().rowCount()), alive.size());
    QTest::keyClick(map_, Qt::Key_P);
    EXPECT_EQ(std::size_t(history_->cursorStep()), report().peak_step);
    // Pressed at the left edge, then drawn to the right.
    QTest::mousePress(history_, Qt::LeftButton, {},
                      {history_->width() / 2, history_->height() / 2});
    const int half = page()->cursorStep();
    QMouseEvent move(QEvent::MouseMove, QPointF(history_->width() - 60, 40),
                     history_->mapToGlobal(QPointF(history_->width() - 60, 40)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(history_, &move);
    QTest::mouseRelease(history_, Qt::LeftButton, {}, {history_->width() - 60, 40});
    EXPECT_GT(page()->cursorStep(), half);
    EXPECT_EQ(map_->cursorStep(), page()->cursorStep());
    // Zoom of one is zoom of the other.
    QTest::keyClick(map_, Qt::Key_Plus);
    EXPECT_LT(map_->endShown() - map_->firstShown(), double(report().steps.size()));
    EXPECT_EQ(map_->firstShown(), history_->firstShown());
    EXPECT_EQ(map_->endShown(), history_->endShown());
    command(QStringLiteral("Show all of memory"))->trigger();
    EXPECT_EQ(history_->endShown(), double(report().steps.size()));
}

TEST_F(MemoryPageTest, AClickSelectsTheTensorEverywhere) {
    // every tensor that runs is one of the graph that is drawn
    show("squeezenet", Level::disabled);
    const auto largest = report().at_peak[0];
    const TensorLifetime& t = report().tensors[largest];
    QTest::mouseClick(map_, Qt::LeftButton, {}, map_->pointOf(largest).toPoint());
    EXPECT_EQ(map_->selected(), std::ptrdiff_t(largest));
    EXPECT_EQ(workbench_->focus().value, t.value);
    const QModelIndex row = lifetimes_->table()->currentIndex();
    ASSERT_TRUE(row.isValid());
    EXPECT_EQ(lifetimes_->model().row(row.row()).tensor, largest);
    // Up and down walk over those alive at the cursor.
    QTest::keyClick(map_, Qt::Key_Up);
    QTest::keyClick(map_, Qt::Key_Down);
    EXPECT_GE(map_->selected(), 0);
    // And the focus of other views is followed.
    const auto found = std::ranges::find_if(report().tensors, [&](const TensorLifetime& tensor) {
        return tensor.value && tensor.value != t.value;
    });
    ASSERT_NE(found, report().tensors.end());
    const auto other = std::size_t(found - report().tensors.begin());
    workbench_->focusValue(report().tensors[other].value);
    EXPECT_EQ(map_->selected(), std::ptrdiff_t(other));
    EXPECT_GE(std::size_t(page()->cursorStep()), report().tensors[other].first_step);
    EXPECT_LE(std::size_t(page()->cursorStep()), report().tensors[other].last_step);
    workbench_->focusNode(report().step_nodes[2]);
    EXPECT_EQ(page()->cursorStep(), 2);
    QSignalSpy pages(page(), &Page::pageRequested);
    QTest::keyClick(map_, Qt::Key_Return);
    EXPECT_EQ(pages.value(0).value(0).toString(), QStringLiteral("graph"));
}

TEST_F(MemoryPageTest, ATensorThatIsNotDrawnLeadsToTheFirstNodeOfItsWriter) {
    show("squeezenet");
    const auto& tensors = report().tensors;
    const auto t = std::ranges::find(tensors, "/features/Relu", &TensorLifetime::written_by);
    ASSERT_NE(t, tensors.end());
    ASSERT_TRUE(t->name.ends_with("_nchwc")) << t->name << " is made by level all";
    const auto index = static_cast<std::size_t>(t - tensors.begin());
    QTest::mouseClick(map_, Qt::LeftButton, {}, map_->pointOf(index).toPoint());
    EXPECT_FALSE(workbench_->focus().value);
    const Graph& drawn = workbench_->document()->model->graph;
    ASSERT_TRUE(drawn.is_alive(workbench_->focus().node));
    EXPECT_EQ(drawn.node(workbench_->focus().node).name, "/features/Conv")
        << "the first of the two that became one";
}

TEST_F(MemoryPageTest, SwitchesAnswerAtOnceAndSayWhatTheyChange) {
    show("bert-tiny");
    const std::uint64_t planned = report().block_bytes;
    changed([&] { find<QCheckBox>("planSwitch")->click(); });
    EXPECT_FALSE(report().assumptions.plan);
    EXPECT_GT(report().block_bytes, planned);
    changed([&] { find<QCheckBox>("planSwitch")->click(); });
    EXPECT_EQ(report().block_bytes, planned);

    // What a switch says before it is turned is what the process takes afterwards.
    const auto effectText = [](const char* turned, std::uint64_t before, std::uint64_t after) {
        if (before == after) return QStringLiteral("%1: no change").arg(QLatin1String(turned));
        return QStringLiteral("%1: %2%3")
            .arg(QLatin1String(turned),
                 after > before ? QStringLiteral("+") : QStringLiteral("\u2212"),
                 formatBytes(std::max(before, after) - std::min(before, after)));
    };
    const std::uint64_t before = report().process.total();
    int changing = 0;
    for (const char* name : {"planSwitch", "arenaSwitch", "inPlaceSwitch", "fusedSwitch"}) {
        auto* box = find<QCheckBox>(name);
        auto* effect = find<QLabel>((std::string(name) + "Effect").c_str());
        changed([&] { box->click(); });
        const std::uint64_t after = report().process.total();
        changing += after != before;
        const QString on = effectText("on", after, before), off = effectText("off", before, after);
        EXPECT_TRUE(waitFor([&] { return effect->text() == on; }))
            << name << ": " << effect->text().toStdString() << ", not " << on.toStdString();
        changed([&] { box->click(); });
        EXPECT_EQ(report().process.total(), before) << name;
        EXPECT_TRUE(waitFor([&] { return effect->text() == off; }))
            << name << ": " << effect->text().toStdString() << ", not " << off.toStdString();
    }
    EXPECT_GE(changing, 2) << "the arena and fused steps";

    auto* apply = find<QPushButton>("applyMemory");
    EXPECT_FALSE(apply->isEnabled());
    changed([&] { find<QSpinBox>("memoryDimension_batch")->setValue(8); });
    // activations grow with the batch, a kernel's working memory hardly
    EXPECT_GT(report().block_bytes, 2 * planned);
    EXPECT_TRUE(find<MemoryCard>("memoryCard")->notes().contains(QStringLiteral("sequence = 128")));
    EXPECT_FALSE(find<MemoryCard>("memoryCard")->notes().contains(QStringLiteral("batch = ")));
    EXPECT_TRUE(apply->isEnabled());
    apply->click();
    EXPECT_EQ(workbench_->runSettings().dimensions.at("batch"), 8);
    EXPECT_FALSE(apply->isEnabled());
}

TEST_F(MemoryPageTest, ARunIsLaidOverThePlan) {
    show("bert-tiny");
    EXPECT_TRUE(page()->picture()->measured.empty());
    workbench_->startRun();
    ASSERT_TRUE(waitFor([&] { return workbench_->run() != nullptr; }));
    window_->showPage(QStringLiteral("memory"));
    ASSERT_TRUE(waitFor([&] { return page()->picture()->measuredPeak > 0; }));
    EXPECT_EQ(page()->picture()->measured.size(), report().steps.size());
    EXPECT_EQ(std::uint64_t(page()->picture()->measuredPeak), report().block_bytes);
    EXPECT_TRUE(find<MemoryCard>("memoryCard")->notes().contains(QStringLiteral("as planned")))
        << find<MemoryCard>("memoryCard")->notes().toStdString();
}

TEST_F(MemoryPageTest, SaysWhyThereIsNothingToShow) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph("(x: f32[4]) -> (y)\ny = NoSuchOperator(x)");
    workbench_->adopt(model, QStringLiteral("odd"));
    window_->showPage(QStringLiteral("memory"));
    ASSERT_TRUE(waitFor([&] { return page()->state() == MemoryPage::State::failed; }));
    EXPECT_TRUE(
        page()->findChild<EmptyState*>()->text().contains(QStringLiteral("NoSuchOperator")));
    show("mlp");
}

TEST_F(MemoryPageTest, SavesPictureAndTable) {
    show("mlp");
    const TemporaryFolder folder;
    page()->savePicture(QString::fromStdString((folder / "m.png").string()));
    page()->saveTable(QString::fromStdString((folder / "m.csv").string()));
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    EXPECT_FALSE(QImage(QString::fromStdString((folder / "m.png").string())).isNull());
    std::ifstream file(folder / "m.csv");
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    EXPECT_EQ(lines, report().tensors.size() + 1);
}

double thread_ms() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

/// A chain of `steps` nodes, with tensors that wait a while between them.
MemoryReport long_report(std::size_t steps) {
    MemoryReport report;
    report.moments.resize(steps);
    for (std::size_t i = 0; i < steps; ++i) {
        report.steps.push_back("/block." + std::to_string(i / 50) + "/node_" + std::to_string(i));
        report.step_ops.push_back(i % 3 == 0 ? "MatMul" : "Add");
        report.step_nodes.push_back(NodeId{std::uint32_t(i)});
        TensorLifetime t;
        t.name = "t" + std::to_string(i);
        t.type = "f32[64]";
        t.first_step = i;
        t.last_step = std::min(steps - 1, i + 1 + i % 37);
        t.offset = (i % 40) * 4096;
        t.bytes = 4096;
        t.written_by = t.kept_by = report.steps.back();
        report.tensors.push_back(t);
        report.moments[i].activations = 4096 * (1 + i % 20);
        report.needed_bytes = 4096 * 20;
    }
    report.block_bytes = report.address_end = 4096 * 40;
    return report;
}

TEST(MemoryMap, TwentyThousandNodesArePaintedInAFrame) {
    const MemoryPicturePtr picture = makeMemoryPicture(long_report(20'000), nullptr);
    MemoryMap map;
    MemoryHistory history;
    for (StepCanvas* canvas :
         {static_cast<StepCanvas*>(&map), static_cast<StepCanvas*>(&history)}) {
        canvas->resize(1400, 500);
        canvas->setPicture(picture);
        for (const double shown : {20'000.0, 2'000.0, 100.0}) {
            canvas->setSteps(5'000, 5'000 + shown);
            QImage image(canvas->size(), QImage::Format_RGB32);
            double best = 1e9;
            for (int i = 0; i < 3; ++i) {
                const double begin = thread_ms();
                canvas->render(&image);
                best = std::min(best, thread_ms() - begin);
            }
            EXPECT_LT(best, 150 * wall_factor)
                << canvas->objectName().toStdString() << " with " << shown << " steps";
        }
    }
    const double begin = thread_ms();
    for (int i = 0; i < 1000; ++i) picture->tensorAt(i * 20, (i % 40) * 4096 + 5);
    EXPECT_LT(thread_ms() - begin, 500 * wall_factor);
}

TEST_F(MemoryPageTest, ALongModelDoesNotHoldTheWindow) {
    std::string text = "(x: f32[1,64]) -> (y)\nv0 = Relu(x)\n";
    constexpr int nodes = 20'000;
    for (int i = 1; i < nodes; ++i) {
        const std::string before = "v" + std::to_string(i - 1),
                          earlier = "v" + std::to_string(std::max(0, i - 30));
        text += "v" + std::to_string(i) + " = " +
                (i % 3 == 0 ? "Add(" + before + ", " + earlier : "Sin(" + before) + ")\n";
    }
    text += "y = Neg(v" + std::to_string(nodes - 1) + ")";
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(text);
    workbench_->adopt(model, QStringLiteral("long"));
    QTest::qWait(200);
    GuiWatchdog watchdog;
    changed([&] { window_->showPage(QStringLiteral("memory")); });
    for (int i = 0; i < 20; ++i) {
        page()->setCursorStep(i * 900);
        QTest::qWait(5);
    }
    ASSERT_TRUE(waitFor([&] { return workbench_->jobs().jobs().isEmpty(); }));
    EXPECT_LT(watchdog.stop().held_ms, 250 * wall_factor);
}

TEST(MemoryPicture, FindsTensorsByPlace) {
    const MemoryPicturePtr picture = makeMemoryPicture(long_report(100), nullptr);
    for (std::size_t i = 0; i < picture->report.tensors.size(); ++i) {
        const TensorLifetime& t = picture->report.tensors[i];
        const std::ptrdiff_t found =
            picture->tensorAt(double(t.first_step) + 0.5, double(t.offset) + 1);
        EXPECT_EQ(found, std::ptrdiff_t(i));
    }
    EXPECT_EQ(picture->tensorAt(50, 4096 * 41), -1);
    EXPECT_EQ(picture->tensorAt(-1, 0), -1);
}

TEST(MemoryPicture, CopiesHaveTheSizesThatTheRunReports) {
    PlacementReport placement;
    placement.islands = {{"pages", 1, 0, 0}};
    placement.copies = {{NodeId(7), "x", "CPU", "pages", "node 'Relu'", -1},
                        {NodeId(8), "y", "pages", "CPU", "graph output", 64}};
    Profile run;
    Span copy;
    copy.kind = EventKind::copy;
    copy.node = NodeId(7);
    copy.bytes = 4096;
    run.kernels.push_back(copy);
    const MemoryPicturePtr picture = makeMemoryPicture(long_report(100), &run, &placement);
    ASSERT_EQ(picture->copies.size(), 2u);
    EXPECT_EQ(picture->copies[0].bytes, 4096);
    EXPECT_EQ(picture->copies[1].bytes, 64);
}

}  // namespace
}  // namespace lapidary::views
