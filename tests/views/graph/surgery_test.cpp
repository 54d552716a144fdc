// SPDX-License-Identifier: Apache-2.0
// Edits by hand on the Graph page: each gesture is a line of the recipe in force, which undo takes
// back byte for byte.
#include <QDockWidget>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <lapidary/base/error.h>
#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/graph/graph_text.h>

#include "graph/forms/attribute_fields.h"
#include "graph/forms/edit_form_dialog.h"
#include "graph/forms/operator_field.h"
#include "graph/graph_page.h"
#include "graph/surgery/surgery_actions.h"
#include "panels/inspector_panel.h"
#include "panels/problems_panel.h"
#include "views/graph_models.h"
#include "views/window_fixture.h"
#include "widgets/cards/message_banner.h"
#include "workbench/project/project.h"
#include "worker/jobs/export_job.h"

namespace lapidary::views {
namespace {

class SurgeryTest : public WindowTest {
protected:
    GraphPage* page() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    }
    GraphCanvas* canvas() const { return page()->canvas(); }
    const Graph& graph() const { return workbench_->document()->model->graph; }
    std::string edits() const { return workbench_->recipeInForce().edits; }
    bool isDrawn() const {
        return canvas()->scene() && !page()->isLayingOut() &&
               canvas()->scene()->outline->model() == workbench_->document()->model;
    }
    void open(ModelPtr model) {
        workbench_->adopt(std::move(model), QStringLiteral("hand"));
        window_->showPage(QStringLiteral("graph"));
        ASSERT_TRUE(waitFor([&] { return isDrawn(); }));
    }
    void select(const std::vector<std::string>& names) {
        std::vector<OutlineIndex> leaves;
        for (const NodeId id : graph().nodes())
            if (std::ranges::find(names, graph().node(id).name) != names.end())
                leaves.push_back(canvas()->scene()->outline->leafOf(0, id));
        ASSERT_EQ(leaves.size(), names.size());
        canvas()->selectLeaves(leaves);
    }
    /// Selects the node of that name inside of a body.
    void selectInBody(const std::string& name) {
        const GraphOutline& outline = *canvas()->scene()->outline;
        const auto leaf = std::ranges::find_if(outline.leaves(), [&](const OutlineLeaf& one) {
            return one.place != 0 && one.kind == OutlineLeaf::Kind::Node &&
                   outline.nodeOf(one).name == name;
        });
        ASSERT_NE(leaf, outline.leaves().end()) << name;
        canvas()->selectLeaves({OutlineIndex(leaf - outline.leaves().begin())});
    }
    /// The form that an edit of the selection opens; null: the edit does not fit.
    EditFormDialog* openForm(const char* edit) {
        QAction* asks = action(QString::fromUtf8(edit));
        if (!asks || !asks->isEnabled()) return nullptr;
        asks->trigger();
        return page()->findChild<EditFormDialog*>();
    }
    void accept(EditFormDialog* form) {
        ASSERT_TRUE(waitFor([&] { return form->canApply(); })) << form->sentence().toStdString();
        const QPointer<EditFormDialog> gone(form);
        form->accept();
        ASSERT_TRUE(waitFor([&] { return gone.isNull(); }));
    }
    void selectValue(const std::string& name) { workbench_->focusValue(graph().find_value(name)); }
    QAction* action(const QString& text) const {
        for (QAction* found : page()->surgery().actions())
            if (found->text() == text) return found;
        ADD_FAILURE() << "no edit " << text.toStdString();
        return nullptr;
    }
    /// Waits until the edits in force are these.
    void expectEdits(const std::string& script) {
        EXPECT_TRUE(waitFor([&] { return edits() == script && isDrawn(); }))
            << edits() << page()->refusal().toStdString();
    }
    std::string exported() {
        const std::filesystem::path file =
            folder_.filePath(QStringLiteral("out.onnx")).toStdString();
        workbench_->engine().call(app::ExportJob{workbench_->document()->source, {}, {}, file},
                                  Progress());
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    QTemporaryDir folder_;
};

TEST_F(SurgeryTest, NodesAreDeletedByKeyAndComeBackByteForByte) {
    open(chain_model(4));
    const std::string before = exported();
    select({"relu1", "relu2"});
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get(), patience_ms));
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_Delete);
    expectEdits("delete relu1, relu2\n");
    EXPECT_EQ(graph().node_count(), 2u);
    EXPECT_EQ(graph().node(workbench_->focus().node).name, "relu3") << "what read them";
    const std::string edited = exported();
    EXPECT_NE(edited, before);

    QUndoStack& history = workbench_->project().undoStack();
    history.undo();
    expectEdits("");
    EXPECT_EQ(exported(), before);
    history.redo();
    expectEdits("delete relu1, relu2\n");
    EXPECT_EQ(exported(), edited);
}

