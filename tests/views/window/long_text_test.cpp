// SPDX-License-Identifier: Apache-2.0
// Files whose every name, symbol, note and value of metadata is a megabyte, or of characters that
// turn lines around: the whole way through the window. No step holds it, memory stays bounded, and
// nothing that a widget shows or says is longer than people read.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTextBrowser>

#include <fstream>

#include <lapidary/onnx_io/model_io.h>

#include "canvas/graph_canvas.h"
#include "canvas/graph_scene.h"
#include "graph/graph_page.h"
#include "views/walkthroughs/journey.h"
#include "run/timeline/timeline_view.h"
#include "support/time_budget.h"
#include "widgets/cards/message_banner.h"
#include "widgets/table/table_export.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

// such a file may take longer than others, not seconds
const double longest_hold_ms = 200 * wall_factor;
// characters of one widget; markup of tool tips is counted
constexpr qsizetype most_shown = 12'000;
// a file of 40 MB as opened and at four levels, with two runs of it
constexpr double most_memory_mb = 2000;

double resident_mb() {
    std::ifstream file("/proc/self/statm");
    double all = 0, resident = 0;
    file >> all >> resident;
    return resident * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::string repeated(const std::string& part, std::size_t bytes) {
    std::string all;
    while (all.size() + part.size() <= bytes) all += part;
    return all;
}

struct Filler {
    const char* name;
    const char* part;
    std::size_t bytes;
};
constexpr Filler fillers[] = {
    {"megabyte", "abcdefghijklmnopqrstuvwxyz_0123456789", 1'000'000},
    {"scopes", "/block/layer", 100'000},
    // Hebrew, right-to-left override, isolates, line and paragraph separators, a family of emoji,
    // combining marks, C0 and C1, markup
    {"scripts",
     "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\xe2\x80\xae\xe2\x81\xa7\n\t\xe2\x80\xa8\xe2\x80\xa9\xf0\x9f"
     "\x91\xa9\xe2\x80\x8d"
     "\xf0\x9f\x91\xa7"
     "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\x1b[31m\xc2\x9b<b>&amp;%1</b>",
     100'000},
};

/// x[n, 8] -> MatMul, Add, Sigmoid, Mul, Relu, a function's call -> y; with everything that can
/// have a name or a note named by the filler.
ModelPtr verbose_model(const Filler& filler) {
    const std::string much = repeated(filler.part, filler.bytes);
    int count = 0;
    const auto name = [&] {
        const std::string number = std::to_string(++count);
        return "first" + number + much + "last" + number;
    };
    auto model = std::make_unique<Model>();
    model->ir_version = 10;
    model->opset_imports[""] = 21;
    model->producer_name = name();
    model->producer_version = name();
    model->domain = name();
    model->doc = name();
    model->metadata = {{name(), name()}, {"short", name()}};
    GraphEdit edit(model->graph);
    edit.set_name(name());
    edit.set_doc(name());
    edit.set_metadata({{name(), name()}});
    edit.set_default_version(21);
    const Type type = Type::tensor(
        DType::f32, SymbolicShape{Dim::symbolic("n" + repeated("abcdefgh", filler.bytes)), 8});
    const ValueId x = edit.add_input(name(), type);
    const ValueId weight =
        edit.add_initializer(name(), Tensor::of<float>({8, 8}, std::vector<float>(64, 0.25f)));
    const ValueId bias =
        edit.add_initializer(name(), Tensor::of<float>({8}, std::vector<float>(8, 0.5f)));
    ValueId v = edit.node("MatMul", {x, weight}, {}, name(), name());
    v = edit.node("Add", {v, bias}, {}, name(), name());
    const ValueId gate = edit.node("Sigmoid", {v}, {}, name(), name());
    v = edit.node("Mul", {v, gate}, {}, name(), name());
    v = edit.node("Relu", {v}, {}, name(), name());

    auto function = Function{};
    function.domain = "local" + much;
    function.name = "Twice" + much;
    function.doc = name();
    function.opset_imports[""] = 21;
    auto body = std::make_shared<Graph>();
    GraphEdit inner(*body);
    inner.set_default_version(21);
    const ValueId in = inner.add_input("in", {});
    inner.add_output(inner.node("Add", {in, in}, {}, name(), "out"));
    inner.finish();
    function.body = body;
    model->opset_imports[function.domain] = 1;
    NodeSpec call;
    call.op_type = function.name;
    call.domain = function.domain;
    call.version = 1;
    call.name = name();
    call.doc = name();
    call.metadata = {{name(), name()}};
    call.inputs = {v};
    const ValueId y = edit.add_value(name());
    call.outputs = {y};
    edit.add_node(call);
    model->functions.push_back(std::move(function));
    edit.set_doc(v, name());
    edit.set_metadata(x, {{name(), name()}});
    edit.add_output(y);
    edit.add_output(gate);
    edit.finish();
    return finished(std::move(model));
}

/// What people and screen readers get from a widget.
QStringList textsOf(const QWidget& widget) {
    QStringList texts{widget.toolTip(),
                      widget.statusTip(),
                      widget.whatsThis(),
                      widget.accessibleName(),
                      widget.accessibleDescription(),
                      widget.windowTitle()};
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) texts << label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) texts << button->text();
    if (const auto* edit = qobject_cast<const QLineEdit*>(&widget))
        texts << edit->text() << edit->placeholderText();
    if (const auto* combo = qobject_cast<const QComboBox*>(&widget))
        for (int i = 0; i < combo->count(); ++i) texts << combo->itemText(i);
    if (const auto* bar = qobject_cast<const QStatusBar*>(&widget)) texts << bar->currentMessage();
    for (const QAction* action : widget.actions()) texts << action->text() << action->toolTip();
    return texts;
}

class BoundedWindowTest : public JourneyTest {
protected:
    void expectBounded(const QString& text, const std::string& where) {
        EXPECT_LE(text.size(), most_shown) << where << " shows " << text.left(80).toStdString();
    }
    void expectBoundedRows(const QAbstractItemView& view, const QModelIndex& parent, int depth) {
        const QAbstractItemModel& model = *view.model();
        for (int row = 0; row < std::min(50, model.rowCount(parent)); ++row) {
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                const std::string where =
                    view.objectName().toStdString() + ", column " + std::to_string(column);
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
                                       Qt::AccessibleDescriptionRole})
                    expectBounded(index.data(role).toString(), where);
            }
            if (depth < 4) expectBoundedRows(view, model.index(row, 0, parent), depth + 1);
        }
    }
    /// All that any widget shows, hidden ones too.
    void expectBoundedTexts() {
        for (const QWidget* widget : window_->findChildren<QWidget*>()) {
            const std::string where = std::string(widget->metaObject()->className()) + " " +
                                      widget->objectName().toStdString();
            for (const QString& text : textsOf(*widget)) expectBounded(text, where);
            const auto* view = qobject_cast<const QAbstractItemView*>(widget);
            if (view && view->model()) expectBoundedRows(*view, {}, 0);
            if (const auto* edit = qobject_cast<const QPlainTextEdit*>(widget))
                for (const QString& line : edit->toPlainText().split(u'\n'))
                    expectBounded(line, where);
            if (const auto* browser = qobject_cast<const QTextBrowser*>(widget))
                EXPECT_LT(browser->toPlainText().size(), 100'000) << where;
        }
        expectBounded(window_->windowTitle(), "the title");
    }
    void expectNoHold() {
        for (const auto& [what, ms] : thisTime_)
            EXPECT_LT(ms, longest_hold_ms) << what << " held the GUI thread";
    }
};

