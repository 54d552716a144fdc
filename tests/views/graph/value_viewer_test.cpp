// SPDX-License-Identifier: Apache-2.0
// Look inside: from the Inspector, the menu and the graph to the figures, elements and pictures of
// a value, in this process, with generated inputs.
#include <cmath>
#include <limits>
#include <vector>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>

#include <lapidary/graph/graph_text.h>
#include <lapidary/tensor/tensor_file.h>

#include "panels/inspector_panel.h"
#include "panels/values/value_facts.h"
#include "panels/values/run_watch.h"
#include "panels/values/value_viewer.h"
#include "support/test_data.h"
#include "views/window_fixture.h"
#include "window/help/whats_this.h"

namespace lapidary::views {
namespace {

class ValueViewerTest : public WindowTest {
protected:
    ValueViewer* viewer() const {
        return window_->findChild<ValueViewer*>(QStringLiteral("valueViewer"));
    }
    QString state() const { return find<QLabel>("insideState")->text(); }
    QAbstractItemModel* elements() const { return find<QTableView>("insideElements")->model(); }
    bool hasAnswer() const {
        return viewer() && !viewer()->isRunning() && !viewer()->shown().items.empty();
    }
    /// Selects the first node of that operator.
    void choose(const char* op) {
        const Graph& graph = workbench_->document()->model->graph;
        for (const NodeId id : graph.nodes())
            if (graph.node(id).op_type == op) return workbench_->focusNode(id);
        ADD_FAILURE() << "no " << op;
    }
    void lookInside(const char* op) {
        choose(op);
        command(QStringLiteral("Look inside …"))->trigger();
        ASSERT_TRUE(waitFor([&] { return hasAnswer(); })) << state().toStdString();
    }
    void openGraph(const std::string& text) {
        auto model = std::make_shared<Model>();
        model->opset_imports[""] = 17;
        model->graph = parse_graph(text);
        workbench_->adopt(model, QStringLiteral("written"));
    }
};

TEST_F(ValueViewerTest, OneClickInTheInspectorShowsWhatANodeWrites) {
    openSample("lenet");
    showDocks();
    window_->showPage(QStringLiteral("graph"));
    command(QStringLiteral("Look inside …"))->trigger();
    ASSERT_NE(viewer(), nullptr) << "nothing is selected";
    EXPECT_TRUE(state().startsWith(QStringLiteral("Select a node"))) << state().toStdString();
    viewer()->reject();
    choose("Conv");
    EXPECT_TRUE(command(QStringLiteral("Look inside …"))->isEnabled());
    auto* text = find<InspectorPanel>("inspectorPanel")->browser();
    ASSERT_TRUE(text->toHtml().contains(QStringLiteral("inside:")));
    emit text->anchorClicked(QUrl(QLatin1String(insideLink)));
    ASSERT_NE(viewer(), nullptr);
    EXPECT_TRUE(viewer()->isVisible());
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); })) << state().toStdString();
    const app::InspectedItem& item = viewer()->shown().items.at(0);
    EXPECT_EQ(item.op, "Conv");
    ASSERT_TRUE(item.numbers);
    EXPECT_EQ(item.shape.size(), 4u);
    EXPECT_EQ(viewer()->shown().slice, "0,:,:,:");
    EXPECT_EQ(elements()->columnCount(), item.shape[3]);
    EXPECT_EQ(elements()->rowCount(), item.shape[1] * item.shape[2]);
    EXPECT_FALSE(elements()->index(0, 0).data().toString().isEmpty());
    EXPECT_EQ(find<HistogramView>("insideHistogram")->bins().size(), 64u);
    const ValueMapsPtr maps = find<MapView>("valueMaps")->maps();
    ASSERT_TRUE(maps);
    EXPECT_EQ(maps->count, item.shape[1]);
    EXPECT_TRUE(find<QLabel>("insideFacts")->text().contains(QStringLiteral("Beyond float16")));
    EXPECT_TRUE(state().contains(QStringLiteral("generated inputs"))) << state().toStdString();
}

