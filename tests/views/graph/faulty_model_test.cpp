// SPDX-License-Identifier: Apache-2.0
// A model with an error in a node is drawn all the same: the node red, the message on it. Pages
// that cannot work on it say why.
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <fstream>
#include <iterator>

#include <lapidary/onnx_io/model_io.h>

#include "graph/graph_page.h"
#include "views/graph_models.h"
#include "panels/inspector_panel.h"
#include "panels/problems_panel.h"
#include "widgets/cards/message_banner.h"
#include "window/fault_cover.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

Tensor zeros(Shape shape) {
    Tensor tensor(DType::f32, std::move(shape));
    std::ranges::fill(tensor.mutable_data<float>(), 0.0f);
    return tensor;
}

/// x [2,8] -> Relu -> MatMul with [3,4] -> Sigmoid: the product cannot be.
Model mismatched() {
    Model model;
    model.opset_imports[""] = 17;
    GraphEdit edit(model.graph);
    edit.set_default_version(17);
    const ValueId x = edit.add_input("x", float_type({2, 8}));
    const ValueId weight = edit.add_initializer("weight", zeros({3, 4}));
    const ValueId kept = edit.node("Relu", {x}, {}, "keep", "middle");
    const ValueId product = edit.node("MatMul", {kept, weight}, {}, "scores");
    edit.add_output(edit.node("Sigmoid", {product}, {}, "gate", "y"));
    edit.finish();
    return model;
}

class FaultyModelTest : public WindowTest {
protected:
    GraphPage* graph() const {
        return qobject_cast<GraphPage*>(window_->page(QStringLiteral("graph")));
    }
    std::filesystem::path file() const {
        return folder_.filePath(QStringLiteral("faulty.onnx")).toStdString();
    }
    void openFile() {
        workbench_->openModel(QString::fromStdString(file().string()));
        ASSERT_TRUE(waitFor([&] {
            return (workbench_->document() && graph()->canvas()->scene() &&
                    !graph()->isLayingOut()) ||
                   window_->banner()->kind() == MessageBanner::Kind::error;
        }));
        ASSERT_TRUE(workbench_->document()) << "it was refused";
    }
    void openMismatched() {
        save_model(mismatched(), file());
        openFile();
    }
    NodeId faulty() const { return workbench_->document()->faults.front().node; }
    QTemporaryDir folder_;
};

TEST_F(FaultyModelTest, TheLoaderRefusesItUnlessItIsAskedForFaults) {
    save_model(mismatched(), file());
    EXPECT_THROW(load_model(file()), Error);
    std::vector<ModelFault> faults;
    const Model model = load_model(file(), {.faults = &faults});
    ASSERT_EQ(faults.size(), 1u);
    EXPECT_EQ(model.graph.node(faults[0].node).name, "scores");
    EXPECT_FALSE(faults[0].message.starts_with("node"))
        << "the node is named once: " << faults[0].message;
    EXPECT_EQ(to_string(model.graph.value(model.graph.find_value("middle")).type),
              to_string(model.graph.value(model.graph.find_value("x")).type))
        << "types are known up to the fault";
}

TEST_F(FaultyModelTest, ItIsDrawnWithTheMessageOnTheNode) {
    openMismatched();
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    ASSERT_EQ(workbench_->document()->faults.size(), 1u);
    const GraphCanvas* canvas = graph()->canvas();
    const auto& marks = canvas->marks();
    EXPECT_EQ(std::ranges::count(marks, BoxMark::Fault), 1);
    ASSERT_EQ(canvas->pins().size(), 1u);
    EXPECT_EQ(marks[canvas->pins().front().box], BoxMark::Fault);
    EXPECT_EQ(canvas->scene()->titleOf(canvas->scene()->boxes[canvas->pins().front().box]),
              QStringLiteral("MatMul"));
    const QString message = QString::fromStdString(workbench_->document()->faults.front().message);
    EXPECT_TRUE(canvas->pins().front().text.startsWith(message.left(20)))
        << canvas->pins().front().text.toStdString();
    EXPECT_EQ(workbench_->focus().node, faulty()) << "it is what there is to see";
    QString reported = find<InspectorPanel>("inspectorPanel")->plainText();
    EXPECT_TRUE(reported.contains(message.left(20)));
    const QString consequence = QStringLiteral("nothing of it runs before that is put right");
    EXPECT_EQ(reported.count(consequence), 1) << reported.toStdString();
    reported.remove(consequence);
    for (const char* promise : {"it runs", "Press F5", "(F5)"})
        EXPECT_FALSE(reported.contains(QString::fromLatin1(promise)))
            << promise << " of a model that cannot run";
    EXPECT_GE(find<ProblemsPanel>("problemsPanel")->problemCount(), 1);
    EXPECT_NE(window_->banner()->kind(), MessageBanner::Kind::error)
        << "no banner says it was not opened";
}

TEST_F(FaultyModelTest, PagesThatCannotWorkSayWhyAndLeadToTheNode) {
    openMismatched();
    auto* cover = find<FaultCover>("faultCover");
    for (const QString& id : window_->pageIds()) {
        window_->showPage(id);
        EXPECT_EQ(window_->currentPage(), id);
        const bool works = id == QLatin1String("start") || id == QLatin1String("graph");
        EXPECT_EQ(cover->isVisible(), !works) << id.toStdString();
        if (!works) {
            EXPECT_TRUE(cover->text().contains(QStringLiteral("scores")))
                << cover->text().toStdString();
        }
    }
    EXPECT_FALSE(find<QPushButton>("undoFault")->isVisible()) << "no edit made it so";
    EXPECT_TRUE(workbench_->variants().list().empty()) << "nothing was tried";
    workbench_->setFocus({});
    cover->button()->click();
    EXPECT_EQ(window_->currentPage(), QStringLiteral("graph"));
    EXPECT_EQ(workbench_->focus().node, faulty());
    EXPECT_FALSE(find<QToolButton>("variantChip")->isEnabled());
    workbench_->startRun();
    EXPECT_FALSE(workbench_->isRunning());
    EXPECT_EQ(window_->banner()->kind(), MessageBanner::Kind::error);
}

TEST_F(FaultyModelTest, AValueThatNoNodeWritesIsAnInputToLookAt) {
    save_model(mismatched(), file());
    std::ifstream in(file(), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    in.close();
    const std::size_t written = bytes.find("middle"), read = bytes.find("middle", written + 1);
    ASSERT_NE(read, std::string::npos);
    bytes.replace(read, 6, "nobody");  // what the product reads; what Relu writes stands before it
    std::ofstream(file(), std::ios::binary) << bytes;
    openFile();
    ASSERT_GE(workbench_->document()->faults.size(), 1u);
    EXPECT_NE(workbench_->document()->faults.front().message.find("nobody"), std::string::npos)
        << workbench_->document()->faults.front().message;
    EXPECT_EQ(std::ranges::count(graph()->canvas()->marks(), BoxMark::Fault), 1);
}

TEST_F(FaultyModelTest, AnotherModelRemovesTheMessageOverThePages) {
    openMismatched();
    window_->showPage(QStringLiteral("memory"));
    EXPECT_TRUE(find<FaultCover>("faultCover")->isVisible());
    openSample("mlp");
    EXPECT_EQ(window_->currentPage(), QStringLiteral("memory"));
    EXPECT_FALSE(find<FaultCover>("faultCover")->isVisible());
    EXPECT_TRUE(find<QToolButton>("variantChip")->isEnabled());
}

}  // namespace
}  // namespace lapidary::views