class LongTextTest : public BoundedWindowTest, public testing::WithParamInterface<Filler> {
protected:
    void inspectAll() {
        const ModelPtr model = workbench_->document()->model;
        for (const NodeId node : model->graph.nodes())
            step("inspecting a node", [&] { workbench_->focusNode(node); });
        for (const ValueId value : model->graph.values())
            step("inspecting a value", [&] { workbench_->setFocus({.value = value}); });
        step("inspecting the model", [&] { workbench_->setFocus({}); });
    }
    void hoverOverTheGraph() {
        auto* page = pageOf<GraphPage>("graph");
        step("the graph", [&] { window_->showPage(QStringLiteral("graph")); });
        const QWidget* canvas = page->canvas();
        step("hovering over the graph", [&] {
            for (int y = 5; y < canvas->height(); y += 40)
                for (int x = 5; x < canvas->width(); x += 80) {
                    const QPoint at(x, y);
                    QHelpEvent help(QEvent::ToolTip, at, canvas->mapToGlobal(at));
                    QApplication::sendEvent(page->canvas(), &help);
                }
        });
        const GraphScenePtr scene = page->canvas()->scene();
        for (OutlineIndex i = 0; i < scene->boxes.size(); ++i)
            expectBounded(scene->titleOf(scene->boxes[i]), "a box of the graph");
        step("the graph as a table", [&] { command(QStringLiteral("Table view"))->trigger(); });
    }
    void exportTables() {
        QTemporaryDir folder;
        int tables = 0;
        for (QAbstractItemView* view : window_->findChildren<QAbstractItemView*>()) {
            if (!offersTable(*view) || !view->model() || view->model()->rowCount() == 0) continue;
            const QString file = folder.filePath(QStringLiteral("%1.csv").arg(++tables));
            step("exporting a table", [&] { EXPECT_EQ(saveTableTo(*view, file), QString()); });
            EXPECT_LT(QFileInfo(file).size(), 2'000'000) << view->objectName().toStdString();
        }
        EXPECT_GT(tables, 5);
        step("a picture of the window", [&] {
            EXPECT_TRUE(window_->grab().save(folder.filePath(QStringLiteral("window.png"))));
        });
    }
};