TEST_F(SurgeryTest, EachGestureAddsALine) {
    open(chain_model(3));
    select({"relu1"});
    const std::string middle =
        graph().value(graph().node(workbench_->focus().node).outputs[0]).name;
    selectValue(middle);
    ASSERT_TRUE(waitFor([&] { return action(QStringLiteral("Make it an output"))->isEnabled(); }));
    action(QStringLiteral("Make it an output"))->trigger();
    const std::string first = "output " + edit_word(middle) + "\n";
    expectEdits(first);
    EXPECT_EQ(graph().outputs().size(), 2u);
    select({"relu2"});
    page()->surgery().applyLine(QStringLiteral("replace relu2 with Sigmoid"));
    expectEdits(first + "replace relu2 with Sigmoid\n");
    workbench_->project().undoStack().undo();
    expectEdits(first);
}

TEST_F(SurgeryTest, ANewNodeIsSelectedAndSeen) {
    open(chain_model(6));
    select({"relu1"});
    const std::string read = graph().value(graph().node(workbench_->focus().node).outputs[0]).name;
    const std::string line = "insert Sigmoid on " + edit_word(read) + "\n";
    page()->surgery().applyLine(QString::fromStdString(line).trimmed());
    expectEdits(line);
    ASSERT_TRUE(workbench_->focus().node);
    EXPECT_EQ(graph().node(workbench_->focus().node).op_type, "Sigmoid");
    const OutlineIndex box = canvas()->selectedBox();
    ASSERT_NE(box, noIndex);
    EXPECT_TRUE(canvas()->visibleArea().intersects(canvas()->scene()->boxes[box].rect()));
    EXPECT_FALSE(window_->findChild<QDockWidget*>(QStringLiteral("variantsDock"))->isVisible())
        << "nothing opens by itself, which would move the graph";
}

// What is selected next may lie outside of the view, which scrolls to it and does not centre it.
TEST_F(SurgeryTest, TheViewMovesNoFurtherThanNeeded) {
    auto model = std::make_unique<Model>();  // nothing in it repeats, so that nothing is folded
    model->opset_imports[""] = 17;
    GraphEdit made(model->graph);
    made.set_default_version(17);
    ValueId value = made.add_input("x", float_type({1, 8}));
    for (int i = 0; i < 30; ++i) {
        const char* const operators[] = {"Relu", "Neg", "Abs", "Exp", "Tanh", "Sigmoid", "Floor"};
        value =
            made.node(operators[(i * i * 31 + i / 3) % 7], {value}, {}, "node" + std::to_string(i));
    }
    made.add_output(value);
    made.finish();
    open(finished(std::move(model)));
    command(QStringLiteral("In columns"))->trigger();
    ASSERT_TRUE(waitFor([&] { return isDrawn(); }));
    const auto boxOf = [&](const std::string& name) {
        for (const NodeId id : graph().nodes())
            if (graph().node(id).name == name)
                return canvas()
                    ->scene()
                    ->boxes[canvas()->scene()->boxOfLeaf[canvas()->scene()->outline->leafOf(0, id)]]
                    .rect();
        return QRectF();
    };
    canvas()->showView(1, QPointF(boxOf("node0").center().x() - canvas()->width() / 2.0, 0));
    int last = 0;  // node that is in view as a whole
    while (last < 28 && canvas()->visibleArea().contains(boxOf("node" + std::to_string(last + 1))))
        ++last;
    ASSERT_TRUE(last > 3 && last < 28) << last;
    const std::string above = "node" + std::to_string(last - 3);
    const QPointF before = canvas()->fromScene(boxOf(above).topLeft());
    const std::string gone = "node" + std::to_string(last);
    select({gone});
    action(QStringLiteral("Delete"))->trigger();
    expectEdits("delete " + gone + "\n");
    const QPointF after = canvas()->fromScene(boxOf(above).topLeft());
    EXPECT_LT((after - before).manhattanLength(), canvas()->height() / 3.0);
}

