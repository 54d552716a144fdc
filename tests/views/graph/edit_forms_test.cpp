// SPDX-License-Identifier: Apache-2.0
// Forms of edits: fields made from the form of a verb, the line that results, and what it does.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <lapidary/edit/edit_script.h>
#include <lapidary/edit/edit_verbs.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/onnx_io/model_io.h>

#include "graph/forms/attribute_fields.h"
#include "graph/forms/edit_form_dialog.h"
#include "graph/forms/join_fields.h"
#include "graph/forms/metadata_fields.h"
#include "graph/forms/operator_field.h"
#include "graph/forms/order_fields.h"
#include "graph/forms/place_words.h"
#include "graph/forms/rename_fields.h"
#include "graph/forms/weight_fields.h"
#include "views/window_fixture.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

class EditFormsTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        openSample("mlp");
    }
    EditFormDialog& open(const char* form, const EditTarget& target = {}) {
        dialog_ = std::make_unique<EditFormDialog>(*workbench_, QString::fromLatin1(form), target);
        dialog_->show();
        return *dialog_;
    }
    PlaceField* field(const char* place) {
        auto* found = dialog_->findChild<PlaceField*>(QString::fromLatin1(place));
        EXPECT_NE(found, nullptr) << place;
        return found;
    }
    void waitForTrial() {
        ASSERT_TRUE(waitFor([&] { return !dialog_->isTrying(); }));
    }
    /// The first node of an operator, as a word.
    QString nodeOf(const char* op) const {
        const Graph& graph = workbench_->opened()->model->graph;
        for (const NodeId id : graph.nodes())
            if (graph.node(id).op_type == op) return nodeWord(graph.node(id));
        return {};
    }
    std::unique_ptr<EditFormDialog> dialog_;
};

TEST(FormPartsTest, AFormIsReadAsItsParts) {
    const QList<FormGroup> groups =
        formGroups(QStringLiteral("wrap BOXES SCORES nms [count COUNT] [bridge|cut]"));
    ASSERT_EQ(groups.size(), 6);
    EXPECT_EQ(groups[1].parts[0].kind, FormPart::Kind::place);
    EXPECT_TRUE(groups[4].isOptional);
    ASSERT_EQ(groups[4].parts.size(), 2);
    EXPECT_EQ(groups[4].parts[1].words, QStringList{QStringLiteral("COUNT")});
    EXPECT_EQ(groups[5].parts[0].kind, FormPart::Kind::choice);
    const QList<FormGroup> set = formGroups(QStringLiteral("set NODES.ATTRIBUTE = TEXT"));
    EXPECT_EQ(set[1].parts[0].kind, FormPart::Kind::attribute);
    EXPECT_EQ(set[1].parts[0].words.size(), 2);
    EXPECT_EQ(formGroups(QStringLiteral("order inputs|outputs NAME,...")).last().parts[0].kind,
              FormPart::Kind::list);
}

TEST(FormPartsTest, TextsBecomeWords) {
    const auto word = [](const char* text, WordStyle style) {
        return styledWord(QString::fromLatin1(text), style).toStdString();
    };
    EXPECT_EQ(word(" op:Cast & scope:a ", WordStyle::asWritten), "op:Cast & scope:a");
    EXPECT_EQ(word("odd name", WordStyle::name), "\"odd name\"");
    EXPECT_EQ(word("\"odd name\"", WordStyle::name), "\"odd name\"");
    EXPECT_EQ(word("a_*", WordStyle::pattern), "a_*");
    EXPECT_EQ(word("[1,2]", WordStyle::value), "[1,2]");
    EXPECT_EQ(word("-0.5", WordStyle::value), "-0.5");
    EXPECT_EQ(word("A. Person", WordStyle::text), "\"A. Person\"");
}

// Every field of every form has a name for screen readers, and fits into a narrow window.
TEST_F(EditFormsTest, EveryFormHasFieldsWithNames) {
    for (const EditVerb& verb : edit_verbs()) {
        const EditFormDialog dialog(*workbench_, exactText(verb.form), {});
        EXPECT_LE(dialog.fields()->minimumSizeHint().width(), 600) << verb.form;
        for (const QWidget* widget : dialog.fields()->findChildren<QWidget*>())
            if (qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget))
                EXPECT_FALSE(widget->accessibleName().isEmpty() &&
                             widget->parentWidget()->accessibleName().isEmpty())
                    << verb.form;
    }
}

