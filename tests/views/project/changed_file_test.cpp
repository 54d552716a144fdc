// SPDX-License-Identifier: Apache-2.0
// The file of the open model changes on disk: the window offers to read it again, keeps variants,
// notes and the selection, and says what changed.
#include <QAction>

#include <filesystem>

#include <lapidary/report/model_summary.h>

#include "project_fixture.h"
#include "window/model_difference.h"

namespace lapidary::views {
namespace {

class ChangedFile : public ProjectTest {
protected:
    void SetUp() override {
        ProjectTest::SetUp();
        QSettings().setValue(QStringLiteral("optimize/tryLevels"), false);
    }
    MessageBanner* offer() const { return find<MessageBanner>("changedFileBanner"); }
    /// As programs write files that others may read meanwhile: beside it, then in its place.
    void replace(const QString& path, const char* sample) {
        const QString beside = savedModel(sample, "beside.onnx");
        std::filesystem::rename(beside.toStdString(), path.toStdString());
    }
    std::string selectedName() const {
        const NodeId node = workbench_->focus().node;
        return node ? workbench_->document()->model->graph.node(node).name : std::string();
    }
};

TEST_F(ChangedFile, IsOfferedAndReadAgain) {
    const QString path = savedModel("mlp", "m.onnx");
    openFile(path);
    EXPECT_FALSE(offer()->isVisible());
    const auto before = workbench_->opened();
    replace(path, "lenet");
    ASSERT_TRUE(waitFor([&] { return offer()->isVisible(); }));
    EXPECT_TRUE(offer()->title().contains(QStringLiteral("m.onnx")));
    EXPECT_EQ(workbench_->opened(), before) << "nothing is read unasked";
    offer()->findChild<QPushButton*>(QStringLiteral("readAgain"))->click();
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != before && offer()->isVisible(); }));
    EXPECT_TRUE(workbench_->opened()->summary.operators.contains("Conv"));
    EXPECT_TRUE(offer()->text().contains(QStringLiteral("Conv +")))
        << offer()->text().toStdString();
    EXPECT_FALSE(project().isWorthAsking()) << "reading a file again is nothing to save";
}

TEST_F(ChangedFile, KeepsVariantsNotesAndTheSelection) {
    openFile(savedModel("mlp", "m.onnx"));
    workbench_->useRecipe(recipeOf(Level::basic));
    ASSERT_TRUE(waitFor([&] { return workbench_->document()->variant != nullptr; }));
    project().setNotes(QStringLiteral("kept"));
    runModel();
    EXPECT_FALSE(project().runs().empty());
    const auto before = workbench_->opened();
    const auto nodes = workbench_->document()->model->graph.nodes();
    workbench_->focusNode(nodes.back());
    const std::string selected = selectedName();
    ASSERT_FALSE(selected.empty());
    command(QStringLiteral("Read again"))->trigger();
    ASSERT_TRUE(waitFor([&] {
        return workbench_->opened() != before && workbench_->document()->variant &&
               workbench_->focus().node;
    }));
    EXPECT_EQ(workbench_->recipeInForce(), recipeOf(Level::basic));
    EXPECT_EQ(selectedName(), selected);
    EXPECT_EQ(project().notes(), QStringLiteral("kept"));
    EXPECT_TRUE(project().runs().empty()) << "they are of the file before";
    ASSERT_TRUE(waitFor([&] { return offer()->isVisible(); }));
    EXPECT_TRUE(offer()->text().contains(QStringLiteral("as before")))
        << offer()->text().toStdString();
}

TEST_F(ChangedFile, OneThatIsGoneStaysOpenAndIsAskedFor) {
    const QString path = savedModel("mlp", "m.onnx");
    openFile(path);
    const auto before = workbench_->opened();
    ASSERT_TRUE(QFile::remove(path));
    command(QStringLiteral("Read again"))->trigger();
    ASSERT_TRUE(waitFor([&] { return bannerButton("locateModel") != nullptr; }));
    EXPECT_EQ(workbench_->opened(), before);
    const auto* banner = find<MessageBanner>("projectBanner");
    EXPECT_EQ(banner->title(), QStringLiteral("m.onnx is no longer there"))
        << "there is no project that it could be the model of";
}

TEST_F(ChangedFile, AModelWithoutAFileIsNotReadAgain) {
    openSample("mlp");
    EXPECT_FALSE(command(QStringLiteral("Read again"))->isEnabled());
}

TEST(ModelDifference, NamesWhatChanged) {
    const ModelSummary mlp = summarize(build_sample("mlp"));
    const ModelSummary lenet = summarize(build_sample("lenet"));
    EXPECT_TRUE(differenceText(mlp, mlp).contains(QStringLiteral("as before")));
    const QString grown = differenceText(mlp, lenet), shrunk = differenceText(lenet, mlp);
    EXPECT_TRUE(grown.contains(QStringLiteral("Conv +"))) << grown.toStdString();
    EXPECT_TRUE(shrunk.contains(QStringLiteral("Conv −"))) << shrunk.toStdString();
    for (const char* part : {"Nodes: ", "Weights: ", "The inputs are different."})
        EXPECT_TRUE(grown.contains(QLatin1String(part))) << part << grown.toStdString();
    ModelSummary renamed = mlp;
    renamed.outputs.front().first = "another";
    EXPECT_EQ(differenceText(mlp, renamed), QStringLiteral("The outputs are different."));
}

}  // namespace
}  // namespace lapidary::views
