// SPDX-License-Identifier: Apache-2.0
// After its file was read again, a model is compared with itself as it was before.
#include <QAction>

#include <filesystem>

#include <lapidary/graph/graph_text.h>

#include "project_fixture.h"
#include "window/earlier_model.h"
#include "workbench/jobs/comparison.h"

namespace lapidary::views {
namespace {

class EarlierModelTest : public ProjectTest {
protected:
    void SetUp() override {
        ProjectTest::SetUp();
        QSettings().setValue(QStringLiteral("optimize/tryLevels"), false);
    }
    QString saved(const char* name, const char* text) {
        Model model;
        model.ir_version = 8;
        model.opset_imports[""] = 17;
        model.graph = parse_graph(text);
        save_model(model, file(name).toStdString());
        return file(name);
    }
    QString relu() { return saved("m.onnx", "(x: f32[2,4]) -> (y)\n y = Relu(x) as \"act\""); }
    /// As programs write files that others may read meanwhile: beside it, then in its place.
    void replaceByTanh() {
        const QString beside =
            saved("beside.onnx", "(x: f32[2,4]) -> (y)\n y = Tanh(x) as \"act\"");
        std::filesystem::rename(beside.toStdString(), file("m.onnx").toStdString());
    }
    void openAndCopy(const QString& path) {
        openFile(path);
        ASSERT_TRUE(waitFor([this] { return workbench_->jobs().jobs().isEmpty(); }));
    }
    void readAgain() {
        const auto before = workbench_->opened();
        command(QStringLiteral("Read again"))->trigger();
        ASSERT_TRUE(
            waitFor([&] { return workbench_->opened() != before && banner()->isVisible(); }));
    }
    MessageBanner* banner() const { return find<MessageBanner>("changedFileBanner"); }
    QPushButton* button() const {
        return banner()->findChild<QPushButton*>(QStringLiteral("compareWithBefore"));
    }
    QString copy() const { return find<EarlierModel>("earlierModel")->copyOfOpened(); }
};

TEST_F(EarlierModelTest, IsBOfAComparison) {
    openAndCopy(relu());
    ASSERT_FALSE(copy().isEmpty());
    replaceByTanh();
    readAgain();
    ASSERT_TRUE(button());
    button()->click();
    EXPECT_EQ(window_->currentPage(), QStringLiteral("compare"));
    app::Comparison& comparison = workbench_->comparison();
    ASSERT_TRUE(
        waitFor([&] { return comparison.b() && comparison.b()->recipe.other_model.has_value(); }));
    const auto operatorOf = [](const ModelPtr& model) {
        return model->graph.node(model->graph.nodes()[0]).op_type;
    };
    EXPECT_EQ(operatorOf(workbench_->opened()->model), "Tanh");
    EXPECT_EQ(operatorOf(comparison.b()->model), "Relu");
}

TEST_F(EarlierModelTest, IsThereForTheSameFileAlone) {
    openAndCopy(relu());
    openAndCopy(savedModel("mlp", "other.onnx"));
    readAgain();
    ASSERT_TRUE(button()) << "the other file was read twice";
    openAndCopy(relu());
    EXPECT_FALSE(banner()->isVisible()) << "nothing is offered for another model";
}

TEST_F(EarlierModelTest, IsNotKeptOfAModelWithoutAFile) {
    openSample("mlp");
    ASSERT_TRUE(waitFor([this] { return workbench_->jobs().jobs().isEmpty(); }));
    EXPECT_TRUE(copy().isEmpty());
}

}  // namespace
}  // namespace lapidary::views