TEST_F(EditFormsTest, ALineIsTriedAndCanBeApplied) {
    EditFormDialog& dialog = open("delete NODES [bridge|cut]", {{nodeOf("Relu")}});
    EXPECT_EQ(dialog.line(), QStringLiteral("delete ") + nodeOf("Relu"));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
    auto* wanted = dialog.findChild<QCheckBox*>(QStringLiteral("wanted_bridge_cut"));
    ASSERT_NE(wanted, nullptr);
    wanted->setChecked(true);
    dialog.findChild<QComboBox*>(QStringLiteral("choice_bridge_cut"))
        ->setCurrentText(QStringLiteral("cut"));
    EXPECT_EQ(dialog.line(), QStringLiteral("delete ") + nodeOf("Relu") + QStringLiteral(" cut"));
}

TEST_F(EditFormsTest, WhatIsMissingIsSaid) {
    EditFormDialog& dialog = open("rename node|value|input|output|scope FROM -> TO");
    EXPECT_TRUE(dialog.line().isEmpty());
    EXPECT_FALSE(dialog.canApply());
    EXPECT_FALSE(dialog.sentence().isEmpty());
    dialog.findChild<QComboBox*>(QStringLiteral("choice_node_value_input_output_scope"))
        ->setCurrentText(QStringLiteral("input"));
    field("place_FROM")->setWord(QStringLiteral("input"));
    field("place_TO")->setWord(QStringLiteral("image"));
    EXPECT_EQ(dialog.line(), QStringLiteral("rename input input -> image"));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, AReasonIsSaidWhereALineCannotBeDone) {
    EditFormDialog& dialog = open("output VALUES", {{}, QStringLiteral("no_such_value")});
    waitForTrial();
    EXPECT_FALSE(dialog.canApply());
    EXPECT_TRUE(dialog.sentence().contains(QStringLiteral("no_such_value")))
        << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, AnInvalidModelMayBeKept) {
    EditFormDialog& dialog = open("connect VALUE -> NODE.INPUT",
                                  {{QStringLiteral("/layers.4/Gemm")}, QStringLiteral("input")});
    field("place_INPUT")->setWord(QStringLiteral("A"));
    EXPECT_EQ(dialog.line(), QStringLiteral("connect input -> /layers.4/Gemm.A"));
    waitForTrial();
    auto* keep = dialog.findChild<QCheckBox*>(QStringLiteral("editFormKeep"));
    ASSERT_TRUE(keep->isVisible()) << dialog.sentence().toStdString();
    EXPECT_FALSE(dialog.canApply());
    keep->setChecked(true);
    EXPECT_TRUE(dialog.canApply());
    EXPECT_TRUE(dialog.keepsInvalid());
}

TEST_F(EditFormsTest, ABodyIsEditedByAPrefix) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(R"((c: bool[], x: f32[2]) -> (y)
        y = If(c) {then_branch: graph { () -> (r)  r = Relu(x) as "inner" },
                   else_branch: graph { () -> (s)  s = Identity(x) }} as "choice")");
    workbench_->adopt(model, QStringLiteral("choice"));
    EditTarget target;
    target.nodes = {QStringLiteral("inner")};
    target.prefix = QStringLiteral("in choice.then_branch ");
    target.model = workbench_->opened()->model;
    target.graph = target.model->graph.node(target.model->graph.nodes()[0])
                       .graph_attribute("then_branch")
                       .get();
    target.keywords = {QStringLiteral("node")};
    EditFormDialog& dialog = open("rename node|value|input|output|scope FROM -> TO", target);
    field("place_TO")->setWord(QStringLiteral("other"));
    EXPECT_EQ(dialog.line(), QStringLiteral("in choice.then_branch rename node inner -> other"));
    EXPECT_EQ(qobject_cast<RenameFields*>(dialog.fields())->hits()->topLevelItemCount(), 1);
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, SeveralNodesAreOneList) {
    EditFormDialog& dialog =
        open("delete NODES [bridge|cut]", {{QStringLiteral("a"), QStringLiteral("\"b, c\"")}});
    EXPECT_EQ(dialog.line(), QStringLiteral("delete a, \"b, c\""));
}