TEST_F(SurgeryTest, TheInspectorNamesTheEditThatMadeTheNode) {
    open(chain_model(3));
    showDocks();
    page()->surgery().applyLine(QStringLiteral("insert Sigmoid after relu1"));
    expectEdits("insert Sigmoid after relu1\n");
    auto* inspector = window_->findChild<InspectorPanel*>();
    ASSERT_NE(inspector, nullptr);
    EXPECT_TRUE(waitFor([&] {
        return inspector->plainText().contains(QStringLiteral("insert Sigmoid after relu1"));
    })) << inspector->plainText().toStdString();
    EXPECT_FALSE(inspector->plainText().contains(u'✓')) << "no pass took the node";
}

TEST_F(SurgeryTest, WhatCannotBeDoneIsSaidOnTheNode) {
    open(chain_model(3));
    select({"relu1"});
    action(QStringLiteral("Split Gemm"))->trigger();
    ASSERT_TRUE(waitFor([&] { return !page()->refusal().isEmpty(); }));
    EXPECT_EQ(canvas()->pins().size(), 1u);
    EXPECT_EQ(edits(), "");
    EXPECT_FALSE(page()->refusal().contains(QStringLiteral("line 1"))) << "nobody wrote one";
    auto* banner = page()->table()->findChild<MessageBanner*>();
    ASSERT_NE(banner, nullptr);
    EXPECT_FALSE(banner->isHidden() || banner->text().isEmpty()) << "above the table's rows too";
    select({"relu2"});
    EXPECT_TRUE(page()->refusal().isEmpty());
    EXPECT_TRUE(banner->isHidden());
    EXPECT_TRUE(canvas()->pins().empty());
}

TEST_F(SurgeryTest, AnInvalidStateIsShownInRedAndNeitherRunNorSaved) {
    open(chain_model(3));
    select({"relu1"});
    page()->surgery().applyLine(QStringLiteral("replace relu1 with Cast(to=int64)"));
    expectEdits("replace relu1 with Cast(to=int64)\n");
    const std::string valid = exported();
    page()->surgery().applyLine(QStringLiteral("replace relu2 with Sigmoid"));
    expectEdits("replace relu1 with Cast(to=int64)\nreplace relu2 with Sigmoid\n");
    ASSERT_EQ(workbench_->document()->faults.size(), 1u);
    EXPECT_EQ(graph().node(workbench_->document()->faults[0].node).name, "relu2");
    EXPECT_EQ(canvas()->pins().size(), 1u) << "the reason is on the node";
    EXPECT_FALSE(workbench_->faultText().isEmpty());
    EXPECT_THROW(exported(), Error);
    window_->showPage(QStringLiteral("run"));
    EXPECT_TRUE(window_->findChild<QWidget*>(QStringLiteral("faultCover"))->isVisible());
    auto* undo = window_->findChild<QPushButton*>(QStringLiteral("undoFault"));
    ASSERT_TRUE(undo->isVisible());
    EXPECT_TRUE(undo->text().contains(QStringLiteral("replace relu2 with Sigmoid")))
        << undo->text().toStdString();
    undo->click();
    expectEdits("replace relu1 with Cast(to=int64)\n");
    EXPECT_TRUE(workbench_->faultText().isEmpty());
    const auto* problems = window_->findChild<QDockWidget*>(QStringLiteral("bottomDock"));
    const auto* panel = window_->findChild<ProblemsPanel*>();
    EXPECT_TRUE(waitFor([&] { return !problems->isVisible() || panel->problemCount() > 0; }))
        << "nothing is odd any more";
    EXPECT_EQ(exported(), valid);
}