TEST_F(ValueViewerTest, PartsAreTypedAndSteppedThrough) {
    openSample("lenet");
    lookInside("Conv");
    const app::InspectedItem item = viewer()->shown().items.at(0);
    auto* text = find<QLineEdit>("sliceText");
    text->setText(QStringLiteral("0,1,:3,:4"));
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_TRUE(viewer()->isVisible()) << "Enter chooses a part and closes nothing";
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); }));
    EXPECT_EQ(elements()->rowCount(), 3);
    EXPECT_EQ(elements()->columnCount(), 4);
    text->setText(QStringLiteral("0,1,:,:"));
    find<QToolButton>("sliceOn")->click();
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); }));
    EXPECT_EQ(viewer()->shown().slice, "0,2,:,:");
    EXPECT_EQ(elements()->rowCount(), item.shape[2]);
    text->setText(QStringLiteral("0,99"));
    QTest::keyClick(text, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); }));
    EXPECT_TRUE(state().startsWith(QStringLiteral("Part: "))) << state().toStdString();
    EXPECT_TRUE(state().contains(QStringLiteral("does not exist"))) << state().toStdString();
    EXPECT_TRUE(find<SliceBar>("sliceBar")->isWrong());
    text->setText(QStringLiteral("0"));
    EXPECT_FALSE(find<SliceBar>("sliceBar")->isWrong()) << "it is another one now";
    EXPECT_EQ(elements()->rowCount(), item.shape[2]) << "what was shown stays";
}

TEST_F(ValueViewerTest, HeadsOfAnAttentionAreMaps) {
    openSample("bert-tiny");
    lookInside("Softmax");
    auto* view = find<MapView>("valueMaps");
    ASSERT_TRUE(view->maps());
    EXPECT_EQ(view->maps()->count, viewer()->shown().items.at(0).shape.at(1));
    EXPECT_GE(view->maps()->low, 0);
    EXPECT_LE(view->maps()->high, 1);
    EXPECT_EQ(view->axes(), QStringLiteral("query ↓ key →"));
    const QRect scale = view->scaleBar();
    EXPECT_FALSE(view->textAt({0, scale.top() - 10}).isEmpty()) << "the maps end at the scale";
    EXPECT_FALSE(view->grab().isNull());
    EXPECT_TRUE(view->textAt({0, view->fontMetrics().height()}).startsWith("head 0 [0, 0]"))
        << view->textAt({0, view->fontMetrics().height()}).toStdString();
    applyTheme(ThemeChoice::dark);
    EXPECT_FALSE(view->grab().isNull());
}

TEST_F(ValueViewerTest, IterationsOfABodyAreChosen) {
    openGraph(R"((n: i64[], x: f32[1]) -> (y)
y = Loop(n, _, x) {body: graph {
    (i: i64[], go: bool[], c: f32[1]) -> (go_on, d)
    go_on = Identity(go)
    d = Add(c, x)
}} as "again")");
    const Graph& graph = workbench_->document()->model->graph;
    const Node& loop = graph.node(graph.nodes()[0]);
    GraphPtr body;
    for (const Attribute& attribute : loop.attributes)
        if (const auto* found = std::get_if<GraphPtr>(&attribute.value)) body = *found;
    ASSERT_TRUE(body);
    workbench_->setFocus({.value = body->find_value("d"), .body = body});
    command(QStringLiteral("Look inside …"))->trigger();
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); })) << state().toStdString();
    EXPECT_EQ(viewer()->shown().items.at(0).name, "again/body/d[0]");
    auto* items = find<QComboBox>("insideItem");
    ASSERT_EQ(std::size_t(items->count()), viewer()->shown().items.size());
    if (items->count() < 2) return;  // the generated number of iterations is one
    items->setCurrentIndex(1);
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); }));
    EXPECT_EQ(viewer()->shown().shown, 1u);
    EXPECT_EQ(items->currentIndex(), 1);
}