TEST_F(EditFormsTest, AnOperatorIsFoundWithItsAttributes) {
    EditFormDialog& dialog = open("insert OPERATOR on|before|after PLACE [as NAME]",
                                  {{}, QStringLiteral("logits"), {QStringLiteral("on")}});
    auto* field = dialog.findChild<OperatorField*>();
    ASSERT_NE(field, nullptr);
    EXPECT_TRUE(dialog.line().isEmpty());
    dialog.findChild<QLineEdit*>(QStringLiteral("operatorSearch"))->setText(QStringLiteral("cast"));
    EXPECT_TRUE(dialog.line().isEmpty()) << "Cast needs `to`";
    EXPECT_EQ(field->attributes()->missing(), QStringList{QStringLiteral("to")});
    field->attributes()->setValue(QStringLiteral("to"), QStringLiteral("float"));
    EXPECT_EQ(dialog.line(), QStringLiteral("insert Cast(to=float) on logits"));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
    dialog.findChild<QLineEdit*>(QStringLiteral("operatorSearch"))->setText(QStringLiteral("clip"));
    field->attributes()->setValue(QStringLiteral("min"), QStringLiteral("0"));
    EXPECT_EQ(dialog.line(), QStringLiteral("insert Clip(min=0) on logits"));
}

// Of a selected node, whose output is selected with it, the node is meant.
TEST_F(EditFormsTest, ANodeIsInsertedBeforeTheSelectedOne) {
    const EditTarget target{{nodeOf("Relu")}, QStringLiteral("logits"), {QStringLiteral("before")}};
    EditFormDialog& dialog = open("insert OPERATOR on|before|after PLACE [as NAME]", target);
    dialog.findChild<OperatorField*>()->setWord(QStringLiteral("Identity"));
    EXPECT_EQ(dialog.line(), QStringLiteral("insert Identity before ") + nodeOf("Relu"));
}

TEST_F(EditFormsTest, TheMissingAttributeIsNamed) {
    EditFormDialog& dialog = open("replace NODES with OPERATOR", {{nodeOf("Relu")}});
    dialog.findChild<OperatorField*>()->setWord(QStringLiteral("Cast"));
    EXPECT_EQ(dialog.sentence(), QStringLiteral("Still needed: attribute \"to\" of Cast."));
}

// Also through fields that are made when another operator is chosen.
TEST_F(EditFormsTest, TabGoesThroughAttributesBeforeTheRestOfTheForm) {
    EditFormDialog& dialog = open("insert OPERATOR on|before|after PLACE [as NAME]",
                                  {{}, QStringLiteral("logits"), {QStringLiteral("on")}});
    const auto press = [&] {
        QTest::keyClick(dialog.focusWidget(), Qt::Key_Tab);
        return dialog.focusWidget();
    };
    auto* field = dialog.findChild<OperatorField*>();
    const AttributeTable* table = field->attributes();
    for (const char* op : {"Cast", "Clip", "Softmax"}) {
        field->setWord(QString::fromLatin1(op));
        ASSERT_GT(table->topLevelItemCount(), 0) << op;
        field->operators()->setFocus();
        EXPECT_EQ(press(), table->firstEditor()) << op;
        for (int row = 1; row < table->topLevelItemCount(); ++row)
            EXPECT_TRUE(table->isAncestorOf(press())) << op << ", row " << row;
        const QWidget* next = press();
        EXPECT_FALSE(table->isAncestorOf(next)) << op;
        EXPECT_TRUE(dialog.fields()->isAncestorOf(next)) << op << ": the other fields come first";
        int fields = 0, attributes = 0;
        for (int presses = 0; presses < 40 && next != field->operators(); ++presses) {
            fields += dialog.fields()->isAncestorOf(next) ? 1 : 0;
            attributes += table->isAncestorOf(next) ? 1 : 0;
            next = press();
        }
        EXPECT_EQ(next, field->operators()) << op << ": Tab goes round";
        EXPECT_GE(fields, 3) << op;
        EXPECT_EQ(attributes, 0) << op << ": each field has one place";
    }
}