TEST_F(SurgeryTest, WhatALevelMadeIsNotEditedButWhatItLeftIs) {
    open(scoped_model(1));
    workbench_->useRecipe(app::Recipe::plain(Level::extended));
    ASSERT_TRUE(waitFor([&] { return workbench_->recipeInForce().level && isDrawn(); }));
    NodeId fused;
    for (const NodeId id : graph().nodes())
        if (graph().node(id).op_type == "FusedConv") fused = id;
    ASSERT_TRUE(fused) << "the level fuses Conv and Relu";
    workbench_->focusNode(fused);
    action(QStringLiteral("Delete"))->trigger();
    ASSERT_TRUE(waitFor([&] { return !page()->refusal().isEmpty(); }));
    EXPECT_TRUE(page()->refusal().contains(QStringLiteral("made by level")))
        << page()->refusal().toStdString();
    ASSERT_TRUE(action(QStringLiteral("Show it without its level"))->isEnabled());
    action(QStringLiteral("Show it without its level"))->trigger();
    ASSERT_TRUE(waitFor([&] { return !workbench_->recipeInForce().level && isDrawn(); }));
    EXPECT_FALSE(action(QStringLiteral("Show it without its level"))->isEnabled());
}

TEST_F(SurgeryTest, MenusHaveWhatFitsTheSelection) {
    open(chain_model(3));
    const auto texts = [&] {
        QMenu menu;
        page()->surgery().addTo(&menu);
        QStringList all;
        for (const QAction* entry : menu.actions()) {
            all << entry->text();
            if (entry->menu())
                for (const QAction* inner : entry->menu()->actions()) all << inner->text();
        }
        return all;
    };
    select({"relu1"});
    const QStringList ofNode = texts();
    for (const char* text : {"Delete", "Insert before …", "Replace by an operator …",
                             "Rename the node …", "Keep only the selected nodes"})
        EXPECT_TRUE(ofNode.contains(QString::fromUtf8(text))) << text;
    EXPECT_FALSE(ofNode.contains(QStringLiteral("Remove the output")));
    for (const char* text : {"Set an attribute …", "Remove an attribute …"})
        EXPECT_FALSE(ofNode.contains(QString::fromUtf8(text))) << text << " of a Relu";
    QSignalSpy said(page(), &Page::statusMessage);
    select({"relu0", "relu1"});
    ASSERT_FALSE(said.isEmpty());
    EXPECT_TRUE(said.back()[0].toString().startsWith(QStringLiteral("2 selected")))
        << said.back()[0].toString().toStdString();
    EXPECT_TRUE(texts().contains(QStringLiteral("Delete")));
    EXPECT_FALSE(texts().contains(QStringLiteral("Rename the node …")));
    selectValue("y");
    ASSERT_TRUE(waitFor([&] { return texts().contains(QStringLiteral("Remove the output")); }));
    EXPECT_FALSE(texts().contains(QStringLiteral("Delete")));
    selectValue("x");
    ASSERT_TRUE(waitFor([&] { return texts().contains(QStringLiteral("Make it a constant …")); }));
}

TEST_F(SurgeryTest, AFormAsksForTheRestOfTheLine) {
    open(chain_model(3));
    select({"relu1"});
    action(QStringLiteral("Rename the node …"))->trigger();
    auto* dialog = page()->findChild<EditFormDialog*>();
    ASSERT_TRUE(dialog);
    auto* name = dialog->findChild<PlaceField*>(QStringLiteral("place_TO"));
    ASSERT_TRUE(name);
    name->setWord(QStringLiteral("better"));
    ASSERT_TRUE(waitFor([&] { return dialog->canApply(); })) << dialog->sentence().toStdString();
    dialog->accept();
    expectEdits("rename node relu1 -> better\n");
    EXPECT_EQ(graph().node(workbench_->focus().node).name, "better") << "it stays selected";
}