TEST_P(LongTextTest, NeitherHoldsTheWindowNorFillsMemory) {
    QTemporaryDir folder;
    const QString path = folder.filePath(
        QString(100, u'm') + QStringLiteral("\u202e\u05e9\u05dc\u05d5\u05dd \U0001f469 <b>.onnx"));
    save_model(*verbose_model(GetParam()), path.toStdString());
    const double before = resident_mb();
    isPlanned_ = false;
    open([&] { workbench_->openAny(path); });
    showDocks();
    optimize();
    run();
    planMemory();
    tune();
    compare();
    walk("");
    if (HasFatalFailure()) return;
    inspectAll();
    hoverOverTheGraph();
    expectBoundedTexts();
    exportTables();
    EXPECT_LT(window_->minimumSizeHint().width(), 1400) << "a long name makes the window wide";
    EXPECT_LT(resident_mb() - before, most_memory_mb);
    expectNoHold();
    const auto worst =
        std::ranges::max_element(thisTime_, {}, [](const auto& step) { return step.second; });
    std::printf("%zu steps, the longest hold %.1f ms, of %s; %.0f MB more\n", thisTime_.size(),
                worst->second, worst->first.c_str(), resident_mb() - before);
}

// Whatever goes wrong may name what a file calls its parts.
TEST_F(BoundedWindowTest, SentencesOfErrorsAreBoundedWhereverTheyAreShown) {
    openSample("mlp");
    showDocks();
    const QString much(2'000'000, u'w'), words = QStringLiteral("many words ").repeated(200'000);
    for (const QString& text : {much, words}) {
        const auto reported = [&](const char* what, const std::function<void()>& report) {
            step(what, report);
            expectBoundedTexts();
            EXPECT_LT(window_->minimumSizeHint().width(), 1400) << what;
        };
        app::Project& project = workbench_->project();
        reported("a model that cannot be opened", [&] { emit workbench_->openFailed(text, text); });
        reported("a run that failed", [&] { emit workbench_->runFailed(text); });
        reported("a trace that failed", [&] { emit workbench_->traceFailed(text, text); });
        reported("a worker that ended", [&] { emit workbench_->worker().ended(text, text); });
        reported("a line of the log", [&] { emit workbench_->logged(text); });
        reported("a trace that was saved", [&] { emit workbench_->traceSaved(text); });
        reported("a comparison that failed", [&] { emit workbench_->comparison().failed(text); });
        reported("tuning that failed", [&] { emit workbench_->tuning().failed(text); });
        reported("a project that cannot be opened", [&] { emit project.openFailed(text, text); });
        reported("a model that is missing", [&] { emit project.modelMissing(text, text); });
        reported("a model that is gone", [&] { emit project.modelMissing(text, {}); });
        reported("a model that differs", [&] { emit project.modelDiffers(text, text); });
        reported("an open model that differs",
                 [&] { emit project.openedModelDiffers(text, text); });
        reported("a project that was not saved", [&] { emit project.saveFailed(text, text); });
        reported("a task", [&] {
            const std::string reason = text.toStdString();
            workbench_->jobs().start<int>(
                text,
                [reason](const Progress& progress) -> int {
                    progress.step(reason);
                    throw Error(ErrorCode::invalid_input, reason);
                },
                [](int) {}, [](const Error&) {});
        });
    }
    expectNoHold();
}

INSTANTIATE_TEST_SUITE_P(Files, LongTextTest, testing::ValuesIn(fillers),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace lapidary::views