TEST_F(EditFormsTest, TheFieldToFillInHasTheFocus) {
    const auto focused = [&](const char* form, const EditTarget& target, const char* place) {
        const EditFormDialog& dialog = open(form, target);
        const auto* wanted = dialog.findChild<PlaceField*>(QString::fromLatin1(place));
        return wanted && dialog.focusWidget() && wanted->isAncestorOf(dialog.focusWidget());
    };
    EXPECT_TRUE(focused("rename node|value|input|output|scope FROM -> TO",
                        {{nodeOf("Relu")}, {}, {QStringLiteral("node")}}, "place_TO"));
    EXPECT_TRUE(focused("replace NODES with OPERATOR", {{nodeOf("Relu")}}, "place_OPERATOR"));
    EXPECT_TRUE(focused("type input|output NAME = TYPE",
                        {{}, QStringLiteral("input"), {QStringLiteral("input")}}, "place_TYPE"));
    EXPECT_TRUE(focused("delete NODES [bridge|cut]", {{nodeOf("Relu")}}, "place_NODES"));
}

TEST_F(EditFormsTest, WhatChangesNothingIsNotDone) {
    EditFormDialog& dialog = open("rename node|value|input|output|scope FROM -> TO",
                                  {{nodeOf("Relu")}, {}, {QStringLiteral("node")}});
    EXPECT_EQ(dialog.sentence(), QStringLiteral("Nothing changes yet."));
    EXPECT_FALSE(dialog.isTrying());
    EXPECT_FALSE(dialog.canApply());
    field("place_TO")->setWord(QStringLiteral("better"));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
    EditFormDialog& type = open("type input|output NAME = TYPE",
                                {{}, QStringLiteral("input"), {QStringLiteral("input")}});
    EXPECT_EQ(type.sentence(), QStringLiteral("Nothing changes yet."));
    field("place_TYPE")->setWord(QStringLiteral("float[1,784]"));
    EXPECT_TRUE(type.isTrying());
}

TEST_F(EditFormsTest, AttributesOfSeveralNodesAreThoseOfOneOperator) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(R"((x: f32[2,4]) -> (z)
        y = Softmax(x) {axis: 0} as "first"
        v = Softmax(y) {axis: 1} as "second"
        z = Relu(v) as "third")");
    workbench_->adopt(model, QStringLiteral("three"));
    EditFormDialog& dialog =
        open("set NODES.ATTRIBUTE = TEXT", {{QStringLiteral("first"), QStringLiteral("second")}});
    auto* table = qobject_cast<AttributeFields*>(dialog.fields())->table();
    ASSERT_EQ(table->topLevelItemCount(), 1);
    EXPECT_EQ(table->value(QStringLiteral("axis")), QString()) << "they differ";
    EXPECT_EQ(dialog.sentence(), QStringLiteral("Nothing changes yet."));
    table->setValue(QStringLiteral("axis"), QStringLiteral("1"));
    EXPECT_EQ(dialog.line(), QStringLiteral("set first, second.axis = 1"));
    EditFormDialog& mixed =
        open("set NODES.ATTRIBUTE = TEXT", {{QStringLiteral("first"), QStringLiteral("third")}});
    EXPECT_EQ(mixed.sentence(), QStringLiteral("Still needed: nodes of one operator."));
}

// The help has the titles of the fields, and the only input is meant.
TEST_F(EditFormsTest, FieldsAreCalledWhatTheHelpCallsThem) {
    EXPECT_EQ(formHelp(QStringLiteral("rename node|value FROM -> TO"),
                       QStringLiteral("Each * of FROM becomes the * of TO; `cut` cuts.")),
              QStringLiteral("Each * of \"From\" becomes the * of \"New name\"; \"cut\" cuts."));
    EditTarget target;
    target.title = QStringLiteral("Take channels last or first");
    EditFormDialog& dialog = open("wrap NAME nhwc|nchw", target);
    EXPECT_EQ(dialog.windowTitle(), target.title);
    EXPECT_EQ(dialog.line(), QStringLiteral("wrap input nhwc"));
    EXPECT_EQ(placeTitle(QStringLiteral("wrap NAME softmax"), QStringLiteral("NAME")),
              QStringLiteral("Output"));
    EditFormDialog& weight = open("weight NAME cast TYPE", {{nodeOf("Gemm")}});
    EXPECT_FALSE(field("place_NAME")->word().isEmpty());
    EXPECT_EQ(weight.sentence(), QStringLiteral("Still needed: Type."));
}

