// SPDX-License-Identifier: Apache-2.0
// What is selected on the graph leaves as a model of its own that computes the same, constants as
// arrays.
#include <QFileDialog>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <lapidary/export/extract.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/exec/session.h>
#include <lapidary/tensor/tensor_file.h>

#include "graph/graph_extract.h"
#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class ExtractTest : public WindowTest {
protected:
    GraphPage* graph() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    }
    GraphCanvas* canvas() const { return graph()->canvas(); }
    const GraphOutline& outline() const { return *canvas()->scene()->outline; }
    void open(ModelPtr model) {
        workbench_->adopt(std::move(model), QStringLiteral("whole"));
        window_->showPage(QStringLiteral("graph"));
        ASSERT_TRUE(waitFor([&] { return canvas()->scene() && !graph()->isLayingOut(); }));
    }
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    QTemporaryDir folder_;
};

NamedValues run(const Model& model, const NamedValues& inputs,
                const std::vector<std::string>& extra = {}) {
    SessionOptions options;
    options.session_passes.set = SessionPasses::Set::none;  // inner values are asked for
    RunOptions running;
    running.extra_outputs = extra;
    return Session::compile(std::make_shared<const Model>(model), options)
        .run(inputs, running)
        .outputs;
}

TEST_F(ExtractTest, AGroupComputesTheSameAloneAsInTheWhole) {
    open(scoped_model(4, 2));
    const auto& groups = outline().groups();
    const auto group = std::ranges::find(groups, QStringLiteral("block2"), &OutlineGroup::label);
    ASSERT_NE(group, groups.end());
    const auto index = OutlineIndex(group - groups.begin());
    canvas()->setSelection({noIndex, index, noIndex});
    emit canvas()->selectionChanged(canvas()->selection());
    const std::vector<NodeId> nodes = nodesOf(outline(), canvas()->selection());
    EXPECT_EQ(nodes.size(), 7u);
    QAction* save = command(QStringLiteral("Save the selection as a model …"));
    ASSERT_TRUE(save->isEnabled());
    save->trigger();
    auto* dialog = find<QFileDialog>("extractDialog");
    EXPECT_TRUE(dialog->selectedFiles().front().endsWith(QStringLiteral("whole.block2.onnx")))
        << dialog->selectedFiles().front().toStdString();
    dialog->reject();
    QSignalSpy written(graph(), &GraphPage::exported);
    graph()->extractTo(nodes, path("part.onnx"));
    ASSERT_TRUE(waitFor([&] { return !written.isEmpty(); }));
    ASSERT_TRUE(written.front()[1].toString().isEmpty())
        << written.front()[1].toString().toStdString();

    const Model part = load_model(path("part.onnx").toStdString());
    EXPECT_EQ(part.graph.nodes().size(), nodes.size());
    ASSERT_EQ(part.graph.inputs().size(), 1u);
    ASSERT_EQ(part.graph.outputs().size(), 1u);
    const Model& whole = *workbench_->document()->model;
    const std::string in = part.graph.value(part.graph.inputs()[0]).name,
                      out = part.graph.value(part.graph.outputs()[0]).name;
    const NamedValues inside = run(whole, generate_inputs(whole), {in, out});
    const NamedValues alone = run(part, {{in, inside[inside.size() - 2].second}});
    EXPECT_TRUE(same_contents(alone.front().second.tensor(), inside.back().second.tensor()));
}

TEST_F(ExtractTest, ANodeIsAModelWithItsWeight) {
    open(scoped_model(2, 2));
    const Graph& graph = workbench_->document()->model->graph;
    const NodeId conv = graph.nodes().front();
    const Model part = extract_nodes(*workbench_->document()->model, std::vector<NodeId>{conv});
    EXPECT_EQ(part.graph.nodes().size(), 1u);
    EXPECT_EQ(part.graph.inputs().size(), 1u);
    EXPECT_TRUE(part.graph.find_value("weight"));
}

TEST_F(ExtractTest, WhatCannotBeCutSaysWhy) {
    open(chain_model(3));
    const Model& model = *workbench_->document()->model;
    EXPECT_THROW(extract_nodes(model, std::vector<NodeId>{}), Error);
    canvas()->setSelection({});
    emit canvas()->selectionChanged({});
    EXPECT_FALSE(command(QStringLiteral("Save the selection as a model …"))->isEnabled());
    Model untyped = model;
    GraphEdit edit(untyped.graph);
    const NodeId last = untyped.graph.nodes().back();
    edit.set_type(untyped.graph.node(last).inputs[0], {});
    try {
        extract_nodes(untyped, std::vector<NodeId>{last});
        ADD_FAILURE() << "it has no types";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("is not known"), std::string::npos)
            << error.what();
    }
}

TEST_F(ExtractTest, ConstantsOfANodeAreSavedAsArrays) {
    open(scoped_model(2, 2));
    const NodeId conv = workbench_->document()->model->graph.nodes().front();
    canvas()->setSelection({outline().leafOf(0, conv), noIndex, noIndex});
    QMenu menu;
    emit canvas()->menuOpened(&menu);
    QAction* save = nullptr;
    for (QAction* action : menu.actions())
        if (action->text().contains(QStringLiteral(".npy"))) save = action;
    ASSERT_TRUE(save);
    EXPECT_TRUE(save->text().contains(QStringLiteral("weight")));
    save->trigger();
    auto* dialog = find<QFileDialog>("saveTensorDialog");
    EXPECT_TRUE(dialog->selectedFiles().front().endsWith(QStringLiteral("weight.npy")));
    QSignalSpy written(graph(), &GraphPage::exported);
    emit dialog->fileSelected(path("weight.npy"));
    ASSERT_TRUE(waitFor([&] { return !written.isEmpty(); }));
    EXPECT_EQ(load_npy(path("weight.npy").toStdString()).shape(), (Shape{4, 4, 1, 1}));
    dialog->reject();
}

}  // namespace
}  // namespace lapidary::views