TEST_F(ValueViewerTest, SavesTheWholeValue) {
    openSample("lenet");
    lookInside("Conv");
    TemporaryFolder folder;
    const std::filesystem::path file = folder / "conv.npy";
    viewer()->saveTo(QString::fromStdString(file.string()));
    ASSERT_TRUE(waitFor([&] { return state().startsWith(QStringLiteral("Saved")); }))
        << state().toStdString();
    EXPECT_EQ(std::vector<std::int64_t>(load_npy(file).shape()),
              viewer()->shown().items.at(0).shape);
}

TEST_F(ValueViewerTest, SavesAllValuesOfTheListInOneFile) {
    openSample("lenet");
    lookInside("Conv");
    TemporaryFolder folder;
    const std::filesystem::path file = folder / "conv.npz";
    viewer()->saveTo(QString::fromStdString(file.string()));
    ASSERT_TRUE(waitFor([&] { return state().startsWith(QStringLiteral("Saved")); }))
        << state().toStdString();
    const NamedValues saved = load_npz(file);
    EXPECT_EQ(saved.size(), std::size_t(find<QComboBox>("insideValue")->count()))
        << "what the node writes and reads";
}

TEST_F(ValueViewerTest, AValueIsWatchedOverSeveralRuns) {
    openSample("lenet");
    lookInside("Conv");
    auto* watch = viewer()->findChild<RunWatch*>(QStringLiteral("runWatch"));
    ASSERT_TRUE(watch && watch->isEnabled());
    viewer()->findChild<QSpinBox*>(QStringLiteral("watchCount"))->setValue(3);
    viewer()->findChild<QPushButton*>(QStringLiteral("watchSeeds"))->click();
    EXPECT_TRUE(watch->isRunning());
    ASSERT_TRUE(waitFor([&] { return !watch->isRunning(); }));
    const auto& rows = watch->rows();
    ASSERT_EQ(rows.rowCount(), 3) << watch->sentence().toStdString();
    ASSERT_TRUE(rows.row(0).item.numbers && rows.row(1).item.numbers);
    EXPECT_EQ(rows.row(0).item.numbers->mean, viewer()->shown().items.at(0).numbers->mean)
        << "the first has the seed of the Run page";
    EXPECT_NE(rows.row(0).item.numbers->mean, rows.row(1).item.numbers->mean);
    EXPECT_TRUE(watch->sentence().startsWith(QStringLiteral("Over 3 runs: from ")))
        << watch->sentence().toStdString();

    TemporaryFolder folder;
    const Graph& graph = workbench_->document()->model->graph;
    const Value& input = graph.value(graph.inputs()[0]);
    const std::filesystem::path file = folder / (input.name + ".npy");
    save_npy(file, Tensor::of(Shape{1, 1, 28, 28}, std::vector<float>(28 * 28)));
    watch->watchFiles({QString::fromStdString(file.string())});
    ASSERT_TRUE(waitFor([&] { return !watch->isRunning(); }));
    ASSERT_EQ(rows.rowCount(), 1) << watch->sentence().toStdString();
    EXPECT_EQ(rows.row(0).inputs, QString::fromStdString(file.filename().string()));
    watch->watchFiles({QString::fromStdString((folder / "missing.npy").string())});
    ASSERT_TRUE(waitFor([&] { return !watch->isRunning(); }));
    EXPECT_TRUE(watch->sentence().contains(QStringLiteral("missing.npy")))
        << watch->sentence().toStdString();
    find<QComboBox>("insideValue")->setCurrentIndex(1);
    EXPECT_EQ(rows.rowCount(), 0) << "another value";
}

TEST_F(ValueViewerTest, OtherValuesOfTheNodeAreChosenAndAnotherModelClosesIt) {
    openSample("lenet");
    lookInside("Conv");
    auto* values = find<QComboBox>("insideValue");
    ASSERT_GE(values->count(), 3) << "what it writes, its input and its weight";
    const std::string first = viewer()->shown().items.at(0).name;
    values->setCurrentIndex(2);
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); }));
    EXPECT_NE(viewer()->shown().items.at(0).name, first);
    openSample("mlp");
    EXPECT_FALSE(viewer()->isVisible());
}