TEST_F(SurgeryTest, FormsAreThoseOfTheVerbs) {
    open(chain_model(2));
    QSignalSpy forms(&page()->surgery(), &SurgeryActions::formRequested);
    QObject::disconnect(&page()->surgery(), &SurgeryActions::formRequested, page(), nullptr);
    for (const char* target : {"relu0", "x", "y"}) {
        if (target[0] == 'r') select({target});
        else selectValue(target);
        for (QAction* edit : page()->surgery().actions())
            if (edit->isEnabled() && edit->text().endsWith(QStringLiteral("…"))) edit->trigger();
    }
    EXPECT_GT(forms.size(), 20);
    for (const auto& asked : forms) {
        const std::string form = asked[0].toString().toStdString();
        EXPECT_TRUE(std::ranges::any_of(edit_verbs(), [&](const EditVerb& verb) {
            return verb.form == form;
        })) << form;
    }
}

TEST_F(SurgeryTest, AnArrowHeadIsDraggedToAnotherValue) {
    open(chain_model(3));
    canvas()->resetZoom();
    const GraphScene& scene = *canvas()->scene();
    const auto boxOf = [&](const std::string& name) {
        for (const NodeId id : graph().nodes())
            if (graph().node(id).name == name) return scene.boxOfLeaf[scene.outline->leafOf(0, id)];
        return noIndex;
    };
    const OutlineIndex reader = boxOf("relu2"), wanted = boxOf("relu0");
    ASSERT_EQ(scene.linesIn[reader].size(), 1u);
    const LayoutPoint end = scene.pointsOf(scene.lines[scene.linesIn[reader].front()]).back();
    canvas()->centreOn(boxOf("relu1"));
    const QPoint from = canvas()->fromScene(QPointF(end.x, end.y)).toPoint();
    const QPoint to = canvas()->fromScene(scene.boxes[wanted].rect().center()).toPoint();
    ASSERT_TRUE(canvas()->rect().contains(from) && canvas()->rect().contains(to));
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    QTest::mouseMove(canvas(), (from + to) / 2);
    QTest::mouseMove(canvas(), to);
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to);
    ASSERT_TRUE(waitFor([&] { return !edits().empty() && isDrawn(); }))
        << page()->refusal().toStdString();
    EXPECT_TRUE(edits().starts_with("connect ") && edits().ends_with(" -> relu2.0\n")) << edits();
    for (const NodeId id : graph().nodes())
        if (graph().node(id).name == "relu2") {
            const ValueId read = graph().node(id).inputs[0];
            EXPECT_EQ(graph().node(graph().value(read).producer).name, "relu0");
        }
}

TEST_F(SurgeryTest, NodesOfABodyAreDeletedThere) {
    open(branching_model());
    selectInBody("else0");
    EXPECT_FALSE(action(QStringLiteral("Delete, cutting"))->isEnabled())
        << "bodies keep their inputs";
    EXPECT_FALSE(action(QStringLiteral("Keep only the selected nodes"))->isEnabled());
    ASSERT_TRUE(action(QStringLiteral("Delete"))->isEnabled());
    action(QStringLiteral("Delete"))->trigger();
    ASSERT_TRUE(waitFor([&] { return !edits().empty() && isDrawn(); }))
        << page()->refusal().toStdString();
    EXPECT_TRUE(edits().starts_with("in ")) << edits();
    EXPECT_NE(edits().find(".else_branch delete "), std::string::npos) << edits();
}