// The first dimension of the input has a name already.
TEST_F(EditFormsTest, ADimensionWithASizeIsOfferedToBeFreed) {
    EditFormDialog& dialog = open("free DIMENSION as NAME", {{}, QStringLiteral("input")});
    EXPECT_EQ(field("place_DIMENSION")->word(), QStringLiteral("input[1]"));
    EXPECT_TRUE(dialog.line().isEmpty());
}

TEST_F(EditFormsTest, AttributesAreSetAndUnset) {
    const QString node = nodeOf("Gemm");
    EditFormDialog& dialog = open("set NODES.ATTRIBUTE = TEXT", {{node}});
    auto* fields = qobject_cast<AttributeFields*>(dialog.fields());
    ASSERT_NE(fields, nullptr);
    EXPECT_EQ(fields->table()->value(QStringLiteral("transB")), QStringLiteral("1"));
    EXPECT_TRUE(dialog.line().isEmpty());
    fields->table()->setValue(QStringLiteral("alpha"), QStringLiteral("much"));
    EXPECT_TRUE(dialog.line().isEmpty());
    EXPECT_EQ(fields->table()->problems().size(), 1);
    fields->table()->setValue(QStringLiteral("alpha"), QStringLiteral("0.5"));
    EXPECT_EQ(dialog.line(), QStringLiteral("set %1.alpha = 0.5").arg(node));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
    fields->table()->setValue(QStringLiteral("alpha"), QString());
    fields->table()->setValue(QStringLiteral("transB"), QString());
    EXPECT_TRUE(dialog.line().contains(QStringLiteral("unset %1.transB").arg(node)))
        << dialog.line().toStdString();
}

TEST_F(EditFormsTest, AWeightIsTransposed) {
    const Graph& graph = workbench_->opened()->model->graph;
    QString weight;
    for (const ValueId id : graph.initializers())
        if (graph.value(id).constant->rank() == 2 && weight.isEmpty())
            weight = exactText(edit_word(graph.value(id).name));
    EditFormDialog& dialog = open("weight NAME transpose AXES,... [plain]", {{}, weight});
    EXPECT_EQ(dialog.line(), QStringLiteral("weight %1 transpose 1, 0").arg(weight));
    EXPECT_TRUE(dialog.findChild<QLabel*>(QStringLiteral("weightFacts"))
                    ->text()
                    .contains(QStringLiteral("f32[")));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, ATypeBeginsWithTheOneThatIsThere) {
    EditFormDialog& dialog = open("type input|output NAME = TYPE",
                                  {{}, QStringLiteral("input"), {QStringLiteral("input")}});
    EXPECT_EQ(dialog.line(), QStringLiteral("type input input = float[batch,784]"));
}

TEST_F(EditFormsTest, APatternShowsWhatItHits) {
    EditFormDialog& dialog = open("rename node|value|input|output|scope FROM -> TO");
    auto* fields = qobject_cast<RenameFields*>(dialog.fields());
    ASSERT_NE(fields, nullptr);
    field("place_FROM")->setWord(QStringLiteral("/layers.*"));
    field("place_TO")->setWord(QStringLiteral("part_*"));
    EXPECT_EQ(fields->hits()->topLevelItemCount(), 5);
    EXPECT_EQ(fields->hits()->topLevelItem(0)->text(1), QStringLiteral("part_0/Gemm"));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, SeveralNodesAreRenamedAtOnce) {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(R"((x: f32[2]) -> (z)
        y = Relu(x) as "first"
        z = Neg(y) as "second")");
    workbench_->adopt(model, QStringLiteral("two"));
    EditFormDialog& dialog =
        open("rename node|value|input|output|scope FROM -> TO",
             {{QStringLiteral("first"), QStringLiteral("second")}, {}, {QStringLiteral("node")}});
    EXPECT_EQ(dialog.sentence(), QStringLiteral("Nothing changes yet."));
    field("place_TO")->setWord(QStringLiteral("part_*"));
    EXPECT_EQ(dialog.line(),
              QStringLiteral("rename node first -> part_first\nrename node second -> part_second"));
    field("place_TO")->setWord(QStringLiteral("step"));
    EXPECT_EQ(dialog.line(),
              QStringLiteral("rename node first -> step_1\nrename node second -> step_2"));
    auto* fields = qobject_cast<RenameEachFields*>(dialog.fields());
    ASSERT_NE(fields, nullptr);
    ASSERT_EQ(fields->hits()->topLevelItemCount(), 2);
    EXPECT_EQ(fields->hits()->topLevelItem(1)->text(1), QStringLiteral("step_2"));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, MetadataIsATable) {
    EditFormDialog& dialog = open("metadata KEY = TEXT");
    auto* fields = qobject_cast<MetadataFields*>(dialog.fields());
    ASSERT_NE(fields, nullptr);
    const int row = fields->table()->rowCount();
    dialog.findChild<QPushButton*>(QStringLiteral("metadataAdd"))->click();
    ASSERT_EQ(fields->table()->rowCount(), row + 1);
    fields->table()->item(row, 0)->setText(QStringLiteral("author"));
    fields->table()->item(row, 1)->setText(QStringLiteral("A. Person"));
    EXPECT_EQ(dialog.line(), QStringLiteral("metadata author = \"A. Person\""));
    waitForTrial();
    EXPECT_TRUE(dialog.canApply()) << dialog.sentence().toStdString();
}