TEST_F(ValueViewerTest, IsCancelledAndEveryControlIsNamed) {
    openSample("bert-tiny");
    choose("Softmax");
    command(QStringLiteral("Look inside …"))->trigger();
    ASSERT_NE(viewer(), nullptr);
    find<QPushButton>("insideCancel")->click();
    ASSERT_TRUE(waitFor([&] { return !viewer()->isRunning(); }));
    find<QPushButton>("insideAgain")->click();
    ASSERT_TRUE(waitFor([&] { return hasAnswer(); })) << state().toStdString();
    for (const QWidget* widget : viewer()->findChildren<QWidget*>()) {
        if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus)) continue;
        EXPECT_GE(WhatsThis::textFor(*widget).size(), 30)
            << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
    }
}

TEST(ValueMaps, AreTheLastTwoAxes) {
    EXPECT_FALSE(mapsOf(Tensor::of<float>({4}, {1, 2, 3, 4}), true)) << "a list is no picture";
    EXPECT_FALSE(mapsOf(Tensor::of<float>({1, 4}, {1, 2, 3, 4}), true));
    EXPECT_FALSE(mapsOf(Tensor::of<std::string>({2, 2}, {"a", "b", "c", "d"}), true));
    const ValueMapsPtr maps =
        mapsOf(Tensor::of<float>({2, 2, 2},
                                 {1, -3, std::numeric_limits<float>::infinity(), 4, 0, 0, 0, 7}),
               true);
    ASSERT_TRUE(maps);
    EXPECT_EQ(maps->count, 2);
    EXPECT_EQ(maps->low, -3);
    EXPECT_EQ(maps->high, 7);
    EXPECT_EQ(maps->at(1, 1, 1), 7);
    EXPECT_FALSE(maps->isColour);
    const Tensor picture(DType::f32, {3, 16, 20});
    EXPECT_TRUE(mapsOf(picture, true)->isColour);
    EXPECT_FALSE(mapsOf(picture, false)->isColour);
    EXPECT_EQ(mapsOf(Tensor(DType::u8, {100, 2, 2}), true)->count, ValueMaps::most_maps);
}

TEST(NeighbourOf, MovesTheInnermostAxisThatIsNotWhole) {
    const auto moved = [](const char* slice, int by) -> std::string {
        const auto next = neighbourOf(parse_slice(slice), {2, 5, 3}, by);
        return next ? text_of(*next) : "none";
    };
    EXPECT_EQ(moved("0,1,:", 1), "0,2,:");
    EXPECT_EQ(moved("0,4,:", 1), "1,0,:");
    EXPECT_EQ(moved("1,0,:", -1), "0,4,:");
    EXPECT_EQ(moved("1,4,:", 1), "none");
    EXPECT_EQ(moved("0,:2,:", 1), "0,2:4,:");
    EXPECT_EQ(moved("0,2:4,:", 1), "0,4:5,:");
    EXPECT_EQ(moved("1,:2,:", -1), "0,4:5,:");
    EXPECT_EQ(moved("-1", -1), "0");
    EXPECT_EQ(moved(":,:,:", 1), "none");
}

TEST(ValueFacts, SayWhatNarrowerTypesCannotHold) {
    app::InspectedItem item;
    item.name = "y";
    item.type = "tensor f32[4]";
    item.op = "Mul";
    item.node = "<b>";
    item.numbers = statistics_of(Tensor::of<float>({4}, {0, -1, 1e6f, 1e-9f}));
    QString text;
    for (const auto& [what, figure] : factsOf(item))
        text += what + QStringLiteral(": ") + figure + u'\n';
    EXPECT_TRUE(text.contains(QStringLiteral("made by Mul <b>"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("1 too large, 1 too small"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("NaN: none"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Range: −1 …"))) << text.toStdString();
    EXPECT_FALSE(factsHtml(item).contains(QStringLiteral("<b>"))) << "names are text";
}

}  // namespace
}  // namespace lapidary::views
