// SPDX-License-Identifier: Apache-2.0
// What the Inspector's links do: bars filter the graph, near misses are marked there, and what may
// take away what kept a pass from a place opens the conversion that does it.
#include <QCheckBox>
#include <QLabel>
#include <QTextBrowser>

#include "graph/graph_page.h"
#include "views/optimize/optimize_fixture.h"
#include "panels/inspector_panel.h"
#include "window/dialogs/convert_dialog.h"

namespace lapidary::views {
namespace {

using Kind = InspectorRequest::Kind;

class InspectorRequestTest : public OptimizeTest {
protected:
    QTextBrowser* text() const { return find<InspectorPanel>("inspectorPanel")->browser(); }
    QString plain() const { return find<InspectorPanel>("inspectorPanel")->plainText(); }
    void follow(int request) {
        emit text()->anchorClicked(QUrl(QStringLiteral("request:%1").arg(request)));
    }
    QString marked() const { return find<QLabel>("searchCount")->text(); }
    /// What the Conv computes is an output of the model too.
    static ModelPtr convReadTwice() {
        auto model = std::make_unique<Model>();
        model->opset_imports[""] = 17;
        GraphEdit edit(model->graph);
        edit.set_default_version(17);
        const ValueId x = edit.add_input("x", float_type({1, 4, 8, 8}));
        const ValueId w = edit.add_initializer(
            "w", Tensor::of<float>({4, 4, 1, 1}, std::vector<float>(16, 0.5f)));
        const ValueId conv = edit.node("Conv", {x, w}, {}, "convolution", "c");
        const ValueId y = edit.node("Relu", {conv}, {}, "rectified", "y");
        edit.add_output(y);
        edit.add_output(conv);
        edit.finish();
        return finished(std::move(model));
    }
};

TEST_F(InspectorRequestTest, BarsOfOperatorsFilterTheGraph) {
    openSample("bert-tiny");
    showDocks();
    window_->showPage(QStringLiteral("memory"));
    ASSERT_TRUE(waitFor([&] { return text()->toHtml().contains(QStringLiteral("request:0")); }));
    const auto& operators = workbench_->document()->summary.operators;
    const auto most =
        std::ranges::max_element(operators, {}, [](const auto& entry) { return entry.second; });
    follow(0);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    ASSERT_TRUE(waitFor([&] { return marked().contains(QStringLiteral("found")); }))
        << marked().toStdString();
    EXPECT_TRUE(marked().startsWith(QString::number(most->second))) << marked().toStdString();
    follow(99);  // nothing there
}

TEST_F(InspectorRequestTest, WhatKeptAPassAwayIsMarkedAndMayBeTakenAway) {
    workbench_->adopt(convReadTwice(), QStringLiteral("twice"));
    window_->showPage(QStringLiteral("optimize"));
    ASSERT_TRUE(optimized());
    showDocks();
    const Graph& graph = workbench_->opened()->model->graph;
    workbench_->focusNode(graph.nodes()[1]);
    ASSERT_TRUE(waitFor([&] { return plain().contains(QStringLiteral("mark them")); }))
        << plain().toStdString();
    EXPECT_TRUE(plain().contains(QStringLiteral("What may help: leave out outputs")))
        << plain().toStdString();
    follow(0);
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_TRUE(marked().contains(QStringLiteral("marked"))) << marked().toStdString();
    EXPECT_FALSE(marked().startsWith(u'0'));
    follow(1);
    auto* dialog = find<ConvertDialog>("convertDialog");
    ASSERT_TRUE(dialog);
    EXPECT_TRUE(dialog->conversion().isNone()) << "the user chooses which outputs are not needed";
    dialog->close();
}

TEST_F(InspectorRequestTest, AConversionIsOfferedWhereItBearsOnTheReason) {
    const ModelPtr model = convReadTwice();
    NearMiss miss;
    miss.nodes = {model->graph.nodes()[1], model->graph.nodes()[0]};
    miss.reason = "MatMulInteger needs opset 10, the model has 9";
    EXPECT_EQ(fixesOf(miss, *model, true), std::vector{Kind::newerOpset});
    miss.reason = "the rank of its input is not known";
    EXPECT_EQ(fixesOf(miss, *model, true), std::vector{Kind::fixDimensions});
    EXPECT_TRUE(fixesOf(miss, *model, false).empty()) << "nothing is free";
    miss.reason = "the Conv's result is also read elsewhere";
    EXPECT_EQ(fixesOf(miss, *model, false), std::vector{Kind::pruneOutputs});
    miss.nodes = {};
    EXPECT_TRUE(fixesOf(miss, *model, false).empty()) << "no output of the model has to do with it";
    miss.reason = "the bias is computed, needs a constant";
    EXPECT_TRUE(fixesOf(miss, *model, true).empty());
}

}  // namespace
}  // namespace lapidary::views