// The same gestures as in the main graph, in lines that begin with the body.
TEST_F(SurgeryTest, NodesOfABodyAreRenamedInsertedAndReplaced) {
    open(branching_model());
    selectInBody("else0");
    EditFormDialog* form = openForm("Rename the node …");
    ASSERT_TRUE(form);
    form->findChild<PlaceField*>(QStringLiteral("place_TO"))->setWord(QStringLiteral("flipped"));
    accept(form);
    std::string script = "in decide.else_branch rename node else0 -> flipped\n";
    expectEdits(script);
    for (const char* text : {"Insert after …", "Replace by an operator …"}) {
        selectInBody("flipped");
        form = openForm(text);
        ASSERT_TRUE(form) << text;
        form->findChild<OperatorField*>()->setWord(QStringLiteral("Abs"));
        accept(form);
        script += text[0] == 'I' ? "in decide.else_branch insert Abs after flipped\n"
                                 : "in decide.else_branch replace flipped with Abs\n";
        expectEdits(script);
    }
    selectInBody("flipped");
    form = openForm("Rename the value …");
    ASSERT_TRUE(form) << "what the node writes";
    form->findChild<PlaceField*>(QStringLiteral("place_TO"))->setWord(QStringLiteral("positive"));
    accept(form);
    ASSERT_TRUE(waitFor([&] { return edits().size() > script.size() && isDrawn(); }));
    EXPECT_TRUE(edits().starts_with(script + "in decide.else_branch rename value ") &&
                edits().ends_with(" -> positive\n"))
        << edits();
    EXPECT_TRUE(workbench_->faultText().isEmpty()) << workbench_->faultText().toStdString();
}

TEST_F(SurgeryTest, AttributesOfABodyAreSet) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(R"((c: bool[], x: f32[2,3]) -> (y)
        y = If(c) {then_branch: graph { () -> (r)  r = Softmax(x) {axis: 0} as "inner" },
                   else_branch: graph { () -> (s)  s = Identity(x) }} as "choice")");
    open(model);
    selectInBody("inner");
    EditFormDialog* form = openForm("Set an attribute …");
    ASSERT_TRUE(form);
    auto* fields = qobject_cast<AttributeFields*>(form->fields());
    ASSERT_TRUE(fields);
    EXPECT_EQ(fields->table()->value(QStringLiteral("axis")), QStringLiteral("0"));
    fields->table()->setValue(QStringLiteral("axis"), QStringLiteral("1"));
    accept(form);
    expectEdits("in choice.then_branch set inner.axis = 1\n");
}

TEST_F(SurgeryTest, RowsOfTheTableAreEditedAtOnce) {
    open(chain_model(4));
    command(QStringLiteral("Table view"))->trigger();
    TableView* view = page()->table()->view();
    ASSERT_TRUE(view->isVisible());
    const auto click = [&](int row, Qt::KeyboardModifiers keys) {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, keys,
                          view->visualRect(view->model()->index(row, 1)).center());
    };
    click(0, {});
    EXPECT_EQ(canvas()->selection().leaves().size(), 1u);
    click(2, Qt::ControlModifier);
    EXPECT_EQ(canvas()->selection().leaves().size(), 2u);
    EXPECT_EQ(graph().node(workbench_->focus().node).name, "relu2") << "the row clicked last leads";
    EXPECT_TRUE(action(QStringLiteral("Rename the nodes …"))->isEnabled());
    click(1, {});
    EXPECT_EQ(canvas()->selection().leaves().size(), 1u);
    window_->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(canvas()->selection().leaves().size(), 2u);
    EXPECT_EQ(view->selectionModel()->selectedRows().size(), 2) << "the table keeps both";
    QTest::keyClick(view, Qt::Key_Delete);
    expectEdits("delete relu1, relu2\n");
    EXPECT_TRUE(view->isVisible());
}

TEST_F(SurgeryTest, MarkedNodesAreSelected) {
    open(scoped_model(4));
    page()->search(QStringLiteral("op:Add"));
    command(QStringLiteral("Select what is marked"))->trigger();
    EXPECT_EQ(canvas()->selection().leaves().size(), 4u);
    EXPECT_TRUE(action(QStringLiteral("Rename the nodes …"))->isEnabled());
    EXPECT_TRUE(action(QStringLiteral("Delete"))->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