TEST_F(EditFormsTest, ASplitWritesBothFiles) {
    const Graph& graph = workbench_->opened()->model->graph;
    QString value;
    for (const NodeId id : graph.nodes())
        if (graph.node(id).op_type == "Relu" && value.isEmpty())
            value = exactText(edit_word(graph.value(graph.node(id).outputs[0]).name));
    const QTemporaryDir folder;
    const QString first = folder.filePath(QStringLiteral("first.onnx"));
    const QString second = folder.filePath(QStringLiteral("second.onnx"));
    EditFormDialog& dialog =
        open("split at NAME,... into FIRST and SECOND", {.nodes = {}, .value = value});
    field("place_FIRST")->setWord(first);
    field("place_SECOND")->setWord(second);
    ASSERT_TRUE(waitFor([&] { return dialog.canApply(); })) << dialog.sentence().toStdString();
    EXPECT_FALSE(QFile::exists(second));
    dialog.findChild<QPushButton*>(QStringLiteral("editFormApply"))->click();
    ASSERT_TRUE(waitFor([&] { return dialog.result() == QDialog::Accepted; }))
        << dialog.sentence().toStdString();
    EXPECT_EQ(load_model(toPath(first)).graph.node_count() +
                  load_model(toPath(second)).graph.node_count(),
              graph.node_count());
}

TEST_F(EditFormsTest, AnotherModelIsJoinedByPairs) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("second.onnx"));
    save_model(build_sample("mlp"), toPath(path));
    EditFormDialog& dialog = open("join FILE [prefix PREFIX] [with PAIRS*]");
    auto* fields = qobject_cast<JoinFields*>(dialog.fields());
    ASSERT_NE(fields, nullptr);
    field("place_FILE")->setWord(path);
    ASSERT_TRUE(waitFor([&] { return fields->pairs()->topLevelItemCount() == 1; }));
    auto* box =
        qobject_cast<QComboBox*>(fields->pairs()->itemWidget(fields->pairs()->topLevelItem(0), 2));
    ASSERT_NE(box, nullptr);
    auto* byNames = dialog.findChild<QCheckBox*>(QStringLiteral("joinByNames"));
    byNames->setChecked(false);
    byNames->setFocus();
    QTest::keyClick(byNames, Qt::Key_Tab);
    EXPECT_EQ(dialog.focusWidget(), box) << "Tab goes from the check box to the pairs";
    box->setCurrentIndex(1);
    EXPECT_TRUE(dialog.line().endsWith(QStringLiteral(" with logits -> input")))
        << dialog.line().toStdString();
}

TEST_F(EditFormsTest, InputsAreBroughtIntoAnotherOrder) {
    openSample("bert-tiny");
    const std::size_t count = workbench_->opened()->model->graph.inputs().size();
    EditFormDialog& dialog = open("order inputs|outputs NAME,...");
    auto* fields = qobject_cast<OrderFields*>(dialog.fields());
    ASSERT_NE(fields, nullptr);
    EXPECT_EQ(std::size_t(fields->list()->count()), count);
    EXPECT_TRUE(dialog.line().isEmpty());
    ASSERT_GE(count, 2u);
    fields->move(1);
    EXPECT_TRUE(dialog.line().startsWith(QStringLiteral("order inputs ")));
}

}  // namespace
}  // namespace lapidary::views
