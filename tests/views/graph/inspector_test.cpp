// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <QSignalSpy>

#include <lapidary/base/error.h>

#include "views/graph_models.h"
#include "views/gui_watchdog.h"
#include "panels/inspector_panel.h"

namespace lapidary::views {
namespace {

struct InspectorTest : testing::Test {
    app::Workbench workbench;
    InspectorPanel panel{workbench};
    const Graph& graph() const { return workbench.document()->model->graph; }
    bool says(const char* text) { return panel.plainText().contains(QString::fromUtf8(text)); }
};

ModelPtr small_model() {
    auto model = std::make_unique<Model>();
    model->opset_imports[""] = 17;
    model->producer_name = "maker <b>bold</b>";
    GraphEdit edit(model->graph);
    edit.set_default_version(17);
    const ValueId x = edit.add_input("<img src='file:///etc/passwd'>", float_type({1, 3}));
    const ValueId w =
        edit.add_initializer("weight", Tensor::of<float>({3, 2}, {0, 1, 2, 3, NAN, -1}));
    const ValueId m = edit.node("MatMul", {x, w}, {}, "multiply");
    edit.set_type(m, float_type({1, 2}));
    const ValueId y =
        edit.node("Transpose", {m}, {{"perm", std::vector<std::int64_t>{1, 0}}}, "turn", "y");
    edit.add_output(y);
    edit.finish();
    return finished(std::move(model));
}

TEST_F(InspectorTest, asks_for_a_model) { EXPECT_TRUE(says("Open a model")); }

TEST_F(InspectorTest, shows_the_model_card) {
    workbench.adopt(small_model(), "tiny.onnx");
    EXPECT_TRUE(says("tiny.onnx"));
    EXPECT_TRUE(says("MatMul"));
    EXPECT_TRUE(says("ai.onnx 17"));
    EXPECT_TRUE(says("maker <b>bold</b>"));
    EXPECT_TRUE(says("<img src='file:///etc/passwd'>")) << "names are text, not markup";
    EXPECT_TRUE(says("Not measured yet"));
}

TEST_F(InspectorTest, shows_the_passport_of_an_export) {
    workbench.adopt(small_model(), "tiny.onnx");
    EXPECT_FALSE(says("Passport"));
    auto exported = std::make_unique<Model>(*small_model());
    exported->metadata = {{"author", "somebody"},
                          {"lapidary.level", "extended"},
                          {"lapidary.passes", "fuse_<b>gelu 2"},
                          {"lapidary.needs", "ONNX Runtime on any platform"},
                          {"lapidary.source_sha256", std::string(64, 'a')}};
    workbench.adopt(ModelPtr(std::move(exported)), "out.onnx");
    for (const char* text :
         {"Passport", "extended", "fuse_<b>gelu 2", "any ONNX implementation of opset 17",
          "aaaaaaaa", "author", "somebody"})
        EXPECT_TRUE(says(text)) << text;
    EXPECT_FALSE(says("lapidary.level")) << "shown once, in words";
    EXPECT_FALSE(says("ONNX Runtime on any platform"))
        << "what is in the model counts, not what its file claims";
}

TEST_F(InspectorTest, shows_a_node_with_its_attributes_and_neighbours) {
    workbench.adopt(small_model(), "tiny.onnx");
    const NodeId turn = graph().nodes()[1];
    workbench.focusNode(turn);
    EXPECT_TRUE(says("Transpose"));
    EXPECT_TRUE(says("perm"));
    EXPECT_TRUE(says("[1, 0]"));
    EXPECT_TRUE(says("f32[1,2]"));
    for (const char* heading :
         {"What is it", "Where did it come from", "What does it cost", "Can it be changed"})
        EXPECT_TRUE(says(heading));
    // the producer is a link that focuses it
    const QString html = panel.browser()->toHtml();
    EXPECT_TRUE(html.contains("MatMul"));
    for (int i = 0; i < 20 && workbench.focus().node == turn; ++i) {
        emit panel.browser()->anchorClicked(QUrl(QStringLiteral("link:%1").arg(i)));
        if (workbench.focus().node != graph().nodes()[0]) workbench.focusNode(turn);
    }
    EXPECT_EQ(workbench.focus().node, graph().nodes()[0]);
    emit panel.browser()->anchorClicked(QUrl("link:99999"));
    emit panel.browser()->anchorClicked(QUrl("file:///etc/passwd"));
    EXPECT_EQ(workbench.focus().node, graph().nodes()[0]);
}

TEST_F(InspectorTest, counts_the_values_of_a_constant_off_the_gui_thread) {
    workbench.adopt(small_model(), "tiny.onnx");
    QSignalSpy counted(&panel, &InspectorPanel::statisticsShown);
    workbench.focusValue(graph().find_value("weight"));
    EXPECT_TRUE(says("Counting"));
    ASSERT_TRUE(wait_until([&] { return counted.size() == 1; }));
    EXPECT_TRUE(says("NaN"));
    EXPECT_TRUE(says("-1 … 3"));
    EXPECT_TRUE(says("0, 1, 2, 3, nan, -1"));
    EXPECT_TRUE(says("multiply"));
    panel.resize(320, 700);
    EXPECT_FALSE(panel.grab().isNull());
}

TEST_F(InspectorTest, forgets_statistics_of_what_is_no_longer_in_focus) {
    workbench.adopt(small_model(), "tiny.onnx");
    workbench.focusValue(graph().find_value("weight"));
    EXPECT_TRUE(says("Counting"));
    workbench.focusNode(graph().nodes()[0]);
    ASSERT_TRUE(wait_until([&] { return workbench.jobs().jobs().isEmpty(); }));
    QCoreApplication::processEvents();
    EXPECT_FALSE(panel.hasStatistics());
    EXPECT_TRUE(says("MatMul"));
}

TEST_F(InspectorTest, shows_nodes_inside_bodies) {
    workbench.adopt(branching_model(), "branch.onnx");
    const GraphPtr body = graph().node(graph().nodes()[0]).graph_attribute("else_branch");
    app::Focus focus;
    focus.node = body->nodes()[0];
    focus.body = body;
    workbench.setFocus(focus);
    EXPECT_TRUE(says("Neg"));
    EXPECT_TRUE(says("from the graph around"));
}

TEST_F(InspectorTest, a_shown_panel_follows_by_itself) {
    panel.show();
    EXPECT_TRUE(
        panel.findChild<QTextBrowser*>("inspectorText")->toPlainText().contains("Open a model"));
    workbench.adopt(small_model(), "tiny.onnx");
    workbench.focusNode(graph().nodes()[0]);
    ASSERT_TRUE(wait_until([&] {
        return panel.findChild<QTextBrowser*>("inspectorText")->toPlainText().contains("MatMul");
    }));
}

TEST(InspectorValues, first_values_convert_only_the_beginning) {
    EXPECT_EQ(firstValues(Tensor::of<float>({3}, {0.5f, -1, 2}), 2), "0.5, -1 …");
    EXPECT_EQ(firstValues(Tensor::of<std::int64_t>({2}, {7, -9}), 8), "7, -9");
    EXPECT_EQ(firstValues(Tensor::of<std::string>({1}, {"a<b"}), 8), QStringLiteral("“a<b”"));
    EXPECT_EQ(firstValues(Tensor(DType::f32, {0}), 8), "");
    EXPECT_EQ(attributeText(std::vector<float>(100, 1.0f)).count(','), 24);
    EXPECT_EQ(attributeText(std::int64_t{-3}), "-3");
    EXPECT_EQ(attributeText(GraphPtr()), "");
}

TEST(InspectorValues, first_values_make_no_deferred_constant) {
    bool fails = false;
    const Tensor weight =
        Tensor::deferred(DType::u8, {6}, 2,
                         [&](std::byte* to, std::size_t begin, std::size_t end) {
                             if (fails) fail(ErrorCode::io_failure, "the file was truncated");
                             for (std::size_t i = 2 * begin; i < 2 * end; ++i) *to++ = std::byte(i);
                         },
                         {});
    EXPECT_EQ(firstValues(weight, 3), "0, 1, 2 …");
    EXPECT_TRUE(weight.is_deferred());
    fails = true;
    EXPECT_TRUE(firstValues(weight, 3).contains("truncated"));
}

}  // namespace
}  // namespace lapidary::views
